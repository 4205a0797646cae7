"""The Bayesian correlated t-test, with a region of practical equivalence."""

from __future__ import annotations

import math

from foldproof.domain.differences import Differences
from foldproof.domain.errors import InputError
from foldproof.domain.notices import ZERO_VARIANCE
from foldproof.domain.result import BayesianResult
from foldproof.domain.student import upper_tail
from foldproof.significance._base import as_tables, at_least_two, design_warnings, significance_test
from foldproof.significance._corrected_repeated_kfold_t import corrected_moments


def above(point: float, mean: float, scale: float, df: float) -> float:
    """Return the posterior probability that the difference exceeds a point."""
    if scale == 0.0:
        return 1.0 if mean > point else 0.0
    z = (point - mean) / scale
    tail = float(upper_tail(z, df))
    return tail if z >= 0.0 else 1.0 - tail


@significance_test("bayesian-correlated-t", kind="bayesian")
def bayesian_correlated_t(differences: Differences, *, rope: float = 0.0) -> BayesianResult:
    """Return the probabilities that A is practically better, that both are equivalent, that B is practically better.

    Claim
    -----
    Given the differences and a flat prior, the true mean difference follows Student's t with n - 1 degrees of
    freedom, around the mean, with scale ``sqrt((1/n + rho/(1 - rho)) s^2)`` and ``rho = n_test / (n_train +
    n_test)``, so ``rho / (1 - rho) = n_test / n_train``. The three probabilities are its masses above ``rope``,
    within ``[-rope, rope]``, and below ``-rope``.

    When to use
    -----------
    To say how probable a difference of practical size is, and to tell equivalence from ignorance. With ``rope=0``
    p_a is one minus the one-sided p of the corrected repeated k-fold t-test: the same number read another way.

    Reference
    ---------
    Corani & Benavoli (2015), A Bayesian approach for comparing cross-validated algorithms on multiple data sets,
    section 3; not in the papers.

    Examples
    --------
    Golden case 14 (agrees with baycomp):

    >>> from foldproof.domain.differences import Differences
    >>> x = [[0.0447, 0.019, 0.093, -0.0116, 0.0959, -0.001, 0.0564, 0.0293, -0.022, -0.0401]]
    >>> result = bayesian_correlated_t(Differences(x, n_train=270, n_test=30))
    >>> round(result.p_a, 10), result.p_rope, round(result.p_b, 10)
    (0.8753780897, 0.0, 0.1246219103)
    """
    at_least_two(differences, "bayesian correlated t")
    if not (math.isfinite(rope) and rope >= 0.0):
        raise InputError(f"rope is {rope!r}: give the largest difference that does not matter, at least 0")
    moments = corrected_moments(as_tables(differences), differences.ratio, differences.scale)
    mean, scale, df = float(moments.mean), float(moments.error), float(moments.df)
    p_a, p_b = above(rope, mean, scale, df), above(rope, -mean, scale, df)
    # On the side where both tails are small, so that a rope far from the mean keeps its digits.
    within = above(-rope, -abs(mean), scale, df) - above(rope, -abs(mean), scale, df)
    if scale == 0.0:
        within = float(abs(mean) <= rope)
    return BayesianResult(
        test="bayesian-correlated-t",
        p_a=p_a,
        p_rope=within,
        p_b=p_b,
        rope=float(rope),
        mean_difference=mean,
        scale=scale,
        df=df,
        warnings=(*design_warnings(differences), *((ZERO_VARIANCE,) if scale == 0.0 and mean != 0.0 else ())),
    )
