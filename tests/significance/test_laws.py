"""Laws that every registered test of differences keeps."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import foldproof as fp
from foldproof.significance import METHODS

T_TESTS = sorted(name for name, method in METHODS.items() if method.kind == "t" and method.takes == "differences")
SIDED = [*T_TESTS, "sign-flip-permutation"]
BAYES_AND_T = [*T_TESTS, "bayesian-correlated-t"]
SCORES = st.floats(0.0, 1.0, allow_nan=False).map(lambda v: round(v, 3))


def shape_of(name: str) -> tuple[int, int]:
    return METHODS[name].shape or (3, 4)


def score_pairs(name: str):
    shape = shape_of(name)
    return st.tuples(arrays(np.float64, shape, elements=SCORES), arrays(np.float64, shape, elements=SCORES))


def result_of(name: str, a, b):
    return METHODS[name].function(fp.Differences.of_scores(a, b, n_train=90, n_test=10))


def same(got: float, expected: float, rel: float = 1e-7) -> bool:
    """Whether two numbers are equal up to rounding, infinities included.

    Rounding of the scores themselves (a shift adds some) moves a small spread: 1e-7 leaves room for that.
    """
    return got == expected or math.isclose(got, expected, rel_tol=rel, abs_tol=1e-12)


def settled(*results) -> bool:
    """Whether none of the results stands at the edge of the zero-variance zone."""
    return len({r.zero_variance for r in results if hasattr(r, "zero_variance")}) <= 1


@pytest.mark.parametrize("name", SIDED)
def test_swapping_the_learners_flips_the_sign_and_keeps_p(name):
    @given(score_pairs(name))
    def law(scores):
        a, b = scores
        there, back = result_of(name, a, b), result_of(name, b, a)
        assert same(there.statistic, -back.statistic)
        assert same(there.pvalue, back.pvalue)
        assert same(there.pvalue_greater, back.pvalue_less)
        if there.statistic != 0.0:
            assert same(there.pvalue_signed, -back.pvalue_signed)

    law()


@pytest.mark.parametrize("name", SIDED)
def test_p_values_lie_in_their_ranges_and_agree(name):
    @given(score_pairs(name))
    def law(scores):
        result = result_of(name, *scores)
        for p in (result.pvalue, result.pvalue_greater, result.pvalue_less):
            assert 0.0 <= p <= 1.0
        assert abs(result.pvalue_signed) <= 0.5
        assert same(result.pvalue, 2.0 * abs(result.pvalue_signed))
        if name in T_TESTS:
            assert same(result.pvalue_greater + result.pvalue_less, 1.0)
            assert same(result.pvalue, 2.0 * min(result.pvalue_greater, result.pvalue_less))
            # Significant two-sided at alpha is significant on one side at alpha / 2.
            for alpha in (0.01, 0.05, 0.5):
                assert (str(result.decide(alpha=alpha)) != "none") == (abs(result.pvalue_signed) <= alpha / 2)

    law()


@pytest.mark.parametrize("name", SIDED)
@pytest.mark.parametrize("factor", [2.0**-40, 0.125, 100.0, 1e6])
def test_scaling_both_scores_leaves_p_alone(name, factor):
    @given(score_pairs(name))
    def law(scores):
        a, b = scores
        plain, scaled = result_of(name, a, b), result_of(name, factor * a, factor * b)
        assume(settled(plain, scaled))
        assert same(plain.pvalue, scaled.pvalue)

    law()


@pytest.mark.parametrize("name", SIDED)
@pytest.mark.parametrize("shift", [-0.5, 0.25, 3.0])
def test_shifting_both_scores_leaves_p_alone(name, shift):
    @given(score_pairs(name))
    def law(scores):
        a, b = scores
        plain, shifted = result_of(name, a, b), result_of(name, a + shift, b + shift)
        assume(settled(plain, shifted))
        assert same(plain.pvalue, shifted.pvalue)

    law()


@pytest.mark.parametrize("name", [name for name in BAYES_AND_T if METHODS[name].exchangeable])
def test_the_order_of_runs_and_of_folds_in_a_run_does_not_matter(name):
    @given(score_pairs(name), st.randoms(use_true_random=False))
    def law(scores, random):
        a, b = scores
        runs = list(range(a.shape[0]))
        random.shuffle(runs)
        folds = [random.sample(range(a.shape[1]), a.shape[1]) for _ in runs]
        moved = [np.array([table[run][fold] for run, fold in zip(runs, folds, strict=True)]) for table in (a, b)]
        plain, other = result_of(name, a, b), result_of(name, *moved)
        for field in ("pvalue",) if name in T_TESTS else ("p_a", "p_b"):
            assert same(getattr(plain, field), getattr(other, field))

    law()


@pytest.mark.parametrize("name", T_TESTS)
def test_p_falls_as_t_grows(name):
    @given(score_pairs(name), score_pairs(name))
    def law(first, second):
        one, two = result_of(name, *first), result_of(name, *second)
        smaller, larger = sorted((one, two), key=lambda r: abs(r.statistic))
        assert smaller.pvalue >= larger.pvalue

    law()


@pytest.mark.parametrize("name", T_TESTS)
def test_the_interval_holds_what_the_test_does_not_reject(name):
    @given(score_pairs(name))
    def law(scores):
        result = result_of(name, *scores)
        low, high = result.confidence_interval(0.95)
        assert low <= result.estimate <= high
        if result.standard_error > 0.0 and abs(result.pvalue - 0.05) > 1e-9:
            assert (low <= 0.0 <= high) == (result.pvalue > 0.05)

    law()


@pytest.mark.parametrize("name", [name for name, method in METHODS.items() if method.arrays is not None])
@pytest.mark.parametrize("variant", ["as-printed", "as-run"])
def test_many_tables_at_once_are_the_same_tables_one_by_one(name, variant):
    method = METHODS[name]
    if variant == "as-run" and method.as_run is None:
        pytest.skip(f"{name} has no such variant")
    rng = np.random.default_rng(5)
    tables = rng.normal(0.01, 0.03, (40, *shape_of(name)))
    tables[0] = 0.0
    tables[1] = 0.02
    tables[2] = 0.3 + 1e-10 * tables[2]
    tables[3] *= 1e250
    tables[4, 0] = -0.5
    together = fp.significance.batch(name, tables, n_train=90, n_test=10, variant=variant)
    options = {"variant": variant} if method.as_run is not None else {}
    for position, table in enumerate(tables):
        alone = method.function(fp.Differences(table, n_train=90, n_test=10), **options)
        for field in (
            "mean_difference",
            "standard_error",
            "df",
            "statistic",
            "pvalue",
            "pvalue_greater",
            "pvalue_less",
        ):
            assert same(float(together[field][position]), getattr(alone, field), rel=1e-12), (position, field)
        assert bool(together["zero_variance"][position]) == alone.zero_variance


def test_the_leading_shape_of_a_batch_is_kept():
    tables = np.random.default_rng(2).normal(size=(3, 4, 5, 6))
    found = fp.significance.batch("paired-t", tables)
    assert {value.shape for value in found.values()} == {(3, 4)}
    large = np.random.default_rng(2).normal(size=(30_000, 10, 10))  # enough for several threads
    whole = fp.significance.batch("averaged-t", large)["statistic"]
    assert np.array_equal(whole[-7:], fp.significance.batch("averaged-t", large[-7:])["statistic"])


@pytest.mark.parametrize("name", sorted(METHODS))
def test_every_test_says_what_it_claims_when_to_use_it_and_where_it_is_from(name):
    method = METHODS[name]
    text = method.function.__doc__
    for section in (
        "Claim\n    -----",
        "When to use\n    -----------",
        "Reference\n    ---------",
        "Examples\n    --------",
    ):
        assert section in text, section
    assert method.function.__name__ == name.replace("-", "_")
    assert getattr(fp.significance, method.function.__name__) is method.function
    assert method.function.__name__ in dir(fp.significance)
