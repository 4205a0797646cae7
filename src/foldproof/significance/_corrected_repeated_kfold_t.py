"""The corrected repeated k-fold cv t-test (T5)."""

from __future__ import annotations

import numpy as np

from foldproof.domain.differences import Differences
from foldproof.domain.result import TResult
from foldproof.significance._base import (
    Floats,
    Moments,
    as_tables,
    at_least_two,
    design_warnings,
    sample_moments,
    settle_flat,
    significance_test,
    t_result,
)


def corrected_moments(tables: Floats, ratio: float, scale: Floats) -> Moments:
    """Return the mean and its corrected error, ``sqrt((1/n + n2/n1) s^2)`` on n - 1 degrees of freedom."""
    mean, spread, flat, n = sample_moments(tables, scale)
    return Moments(
        mean=settle_flat(mean, flat, scale),
        error=np.sqrt(1.0 / n + ratio) * spread,
        df=np.asarray(n - 1.0),
        flat=flat,
    )


@significance_test("corrected-repeated-kfold-t", kind="t", arrays=corrected_moments)
def corrected_repeated_kfold_t(differences: Differences) -> TResult:
    """Test r x k differences of repeated cross-validation with the variance corrected for shared training data.

    Claim
    -----
    The mean difference m is zero. ``t = m / sqrt((1/(kr) + n2/n1) s^2)``, with s^2 the variance of all kr
    differences around m (divisor kr - 1), referred to Student's t with kr - 1 degrees of freedom.

    When to use
    -----------
    The recommended test of Bouckaert & Frank (2004, section 3.3), with 10 runs of 10 folds: Type I error near its
    level, the power of the corrected resampled test, and the best replicability of all they studied. Nadeau & Bengio,
    from whom the correction comes, advise training sets 5 to 10 times as large as the test sets; outside that
    range the result carries a warning. One run (r = 1) is allowed.

    Reference
    ---------
    Bouckaert & Frank (2004), section 3.3 and Table 3; Nadeau & Bengio (2003).

    Examples
    --------
    >>> from foldproof.domain.differences import Differences
    >>> x = [[0.0447, 0.019, 0.093, -0.0116, 0.0959, -0.001, 0.0564, 0.0293, -0.022, -0.0401]]
    >>> result = corrected_repeated_kfold_t(Differences(x, n_train=270, n_test=30))
    >>> round(result.statistic, 6), result.df, round(result.pvalue, 6)
    (1.23178, 9.0, 0.249244)
    """
    at_least_two(differences, "corrected repeated k-fold t")
    scale = np.asarray(differences.scale)
    moments = corrected_moments(as_tables(differences), differences.ratio, scale)
    return t_result("corrected-repeated-kfold-t", moments, design_warnings(differences))
