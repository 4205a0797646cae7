"""Levels for looks whose number is not known beforehand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from foldproof.domain.errors import InputError
from foldproof.domain.result import checked_level
from foldproof.significance._base import formula
from foldproof.significance._moments import Floats


@formula
def alpha_spending(look: npt.ArrayLike, *, alpha: float) -> Floats:
    """Return the level of the j-th look, ``alpha / (j (j + 1))``; all of them together sum to alpha.

    For open-ended tuning: state the important comparison first, its level is alpha / 2. Where the number of
    comparisons is known beforehand, Holm has more power. Two runs of one comparison with different seeds are two
    looks.

    >>> alpha_spending([1, 2, 3], alpha=0.05)
    array([0.025     , 0.00833333, 0.00416667])
    """
    number = np.asarray(look)
    if number.size == 0 or not np.issubdtype(number.dtype, np.integer) or (number < 1).any():
        raise InputError(f"look is {look!r}: looks are counted from 1")
    j = number.astype(np.float64)
    levels: Floats = checked_level(alpha) / (j * (j + 1.0))
    return levels


@formula
def online_fallback(pvalues: Sequence[float], *, alpha: float) -> Floats:
    """Return the level of every look and of the next: a rejected look passes its level on.

    The levels of ``alpha_spending``, where the level of a look that rejects is added to that of the next.

    >>> online_fallback([0.001, 0.5], alpha=0.05)
    array([0.025     , 0.03333333, 0.00416667])
    """
    own = alpha_spending(np.arange(1, len(pvalues) + 2), alpha=alpha)
    levels = own.copy()
    for j, pvalue in enumerate(pvalues):
        if not 0.0 <= pvalue <= 1.0:
            raise InputError(f"the p-value of look {j + 1} is {pvalue!r}: it must lie between 0 and 1")
        if pvalue <= levels[j]:
            levels[j + 1] += levels[j]
    return levels
