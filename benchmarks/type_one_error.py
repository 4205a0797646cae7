"""Type I error of the tests on equicorrelated normal differences, beside what theory says.

Run ``python benchmarks/type_one_error.py``; it prints a Markdown table. No learners are needed: where training sets
overlap, differences are correlated, and Nadeau & Bengio's correction takes every correlation to be n2 / (n1 + n2).

Theory. For n equicorrelated normal differences the mean has variance ``s^2 (rho + (1 - rho) / n)`` and is independent
of the sample variance, which estimates ``s^2 (1 - rho)``. So ``m / sqrt(c s^2)`` is
``sqrt((1/n + rho/(1 - rho)) / c)`` times Student's t. The 5x2cv tests and the averaged t are integrated over what their
denominators can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy import integrate, stats

import foldproof as fp

TABLES = 40_000
ALPHA = 0.05
SEED = 2004


@dataclass(frozen=True)
class Row:
    """A test on a design: how often it rejects, and how often it should."""

    test: str
    design: str
    rho: float
    theory: float
    observed: float
    tables: int

    @property
    def band(self) -> float:
        """Four standard errors of the observed rate, if theory is right."""
        return 4.0 * (self.theory * (1.0 - self.theory) / self.tables) ** 0.5


def equicorrelated(shape: tuple[int, int], rho: float, tables: int) -> np.ndarray:
    rng = np.random.default_rng(SEED)
    common, own = rng.standard_normal((tables, 1, 1)), rng.standard_normal((tables, *shape))
    return rho**0.5 * common + (1.0 - rho) ** 0.5 * own


def of_t(n: int, rho: float, factor: float) -> float:
    """Return the rejection rate of ``m / sqrt(factor s^2)`` on n - 1 degrees of freedom."""
    critical = stats.t.isf(ALPHA / 2, n - 1)
    return 2 * stats.t.sf(critical * (factor / (1 / n + rho / (1 - rho))) ** 0.5, n - 1)


def of_five_by_two_t(rho: float, df: int) -> float:
    """Return P(|M + d1 / sqrt 2| > c sqrt(sum d^2 / 5)), integrated over d1 and the other four."""
    critical, sd = stats.t.isf(ALPHA / 2, df), ((1 + rho) / 2) ** 0.5
    scale = (1 - rho) ** 0.5

    def given(rest: float, d: float) -> float:
        edge = critical * ((d * d + rest) / 5) ** 0.5 * scale
        centre = scale * d / 2**0.5
        beyond = stats.norm.sf((edge - centre) / sd) + stats.norm.cdf((-edge - centre) / sd)
        return beyond * stats.norm.pdf(d) * stats.chi2.pdf(rest, 4)

    return integrate.dblquad(given, -8, 8, 0, 60, epsabs=1e-5, epsrel=1e-4)[0]


def of_five_by_two_f(rho: float) -> float:
    """Return P((1 + 9 rho) X1 + (1 - rho) X4 > (2f - 1)(1 - rho) X5) for chi-squares of 1, 4 and 5 df."""
    edge = 2 * stats.f.isf(ALPHA, 10, 5) - 1
    weight = (1 + 9 * rho) / (1 - rho)

    def given(one: float) -> float:
        # The rest is P(X4 + weight one > edge X5).
        return integrate.quad(lambda x: stats.chi2.sf(edge * x - weight * one, 4) * stats.chi2.pdf(x, 5), 0, 60)[0]

    return integrate.quad(lambda z: given(z * z) * 2 * stats.norm.pdf(z), 0, 8, epsrel=1e-5)[0]


def of_averaged_t(runs: int, folds: int, rho: float) -> float:
    """Return the rate given the variances of the partitions, averaged over 400,000 draws of them."""
    rng = np.random.default_rng(1)
    s = ((1 - rho) * rng.chisquare(folds - 1, (400_000, runs)) / (folds - 1)) ** 0.5
    variance = rho * folds * (1 / s).mean(axis=1) ** 2 + (1 - rho) * (1 / s**2).sum(axis=1) / runs**2
    return float((2 * stats.norm.sf(stats.t.isf(ALPHA / 2, folds - 1) / variance**0.5)).mean())


def rows(tables: int = TABLES) -> Iterator[Row]:
    """Yield a row per test and design."""

    def batch(name: str, shape: tuple[int, int], rho: float, theory: float, variant: str = "as-printed") -> Row:
        x = equicorrelated(shape, rho, tables)
        rejected = fp.significance.batch(name, x, n_train=9, n_test=1, variant=variant)["pvalue"] <= ALPHA
        shown = name if variant == "as-printed" else f"{name} ({variant})"
        return Row(shown, f"{shape[0]} x {shape[1]}", rho, theory, float(rejected.mean()), tables)

    def each(name: str, shape: tuple[int, int], rho: float, theory: float, test: Callable[..., float]) -> Row:
        rejected = [test(fp.Differences(x, n_train=9, n_test=1)) <= ALPHA for x in equicorrelated(shape, rho, tables)]
        return Row(name, f"{shape[0]} x {shape[1]}", rho, theory, float(np.mean(rejected)), tables)

    sig = fp.significance
    yield batch("paired-t", (1, 10), 0.0, of_t(10, 0.0, 1 / 10))
    yield batch("paired-t", (1, 10), 0.1, of_t(10, 0.1, 1 / 10))
    yield batch("corrected-resampled-t", (1, 100), 0.1, of_t(100, 0.1, 1 / 100 + 1 / 9))
    yield batch("corrected-repeated-kfold-t", (1, 10), 0.1, of_t(10, 0.1, 1 / 10 + 1 / 9))
    yield batch("corrected-repeated-kfold-t", (10, 10), 0.1, of_t(100, 0.1, 1 / 100 + 1 / 9))
    yield batch("corrected-repeated-kfold-t", (10, 10), 0.2, of_t(100, 0.2, 1 / 100 + 1 / 9))
    yield batch("corrected-repeated-kfold-t", (10, 10), 0.1, of_t(100, 0.1, 0.9 / 100 + 0.1), "as-run")
    yield batch("repeated-kfold-t", (10, 10), 0.1, of_t(100, 0.1, 1 / 100))
    yield batch("averaged-t", (10, 10), 0.2, of_averaged_t(10, 10, 0.2))
    yield batch("averaged-t", (10, 10), 0.1, of_averaged_t(10, 10, 0.1))
    yield batch("five-by-two-cv-t", (5, 2), 0.0, of_five_by_two_t(0.0, 5))
    yield batch("five-by-two-cv-t", (5, 2), 0.1, of_five_by_two_t(0.1, 5))
    yield batch("five-by-two-cv-t", (5, 2), 0.0, of_five_by_two_t(0.0, 4), "as-run")
    yield each("five-by-two-cv-f", (5, 2), 0.0, of_five_by_two_f(0.0), lambda x: sig.five_by_two_cv_f(x).pvalue)
    yield each("five-by-two-cv-f", (5, 2), 0.1, of_five_by_two_f(0.1), lambda x: sig.five_by_two_cv_f(x).pvalue)
    # Of 256 sign patterns, 12 are the most that are at most 5 %, an even number on two sides.
    yield each("sign-flip-permutation", (1, 8), 0.0, 12 / 256, lambda x: sig.sign_flip_permutation(x).pvalue)

    def at_the_margin(x: fp.Differences) -> float:
        moved = fp.Differences(x.values - 0.5, n_train=9, n_test=1)
        return float(sig.noninferiority(moved, margin=0.5).pvalue)

    yield each("noninferiority at its margin", (10, 10), 0.1, ALPHA, at_the_margin)


def main() -> None:
    print("| test | runs x folds | correlation | theory | observed | band (4 standard errors) |")
    print("|---|---|---|---|---|---|")
    for row in rows():
        print(
            f"| {row.test} | {row.design} | {row.rho:g} | {row.theory:.4f} | {row.observed:.4f} | "
            f"{row.theory - row.band:.4f} .. {row.theory + row.band:.4f} |"
        )
    print(f"\n{TABLES:,} tables each, level {ALPHA}, seed {SEED}.")


if __name__ == "__main__":
    main()
