from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import foldproof as fp
from foldproof.domain.errors import InputError

RNG = np.random.default_rng(4)


def test_is_the_mean_of_the_single_tests():
    x = RNG.normal(0.01, 0.03, (7, 10))
    result = fp.significance.averaged_t(fp.Differences(x))
    single = [fp.significance.paired_t(fp.Differences(run)) for run in x]
    t = [one.statistic for one in single]
    assert result.t_values == pytest.approx(tuple(t))
    assert result.statistic == pytest.approx(np.mean(t))
    assert (result.partitions, result.t_min, result.t_max) == (7, pytest.approx(min(t)), pytest.approx(max(t)))
    assert result.pvalue == pytest.approx(2 * stats.t.sf(abs(np.mean(t)), 9))
    verdicts = [str(one.decide(alpha=0.3)) for one in single]
    counts = result.counts(alpha=0.3)
    assert counts == (verdicts.count("A"), verdicts.count("none"), verdicts.count("B"))
    assert result.shapiro_wilk() == pytest.approx(tuple(stats.shapiro(t)))
    # The interval is that of the differences the test would not reject.
    for end in result.confidence_interval(0.95):
        moved = fp.significance.averaged_t(fp.Differences(x - end))
        assert moved.pvalue == pytest.approx(0.05)


def test_over_blocks_of_five_by_two():
    x = RNG.normal(0.01, 0.03, (15, 2))
    result = fp.significance.averaged_t(fp.Differences(x), single="five-by-two-cv-t")
    t = [fp.significance.five_by_two_cv_t(fp.Differences(x[i : i + 5])).statistic for i in (0, 5, 10)]
    assert result.t_values == pytest.approx(tuple(t))
    assert (result.statistic, result.df) == (pytest.approx(np.mean(t)), 5.0)
    for shape in ((7, 2), (5, 3)):
        with pytest.raises(InputError, match="blocks of exactly 5 runs of 2 folds; got"):
            fp.significance.averaged_t(fp.Differences(RNG.normal(size=shape)), single="five-by-two-cv-t")


@pytest.mark.parametrize("partitions", [1, 2, 10, 55])
def test_the_same_p_on_every_partition_stays(partitions):
    run = RNG.normal(0.01, 0.03, 10)
    one = fp.significance.averaged_t(fp.Differences([run]))
    many = fp.significance.averaged_t(fp.Differences(np.tile(run, (partitions, 1))))
    assert many.pvalue == pytest.approx(one.pvalue, rel=1e-12)


def test_infinite_t_values():
    ordinary, up, down, zero = RNG.normal(0.0, 0.03, 10), np.full(10, 0.1), np.full(10, -0.1), np.zeros(10)
    average = fp.significance.averaged_t
    one = average(fp.Differences([ordinary, up]))
    assert (one.statistic, str(one.decide(alpha=0.05)), one.zero_variance) == (math.inf, "A", True)
    both = average(fp.Differences([up, down, ordinary]))
    assert (both.statistic, both.pvalue, str(both.decide(alpha=0.05))) == (0.0, 1.0, "none")
    assert "opposite_infinities" in both.warnings
    assert both.zero_variance
    capped = average(fp.Differences([up, down, ordinary]), cap=10.0)
    assert capped.t_values[:2] == (10.0, -10.0)
    assert capped.statistic == pytest.approx(capped.t_values[2] / 3)
    assert "opposite_infinities" not in capped.warnings
    half = average(fp.Differences([ordinary, zero]))
    assert half.statistic == pytest.approx(average(fp.Differences([ordinary])).statistic / 2)
    assert one.shapiro_wilk() is None


def test_refusals():
    x = fp.Differences(RNG.normal(size=(2, 3)))
    with pytest.raises(InputError, match="got a flat list"):
        fp.significance.averaged_t(fp.Differences([1.0, 2.0]))
    with pytest.raises(InputError, match="single is 'mcnemar'"):
        fp.significance.averaged_t(x, single="mcnemar")
    with pytest.raises(InputError, match="cap is 0"):
        fp.significance.averaged_t(x, cap=0)
    with pytest.raises(InputError, match="in each run; got one fold"):
        fp.significance.averaged_t(fp.Differences(RNG.normal(size=(3, 1))))


def test_a_partition_without_any_difference_leaves_the_others_their_spread():
    """A learner pair that agrees everywhere in one partition only: t = 0 there, and no degenerate interval."""
    x = np.array([[0.02, 0.03, -0.01, 0.04], [0.0, 0.0, 0.0, 0.0]])
    result = fp.significance.averaged_t(fp.Differences(x))
    alone = fp.significance.averaged_t(fp.Differences(x[:1]))
    assert result.statistic == pytest.approx(alone.statistic / 2, rel=1e-12)
    assert (result.zero_variance, result.warnings) == (False, ())
    low, high = result.confidence_interval(0.95)
    assert low < result.estimate < high
    assert result.estimate == pytest.approx(alone.estimate, rel=1e-12)
    critical = (high - low) / 2 / result.standard_error
    assert (low > 0 or high < 0) == (abs(result.statistic) > critical)
