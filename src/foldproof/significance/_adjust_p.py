"""p-values adjusted for how many there are."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from foldproof.domain.errors import InputError
from foldproof.significance._base import formula
from foldproof.significance._moments import Floats

Method = Literal["none", "bonferroni", "sidak", "holm", "holm-sidak", "bh"]
METHODS = ("none", "bonferroni", "sidak", "holm", "holm-sidak", "bh")


def _sidak(p: Floats, n: npt.ArrayLike) -> Floats:
    with np.errstate(divide="ignore"):
        adjusted: Floats = -np.expm1(np.asarray(n) * np.log1p(-p))
    return adjusted


@formula
def adjust_p(p: npt.ArrayLike, *, method: Method = "holm") -> Floats:
    """Return adjusted p-values: reject those at most alpha.

    ``"bonferroni"`` and ``"holm"`` hold the familywise error under any dependence, Holm's with more power;
    ``"sidak"`` and ``"holm-sidak"`` are exact for independent tests; ``"bh"`` (Benjamini & Hochberg) holds the false
    discovery rate, under independence or positive dependence. Comparisons on shared data are dependent: use Holm.

    >>> adjust_p([0.01, 0.04, 0.03], method="holm")
    array([0.03, 0.06, 0.06])
    """
    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1 or not ((values >= 0.0) & (values <= 1.0)).all():
        raise InputError("adjust_p takes a list of p-values between 0 and 1")
    if method not in METHODS:
        raise InputError(f"method is {method!r}: use one of {', '.join(METHODS)}")
    n = values.size
    if method == "none" or n == 0:
        return values.copy()
    if method == "bonferroni":
        return np.minimum(n * values, 1.0)
    if method == "sidak":
        return _sidak(values, n)
    order = np.argsort(values, kind="stable")
    ordered, rank = values[order], np.arange(n)
    if method == "bh":
        steps = np.minimum.accumulate((ordered * n / (rank + 1))[::-1])[::-1]
    elif method == "holm":
        steps = np.maximum.accumulate(ordered * (n - rank))
    else:
        steps = np.maximum.accumulate(_sidak(ordered, n - rank))
    adjusted = np.empty(n)
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted
