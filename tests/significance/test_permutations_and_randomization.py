from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

import foldproof as fp
from foldproof.domain.errors import InputError

RNG = np.random.default_rng(8)
flip = fp.significance.sign_flip_permutation


@pytest.mark.parametrize("n", [1, 2, 5, 10])
def test_exact_against_enumeration(n):
    x = RNG.normal(0.2, 1.0, n)
    sums = [sum(s * v for s, v in zip(signs, x, strict=True)) for signs in itertools.product((1, -1), repeat=n)]
    result = flip(fp.Differences(x))
    assert result.exact
    assert result.arrangements == 2**n
    observed = x.sum()
    assert result.pvalue == np.mean([abs(s) >= abs(observed) - 1e-9 for s in sums])
    assert result.pvalue_greater == np.mean([s >= observed - 1e-9 for s in sums])
    assert result.pvalue_less == np.mean([s <= observed + 1e-9 for s in sums])


def test_ties_of_accuracies_count_as_extreme():
    """0.1 + 0.2 against 0.3: sums that differ by rounding are equal."""
    result = flip(fp.Differences([0.1, 0.2, -0.3]))
    assert result.pvalue == 1.0


def test_twenty_values_are_exact_and_more_are_sampled():
    assert flip(fp.Differences(RNG.normal(size=20))).arrangements == 2**20
    sampled = flip(fp.Differences(RNG.normal(size=21)), patterns=999)
    assert (sampled.exact, sampled.arrangements) == (False, 999)
    assert sampled.pvalue >= 1 / 1000


def test_sampled_is_near_the_t_test_and_repeats_with_its_seed():
    x = fp.Differences(RNG.normal(0.3, 1.0, 60))
    one, again, other = flip(x, seed=3), flip(x, seed=3), flip(x, seed=4)
    assert one == again
    assert one.pvalue != other.pvalue
    p = stats.ttest_1samp(x.values, 0.0).pvalue
    assert one.pvalue == pytest.approx(p, abs=0.01)
    assert abs(one.pvalue - other.pvalue) < 6 * math.sqrt(p * (1 - p) / 100_000 * 2)


def test_the_smallest_p_is_one_over_b_plus_one():
    x = fp.Differences(np.linspace(1.0, 2.0, 40))
    assert flip(x, patterns=999).pvalue == 1 / 1000


def test_zero_differences_and_overlap():
    assert flip(fp.Differences(np.zeros(30)), patterns=99).pvalue == 1.0
    assert flip(fp.Differences(np.zeros((2, 3)))).warnings == ("uncorrected_variance",)
    with pytest.raises(InputError, match="patterns is 0"):
        flip(fp.Differences([1.0]), patterns=0)


def test_randomization():
    reference = RNG.normal(0.5, 0.03, 99)
    result = fp.significance.randomization_test(0.6, reference, chance=0.55)
    assert result.pvalue == (1 + (reference >= 0.6).sum()) / 100
    assert result.bias == pytest.approx(reference.mean() - 0.55)
    assert result.adjusted == pytest.approx(0.6 - result.bias)
    assert result.warnings == ()
    assert result.decide(alpha=0.05)
    assert fp.significance.randomization_test(0.6, reference[:18]).warnings == ("few_references",)
    assert fp.significance.randomization_test(2.0, reference[:19]).pvalue == 0.05
    # A reference as good as the observed score counts.
    assert fp.significance.randomization_test(0.5, [0.5] * 19).pvalue == 1.0
    with pytest.raises(InputError, match="not finite"):
        fp.significance.randomization_test(math.nan, reference)
    with pytest.raises(InputError, match="list of reference scores"):
        fp.significance.randomization_test(0.5, [])
