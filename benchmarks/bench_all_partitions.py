"""All partitions at once beside scikit-learn: fits per second as ratios, from one run, one core, processor time.

A fit is training and predicting one fold of repeated 10-fold cross-validation. Ours is timed with its preparation, over
``--runs`` runs; scikit-learn over one run, by ``cross_val_score`` and by a bare loop of fit and predict. The two are
interleaved, and the least of the repeats counts. Prints a Markdown table.

    python benchmarks/bench_all_partitions.py [--runs 100] [--repeats 3]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from foldproof.domain.dataset import Attribute, Dataset
from foldproof.domain.partitions import Partitions
from foldproof.learners import NaiveBayes, NearestNeighbour, cross_predict

Table = tuple[npt.NDArray[Any], npt.NDArray[Any], list[int]]


@dataclass(frozen=True)
class Row:
    """What is measured: one table, our estimator, and the one that scikit-learn fits."""

    data: str
    ours: Any
    theirs: Any


def nominal(n: int, sizes: list[int], classes: int = 2, seed: int = 1) -> Table:
    """Return nominal data in which every other attribute says something of the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    columns = [
        np.where(rng.random(n) < 0.4 * (j % 2), y % size, rng.integers(0, size, n)) for j, size in enumerate(sizes)
    ]
    return np.column_stack(columns).astype(float), y, sizes


def numeric(n: int, m: int, classes: int, seed: int = 2) -> Table:
    X, y = make_classification(
        n, m, n_informative=max(4, m // 2), n_classes=classes, n_clusters_per_class=1, random_state=seed
    )
    return X, y, [0] * m


def tables() -> dict[str, Table]:
    iris, cancer = load_iris(return_X_y=True), load_breast_cancer(return_X_y=True)
    return {
        "300 x 10 binary": nominal(300, [2] * 10),
        "958 x 9 of three values": nominal(958, [3] * 9),
        "iris": (*iris, [0] * 4),
        "breast cancer, 569 x 30": (*cancer, [0] * 30),
        "990 x 13, eleven classes": numeric(990, 13, 11),
        "1,000 x 20": numeric(1000, 20, 2),
    }


ROWS = [
    *(Row(data, NaiveBayes(), CategoricalNB()) for data in ("300 x 10 binary", "958 x 9 of three values")),
    *(Row(data, NaiveBayes(), GaussianNB()) for data in ("iris", "990 x 13, eleven classes", "1,000 x 20")),
    *(
        Row(data, NearestNeighbour(), KNeighborsClassifier(1))
        for data in ("300 x 10 binary", "958 x 9 of three values", "iris", "990 x 13, eleven classes", "1,000 x 20")
    ),
    Row("1,000 x 20", NearestNeighbour(ranges="cumulative"), KNeighborsClassifier(1)),
    Row("1,000 x 20", NearestNeighbour(k=5, ties="vote"), KNeighborsClassifier(5)),
    *(
        Row(data, estimator, estimator)
        for data in ("iris", "breast cancer, 569 x 30", "1,000 x 20")
        for estimator in (
            GaussianNB(),
            BernoulliNB(),
            KNeighborsClassifier(5),
            make_pipeline(StandardScaler(), KNeighborsClassifier(5)),
            DummyClassifier(),
        )
    ),
]


def declared(name: str, table: Table) -> Dataset:
    X, y, sizes = table
    attributes = tuple(Attribute(f"x{j}", tuple(range(size)) if size else None) for j, size in enumerate(sizes))
    return Dataset(name, X, X, attributes, y, y.astype(float), "classification", name, tuple(range(y.max() + 1)))


def ten_folds(n: int, runs: int) -> Partitions:
    rng = np.random.default_rng(20041)
    return Partitions(np.stack([rng.permutation(np.arange(n) % 10) for _ in range(runs)]))


def fit_and_predict(estimator: Any, X: Any, y: Any, partitions: Partitions) -> None:
    for train, test in partitions.split():
        clone(estimator).fit(X[train], y[train]).predict(X[test])


def seconds(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    data = tables()
    print("| data | estimator | µs per fit | of it preparation | x `cross_val_score` | x fit and predict |")
    print("| --- | --- | --- | --- | --- | --- |")
    for row in ROWS:
        print(measured(row, data[row.data], given.runs, given.repeats), flush=True)


def measured(row: Row, table: Table, runs: int, repeats: int) -> str:
    """Return one line of the table."""
    X, y, _ = table
    dataset, many, one = declared(row.data, table), ten_folds(len(y), runs), ten_folds(len(y), 1)
    cross_predict(row.ours, dataset, one)  # compiled code is not counted
    work: dict[str, Callable[[], Any]] = {
        "ours": lambda: cross_predict(row.ours, dataset, many),
        "one run": lambda: cross_predict(row.ours, dataset, one),
        "scored": lambda: cross_val_score(row.theirs, X, y, cv=one),
        "bare": lambda: fit_and_predict(row.theirs, X, y, one),
    }
    least = {name: float("inf") for name in work}
    for _ in range(repeats):
        for name, job in work.items():
            least[name] = min(least[name], seconds(job))
    per_fit = least["ours"] / (10 * runs)
    once = least["one run"] - (least["ours"] - least["one run"]) / max(runs - 1, 1)
    name = repr(row.ours.steps[-1][1]) + " behind StandardScaler" if hasattr(row.ours, "steps") else repr(row.ours)
    return (
        f"| {row.data} | `{name}` | {per_fit * 1e6:.2f} | {max(0.0, once) / (10 * runs) * 1e6:.2f} "
        f"| {least['scored'] / 10 / per_fit:,.0f} | {least['bare'] / 10 / per_fit:,.0f} |"
    )


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
