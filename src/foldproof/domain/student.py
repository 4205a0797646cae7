"""Student's t distribution, accurate in the far tails and for arrays of any shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

Floats = npt.NDArray[np.float64]

# Beyond this t^2/df the incomplete beta function equals its leading term to double precision, while its
# argument may underflow: there the logarithm of that term is used.
_FAR = 1e30


def upper_tail(t: npt.ArrayLike, df: npt.ArrayLike) -> Any:
    """Return P(T >= |t|), with full relative precision down to the smallest double; df may be infinite (normal).

    >>> round(float(upper_tail(2.2621571627982053, 9)), 12)
    0.025
    """
    size = np.abs(np.asarray(t, dtype=np.float64))
    freedom = np.asarray(df, dtype=np.float64)
    if np.any(np.isinf(freedom)):
        finite = np.where(np.isinf(freedom), 1.0, freedom)
        return np.where(np.isinf(freedom), special.ndtr(-size), upper_tail(size, finite))
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        ratio = size / freedom * size
        # 1 - x is passed on for small t, where x itself is rounded to 1.
        near = 0.5 * np.where(
            ratio < 1.0,
            special.betaincc(0.5, freedom / 2.0, ratio / (1.0 + ratio)),
            special.betainc(freedom / 2.0, 0.5, 1.0 / (1.0 + ratio)),
        )
    if not np.any(ratio > _FAR):
        return near
    with np.errstate(divide="ignore", under="ignore", invalid="ignore"):
        half = freedom / 2.0
        log_term = half * (np.log(freedom) - 2.0 * np.log(size)) - np.log(half) - special.betaln(half, 0.5)
        far = 0.5 * np.exp(log_term)
    return np.where(ratio > _FAR, far, near)


def critical_value(tail: float, df: npt.ArrayLike) -> Any:
    """Return the t whose upper tail is ``tail``.

    >>> round(float(critical_value(0.025, 9)), 9)
    2.262157163
    """
    return -special.stdtrit(np.asarray(df, dtype=np.float64), tail)
