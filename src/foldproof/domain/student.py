"""Student's t distribution, accurate in the far tails and for arrays of any shape."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

Floats = npt.NDArray[np.float64]

# Beyond this t^2/df the incomplete beta function equals its leading term to double precision, while its
# argument may underflow: there the logarithm of that term is used.
_FAR = 1e30
# Below this t^2/df its argument is too near 1 to carry the digits of t: there the complement is used, which is slow.
_NEAR = 1e-6


def upper_tail(t: npt.ArrayLike, df: npt.ArrayLike) -> Any:
    """Return P(T >= |t|), with full relative precision down to the smallest double; df may be infinite (normal).

    >>> round(float(upper_tail(2.2621571627982053, 9)), 12)
    0.025
    """
    if isinstance(t, float) and isinstance(df, float):
        return _upper_tail_of_one(abs(t), df)
    size, freedom = np.broadcast_arrays(np.abs(np.asarray(t, dtype=np.float64)), np.asarray(df, dtype=np.float64))
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        ratio = size / freedom * size
        tail = np.asarray(0.5 * special.betainc(freedom / 2.0, 0.5, 1.0 / (1.0 + ratio)))
    for rare in np.argwhere(~((ratio >= _NEAR) & (ratio <= _FAR) & np.isfinite(freedom))):
        tail[tuple(rare)] = _upper_tail_of_one(float(size[tuple(rare)]), float(freedom[tuple(rare)]))
    return tail


def _upper_tail_of_one(size: float, df: float) -> float:
    """Return the tail beyond one number of at least 0."""
    if math.isinf(df) or size == math.inf:
        return float(special.ndtr(-size))
    ratio = size / df * size
    if ratio > _FAR:
        half = df / 2.0
        log_term = half * (math.log(df) - 2.0 * math.log(size)) - math.log(half) - float(special.betaln(half, 0.5))
        return 0.5 * math.exp(log_term)
    if ratio < _NEAR:
        return 0.5 * float(special.betaincc(0.5, df / 2.0, ratio / (1.0 + ratio)))
    return 0.5 * float(special.betainc(df / 2.0, 0.5, 1.0 / (1.0 + ratio)))


def critical_value(tail: float, df: npt.ArrayLike) -> Any:
    """Return the t whose upper tail is ``tail``.

    >>> round(float(critical_value(0.025, 9)), 9)
    2.262157163
    """
    return -special.stdtrit(np.asarray(df, dtype=np.float64), tail)
