"""Statistics and p-values against 40-digit arithmetic, nearly equal and huge differences included."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

import foldproof as fp
from foldproof.domain.student import critical_value, upper_tail

CASES = 10_000
DIGITS = 40


def exact_tail(t: Any, df: float) -> Any:
    with mpmath.workdps(DIGITS):
        x = mpmath.mpf(df) / (df + t * t)
        return mpmath.betainc(mpmath.mpf(df) / 2, mpmath.mpf(1) / 2, 0, x, regularized=True) / 2


def exact_t(values: np.ndarray[Any, Any], factor: Any) -> Any:
    with mpmath.workdps(DIGITS):
        x = [mpmath.mpf(float(v)) for v in values.ravel()]
        m = mpmath.fsum(x) / len(x)
        s2 = mpmath.fsum((v - m) ** 2 for v in x) / (len(x) - 1)
        return m / mpmath.sqrt(factor * s2)


def random_table(rng: np.random.Generator) -> tuple[np.ndarray[Any, Any], float]:
    """Ordinary, nearly equal (down to 1e-10 of the score), tiny-unit or huge differences, with their scale."""
    runs, folds = [(1, 10), (10, 10), (5, 2), (3, 5), (1, 2), (33, 10)][
        rng.choice(6, p=[0.3, 0.2, 0.2, 0.15, 0.1, 0.05])
    ]
    noise = rng.standard_normal((runs, folds))
    kind = rng.integers(5)
    if kind == 4:  # accuracies as counts make them: many sums cancel, and what is left of them is rounding
        size = int(rng.integers(5, 60))
        right = rng.integers(0, size + 1, (2, runs, folds)) / size
        right[:, 0, 0] = (0.0, 1.0)
        difference = right[0] - right[1]
        return (np.concatenate([difference[:, ::-1], -difference]), 1.0) if rng.random() < 0.2 else (difference, 1.0)
    if kind == 0:
        return 0.02 * noise + rng.normal(0.0, 0.05), 1.0
    if kind == 1:
        level = rng.uniform(0.01, 0.9)
        return level + level * 10.0 ** rng.uniform(-10.0, -3.0) * noise, 1.0
    size = 10.0 ** (rng.uniform(100.0, 290.0) if kind == 2 else rng.uniform(-290.0, -10.0))
    return size * (noise + rng.normal(0.0, 5.0)), size


def relative(got: float, exact: Any) -> float:
    if exact == 0:
        return abs(got)
    with mpmath.workdps(DIGITS):
        return float(abs(mpmath.mpf(got) / exact - 1))


@pytest.mark.slow
def test_statistics_and_p_values_against_forty_digits():
    rng = np.random.default_rng(20040526)
    worst_t = worst_p = 0.0
    deep = 0
    for case in range(CASES):
        values, scale = random_table(rng)
        while np.abs(values - values.mean()).max() <= 2e-12 * scale:  # the zero-variance zone has its own tests
            values, scale = random_table(rng)
        n = values.size
        n_train, n_test = (90.0, 10.0) if case % 2 else (2.0, 1.0)
        differences = fp.Differences(values, n_train=n_train, n_test=n_test, scale=scale)
        with mpmath.workdps(DIGITS):
            plain = mpmath.mpf(1) / n
            corrected = plain + mpmath.mpf(n_test / n_train)
        name, factor = (
            ("corrected_repeated_kfold_t", corrected),
            ("paired_t", plain),
        )[case % 3 == 0]
        result = getattr(fp.significance, name)(differences)
        assert not result.zero_variance
        exact = exact_t(values, factor)
        worst_t = max(worst_t, relative(result.statistic, exact))
        p = 2 * exact_tail(exact, n - 1)
        if p > mpmath.mpf(10) ** -300:
            deep += p < 1e-100
            worst_p = max(worst_p, relative(result.pvalue, p))
    assert deep > 100, "the far tail must be reached"
    assert worst_t < 1e-10
    assert worst_p < 1e-9


@pytest.mark.parametrize("df", [1, 2, 5, 9, 19, 99, 329, 999])
def test_tails_down_to_the_smallest(df: int):
    """Every decade of p down to 1e-300, alone and in an array."""
    for exponent in range(1, 300, 7):
        t = float(critical_value(10.0**-exponent, df))
        if not np.isfinite(t):
            continue
        exact = exact_tail(mpmath.mpf(t), df)
        if exact < mpmath.mpf("1e-300"):  # older quantiles overshoot; the promise ends here
            continue
        assert relative(float(upper_tail(t, float(df))), exact) < 1e-10
        assert relative(float(upper_tail(np.array([t, 1.0]), df)[0]), exact) < 1e-10


@pytest.mark.parametrize("t", [1e-12, 1e-8, 1e-4, 1e-3, 0.01, 0.1, 1.0])
@pytest.mark.parametrize("df", [1, 9, 99, 999])
def test_tails_near_the_middle(t: float, df: int):
    exact = exact_tail(mpmath.mpf(t), df)
    assert relative(float(upper_tail(t, float(df))), exact) < 1e-11
    assert relative(float(upper_tail(np.array([t]), df)[0]), exact) < 1e-11


def test_the_normal_limit():
    assert float(upper_tail(1.959963984540054, float("inf"))) == pytest.approx(0.025, rel=1e-12)
    assert upper_tail(np.array([1.959963984540054, 1.0]), np.array([np.inf, 1.0])) == pytest.approx([0.025, 0.25])
    assert float(upper_tail(float("inf"), 9.0)) == 0.0
