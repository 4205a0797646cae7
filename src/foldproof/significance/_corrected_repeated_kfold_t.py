"""The corrected repeated k-fold cv t-test (T5)."""

from __future__ import annotations

from foldproof.domain.differences import Differences
from foldproof.domain.result import TResult
from foldproof.significance._base import (
    Moments,
    Variant,
    as_tables,
    at_least_two,
    design_warnings,
    mean_moments,
    of_variant,
    significance_test,
    t_result,
    variant_warnings,
    zero_by_zero_rejected,
)
from foldproof.significance._moments import Floats, Numbers


def corrected_moments(tables: Floats, ratio: float, scale: Numbers) -> Moments:
    """Return the mean and its corrected error, ``sqrt((1/n + n2/n1) s^2)`` on n - 1 degrees of freedom."""
    return mean_moments(tables, scale, lambda n: 1.0 / n + ratio)


def corrected_moments_as_run(tables: Floats, ratio: float, scale: Numbers) -> Moments:
    """Return the moments that give the published tables: error ``sqrt((1/(n-1) + 0.1) SS/n)``, 0/0 rejected.

    The share 0.1 is a constant there, whatever the sizes were.
    """
    return zero_by_zero_rejected(mean_moments(tables, scale, lambda n: (1.0 / (n - 1) + 0.1) * (n - 1) / n))


def corrected_t(test: str, differences: Differences, variant: Variant) -> TResult:
    """Return the corrected t of all differences pooled."""
    at_least_two(differences, test.replace("-", " "))
    ratio = differences.ratio if variant == "as-printed" else float("nan")
    arrays = of_variant(variant, corrected_moments, corrected_moments_as_run)
    moments = arrays(as_tables(differences), ratio, differences.scale)
    warnings = design_warnings(differences) if variant == "as-printed" else ()
    return t_result(test, moments, (*warnings, *variant_warnings(variant, moments)))


@significance_test("corrected-repeated-kfold-t", kind="t", arrays=corrected_moments, as_run=corrected_moments_as_run)
def corrected_repeated_kfold_t(differences: Differences, *, variant: Variant = "as-printed") -> TResult:
    """Test r x k differences of repeated cross-validation with the variance corrected for shared training data.

    Claim
    -----
    The mean difference m is zero. ``t = m / sqrt((1/(kr) + n2/n1) s^2)``, with s^2 the variance of all kr
    differences around m (divisor kr - 1), referred to Student's t with kr - 1 degrees of freedom.

    When to use
    -----------
    The recommended test of Bouckaert & Frank (2004, section 3.3), with 10 runs of 10 folds: Type I error near its
    level, the power of the corrected resampled test, and the best replicability of all they studied. Nadeau & Bengio,
    from whom the correction comes, advise training sets 5 to 10 times as large as the test sets; outside that range
    the result carries a warning. One run (r = 1) is allowed: Bouckaert & Frank's Table 3 has that column. The tail
    area is that of the Bayesian correlated t-test with rho = 1/k.

    ``variant="as-run"`` is a replication option only: the published tables come from ``m / sqrt((1/(n-1) + 0.1) SS/n)``
    with 0/0 counted as a rejection (statistic +inf, p 0, warning ``zero_by_zero_rejected``).

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
    return corrected_t("corrected-repeated-kfold-t", differences, variant)
