"""The corrected resampled t-test (T3)."""

from __future__ import annotations

from foldproof.domain.differences import Differences
from foldproof.domain.result import TResult
from foldproof.significance._base import Variant, significance_test
from foldproof.significance._corrected_repeated_kfold_t import (
    corrected_moments,
    corrected_moments_as_run,
    corrected_t,
)


@significance_test("corrected-resampled-t", kind="t", arrays=corrected_moments, as_run=corrected_moments_as_run)
def corrected_resampled_t(differences: Differences, *, variant: Variant = "as-printed") -> TResult:
    """Test differences of random resampling with the variance corrected for overlapping training sets.

    Claim
    -----
    The mean difference m is zero. ``t = m / sqrt((1/n + n2/n1) s^2)``, with n resamplings of n1 training and n2 test
    instances, referred to Student's t with n - 1 degrees of freedom.

    When to use
    -----------
    With many resamplings (100), an acceptable alternative to the corrected 10x10 cv test, at some loss of
    replicability. Nadeau & Bengio advise training sets 5 to 10 times as large as the test sets; below five times
    the result carries the warning ``ratio_out_of_range``. Give the sizes: they cannot be told from a flat list.

    ``variant="as-run"`` is a replication option only: see the corrected repeated k-fold t-test.

    Reference
    ---------
    Bouckaert & Frank (2004), section 3.2 and Table 2; Nadeau & Bengio (2003).

    Examples
    --------
    Ten resamplings of 90 training and 10 test instances (golden case 10):

    >>> from foldproof.domain.differences import Differences
    >>> x = [0.0193, 0.0956, 0.0134, 0.0639, 0.0342, 0.0373, -0.0043, -0.0132, 0.1033, 0.0653]
    >>> result = corrected_resampled_t(Differences(x, n_train=90, n_test=10))
    >>> round(result.statistic, 10), result.df, round(result.pvalue, 12)
    (2.2682188731, 9.0, 0.049507014871)
    """
    return corrected_t("corrected-resampled-t", differences, variant)
