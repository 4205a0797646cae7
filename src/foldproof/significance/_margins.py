"""What the tests against a margin share: the corrected t at a shifted null."""

from __future__ import annotations

import math

from foldproof.domain.differences import Differences
from foldproof.domain.errors import InputError
from foldproof.domain.notices import ZERO_VARIANCE
from foldproof.domain.result import MarginResult
from foldproof.significance._base import Moments, as_tables, at_least_two, design_warnings
from foldproof.significance._bayesian_correlated_t import above
from foldproof.significance._corrected_repeated_kfold_t import corrected_moments


def checked_margin(margin: float) -> float:
    """Return a margin, or say what is wrong with it."""
    if not (isinstance(margin, (int, float)) and math.isfinite(margin) and margin >= 0.0):
        raise InputError(f"margin is {margin!r}: give the difference that matters, at least 0, in units of the score")
    return float(margin)


def moments_at(differences: Differences, test: str) -> Moments:
    """Return the corrected moments of all differences pooled."""
    at_least_two(differences, test)
    return corrected_moments(as_tables(differences), differences.ratio, differences.scale)


def tails(moments: Moments, null: float) -> tuple[float, float, float]:
    """Return t at a null difference, the p for "greater than it", and the p for "less than it"."""
    mean, error, df = float(moments.mean), float(moments.error), float(moments.df)
    gap = mean - null
    if error == 0.0:
        t = 0.0 if gap == 0.0 else math.copysign(math.inf, gap)
        return t, (0.5 if gap == 0.0 else float(gap < 0.0)), (0.5 if gap == 0.0 else float(gap > 0.0))
    return gap / error, above(0.0, -gap, error, df), above(0.0, gap, error, df)


def one_sided(test: str, differences: Differences, null: float, margin: float) -> MarginResult:
    """Return the result for the claim that the true difference exceeds ``null``."""
    moments = moments_at(differences, test)
    statistic, pvalue, against = tails(moments, null)
    return margin_result(test, differences, moments, margin, statistic, pvalue, against)


def margin_result(
    test: str,
    differences: Differences,
    moments: Moments,
    margin: float,
    statistic: float,
    pvalue: float,
    against: float,
) -> MarginResult:
    """Return the result, with the warnings of the design."""
    flat = bool(moments.flat)
    return MarginResult(
        test=test,
        margin=margin,
        mean_difference=float(moments.mean),
        standard_error=float(moments.error),
        df=float(moments.df),
        statistic=statistic,
        pvalue=pvalue,
        pvalue_against=against,
        zero_variance=flat,
        warnings=(*design_warnings(differences), *((ZERO_VARIANCE,) if flat and statistic != 0.0 else ())),
    )
