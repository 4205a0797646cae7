"""Signed p-values and heights: how the figures of Bradford & Brodley (2001) show the t of a partition."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.domain.result import AveragedTResult
from foldproof.domain.student import upper_tail

Floats = npt.NDArray[np.float64]
#: Heights beyond this are off the scale: p is below 0.0005.
OFF_SCALE = 0.0005


def signed_p(t: float, df: float) -> float:
    """Return one tail with the sign of t.

    >>> round(signed_p(-2.262157, 9.0), 4), signed_p(0.0, 9.0)
    (-0.025, 0.5)
    """
    tail = float(np.asarray(upper_tail(abs(t), df)))
    return tail if t >= 0.0 else -tail


def height(t: npt.ArrayLike, df: float) -> Floats:
    """Return P(T <= t): above 0.5 where the first learner is better, and near 1 where that is certain.

    >>> height([-2.262157, 0.0, 2.262157], 9.0).round(4).tolist()
    [0.025, 0.5, 0.975]
    """
    values = np.asarray(t, dtype=np.float64)
    tails = np.asarray(upper_tail(np.abs(values), df))
    return np.where(values >= 0.0, 1.0 - tails, tails)


def heights_of(found: AveragedTResult) -> Floats:
    """Return the height of every partition."""
    return height(found.t_values, found.df)
