"""The uncorrected repeated k-fold cv t-test (T4), kept as a warning."""

from __future__ import annotations

from foldproof.domain.differences import Differences
from foldproof.domain.result import TResult
from foldproof.significance._base import UNCORRECTED, as_tables, at_least_two, significance_test, t_result
from foldproof.significance._paired_t import paired_moments


@significance_test("repeated-kfold-t", kind="t", arrays=paired_moments)
def repeated_kfold_t(differences: Differences) -> TResult:
    """Test r x k differences of repeated cross-validation as if all of them were independent; never rely on it.

    Claim
    -----
    The mean difference m is zero. ``t = m / sqrt(s^2 / (kr))`` over all kr differences, on kr - 1 degrees of freedom.

    When to use
    -----------
    Only to see what goes wrong: every run tests the same instances again, so the statistic grows with the number of
    runs whatever the learners. Its Type I error at 5 % was above 50 % in simulation (10 runs of 10 folds), and yet it
    is highly replicable: replicability says nothing about validity. The result always carries the warning
    ``uncorrected_variance``. Use the corrected repeated k-fold cv t-test.

    Reference
    ---------
    Bouckaert & Frank (2004), sections 3.3 and 4.3.

    Examples
    --------
    >>> from foldproof.domain.differences import Differences
    >>> x = [[0.0987, 0.0443], [0.0053, 0.0352], [-0.0085, 0.0134], [0.0383, -0.0015], [-0.0372, 0.047]]
    >>> result = repeated_kfold_t(Differences(x))
    >>> round(result.statistic, 10), result.df, result.warnings
    (1.9734200576, 9.0, ('uncorrected_variance',))
    """
    at_least_two(differences, "repeated k-fold t")
    moments = paired_moments(as_tables(differences), float("nan"), differences.scale)
    return t_result("repeated-kfold-t", moments, (UNCORRECTED,))
