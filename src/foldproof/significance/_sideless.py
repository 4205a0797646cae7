"""F and chi-square results, with what a zero denominator means."""

from __future__ import annotations

import math

from scipy import special

from foldproof.domain.notices import ZERO_VARIANCE
from foldproof.domain.result import SidelessResult


def f_result(test: str, above: float, below: float, df: tuple[float, float]) -> SidelessResult:
    """Return the result for F = above / below; 0/0 is no evidence, anything else over 0 is infinite and flagged."""
    if below == 0.0:
        if above == 0.0:
            return SidelessResult(test=test, statistic=0.0, df=df, pvalue=1.0)
        return SidelessResult(test=test, statistic=math.inf, df=df, pvalue=0.0, warnings=(ZERO_VARIANCE,))
    statistic = above / below
    return SidelessResult(test=test, statistic=statistic, df=df, pvalue=float(special.fdtrc(*df, statistic)))


def chi_square_tail(statistic: float, df: float) -> float:
    """Return P(chi-square >= statistic), precise in the far tail.

    >>> round(chi_square_tail(7.22, 1), 12)
    0.007209570765
    """
    return float(special.gammaincc(df / 2.0, statistic / 2.0))
