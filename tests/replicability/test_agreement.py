from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import foldproof as fp
from foldproof.domain.errors import InputError

REP = fp.replicability


@pytest.mark.parametrize("n", [2, 3, 7, 10])
def test_r_is_the_share_of_pairs_that_agree(n):
    for k in range(n + 1):
        outcomes = [True] * k + [False] * (n - k)
        pairs = list(combinations(outcomes, 2))
        assert REP.r_exact(k, n) == Fraction(sum(a == b for a, b in pairs), len(pairs))
        assert REP.r_estimate(k, n) == float(REP.r_exact(k, n))
        assert REP.r_estimate(k, n, floor=True) == max(0.5, REP.r_estimate(k, n))


def test_r_is_refused_where_it_is_not_defined():
    for k, n, text in ((0, 1, "at least two"), (3, 2, "between 0 and n"), (-1, 2, "between 0"), (1.5, 3, "k is 1.5")):
        with pytest.raises(InputError, match=text):
            REP.r_estimate(k, n)


def test_summary_over_datasets():
    found = REP.summary([0, 10, 1, 9, 5, 2], 10)
    assert (found.datasets, found.consistent, found.almost_consistent) == (6, 2, 4)
    assert (found.consistent_share, found.almost_consistent_share) == (1 / 3, 2 / 3)
    assert found.r_exact == sum(REP.r_exact(k, 10) for k in (0, 10, 1, 9, 5, 2)) / 6
    assert sum(found.i_k.values()) == 6
    assert found.r == pytest.approx(sum(count / 6 * REP.r_estimate(k, 10) for k, count in found.i_k.items()))
    # Rejections or acceptances: the same.
    assert REP.summary([10, 0, 9, 1, 5, 8], 10).r_exact == found.r_exact


def test_datasets_with_other_numbers_of_repetitions_keep_their_own():
    found = REP.summary([1, 1], [2, 10])
    assert found.r == pytest.approx((0.0 + 0.8) / 2)
    with pytest.raises(InputError, match="as many repetitions; got 2 and 1"):
        REP.summary([1, 1], [2])
    with pytest.raises(InputError, match="at least one dataset"):
        REP.summary([], 10)


def test_the_bootstrap_interval_repeats_with_its_seed_and_is_near_the_normal_one():
    rng = np.random.default_rng(0)
    k = rng.integers(0, 11, 200).tolist()
    one, again, other = REP.summary(k, 10), REP.summary(k, 10), REP.summary(k, 10, seed=1)
    assert one.interval == again.interval != other.interval
    each = np.array([REP.r_estimate(v, 10) for v in k])
    half = stats.norm.isf(0.025) * each.std() / len(k) ** 0.5
    assert one.interval == pytest.approx((one.r - half, one.r + half), abs=0.1 * half)


@pytest.mark.parametrize(("k", "n"), [(0, 10), (3, 10), (5, 10), (9, 10), (10, 10), (1, 2), (40, 100)])
def test_the_interval_of_one_dataset_is_clopper_pearson_mapped(k, n):
    low, high = stats.binomtest(k, n).proportion_ci(0.95, "exact")
    grid = np.linspace(low, high, 200_001)
    agreement = grid**2 + (1 - grid) ** 2
    assert REP.interval_of_one(k, n) == pytest.approx((agreement.min(), agreement.max()), abs=1e-9)
    assert REP.summary([k], n).interval == REP.interval_of_one(k, n)


@pytest.mark.parametrize("counts", [(10, 0, 0), (3, 4, 3), (0, 10, 0), (1, 0, 1), (0, 5, 5)])
def test_three_valued_r(counts):
    verdicts = ["A"] * counts[0] + ["none"] * counts[1] + ["B"] * counts[2]
    pairs = list(combinations(verdicts, 2))
    found = REP.verdict_summary(counts)
    assert found.r == pytest.approx(np.mean([a == b for a, b in pairs]))
    assert found.r_outcome == pytest.approx(np.mean([(a == "none") == (b == "none") for a, b in pairs]))
    assert found.flip == (counts[0] > 0 and counts[2] > 0)
    assert found.r <= found.r_outcome
    with pytest.raises(InputError, match="three counts"):
        REP.verdict_summary(counts[:2])


def test_what_the_room_offers():
    assert {"r_estimate", "summary", "forecast", "enough_partitions", "sequential_partitions"} <= set(dir(REP))
    with pytest.raises(AttributeError, match="no attribute 'r_estimates'"):
        _ = REP.r_estimates
