from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import foldproof as fp
from foldproof.domain.errors import InputError

forecast = fp.replicability.forecast


@pytest.mark.parametrize("alpha", [0.05, 0.01])
@pytest.mark.parametrize("folds", [3, 5, 10, 20])
@pytest.mark.parametrize("runs", [1, 2, 5, 10])
@pytest.mark.parametrize("shift", [0.0, 0.02, -0.05])
def test_against_the_formulas(runs, shift, folds, alpha):
    x = np.random.default_rng(runs).normal(shift, 0.03, (runs, folds))
    found = forecast(fp.Differences(x), alpha=alpha)
    f = 1 / x.size + 1 / (folds - 1)
    t = x.mean() / math.sqrt(f * x.var(ddof=1))
    v = 0.7 * (9 / (folds - 1)) ** 0.75 / x.size / f
    if runs > 1:
        between = x.mean(axis=1).var(ddof=1) / (runs * f * x.var(ddof=1))
        v = ((runs - 1) * between + 4 * v) / (runs + 3)
    else:
        v *= (stats.t.isf(alpha / 2, folds - 1) / stats.t.isf(alpha / 2, 9)) ** 2
    predictive = stats.norm(t, math.sqrt(2 * v)) if runs == 1 else stats.t(runs + 3, t, math.sqrt(2 * v))
    c = stats.t.isf(alpha / 2, x.size - 1)
    assert found.p_a == pytest.approx(predictive.sf(c), rel=1e-8, abs=1e-300)
    assert found.p_b == pytest.approx(predictive.cdf(-c), rel=1e-8, abs=1e-300)
    assert found.p_none == pytest.approx(predictive.cdf(c) - predictive.cdf(-c), rel=1e-6)
    assert found.forecast == {"A": found.p_a, "B": found.p_b, "none": found.p_none}[str(found.verdict)]


@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.3])
def test_at_ten_folds_one_run_has_the_printed_constant(alpha):
    x = np.random.default_rng(9).normal(0.01, 0.03, (1, 10))
    f = 1 / 10 + 1 / 9
    assert forecast(fp.Differences(x), alpha=alpha).predictive_scale == math.sqrt(2 * (0.7 * (1 / 10) / f))


@pytest.mark.parametrize("alpha", [1e-200, 1e-9, 0.05, 0.5, 0.999999, math.nextafter(1.0, 0.0)])
@pytest.mark.parametrize("folds", [2, 3, 9, 11, 50, 1000])
@pytest.mark.parametrize("runs", [1, 2, 10])
def test_chances_at_the_limits(runs, folds, alpha):
    x = np.random.default_rng(folds).normal(0.02, 0.03, (runs, folds))
    found = forecast(fp.Differences(x), alpha=alpha)
    chances = np.array([found.p_a, found.p_b, found.p_none])
    assert 0.0 < found.predictive_scale < math.inf
    assert (chances >= -1e-12).all() and (chances <= 1.0 + 1e-12).all() and chances.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("runs", [1, 2, 10])
def test_more_folds_leave_less_to_vary(runs):
    """The same statistic, run means all equal: what is left is the prior guess."""
    scales = []
    for folds in (2, 3, 5, 10, 20, 50, 100):
        x = np.tile(stats.zscore(np.random.default_rng(folds).normal(size=folds), ddof=1), (runs, 1))
        scales.append(forecast(fp.Differences(x, scale=5.0), alpha=0.05).predictive_scale)
    assert (np.diff(scales) < 0.0).all()


def test_a_verdict_on_the_threshold_is_a_coin():
    noise = stats.zscore(np.random.default_rng(0).normal(size=(10, 10)), axis=None, ddof=1)
    se = math.sqrt(0.01 + 1 / 9)
    x = fp.Differences(noise + stats.t.isf(0.025, 99) * se, scale=5.0)
    assert forecast(x, alpha=0.05).forecast == pytest.approx(0.5, abs=1e-6)


def test_swapping_the_learners_swaps_the_chances():
    x = np.random.default_rng(1).normal(0.01, 0.03, (5, 10))
    for method in ("shrinkage", "jackknife"):
        there = forecast(fp.Differences(x), alpha=0.05, method=method)
        back = forecast(fp.Differences(-x), alpha=0.05, method=method)
        assert (there.p_a, there.p_b) == pytest.approx((back.p_b, back.p_a))
        assert there.p_a + there.p_b + there.p_none == pytest.approx(1.0)


@pytest.mark.parametrize(("fill", "verdict"), [(0.0, "none"), (0.02, "A"), (-0.02, "B")])
@pytest.mark.parametrize("method", ["shrinkage", "jackknife"])
def test_equal_differences_leave_nothing_to_vary(fill, verdict, method):
    found = forecast(fp.Differences(np.full((3, 10), fill)), alpha=0.05, method=method)
    assert (str(found.verdict), found.forecast, found.predictive_scale) == (verdict, 1.0, 0.0)


def test_equal_run_means_still_leave_the_prior():
    x = np.tile([0.01, -0.01, 0.02, -0.02, 0.03], (4, 1))
    assert forecast(fp.Differences(x), alpha=0.05).predictive_scale > 0.0


def test_the_jackknife_against_its_formula():
    x = np.random.default_rng(2).normal(0.01, 0.03, (6, 10))
    found = forecast(fp.Differences(x), alpha=0.05, method="jackknife")
    f = 1 / 60 + 1 / 9
    left_out = [np.delete(x, j, axis=0) for j in range(6)]
    t = np.array([y.mean() / math.sqrt(f * y.var(ddof=1)) for y in left_out])
    assert found.predictive_scale == pytest.approx(math.sqrt(2 * 5 / 6 * ((t - t.mean()) ** 2).sum()))
    assert found.predictive_df == 5


def test_refusals():
    with pytest.raises(InputError, match="got a flat list"):
        forecast(fp.Differences([0.1, 0.2], n_train=9, n_test=1), alpha=0.05)
    with pytest.raises(InputError, match="give at least two, or use 'shrinkage'"):
        forecast(fp.Differences([[0.1, 0.2]]), alpha=0.05, method="jackknife")
    with pytest.raises(InputError, match="method is 'bootstrap'"):
        forecast(fp.Differences([[0.1, 0.2]]), alpha=0.05, method="bootstrap")
    with pytest.raises(InputError, match="alpha is 1"):
        forecast(fp.Differences([[0.1, 0.2]]), alpha=1)


def test_huge_and_tiny_differences():
    x = np.random.default_rng(3).normal(0.01, 0.03, (4, 10))
    expected = forecast(fp.Differences(x), alpha=0.05).forecast
    for size in (1e-200, 1e200):
        assert forecast(fp.Differences(size * x, scale=size), alpha=0.05).forecast == pytest.approx(expected)


@pytest.mark.statistical
def test_calibrated_where_the_model_holds():
    """Re-runs simulated as the model has it: run means that vary as the prior guess says agree as often as forecast."""
    rng = np.random.default_rng(4)
    runs, folds, told, came = 10, 10, [], []
    between = math.sqrt(0.7 / folds)  # of run means around the mean of this dataset, in units of s
    for _ in range(1500):
        centre = rng.normal(0.0, 0.35) + 0.4

        def once(centre=centre):
            fold = rng.normal(size=(runs, folds))
            return centre + fold - fold.mean(axis=1, keepdims=True) + rng.normal(0.0, between, (runs, 1))

        first, second = (fp.Differences(once(), scale=5.0) for _ in range(2))
        found = forecast(first, alpha=0.05)
        told.append(found.forecast)
        came.append(found.verdict == fp.significance.corrected_repeated_kfold_t(second).decide(alpha=0.05))
    standard_error = (np.mean(told) * (1 - np.mean(told)) / len(told)) ** 0.5
    assert abs(np.mean(told) - np.mean(came)) < 4 * standard_error + 0.01
