from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

import foldproof as fp
from foldproof.domain.errors import InputError

RNG = np.random.default_rng(9)
SIG = fp.significance


def test_fisher_against_scipy():
    p = RNG.random(20)
    oracle = stats.combine_pvalues(p, "fisher")
    result = SIG.fisher_combine(p)
    assert (result.statistic, result.pvalue) == pytest.approx((oracle.statistic, oracle.pvalue), rel=1e-9)
    assert result.warnings == ("rejected_combiner",)
    assert SIG.fisher_combine(p, independent=True).warnings == ()
    zero = SIG.fisher_combine([0.0, 0.5])
    assert (zero.statistic, zero.pvalue) == (math.inf, 0.0)
    assert SIG.fisher_combine([1.0, 1.0]).pvalue == 1.0


@pytest.mark.parametrize("wrong", [-0.1, 1.1, math.nan])
def test_p_values_are_checked(wrong):
    for combine in (SIG.fisher_combine, SIG.signed_p_wilcoxon_ranks):
        with pytest.raises(InputError, match="p-value"):
            combine([0.5, 1.1 if combine is SIG.signed_p_wilcoxon_ranks and wrong == -0.1 else wrong])
    with pytest.raises(InputError, match="give a list of p-values"):
        SIG.fisher_combine([])


@pytest.mark.parametrize("n", [3, 8, 15, 25])
def test_wilcoxon_against_scipy_without_ties(n):
    d = RNG.normal(0.3, 1.0, n)
    for alternative, field in (("two-sided", "pvalue"), ("greater", "pvalue_greater"), ("less", "pvalue_less")):
        oracle = stats.wilcoxon(d, alternative=alternative, method="exact")
        assert getattr(SIG.wilcoxon_signed_rank(d), field) == pytest.approx(oracle.pvalue, rel=1e-9)


@pytest.mark.parametrize("d", [[0.5, -0.5, 1, 0, 2], [1, 1, 1, -1, 2, 2, 0], [0.3, 0.1 + 0.2, -0.3, 0.6]])
def test_wilcoxon_with_ties_and_zeros_against_enumeration(d):
    kept = [v for v in d if v != 0]
    ranks = stats.rankdata(np.round(np.abs(kept), 12))
    sums = [
        sum(r for r, s in zip(ranks, signs, strict=True) if s) for signs in itertools.product((0, 1), repeat=len(kept))
    ]
    w = sum(r for r, v in zip(ranks, kept, strict=True) if v > 0)
    expected = min(1.0, 2 * min(np.mean([s >= w for s in sums]), np.mean([s <= w for s in sums])))
    result = SIG.wilcoxon_signed_rank(d)
    assert result.pvalue == pytest.approx(expected, rel=1e-12)
    assert result.w_plus == w
    assert result.w_plus + result.w_minus == sum(ranks)
    assert result.warnings == ("rejected_combiner",)


def test_wilcoxon_at_the_ends():
    assert SIG.wilcoxon_signed_rank([0.0, 0.0]).pvalue == 1.0
    assert SIG.wilcoxon_signed_rank(np.arange(1, 501)).pvalue == pytest.approx(2.0**-499, rel=1e-9)
    with pytest.raises(InputError, match="at most 1000"):
        SIG.wilcoxon_signed_rank(np.arange(1, 1100))
    with pytest.raises(InputError, match="finite differences"):
        SIG.wilcoxon_signed_rank([1.0, math.inf])


def test_swapping_the_learners():
    d = RNG.normal(0.3, 1.0, 12)
    there, back = SIG.wilcoxon_signed_rank(d), SIG.wilcoxon_signed_rank(-d)
    assert there.pvalue == back.pvalue
    assert there.pvalue_greater == pytest.approx(back.pvalue_less)
    assert there.pvalue_signed == -back.pvalue_signed
    assert there.statistic == back.statistic


def test_the_demonstration_of_why_they_are_rejected():
    rows = {row.partitions: row for row in SIG.combiner_growth(range(1, 56))}
    assert rows[10].fisher == pytest.approx(0.116, abs=0.0005)
    assert min(n for n, row in rows.items() if row.fisher < 0.05) == 21
    assert rows[21].fisher == pytest.approx(0.0491, abs=0.00005)
    assert rows[55].fisher == pytest.approx(0.0046, abs=0.00005)
    assert min(n for n, row in rows.items() if row.wilcoxon <= 0.05) == 6
    assert min(n for n, row in rows.items() if row.wilcoxon <= 0.01) == 8
    assert {round(row.averaged, 12) for row in rows.values()} == {0.25}
    assert all(
        later.fisher < earlier.fisher for earlier, later in itertools.pairwise(rows.values()) if earlier.partitions > 1
    )
    with pytest.raises(InputError, match="give one tail"):
        SIG.combiner_growth(pvalue=0.7)
