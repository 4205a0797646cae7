from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import foldproof as fp
from foldproof.domain.errors import InputError

REP = fp.replicability


@pytest.mark.parametrize(("centre", "verdict"), [(4.0, "A"), (-4.0, "B"), (0.3, "none")])
def test_the_three_conditions(centre, verdict):
    t = centre + np.random.default_rng(0).normal(0.0, 0.5, 10)
    found = REP.enough_partitions(t, df=9, alpha=0.05, alpha2=0.05)
    c, q, se = stats.t.isf(0.025, 9), stats.t.isf(0.05, 9), stats.sem(t)
    assert (found.critical, found.quantile, found.standard_error) == pytest.approx((c, q, se))
    assert found.settled_a == pytest.approx((t.mean() - c) / se)
    assert found.settled_b == pytest.approx((-t.mean() - c) / se)
    assert found.settled_none == pytest.approx((c - abs(t.mean())) / se)
    assert (str(found.verdict), found.enough) == (verdict, True)


def test_df_of_the_two_roles_differ():
    """The threshold has the df of one partition, the spread that of their number (the paper prints one for both)."""
    found = REP.enough_partitions([2.0, 3.0, 2.5], df=5, alpha=0.05)
    assert found.critical == pytest.approx(stats.t.isf(0.025, 5))
    assert found.quantile == pytest.approx(stats.t.isf(0.05, 2))


@pytest.mark.parametrize("centre", [2.6, -2.6, 2.0, 0.0, 3.5])
def test_how_many_is_the_smallest_number_that_would_do(centre):
    spread = np.array([1.0, -1.0, 0.5, -0.5, 0.8, -0.8])
    found = REP.enough_partitions(centre + spread, df=9, alpha=0.05)
    sd, c = spread.std(ddof=1), stats.t.isf(0.025, 9)
    gap = abs(abs(centre) - c)
    holds = [gap * math.sqrt(n) / sd > stats.t.isf(0.05, n - 1) for n in range(2, 5000)]
    assert found.how_many == 2 + holds.index(True)
    assert all(holds[holds.index(True) :])
    assert found.enough == (found.how_many <= 6)


def test_few_equal_and_infinite_t_values():
    one = REP.enough_partitions([3.0], df=9, alpha=0.05)
    assert (str(one.verdict), one.enough, one.how_many) == ("A", False, None)
    equal = REP.enough_partitions([3.0, 3.0], df=9, alpha=0.05)
    assert (equal.enough, equal.how_many, equal.settled_a) == (True, 2, math.inf)
    threshold = float(stats.t.isf(0.025, 9))
    on_it = REP.enough_partitions([threshold, threshold], df=9, alpha=0.05)
    assert on_it.critical == pytest.approx(threshold, rel=1e-14)
    same = REP.enough_partitions([on_it.critical] * 2, df=9, alpha=0.05)
    assert (same.enough, same.how_many, str(same.verdict)) == (False, None, "A")
    infinite = REP.enough_partitions([math.inf, math.inf], df=9, alpha=0.05)
    assert (str(infinite.verdict), infinite.enough) == ("A", True)
    some = REP.enough_partitions([math.inf, 1.0], df=9, alpha=0.05)
    assert (str(some.verdict), some.enough, some.how_many) == ("A", False, None)
    mixed = REP.enough_partitions([math.inf, -math.inf], df=9, alpha=0.05)
    assert (str(mixed.verdict), mixed.enough) == ("none", False)


def test_t_values_are_checked():
    for wrong in ([], [math.nan, 1.0], [[1.0]]):
        with pytest.raises(InputError, match="t-value of every partition"):
            REP.enough_partitions(wrong, df=9, alpha=0.05)
    with pytest.raises(InputError, match="df is 0"):
        REP.classify_group([1.0], df=0, alpha=0.05)
    with pytest.raises(InputError, match="alpha2 is 0"):
        REP.enough_partitions([1.0, 2.0], df=9, alpha=0.05, alpha2=0)


@pytest.mark.parametrize(
    ("t", "group"),
    [
        ([-3.0, 0.0, 3.0], 1),
        ([-3.0, 3.0], 1),
        ([0.0, 3.0], 2),
        ([-3.0, 0.1], 2),
        ([3.0, 4.0], 3),
        ([0.1, -0.1], 3),
        ([0.3, 0.3], 4),
        ([0.0] * 55, 4),
        ([math.inf, math.inf], 4),
        ([-math.inf, -4.0], 3),
    ],
)
def test_groups(t, group):
    assert REP.classify_group(t, df=9, alpha=0.05) == group


def test_groups_follow_the_option():
    assert REP.classify_group([0.30, 0.31], df=9, alpha=0.05, constant=0.01) == 4
    with pytest.raises(InputError, match="three counts"):
        REP.group_of_counts((0, 0, 0))


def test_conclusions():
    found = REP.incorrect_conclusions([(3, 5, 2)] * 3, ["A", "none", "B"])
    assert (found.correct_reject, found.correct_accept) == (3 + 2, 5)
    assert (found.type_1, found.type_2) == (2 + (3 + 2) + 3, 5 + 5)
    assert found.total == 30
    assert found.error_rate == pytest.approx(20 / 30)
    with pytest.raises(InputError, match="give one each"):
        REP.incorrect_conclusions([(1, 2, 3)], [])
    with pytest.raises(InputError, match="with reference 'a'"):
        REP.incorrect_conclusions([(1, 2, 3)], ["a"])
