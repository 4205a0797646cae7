"""The corrected tests: T3, T5, and T4 which is not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import foldproof as fp
from foldproof.domain.errors import InputError

RNG = np.random.default_rng(2)


@pytest.mark.parametrize("name", ["corrected_resampled_t", "corrected_repeated_kfold_t"])
@pytest.mark.parametrize(("shape", "sizes"), [((10, 10), (270, 30)), ((15,), (90, 10)), ((1, 10), (9, 1))])
def test_against_the_formula(name, shape, sizes):
    x = RNG.normal(0.01, 0.03, shape)
    result = getattr(fp.significance, name)(fp.Differences(x, n_train=sizes[0], n_test=sizes[1]))
    t = x.mean() / math.sqrt((1 / x.size + sizes[1] / sizes[0]) * x.var(ddof=1))
    assert result.statistic == pytest.approx(t, rel=1e-12)
    assert result.df == x.size - 1
    assert result.pvalue == pytest.approx(2 * stats.t.sf(abs(t), x.size - 1), rel=1e-10)


def test_without_sizes_the_ratio_is_that_of_the_folds():
    x = RNG.normal(size=(3, 5))
    test = fp.significance.corrected_repeated_kfold_t
    assert test(fp.Differences(x)) == test(fp.Differences(x, n_train=80, n_test=20))


def test_resamplings_need_their_sizes():
    with pytest.raises(InputError, match="give n_train and n_test"):
        fp.significance.corrected_resampled_t(fp.Differences([0.1, 0.2, 0.3]))


@pytest.mark.parametrize(
    ("sizes", "complementary", "warned"),
    [
        ((90, 10), True, ()),
        ((50, 10), True, ()),
        ((49, 10), True, ("ratio_out_of_range",)),
        ((50, 50), True, ("ratio_out_of_range",)),
        ((90, 10), False, ("not_complement",)),
    ],
)
def test_warnings_of_the_design(sizes, complementary, warned):
    x = fp.Differences([0.01, 0.02, 0.04], n_train=sizes[0], n_test=sizes[1], complementary=complementary)
    assert fp.significance.corrected_resampled_t(x).warnings == warned


def test_the_uncorrected_test_always_warns_and_rejects_more():
    x = fp.Differences(RNG.normal(0.01, 0.03, (10, 10)))
    plain, corrected = fp.significance.repeated_kfold_t(x), fp.significance.corrected_repeated_kfold_t(x)
    assert plain.warnings == ("uncorrected_variance",)
    assert plain.statistic == pytest.approx(corrected.statistic * math.sqrt(1 + 100 / 9))


@pytest.mark.parametrize("name", ["corrected_resampled_t", "corrected_repeated_kfold_t"])
def test_the_replication_variant(name):
    x = RNG.normal(0.01, 0.03, (3, 10))
    differences = fp.Differences(x, n_train=70, n_test=30)
    result = getattr(fp.significance, name)(differences, variant="as-run")
    n, m = x.size, x.mean()
    squares = ((x - m) ** 2).sum()
    assert result.statistic == pytest.approx(m / math.sqrt((1 / (n - 1) + 0.1) * squares / n), rel=1e-12)
    assert result.df == n - 1
    assert result.warnings == ("replication_variant",)


@pytest.mark.parametrize(
    ("name", "shape"),
    [("corrected_resampled_t", (10,)), ("corrected_repeated_kfold_t", (2, 5)), ("five_by_two_cv_t", (5, 2))],
)
def test_zero_by_zero_is_a_rejection_in_the_replication_variant_only(name, shape):
    silent = fp.Differences(np.zeros(shape), n_train=9, n_test=1)
    test = getattr(fp.significance, name)
    assert str(test(silent).decide(alpha=0.05)) == "none"
    result = test(silent, variant="as-run")
    assert (result.statistic, result.pvalue) == (math.inf, 0.0)
    assert {"replication_variant", "zero_by_zero_rejected"} <= set(result.warnings)
    assert str(result.decide(alpha=0.05)) == "A"
