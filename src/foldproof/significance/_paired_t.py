"""The paired t-test (T1): resampled t-test and k-fold cv t-test."""

from __future__ import annotations

from foldproof.domain.differences import Differences
from foldproof.domain.result import TResult
from foldproof.significance._base import (
    UNCORRECTED,
    Moments,
    as_tables,
    at_least_two,
    mean_moments,
    significance_test,
    t_result,
)
from foldproof.significance._moments import Floats, Numbers


def paired_moments(tables: Floats, ratio: float, scale: Numbers) -> Moments:
    """Return the mean and its plain error, ``sqrt(s^2 / n)`` on n - 1 degrees of freedom."""
    return mean_moments(tables, scale, lambda n: 1.0 / n)


def overlapping(differences: Differences) -> bool:
    """Whether the design shows that test sets overlap: several runs, or more test instances than there are."""
    if differences.independent:
        return False
    if differences.runs is not None and differences.runs > 1:
        return True
    if differences.n_train is None or differences.n_test is None or not differences.complementary:
        return False
    return len(differences) * differences.n_test > (differences.n_train + differences.n_test) * (1.0 + 1e-6)


@significance_test("paired-t", kind="t", arrays=paired_moments)
def paired_t(differences: Differences) -> TResult:
    """Test paired differences by Student's t, as if they were independent.

    Claim
    -----
    The mean difference m is zero. ``t = m / sqrt(s^2 / n)``, with s^2 the variance of the n differences (divisor
    n - 1), referred to Student's t with n - 1 degrees of freedom.

    When to use
    -----------
    On one run of k-fold cross-validation (the k-fold cv t-test): its power is good, but its Type I error is elevated,
    up to about twice the level on one real dataset, because training sets overlap, and its verdict depends on the
    partition. On independent training sets and one large test set (the unbiased protocol for plentiful data) it is
    right. On resampling (the resampled t-test) its Type I error is far too high and it should never be used; where
    the design shows that test sets overlap, the result carries the warning ``uncorrected_variance``.

    Reference
    ---------
    Bouckaert & Frank (2004), sections 2 and 3.1; Bradford & Brodley (2001), section 2; Salzberg (1997), section 3.

    Examples
    --------
    Differences of accuracy of one 10-fold run (golden case 9):

    >>> from foldproof.domain.differences import Differences
    >>> x = [0.0193, 0.0956, 0.0134, 0.0639, 0.0342, 0.0373, -0.0043, -0.0132, 0.1033, 0.0653]
    >>> result = paired_t(Differences(x))
    >>> round(result.statistic, 10), result.df, round(result.pvalue, 12)
    (3.2956456165, 9.0, 0.009294241626)
    >>> str(result.decide(alpha=0.05))
    'A'
    """
    at_least_two(differences, "paired t")
    moments = paired_moments(as_tables(differences), float("nan"), differences.scale)
    return t_result("paired-t", moments, (UNCORRECTED,) if overlapping(differences) else ())
