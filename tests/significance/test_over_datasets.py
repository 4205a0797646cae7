"""Tests over many datasets: the numbers of Demsar (2006), slow twins, and the packages that have them."""

from __future__ import annotations

import csv
import math
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import foldproof as fp
from foldproof.domain.errors import InputError
from foldproof.domain.studentized_range import range_critical_value, range_tail
from foldproof.significance._bayesian_sign import largest_probabilities
from naive import over_datasets as naive

PUBLISHED = tomllib.loads((Path(__file__).parents[1] / "published" / "demsar_2006.toml").read_text())
sig = fp.significance


@pytest.fixture
def table6(shared):
    lines = shared("reference", "demsar2006_table6.csv").read_text().splitlines()
    rows = list(csv.reader(line for line in lines if not line.startswith("#")))[1:]
    return np.array([[float(v) for v in row[1:]] for row in rows])


# Few values, so that ties are common.
TABLES = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 4), min_size=k, max_size=k), min_size=2, max_size=7)
)


# ---- published ----------------------------------------------------------------------------------------------


def test_table_6_as_printed(table6):
    printed = PUBLISHED["table_6"]
    chi, f, pairs = sig.friedman(table6), sig.iman_davenport(table6), sig.nemenyi(table6)
    assert chi.mean_ranks == pytest.approx(printed["mean_ranks"], abs=5e-4)
    assert chi.statistic == pytest.approx(printed["chi2"], abs=5e-3)
    assert f.statistic == pytest.approx(printed["f"], abs=5e-3)
    assert f.df == tuple(printed["df"])
    assert pairs.critical_difference(0.05) == pytest.approx(printed["critical_difference_05"], abs=5e-3)
    assert pairs.critical_difference(0.10) == pytest.approx(printed["critical_difference_10"], abs=5e-3)
    signed = sig.wilcoxon_signed_rank(table6[:, 1] - table6[:, 0], independent=True, zeros="split")
    assert (signed.w_plus, signed.w_minus) == (printed["w_plus"], printed["w_minus"])


def test_three_look_alikes_and_their_p_values(table6):
    """As printed, corrected for ties, and on F: three p-values, each with its independent source."""
    plain, corrected, f = sig.friedman(table6), sig.friedman(table6, ties="corrected"), sig.iman_davenport(table6)
    oracle = stats.friedmanchisquare(*table6.T)
    assert corrected.statistic == pytest.approx(oracle.statistic, rel=1e-12)
    assert corrected.pvalue == pytest.approx(oracle.pvalue, rel=1e-12)
    assert plain.pvalue == pytest.approx(stats.chi2.sf(plain.statistic, 3), rel=1e-12)
    assert f.pvalue == pytest.approx(stats.f.sf(f.statistic, 3, 39), rel=1e-12)
    assert [round(r.pvalue, 4) for r in (plain, corrected, f)] == [0.0258, 0.0167, 0.0198]
    assert "ties_uncorrected" in plain.warnings
    assert "ties_uncorrected" in f.warnings
    assert corrected.warnings == ()


# Three entries of the printed table are one unit off in the last digit.
MISPRINTS = {("q_05", 3): 2.344, ("q_05", 7): 2.948, ("q_10", 5): 2.460}


@pytest.mark.parametrize(("level", "name"), [(0.05, "q_05"), (0.10, "q_10")])
def test_the_critical_values_of_table_5(level, name):
    for k, printed in enumerate(PUBLISHED["table_5"][name], start=2):
        expected = MISPRINTS.get((name, k), printed)
        assert range_critical_value(level, k) / math.sqrt(2.0) == pytest.approx(expected, abs=5e-4)
        assert expected == pytest.approx(printed, abs=1.01e-3)


# ---- the studentized range ----------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [2, 3, 4, 10, 30])
def test_the_studentized_range_against_scipy(k):
    for width in (0.05, 0.7, 2.0, 3.5, 6.0):
        assert range_tail(width, k) == pytest.approx(stats.studentized_range.sf(width, k, np.inf), rel=1e-9)


def test_the_studentized_range_of_two_is_the_normal_in_the_far_tail():
    for width in (1e-3, 1.0, 8.0, 20.0, 45.0):
        assert range_tail(width, 2) == pytest.approx(2.0 * stats.norm.sf(width / math.sqrt(2.0)), rel=1e-12)
    assert range_tail(0.0, 5) == 1.0
    assert range_tail(math.inf, 5) == 0.0


@pytest.mark.parametrize("alpha", [0.2, 0.05, 1e-4, 1e-12])
def test_critical_values_invert_the_tail(alpha):
    assert range_tail(range_critical_value(alpha, 7), 7) == pytest.approx(alpha, rel=1e-9)


# ---- against slow twins -------------------------------------------------------------------------------------


@given(TABLES)
def test_friedman_is_its_slow_twin(table):
    assert sig.friedman(table).statistic == pytest.approx(float(naive.friedman(table, False)), abs=1e-12)
    found = sig.friedman(table, ties="corrected")
    assert found.statistic == pytest.approx(float(naive.friedman(table, True)), abs=1e-9)
    assert found.mean_ranks == pytest.approx([float(r) for r in naive.mean_ranks(table)], abs=1e-12)


@given(TABLES)
def test_the_corrected_f_is_the_repeated_measures_f_of_the_ranks(table):
    found, twin = sig.iman_davenport(table, ties="corrected"), naive.repeated_measures_f(table)
    if twin is None and len(set(naive.mean_ranks(table))) == 1:  # all tie everywhere
        assert (found.statistic, found.pvalue) == (0.0, 1.0)
    elif twin is None:
        assert found.statistic == math.inf
        assert found.pvalue == pytest.approx(float(naive.agreement(table)), rel=1e-12)
        assert "full_agreement" in found.warnings
    else:
        assert found.statistic == pytest.approx(float(twin), rel=1e-9, abs=1e-9)


@settings(max_examples=60)
@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9), st.sampled_from(["drop", "split"]))
def test_wilcoxon_with_ties_and_zeros_is_every_assignment_of_signs(values, zeros):
    found = sig.wilcoxon_signed_rank(values, independent=True, zeros=zeros)
    plus, minus, pvalue = naive.wilcoxon(values, zeros)
    assert (found.w_plus, found.w_minus) == (float(plus), float(minus))
    assert found.pvalue == pytest.approx(float(pvalue), rel=1e-12)
    assert len(found.ordered) == len(found.signed_ranks)


# ---- against packages ---------------------------------------------------------------------------------------


def test_nemenyi_against_scikit_posthocs(table6):
    posthocs = pytest.importorskip("scikit_posthocs")
    oracle = np.asarray(posthocs.posthoc_nemenyi_friedman(table6))
    for pair in sig.nemenyi(table6).pairs:
        assert pair.pvalue == pytest.approx(oracle[pair.a, pair.b], rel=1e-9)
        assert (pair.decide(alpha=0.1) == "B") == (abs(pair.difference) > 1.12 and pair.difference < 0)


def test_holm_against_a_control_by_scipy_and_statsmodels(table6):
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    found = sig.holm_control(table6, control=0)
    z = [(r - found.mean_ranks[0]) / math.sqrt(4 * 5 / (6 * 14)) for r in found.mean_ranks[1:]]
    pvalues = [2 * stats.norm.sf(abs(v)) for v in z]
    assert [p.pvalue for p in found.pairs] == pytest.approx(pvalues, rel=1e-12)
    for adjust in ("holm", "bonferroni"):
        adjusted = [p.pvalue_adjusted for p in sig.holm_control(table6, control=0, adjust=adjust).pairs]
        assert adjusted == pytest.approx(multitest.multipletests(pvalues, method=adjust)[1], rel=1e-12)
    # Against the last one, signs turn.
    last = sig.holm_control(table6, control=3)
    assert [(p.a, p.b) for p in last.pairs] == [(3, 0), (3, 1), (3, 2)]
    assert last.pairs[0].difference == -found.pairs[2].difference
    assert str(last.pairs[0].decide(alpha=0.05)) == "A"


def test_the_sign_test_against_scipy():
    values = [0.1, -0.2, 0.3, 0.0, 0.1, 0.4, 0.0, 0.0]
    dropped, split = sig.sign_test(values), sig.sign_test(values, ties="split")
    assert (dropped.wins, dropped.losses) == (4, 1)
    assert (split.wins, split.losses) == (5, 2)
    assert dropped.pvalue == pytest.approx(stats.binomtest(4, 5).pvalue)
    assert split.pvalue == pytest.approx(stats.binomtest(5, 7).pvalue)
    assert sig.sign_test([0.3 - (0.1 + 0.2), 0.1 + 0.2 - 0.3, 0.2]).wins == 1


# A rope at which no mean of two differences lies: there baycomp's comparison without tolerance is a matter of rounding.
@pytest.mark.parametrize("rope", [0.0, 0.01025])
def test_the_bayesian_tests_agree_with_baycomps_samples(table6, rope):
    baycomp = pytest.importorskip("baycomp")
    for a, b in ((0, 1), (1, 2), (0, 3)):
        x, y = table6[:, a], table6[:, b]
        # baycomp takes y - x; its shares are of 50,000 draws.
        for ours, theirs in ((sig.bayesian_sign, baycomp.SignTest), (sig.bayesian_signed_rank, baycomp.SignedRankTest)):
            found = ours(y - x, rope=rope)
            left, same, right = theirs(x, y, rope=rope, random_state=1).probs(with_rope=True)
            assert found.p_a == pytest.approx(right, abs=0.012)
            assert found.p_rope == pytest.approx(same, abs=0.012)
            assert found.p_b == pytest.approx(left, abs=0.012)
            assert found.p_a + found.p_rope + found.p_b == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("alphas", [(1, 1, 1), (3, 1, 0), (0.5, 2, 9), (40, 41, 3), (900, 1000, 1)])
def test_which_part_of_a_dirichlet_is_the_largest(alphas):
    found = largest_probabilities(alphas)
    assert sum(found) == pytest.approx(1.0, abs=1e-10)
    if min(alphas) > 0:
        draws = np.random.default_rng(1).dirichlet(alphas, 200_000).argmax(axis=1)
        assert found == pytest.approx(np.bincount(draws, minlength=3) / 200_000, abs=0.006)
    else:
        # Two gamma variables: the larger one by the beta distribution.
        assert found[0] == pytest.approx(stats.beta.sf(0.5, alphas[0], alphas[1]), rel=1e-10)
    assert largest_probabilities(alphas[::-1]) == pytest.approx(found[::-1], abs=1e-12)


# ---- laws ---------------------------------------------------------------------------------------------------


@given(TABLES, st.randoms(use_true_random=False))
def test_order_and_monotone_scales_do_not_matter(table, random):
    table = np.array(table, dtype=float)
    rows, columns = list(range(len(table))), list(range(table.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    moved = np.exp(table[rows][:, columns] / 3.0) - 5.0
    assert sig.friedman(moved).statistic == pytest.approx(sig.friedman(table).statistic, abs=1e-9)
    assert sig.friedman(moved).mean_ranks == pytest.approx([sig.friedman(table).mean_ranks[c] for c in columns])
    there, back = sig.nemenyi(table), sig.nemenyi(moved)
    expected = {frozenset((p.a, p.b)): p.pvalue for p in there.pairs}
    for pair in back.pairs:
        assert pair.pvalue == pytest.approx(expected[frozenset((columns[pair.a], columns[pair.b]))], abs=1e-12)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=12))
def test_swapping_the_learners_swaps_the_sides(values):
    one, other = np.array(values) / 10.0, -np.array(values) / 10.0
    for test in (sig.sign_test, sig.wilcoxon_signed_rank):
        assert test(one).pvalue == pytest.approx(test(other).pvalue, rel=1e-12)
        assert test(one).pvalue_greater == pytest.approx(test(other).pvalue_less, rel=1e-12)
    there, back = sig.bayesian_sign(one, rope=0.1), sig.bayesian_sign(other, rope=0.1)
    assert (there.p_a, there.p_rope) == pytest.approx((back.p_b, back.p_rope), abs=1e-12)


def test_rounding_makes_no_rank():
    table = [[0.1 + 0.2, 0.3, 0.1], [0.7, 0.6 + 0.1, 0.2]]
    assert sig.friedman(table).mean_ranks == (1.5, 1.5, 3.0)


def test_the_groups_are_the_bars_of_the_diagram(table6):
    found = sig.nemenyi(table6)
    assert found.groups(0.05) == ((3, 1, 2, 0),)
    assert found.groups(0.10) == ((3, 1, 2), (2, 0))
    for group in found.groups(0.10):
        for pair in found.pairs:
            if {pair.a, pair.b} <= set(group):
                assert str(pair.decide(alpha=0.10)) == "none"


def test_a_seed_gives_the_same_sample_and_another_another():
    values = [0.01, 0.02, -0.01, 0.03, 0.0]
    first, again = (sig.bayesian_signed_rank(values, rope=0.005, samples=500) for _ in range(2))
    assert first == again
    assert sig.bayesian_signed_rank(values, rope=0.005, samples=500, seed=1) != first
    assert str(sig.bayesian_signed_rank([0.1] * 9).decide(alpha=0.05)) == "A"
    assert str(sig.bayesian_signed_rank([-0.1] * 9).decide(alpha=0.05)) == "B"


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: sig.friedman([[1, 2]]), "at least two of each"),
        (lambda: sig.friedman([[1, 2], [1]]), "as many scores in every row"),
        (lambda: sig.friedman([[1, 2], [1, math.nan]]), "the score of learner 1 on dataset 1 is nan"),
        (lambda: sig.friedman([[1, 2], [1, 2]], ties="yes"), "use 'as-printed' or 'corrected'"),
        (lambda: sig.holm_control([[1, 2], [1, 3]], control=2), "control is 2: give the place of a learner, 0 to 1"),
        (lambda: sig.sign_test([]), "one finite difference per dataset"),
        (lambda: sig.sign_test([1], ties="no"), "use 'drop' or 'split'"),
        (lambda: sig.wilcoxon_signed_rank([1], zeros="no"), "use 'drop' or 'split'"),
        (lambda: sig.bayesian_sign([1], rope=-1), "rope is -1"),
        (lambda: sig.bayesian_sign([1], prior=0), "prior is 0"),
        (lambda: sig.bayesian_signed_rank([1], samples=0), "samples is 0"),
        (lambda: sig.critical_difference(1, 10, alpha=0.05), "learners is 1"),
        (lambda: sig.nemenyi([[1, 2], [1, 3]]).pair(1, 0), "nemenyi has no pair (1, 0)"),
    ],
)
def test_what_is_wrong_is_said(call, sentence):
    with pytest.raises(InputError, match=sentence.replace("(", r"\(").replace(")", r"\)")):
        call()
