"""Equivalence, non-inferiority, superiority and the Bayesian correlated t-test."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import foldproof as fp
from foldproof.domain.errors import InputError

RNG = np.random.default_rng(7)
SIG = fp.significance


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("rope", [0.0, 0.005, 0.03])
def test_bayes_against_baycomp(seed, rope):
    baycomp = pytest.importorskip("baycomp")
    x = np.random.default_rng(seed).normal(0.01, 0.03, (10, 10))
    oracle = baycomp.CorrelatedTTest(x.ravel(), np.zeros(100), rope=rope, runs=10)
    result = SIG.bayesian_correlated_t(fp.Differences(x), rope=rope)
    # baycomp speaks of the second learner first.
    expected = oracle.probs() if rope > 0 else (oracle.probs()[0], 0.0, oracle.probs()[1])
    assert sorted((result.p_a, result.p_rope, result.p_b)) == pytest.approx(sorted(expected), abs=1e-9)
    assert result.p_a + result.p_rope + result.p_b == pytest.approx(1.0)


def test_bayes_without_a_rope_is_the_corrected_test_read_another_way():
    x = fp.Differences(RNG.normal(0.01, 0.03, (10, 10)))
    bayes, test = SIG.bayesian_correlated_t(x), SIG.corrected_repeated_kfold_t(x)
    assert (bayes.p_a, bayes.p_b) == pytest.approx((test.pvalue_less, test.pvalue_greater))
    assert bayes.p_rope == 0.0


def test_a_rope_far_from_the_mean_keeps_its_digits():
    x = fp.Differences(0.2 + 0.01 * stats.zscore(RNG.normal(size=(10, 10)), axis=None))
    result = SIG.bayesian_correlated_t(x, rope=0.01)
    edge = [stats.t.sf((0.2 - end) / result.scale, 99) for end in (0.01, -0.01)]
    assert 0.0 < result.p_rope < 1e-20
    assert result.p_rope == pytest.approx(edge[0] - edge[1], rel=1e-6)
    assert str(result.decide(alpha=0.05)) == "A"


@pytest.mark.parametrize(
    ("fill", "expected"), [(0.0, (0, 1, 0)), (0.02, (1, 0, 0)), (-0.02, (0, 0, 1)), (0.005, (0, 1, 0))]
)
def test_bayes_without_spread_is_certain(fill, expected):
    result = SIG.bayesian_correlated_t(fp.Differences(np.full((2, 5), fill)), rope=0.01)
    assert (result.p_a, result.p_rope, result.p_b) == expected


def test_margins_against_their_formulas():
    x = RNG.normal(0.01, 0.03, (10, 10))
    d = fp.Differences(x)
    se = np.sqrt((1 / 100 + 1 / 9) * x.var(ddof=1))
    lower, upper = ((x.mean() + 0.02) / se, (x.mean() - 0.02) / se)
    tost = max(stats.t.sf(lower, 99), stats.t.cdf(upper, 99))
    result = SIG.equivalence(d, margin=0.02)
    assert result.pvalue == pytest.approx(tost)
    assert result.pvalue_against == pytest.approx(min(1.0, 2 * min(stats.t.cdf(lower, 99), stats.t.sf(upper, 99))))
    assert SIG.noninferiority(d, margin=0.02).pvalue == pytest.approx(stats.t.sf(lower, 99))
    assert SIG.superiority(d, margin=0.02).pvalue == pytest.approx(stats.t.sf(upper, 99))
    assert SIG.superiority(d).pvalue == pytest.approx(SIG.corrected_repeated_kfold_t(d).pvalue_greater)


@pytest.mark.parametrize("seed", range(30))
def test_equivalence_is_the_ninety_percent_interval_within_the_margin(seed):
    rng = np.random.default_rng(seed)
    d = fp.Differences(rng.normal(rng.normal(0, 0.02), 0.03, (10, 10)))
    result = SIG.equivalence(d, margin=0.03)
    low, high = result.confidence_interval(0.90)
    assert (str(result.decide(alpha=0.05)) == "holds") == (low > -0.03 and high < 0.03)


def test_no_difference_and_not_enough_evidence_are_told_apart():
    noise = stats.zscore(RNG.normal(size=(10, 10)), axis=None)
    quiet, loud = fp.Differences(0.01 * noise), fp.Differences(0.3 * noise)
    for x in (quiet, loud):
        assert str(SIG.corrected_repeated_kfold_t(x).decide(alpha=0.05)) == "none"
    assert str(SIG.equivalence(quiet, margin=0.02).decide(alpha=0.05)) == "holds"
    assert str(SIG.equivalence(loud, margin=0.02).decide(alpha=0.05)) == "undecided"
    far = fp.Differences(0.2 + 0.01 * noise)
    assert str(SIG.equivalence(far, margin=0.02).decide(alpha=0.05)) == "fails"
    assert str(SIG.noninferiority(fp.Differences(-far.values), margin=0.02).decide(alpha=0.05)) == "fails"


@pytest.mark.parametrize(("fill", "answer"), [(0.0, "holds"), (0.005, "holds"), (0.01, "undecided"), (0.05, "fails")])
def test_margins_without_spread(fill, answer):
    result = SIG.equivalence(fp.Differences(np.full((2, 5), fill)), margin=0.01)
    assert str(result.decide(alpha=0.05)) == answer
    assert result.zero_variance


@pytest.mark.parametrize("margin", [-0.01, float("nan"), float("inf"), "0.1"])
def test_margins_are_checked(margin):
    for test in (SIG.equivalence, SIG.noninferiority, SIG.superiority):
        with pytest.raises(InputError, match="margin is"):
            test(fp.Differences([[0.1, 0.2]]), margin=margin)


def test_nothing_lies_within_no_margin():
    with pytest.raises(InputError, match="give a positive one"):
        SIG.equivalence(fp.Differences([[0.1, 0.2]]), margin=0.0)
    with pytest.raises(InputError, match="rope is -1"):
        SIG.bayesian_correlated_t(fp.Differences([[0.1, 0.2]]), rope=-1)
