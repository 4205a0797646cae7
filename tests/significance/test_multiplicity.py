from __future__ import annotations

import math

import numpy as np
import pytest

import foldproof as fp
from foldproof.domain.errors import InputError

SIG = fp.significance
METHODS = ["bonferroni", "sidak", "holm", "holm-sidak", "bh"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(5))
def test_against_statsmodels(method, seed):
    oracle = pytest.importorskip("statsmodels.stats.multitest").multipletests
    p = np.round(np.random.default_rng(seed).random(9) ** 3, 2)  # with ties
    name = "fdr_bh" if method == "bh" else method
    assert SIG.adjust_p(p, method=method) == pytest.approx(oracle(p, method=name)[1], rel=1e-9)


@pytest.mark.parametrize("method", [*METHODS, "none"])
def test_laws_of_adjustment(method):
    p = np.array([0.0, 1e-300, 0.01, 0.01, 0.2, 1.0])
    adjusted = SIG.adjust_p(p, method=method)
    assert (adjusted >= p).all()
    assert (adjusted <= 1.0).all()
    assert (np.diff(adjusted) >= 0.0).all()
    assert adjusted[1] == pytest.approx(1e-300 * {"none": 1, "holm": 5, "holm-sidak": 5, "bh": 3}.get(method, 6))
    order = np.array([3, 5, 0, 2, 4, 1])
    assert SIG.adjust_p(p[order], method=method) == pytest.approx(adjusted[order])
    assert SIG.adjust_p([], method=method).size == 0
    assert SIG.adjust_p([0.3], method=method) == pytest.approx([0.3])


def test_refusals_of_adjustment():
    for wrong in ([0.5, 1.1], [math.nan], [[0.1]]):
        with pytest.raises(InputError, match="between 0 and 1"):
            SIG.adjust_p(wrong)
    with pytest.raises(InputError, match="method is 'hochberg': use one of none, bonferroni"):
        SIG.adjust_p([0.1], method="hochberg")


@pytest.mark.parametrize("n", [1, 10, 154, 10**6])
def test_levels_give_back_the_familywise_error(n):
    level = SIG.sidak_level(n, 0.05)
    assert SIG.familywise_error(n, level) == pytest.approx(0.05, rel=1e-12)
    assert SIG.bonferroni_level(n, 0.05) <= level
    assert SIG.expected_false_positives(n, SIG.bonferroni_level(n, 0.05)) == pytest.approx(0.05)
    with pytest.raises(InputError, match="at least 1"):
        SIG.multiplicity(0, alpha=0.05)
    with pytest.raises(InputError, match="alpha is 1"):
        SIG.multiplicity(n, alpha=1)


def test_spending_sums_to_alpha():
    levels = SIG.alpha_spending(np.arange(1, 100_001), alpha=0.05)
    assert levels.sum() == pytest.approx(0.05 * (1 - 1 / 100_001))
    assert float(SIG.alpha_spending(1, alpha=0.05)) == 0.025
    for wrong in (0, [1, 0], [1.5], []):
        with pytest.raises(InputError, match="counted from 1"):
            SIG.alpha_spending(wrong, alpha=0.05)


def test_a_rejected_look_passes_its_level_on():
    own = SIG.alpha_spending([1, 2, 3, 4], alpha=0.05)
    assert SIG.online_fallback([0.5, 0.5, 0.5], alpha=0.05) == pytest.approx(own)
    passed = SIG.online_fallback([0.001, 0.001, 0.5], alpha=0.05)
    assert passed == pytest.approx([own[0], own[0] + own[1], own[0] + own[1] + own[2], own[3]])
    with pytest.raises(InputError, match="look 2"):
        SIG.online_fallback([0.5, 2.0], alpha=0.05)


def test_tests_and_formulas_are_listed_apart():
    assert set(SIG.METHODS).isdisjoint(SIG.FORMULAS)
    for name in ("adjust-p", "multiplicity", "alpha-spending", "four-cells", "combiner-growth"):
        assert name in SIG.FORMULAS
