from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import foldproof as fp

RNG = np.random.default_rng(1)


@pytest.mark.parametrize("n", [2, 3, 10, 100])
def test_against_scipy(n):
    x = RNG.normal(0.01, 0.03, n)
    result = fp.significance.paired_t(fp.Differences(x))
    for alternative, got in (
        ("two-sided", result.pvalue),
        ("greater", result.pvalue_greater),
        ("less", result.pvalue_less),
    ):
        oracle = stats.ttest_1samp(x, 0.0, alternative=alternative)
        assert result.statistic == pytest.approx(oracle.statistic, rel=1e-12)
        assert got == pytest.approx(oracle.pvalue, rel=1e-9)
    low, high = stats.ttest_1samp(x, 0.0).confidence_interval(0.9)
    assert result.confidence_interval(0.9) == pytest.approx((low, high))


@pytest.mark.parametrize(
    ("shape", "design", "warned"),
    [
        ((10,), {}, False),
        ((1, 10), {}, False),
        ((10,), {"n_train": 90, "n_test": 10}, False),
        ((11,), {"n_train": 90, "n_test": 10}, True),  # more test instances than there are
        ((2, 10), {}, True),
        ((40,), {"n_train": 100, "n_test": 5000, "complementary": False}, False),  # the unbiased protocol
    ],
)
def test_warns_where_the_design_shows_that_test_sets_overlap(shape, design, warned):
    result = fp.significance.paired_t(fp.Differences(RNG.normal(size=shape), **design))
    assert ("uncorrected_variance" in result.warnings) is warned


def test_smallest_detectable_is_found_with_its_power():
    """Simulated: a shift of that size is significant in about 80 % of samples."""
    n, sd = 20, 1.0
    result = fp.significance.paired_t(fp.Differences(stats.zscore(RNG.normal(size=n), ddof=1) * sd))
    shift = result.smallest_detectable(alpha=0.05, power=0.8)
    power = 1 - stats.nct.cdf(stats.t.isf(0.025, n - 1), n - 1, shift * n**0.5 / sd)
    assert power == pytest.approx(0.8, abs=0.015)
