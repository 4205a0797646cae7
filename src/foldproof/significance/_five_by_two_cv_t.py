"""The 5x2cv t-test (T2) and, as a diagnostic, its form with one pooled mean."""

from __future__ import annotations

import math

import numpy as np

from foldproof.domain.differences import Differences
from foldproof.domain.errors import InputError
from foldproof.domain.result import TResult
from foldproof.significance._base import (
    Moments,
    Variant,
    formula,
    of_variant,
    significance_test,
    t_result,
    variant_warnings,
    zero_by_zero_rejected,
)
from foldproof.significance._moments import ROUNDING, Floats, Numbers, sample_moments

SHAPE = (5, 2)


def five_by_two(differences: Differences, test: str) -> Floats:
    """Return the 5 x 2 table, or say what was given instead."""
    if differences.values.shape != SHAPE:
        given = " x ".join(map(str, differences.values.shape))
        raise InputError(f"{test} takes exactly 5 runs of 2 folds; got {given}")
    return differences.values


def run_halves(tables: Floats) -> tuple[Floats, Floats]:
    """Return x1 - x2 of every run, scaled by a power of two so that squares are safe, and that power."""
    half = tables[..., 0] - tables[..., 1]
    exponent = np.frexp(np.abs(half).max(axis=-1))[1]
    return np.ldexp(half, -exponent[..., np.newaxis]), exponent


def five_by_two_moments(tables: Floats, ratio: float, scale: Numbers, *, df: float = 5.0) -> Moments:
    """Return the first difference and ``sqrt(mean of s_j^2)``, with s_j^2 the variance within run j."""
    first = tables[..., 0, 0]
    half, exponent = run_halves(tables)
    error = np.ldexp(np.sqrt(np.einsum("...i,...i->...", half, half) / 10.0), exponent)
    with np.errstate(invalid="ignore"):  # what is not finite shows in the mean
        mean = tables.mean(axis=(-2, -1))
    flat = 0.5 * np.abs(tables[..., 0] - tables[..., 1]).max(axis=-1) <= ROUNDING * scale
    return Moments(
        mean=mean,
        error=np.where(flat, 0.0, error),
        df=np.asarray(df),
        flat=flat,
        estimate=np.where(flat & (np.abs(first) <= ROUNDING * scale), 0.0, first),
    )


def five_by_two_moments_as_run(tables: Floats, ratio: float, scale: Numbers) -> Moments:
    """Return the moments that give the published counts: 4 degrees of freedom, 0/0 rejected."""
    return zero_by_zero_rejected(five_by_two_moments(tables, ratio, scale, df=4.0))


@significance_test(
    "five-by-two-cv-t",
    kind="t",
    exchangeable=False,
    shape=SHAPE,
    arrays=five_by_two_moments,
    as_run=five_by_two_moments_as_run,
)
def five_by_two_cv_t(differences: Differences, *, variant: Variant = "as-printed") -> TResult:
    """Test five runs of 2-fold cross-validation by the first difference over the spread within runs.

    Claim
    -----
    The learners differ nowhere. ``t = x[1][1] / sqrt((1/5) sum_j s_j^2)``, ``s_j^2 = (x1j - x2j)^2 / 2``, referred to
    Student's t with 5 degrees of freedom. The numerator is the FIRST fold of the FIRST run; do not reorder. Where the
    denominator is zero, a zero numerator accepts and any other rejects (``zero_variance``).

    When to use
    -----------
    Where training on half the data is what matters. Only one of the ten differences is in the numerator, so the
    verdict depends strongly on the partition and is poorly replicable; the test is conservative with a high Type II
    error. Bradford & Brodley advise it only where its accuracies are comparable with those of ten folds. The
    combined 5x2cv F test uses all ten differences. ``estimate`` and the interval concern the first difference.

    ``variant="as-run"`` is a replication option only: Bouckaert & Frank's Table 1 comes from 4 degrees of freedom,
    with 0/0 counted as a rejection (statistic +inf, p 0, warning ``zero_by_zero_rejected``).

    Reference
    ---------
    Bouckaert & Frank (2004), section 3.1 and Table 1; Dietterich (1998). Bradford & Brodley (2001), section 2, print
    one pooled mean in the denominator: see ``five_by_two_cv_t_pooled_mean``.

    Examples
    --------
    Golden case 22:

    >>> from foldproof.domain.differences import Differences
    >>> x = [[0.0093, -0.0711], [0.017, 0.1068], [0.0313, 0.0361], [0.0147, 0.0541], [0.0104, 0.0197]]
    >>> result = five_by_two_cv_t(Differences(x))
    >>> round(result.statistic, 10), result.df, round(result.pvalue, 10)
    (0.2311310632, 5.0, 0.8263733282)
    """
    tables = five_by_two(differences, "5x2cv t")
    moments = of_variant(variant, five_by_two_moments, five_by_two_moments_as_run)(
        tables, float("nan"), differences.scale
    )
    return t_result("five-by-two-cv-t", moments, variant_warnings(variant, moments))


@formula
def five_by_two_cv_t_variances(differences: Differences) -> tuple[float, ...]:
    """Return the five variances within runs, ``(x1j - x2j)^2 / 2``.

    >>> from foldproof.domain.differences import Differences
    >>> five_by_two_cv_t_variances(Differences([[2.0, 0.0], [1.0, 1.0], [0.0, 1.0], [3.0, 0.0], [1.0, 0.0]]))
    (2.0, 0.0, 0.5, 4.5, 0.5)
    """
    half = five_by_two(differences, "5x2cv t")
    return tuple(float(value) for value in (half[:, 0] - half[:, 1]) ** 2 / 2.0)


@formula
def five_by_two_cv_t_pooled_mean(differences: Differences) -> TResult:
    """Return the 5x2cv t with one pooled mean in its denominator: a diagnostic, not a test.

    Bradford & Brodley (2001, section 2) print ``Z1 / sqrt((2/10) sum_i (Z_i - Zbar)^2)``. With per-run means that is
    the 5x2cv t; with the pooled mean the denominator is larger by the scatter between runs, and under a true null it
    rejects in 0.0 to 0.8 % of cases at 5 %, against 3 to 6 % for the test.

    >>> from foldproof.domain.differences import Differences
    >>> x = [[0.0093, -0.0711], [0.017, 0.1068], [0.0313, 0.0361], [0.0147, 0.0541], [0.0104, 0.0197]]
    >>> round(five_by_two_cv_t_pooled_mean(Differences(x)).statistic, 10)
    0.1569884631
    """
    tables = five_by_two(differences, "5x2cv t")
    mean, spread, flat, n = sample_moments(tables, differences.scale)
    first = tables[0, 0]
    rounding = bool(flat) and abs(first) <= ROUNDING * differences.scale
    moments = Moments(
        mean=mean,
        error=math.sqrt((n - 1) / 5.0) * spread,
        df=np.asarray(5.0),
        flat=flat,
        estimate=np.asarray(0.0 if rounding else first),
    )
    return t_result("five-by-two-cv-t-pooled-mean", moments)
