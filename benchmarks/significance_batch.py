"""How quick the tests are: one table against plain NumPy and SciPy calls, many tables against one by one.

Run ``python benchmarks/significance_batch.py``; it prints a Markdown table of ratios.
"""

from __future__ import annotations

import math
import timeit
from collections.abc import Callable

import numpy as np
from scipy import special, stats

import foldproof as fp

TABLES = 100_000
ONE_BY_ONE = 2_000
DESIGN = {"n_train": 90, "n_test": 10}


def seconds(function: Callable[[], object], number: int, repeat: int = 7) -> float:
    return min(timeit.repeat(function, number=number, repeat=repeat)) / number


def measure() -> dict[str, float]:
    """Return seconds: a single test, the same formula in plain calls, one by one and in a batch (per table)."""
    tables = np.random.default_rng(0).normal(0.01, 0.03, (TABLES, 10, 10))
    x = tables[0]
    differences = fp.Differences(x, **DESIGN)
    test = fp.significance.corrected_repeated_kfold_t

    def plain_scipy() -> float:
        t = x.mean() / math.sqrt((1 / x.size + 10 / 90) * x.var(ddof=1))
        return float(2 * stats.t.sf(abs(t), x.size - 1))

    def plain_special() -> float:
        t = x.mean() / math.sqrt((1 / x.size + 10 / 90) * x.var(ddof=1))
        return float(2 * special.stdtr(x.size - 1, -abs(t)))

    def one_by_one() -> None:
        for table in tables[:ONE_BY_ONE]:
            test(fp.Differences(table, **DESIGN))

    def together() -> None:
        fp.significance.batch("corrected-repeated-kfold-t", tables, **DESIGN)

    together()  # threads and caches are warm
    return {
        "single": seconds(lambda: test(differences), 500),
        "plain, scipy.stats": seconds(plain_scipy, 500),
        "plain, scipy.special": seconds(plain_special, 500),
        "one by one": seconds(one_by_one, 1, 5) / ONE_BY_ONE,
        "batch": seconds(together, 1, 15) / TABLES,
    }


def main() -> None:
    found = measure()
    print("| what | microseconds per 10 x 10 table |")
    print("|---|---|")
    for name, value in found.items():
        print(f"| {name} | {1e6 * value:.2f} |")
    print()
    for plain in ("plain, scipy.stats", "plain, scipy.special"):
        print(f"single / {plain}: {found['single'] / found[plain]:.2f} (at most 3)")
    print(f"one by one / batch of {TABLES:,}: {found['one by one'] / found['batch']:.0f} (at least 100)")


if __name__ == "__main__":
    main()
