"""Every floating trap: zero, equal, equal up to rounding, tiny units, not finite, too few, wrong shapes and levels."""

from __future__ import annotations

import math

import numpy as np
import pytest

import foldproof as fp
from foldproof.domain.errors import InputError
from foldproof.significance import METHODS

T_TESTS = sorted(name for name, method in METHODS.items() if method.kind == "t" and method.takes == "differences")
OF_DIFFERENCES = sorted(name for name, method in METHODS.items() if method.takes == "differences")


def run(name: str, values, **design):
    options = {"margin": 0.01} if METHODS[name].kind == "margin" else {}
    return METHODS[name].function(fp.Differences(values, **{"n_train": 90, "n_test": 10, **design}), **options)


def table(name: str, fill: float = 0.0) -> np.ndarray:
    return np.full(METHODS[name].shape or (2, 10), fill)


@pytest.mark.parametrize("name", T_TESTS)
def test_all_zero_is_no_difference(name):
    result = run(name, table(name))
    assert (result.statistic, result.pvalue, result.pvalue_signed) == (0.0, 1.0, 0.5)
    assert str(result.decide(alpha=0.05)) == "none"
    assert "zero_variance" not in result.warnings


@pytest.mark.parametrize("name", T_TESTS)
@pytest.mark.parametrize(("fill", "verdict"), [(0.02, "A"), (-0.02, "B"), (1e-9, "A")])
def test_all_equal_is_decided_by_sign_and_flagged(name, fill, verdict):
    result = run(name, table(name, fill))
    assert math.isinf(result.statistic)
    assert math.copysign(1.0, result.statistic) == math.copysign(1.0, fill)
    assert result.pvalue == 0.0
    assert result.pvalue_signed == 0.0
    assert result.zero_variance
    assert "zero_variance" in result.warnings
    assert str(result.decide(alpha=0.05)) == verdict
    assert str(result.decide(alpha=0.05, zero_variance="accept")) == "none"


@pytest.mark.parametrize("name", T_TESTS)
def test_equal_up_to_rounding_is_equal(name):
    """0.1 + 0.2 - 0.3 is not zero in binary, and must not become a difference."""
    noise = table(name)
    noise.ravel()[::2] = (0.1 + 0.2) - 0.3
    assert noise.max() > 0.0
    silent = run(name, noise)
    assert silent.statistic == 0.0
    assert silent.pvalue == 1.0
    loud = run(name, 0.25 + noise)
    assert loud.zero_variance
    assert math.isinf(loud.statistic)


@pytest.mark.parametrize("name", T_TESTS)
def test_scores_in_tiny_units_are_judged_in_their_own_units(name):
    rng = np.random.default_rng(1)
    shape = METHODS[name].shape or (2, 10)
    a, b = rng.normal(5.0, 1.0, (2, *shape))
    design = {"n_train": 90, "n_test": 10}
    large = METHODS[name].function(fp.Differences.of_scores(a, b, **design))
    tiny = METHODS[name].function(fp.Differences.of_scores(1e-11 * a, 1e-11 * b, **design))
    assert not tiny.zero_variance
    assert tiny.pvalue == pytest.approx(large.pvalue, rel=1e-9)


@pytest.mark.parametrize("name", OF_DIFFERENCES)
@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_refused(name, wrong):
    values = table(name, 0.01)
    values[1, 1] = wrong
    with pytest.raises(InputError, match=r"\(1, 1\) is -?(nan|inf): scores must be finite"):
        run(name, values)


@pytest.mark.parametrize("name", T_TESTS)
@pytest.mark.parametrize("wrong", [math.nan, math.inf])
def test_a_batch_refuses_what_is_not_finite(name, wrong):
    values = np.zeros((3, *(METHODS[name].shape or (2, 10))))
    values[1, 0, 0] = wrong
    with pytest.raises(InputError, match="not finite"):
        fp.significance.batch(name, values)
    values[1, 0, 1] = -wrong
    with pytest.raises(InputError, match="not finite"):
        fp.significance.batch(name, values)


@pytest.mark.parametrize("name", sorted(set(OF_DIFFERENCES) - {"sign-flip-permutation"}))
def test_one_difference_is_too_few(name):
    with pytest.raises(InputError, match=r"at least two differences are required|exactly 5 runs of 2 folds"):
        run(name, [[0.02]])


def test_one_difference_has_one_sign_pattern_each_way():
    assert run("sign-flip-permutation", [[0.02]]).pvalue == 1.0


@pytest.mark.parametrize("shape", [(2, 5), (5, 3), (4, 2), (10,), (10, 2)])
@pytest.mark.parametrize("name", ["five-by-two-cv-t", "five-by-two-cv-f"])
def test_five_by_two_of_another_shape_is_refused(name, shape):
    with pytest.raises(InputError, match="exactly 5 runs of 2 folds; got"):
        run(name, np.ones(shape))


@pytest.mark.parametrize("alpha", [0, 1, 0.0, 1.0, -0.1, 2.0, math.nan, "0.05", True])
def test_alpha_lies_between_zero_and_one(alpha):
    result = run("paired-t", [[0.01, 0.02, 0.03]])
    with pytest.raises(InputError, match=r"alpha is .*: it must lie between 0 and 1, both excluded"):
        result.decide(alpha=alpha)


def test_five_by_two_denominator_zero():
    """Runs that differ from each other but not within: the numerator alone decides."""
    runs = np.array([[0.0, 0.0], [0.1, 0.1], [0.2, 0.2], [0.3, 0.3], [0.1, 0.1]])
    accepted = run("five-by-two-cv-t", runs)
    assert (accepted.statistic, accepted.pvalue) == (0.0, 1.0)
    rejected = run("five-by-two-cv-t", runs[::-1])
    assert (rejected.statistic, rejected.pvalue) == (math.inf, 0.0)
    assert rejected.zero_variance


def test_huge_and_tiny_squares_neither_overflow_nor_vanish():
    x = np.array([[1.0, 2.0, 4.0, 3.0]])
    expected = run("paired-t", x).pvalue
    for size in (1e-300, 1e-200, 1e200, 1e300):
        assert run("paired-t", size * x, scale=4 * size).pvalue == pytest.approx(expected, rel=1e-12)


def test_refused_at_the_door():
    with pytest.raises(InputError, match="give both n_train and n_test"):
        fp.significance.batch("paired-t", np.zeros((2, 1, 3)), n_train=9)
    with pytest.raises(InputError, match="takes tables of shape"):
        fp.significance.batch("five-by-two-cv-t", np.zeros((2, 2, 5)))
    with pytest.raises(InputError, match="no form for many tables"):
        fp.significance.batch("equivalence", np.zeros((2, 2, 5)))
    with pytest.raises(InputError, match="has no variant 'as-run'"):
        fp.significance.batch("paired-t", np.zeros((2, 2, 5)), variant="as-run")
    with pytest.raises(InputError, match="at least two differences"):
        fp.significance.batch("paired-t", np.zeros((2, 1, 1)))
    with pytest.raises(InputError, match="did you mean 'paired-t'"):
        fp.significance.batch("pared-t", np.zeros((2, 1, 3)))
    with pytest.raises(InputError, match="variant is 'printed'"):
        fp.significance.corrected_resampled_t(fp.Differences([1.0, 2.0], n_train=9, n_test=1), variant="printed")
    with pytest.raises(AttributeError, match="no attribute 'paired_test'"):
        _ = fp.significance.paired_test
