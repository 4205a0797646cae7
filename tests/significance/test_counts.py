"""Binomial, McNemar, two proportions, Cochran's Q and the four cells."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import foldproof as fp
from foldproof.domain.errors import InputError

COUNTS = [(35, 15), (30, 20), (0, 0), (5, 0), (0, 5), (7, 7), (1, 9), (1000, 900), (3, 2000), (9_999, 9_000)]


@pytest.mark.parametrize(("s", "f"), COUNTS)
def test_binomial_is_exact(s, f):
    result = fp.significance.binomial_sign(s, f)
    n = s + f
    greater = Fraction(sum(math.comb(n, j) for j in range(s, n + 1)), 2**n) if n < 4000 else None
    if greater is not None:
        assert result.pvalue_greater == float(greater)
    if n:
        assert result.pvalue == pytest.approx(stats.binomtest(s, n).pvalue, rel=1e-9)
        assert result.pvalue_less == pytest.approx(stats.binomtest(s, n, alternative="less").pvalue, rel=1e-9)
    else:
        assert result.pvalue == 1.0


def test_binomial_above_the_exact_range():
    assert fp.significance.binomial_sign(15_100, 14_900).pvalue == pytest.approx(
        stats.binomtest(15_100, 30_000).pvalue, rel=1e-9
    )


@pytest.mark.parametrize(("s", "f"), COUNTS)
def test_mcnemar_against_statsmodels(s, f):
    mcnemar = pytest.importorskip("statsmodels.stats.contingency_tables").mcnemar
    if s + f == 0:
        assert fp.significance.mcnemar(0, 0).pvalue == 1.0
        return
    table = [[10, s], [f, 10]]
    exact = fp.significance.mcnemar(s, f, form="exact")
    assert exact.pvalue == pytest.approx(mcnemar(table, exact=True).pvalue, rel=1e-9)
    plain = mcnemar(table, exact=False, correction=False)
    ours = fp.significance.mcnemar(s, f, form="uncorrected")
    assert (ours.statistic, ours.pvalue) == pytest.approx((plain.statistic, plain.pvalue), rel=1e-9)
    printed = mcnemar(table, exact=False, correction=True)
    ours = fp.significance.mcnemar(s, f, form="as-printed")
    assert (ours.statistic, ours.pvalue) == pytest.approx((printed.statistic, printed.pvalue), rel=1e-9)


def test_mcnemar_is_clamped_where_a_library_is_not():
    assert fp.significance.mcnemar(7, 7).statistic == 0.0
    assert fp.significance.mcnemar(7, 7).pvalue == 1.0
    assert fp.significance.mcnemar(7, 7, form="as-printed").statistic == 1 / 14


def test_mcnemar_recommends_the_exact_form_for_few():
    assert fp.significance.mcnemar(20, 4).warnings == ("few_discordant",)
    assert fp.significance.mcnemar(20, 5).warnings == ()
    assert fp.significance.mcnemar(20, 4, form="exact").warnings == ()


@pytest.mark.parametrize("form", ["corrected", "exact", "uncorrected"])
def test_swapping_counts_flips_the_side(form):
    there, back = fp.significance.mcnemar(35, 15, form=form), fp.significance.mcnemar(15, 35, form=form)
    assert there.pvalue == back.pvalue
    assert there.pvalue_greater == back.pvalue_less
    assert there.pvalue_signed == -back.pvalue_signed
    assert [str(r.decide(alpha=0.05)) for r in (there, back)] == ["A", "B"]


def test_counts_are_whole_numbers():
    for wrong in (-1, 1.5, "3", True, None):
        with pytest.raises(InputError, match="wins is"):
            fp.significance.binomial_sign(wrong, 3)
    with pytest.raises(InputError, match="form is 'mid-p'"):
        fp.significance.mcnemar(1, 2, form="mid-p")
    assert fp.significance.binomial_sign(np.int64(3), np.int8(2)).wins == 3


@pytest.mark.parametrize(("a", "b", "na", "nb"), [(85, 78, 100, 100), (260, 240, 300, 300), (10, 90, 50, 120)])
def test_two_proportions_against_statsmodels(a, b, na, nb):
    oracle = pytest.importorskip("statsmodels.stats.proportion").proportions_ztest
    z, p = oracle([a, b], [na, nb])
    result = fp.significance.two_proportions_z(a, b, n_a=na, n_b=nb)
    assert (result.statistic, result.pvalue) == pytest.approx((z, p), rel=1e-9)
    assert result.df == math.inf
    low, high = result.confidence_interval(0.95)
    assert (high - low) / 2 == pytest.approx(1.959963984540054 * result.standard_error)


def test_two_proportions_at_the_ends_and_paired():
    both = fp.significance.two_proportions_z(10, 10, n_a=10, n_b=10, paired=True)
    assert (both.statistic, both.pvalue, both.warnings) == (0.0, 1.0, ("same_test_instances",))
    with pytest.raises(InputError, match="11 of 10 and 3 of 10 are not proportions"):
        fp.significance.two_proportions_z(11, 3, n_a=10, n_b=10)


def test_cochran_q_against_statsmodels():
    oracle = pytest.importorskip("statsmodels.stats.contingency_tables").cochrans_q
    table = np.random.default_rng(0).random((50, 4)) < [0.5, 0.6, 0.7, 0.9]
    expected = oracle(table.astype(int))
    result = fp.significance.cochran_q(table)
    assert (result.statistic, result.pvalue) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)
    # Two learners: McNemar without correction.
    pair = fp.significance.four_cells(table[:, 0], table[:, 3])
    plain = fp.significance.mcnemar(pair.a_only, pair.b_only, form="uncorrected")
    assert fp.significance.cochran_q(table[:, [0, 3]]).statistic == pytest.approx(plain.statistic)
    assert fp.significance.cochran_q(np.ones((5, 3), dtype=bool)).pvalue == 1.0
    with pytest.raises(InputError, match="instances x learners"):
        fp.significance.cochran_q([[0.5, 1.0]])


def test_four_cells():
    rng = np.random.default_rng(1)
    a, b = rng.random((2, 100)) < 0.7
    cells = fp.significance.four_cells(a, b)
    assert cells.both + cells.a_only + cells.b_only + cells.neither == 100
    assert cells.both + cells.a_only == a.sum()
    with pytest.raises(InputError, match="whether each same instance was right"):
        fp.significance.four_cells([1, 0], [True, False])
