"""How the time of a fit grows, all partitions at once: with rows, attributes, runs and folds; exponents fitted.

A fit is training and predicting one fold; processor time of one core, preparation included, least of the repeats. The
exponent is the slope of log(time per fit) over log(size), from the larger half of the sizes: the smaller ones measure
what does not grow. Prints a Markdown table.

    python benchmarks/growth.py [--quick]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from threadpoolctl import threadpool_limits

from foldproof.domain.dataset import Attribute, Dataset
from foldproof.domain.partitions import Partitions
from foldproof.learners import C45, NaiveBayes, NearestNeighbour, cross_predict

ROWS = (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
ATTRIBUTES = (2, 5, 10, 30, 100, 300, 1_000)
RUNS = (1, 3, 10, 30, 100, 300, 1_000)
# Each learner, and whether its data are nominal.
LEARNERS: dict[str, tuple[Any, bool]] = {
    "naive Bayes, nominal": (NaiveBayes(), True),
    "naive Bayes, numeric": (NaiveBayes(), False),
    "1-NN, nominal": (NearestNeighbour(), True),
    "1-NN, numeric": (NearestNeighbour(), False),
    "C4.5, nominal": (C45(), True),
    "C4.5, numeric": (C45(), False),
    "GaussianNB": (GaussianNB(), False),
    "KNeighborsClassifier": (KNeighborsClassifier(), False),
}


def made(n: int, m: int, nominal: bool) -> Dataset:
    """Return two classes; every third attribute says something of them."""
    rng = np.random.default_rng([n, m])
    y = rng.integers(0, 2, n)
    signal = (np.arange(m) % 3 == 0) * 1.0
    if nominal:
        X = np.where(rng.random((n, m)) < 0.3 * signal, y[:, None], rng.integers(0, 4, (n, m))).astype(float)
    else:
        X = rng.normal(size=(n, m)) + 0.5 * signal * y[:, None]
    attributes = tuple(Attribute(f"x{j}", (0, 1, 2, 3) if nominal else None) for j in range(m))
    return Dataset("made", X, X, attributes, y, y.astype(float), "classification", f"{n}x{m}", (0, 1))


def folds(n: int, k: int, runs: int) -> Partitions:
    rng = np.random.default_rng(1)
    return Partitions(np.stack([rng.permutation(np.arange(n) % k) for _ in range(runs)]))


def per_fit(learner: Any, data: Dataset, partitions: Partitions, repeats: int) -> float:
    """Return seconds of processor time per fit."""
    best = float("inf")
    for again in range(repeats):
        start = time.process_time()
        cross_predict(learner, data, partitions)
        best = min(best, time.process_time() - start)
        if again and best > 2.0:  # the first may have compiled a kernel for wider words
            break
    return best / (partitions.runs * partitions.folds)


def exponent(sizes: list[int], seconds: list[float]) -> float:
    half = max(2, len(sizes) - len(sizes) // 2)
    return float(np.polyfit(np.log(sizes[-half:]), np.log(seconds[-half:]), 1)[0])


def line(name: str, what: str, sizes: Iterable[int], measure: Callable[[int], float]) -> None:
    done, seconds = [], []
    for size in sizes:
        done.append(size)
        seconds.append(measure(size))
    shown = ", ".join(f"{size:,}: {s * 1e6:,.1f}" for size, s in zip(done, seconds, strict=True))
    print(f"| {name} | {what} | {shown} | {exponent(done, seconds):.2f} |", flush=True)


def memory(rows: int) -> str:
    """Return what 1-NN on so many rows of ten numbers needs at most, in a process of its own."""
    work = (
        "import resource, sys; sys.path.insert(0, sys.argv[1]); from growth import *; "
        "n = int(sys.argv[2]); cross_predict(NearestNeighbour(), made(n, 10, False), folds(n, 10, 1)); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    command = [sys.executable, "-c", work, str(Path(__file__).parent), str(rows)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return f"1-NN on {rows:,} rows of ten numbers: at most {int(told) / 1e6:.2f} GB, with all libraries"


def main(quick: bool) -> None:
    repeats = 2 if quick else 3
    print("| learner | grows in | µs per fit | exponent |")
    print("| --- | --- | --- | --- |")
    most_rows, most_attributes, most_runs = (3_000, 100, 30) if quick else (100_000, 1_000, 1_000)
    for name, (learner, nominal) in LEARNERS.items():
        cross_predict(learner, made(60, 3, nominal), folds(60, 10, 1))  # compiled code is not counted
        line(
            name, "rows (10 attributes, 10 folds)", [n for n in ROWS if n <= most_rows],
            lambda n, a=learner, b=nominal: per_fit(a, made(n, 10, b), folds(n, 10, 1), repeats),
        )  # fmt: skip
        line(
            name, "attributes (300 rows, 10 folds)", [m for m in ATTRIBUTES if m <= most_attributes],
            lambda m, a=learner, b=nominal: per_fit(a, made(300, m, b), folds(300, 10, 1), repeats),
        )  # fmt: skip
        line(
            name, "runs (300 rows, 10 attributes, 10 folds)", [r for r in RUNS if r <= most_runs],
            lambda r, a=learner, b=nominal: per_fit(a, made(300, 10, b), folds(300, 10, r), repeats),
        )  # fmt: skip
        line(
            name, "folds (1,000 rows, 10 attributes), 2 to n", (2, 5, 10, 30, 100, 300, 1_000),
            lambda k, a=learner, b=nominal: per_fit(a, made(1_000, 10, b), folds(1_000, k, 1), repeats),
        )  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, one repeat")
    parser.add_argument("--memory", type=int, metavar="ROWS", help="only what 1-NN on so many rows needs")
    given = parser.parse_args()
    if given.memory:
        print(memory(given.memory))
    else:
        with threadpool_limits(1):
            main(given.quick)
