"""Levels: against Holm's procedure as another library has it, against the sums they must keep, and their laws."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from foldproof.ledger.levels import holm, level_left, planned_levels, shown_at, spending_level

PVALUE = st.floats(1e-6, 1.0)


def test_spending_sums_to_alpha_and_what_is_left_is_the_rest():
    assert [spending_level(j, 0.05) for j in (1, 2, 3)] == pytest.approx([0.05 / 2, 0.05 / 6, 0.05 / 12])
    for looks in (1, 2, 7, 100):
        spent = math.fsum(spending_level(j, 0.05) for j in range(1, looks + 1))
        assert spent + level_left(looks, 0.05) == pytest.approx(0.05, rel=1e-12)


@given(st.lists(PVALUE, min_size=1, max_size=8), st.integers(0, 4))
def test_single_pairs_of_a_plan_are_rejected_as_holm_rejects_them(pvalues, still_to_come):
    planned = len(pvalues) + still_to_come
    levels = planned_levels([[p] for p in pvalues], planned, [0.05] * len(pvalues))
    ours = [shown_at([p], level) == [True] for p, level in zip(pvalues, levels, strict=True)]
    theirs = multipletests([*pvalues, *[1.0] * still_to_come], alpha=0.05, method="holm")[0][: len(pvalues)]
    assert ours == list(theirs)


@given(st.lists(st.lists(PVALUE, min_size=1, max_size=4), min_size=1, max_size=5))
def test_a_level_stays_in_its_look_until_every_pair_is_rejected(looks):
    levels = planned_levels(looks, len(looks), [0.05] * len(looks))
    whole = [all(shown_at(p, level)) for p, level in zip(looks, levels, strict=True)]
    for i, level in enumerate(levels):
        others = sum(whole) - whole[i]
        assert level == pytest.approx(0.05 / (len(looks) - others))
    # What those that are not wholly rejected may use together is never more than alpha.
    assert sum(level for level, done in zip(levels, whole, strict=True) if not done) <= 0.05 * (1 + 1e-12)


def test_half_a_look_hands_nothing_on():
    assert planned_levels([[1e-9, 0.9], [0.04]], 2, [0.05, 0.05]) == [0.025, 0.025]
    assert planned_levels([[1e-9, 1e-9], [0.04]], 2, [0.05, 0.05]) == [0.05, 0.05]


def test_beyond_the_plan_nothing_is_left_even_for_p_zero():
    levels = planned_levels([[0.5], [0.0]], 1, [0.05, 0.05])
    assert levels == [0.05, 0.0]
    assert shown_at([0.0], levels[1]) == [False]


def test_holm_inside_a_look_counts_pairs_without_a_p_value():
    assert holm([0.02, 0.03]) == pytest.approx([0.04, 0.04])
    assert holm([0.02, None]) == pytest.approx([0.04, 1.0])
    assert shown_at([0.02, None], 0.05) == [True, False]
    assert shown_at([None], 1.0) == [False]
