"""Naive Bayes, C4.5 and 1-NN beside scikit-learn and Weka: microseconds per fit and ratios, from one run.

A fit is training and predicting one fold of repeated 10-fold cross-validation on folds as Weka deals them. Processor
time of one core, least of the repeats. Ours includes its preparation. scikit-learn is ``cross_val_score`` and a bare
loop of fit and predict. Weka is its Evaluation, where FOLDPROOF_WEKA_JAR names its jar and a JDK is installed; then it
is told whether both classify the same number of instances correctly.

    FOLDPROOF_WEKA_JAR=/usr/share/java/weka.jar python benchmarks/bench_beside_others.py [--data-dir FOLDER]
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from bench_all_partitions import declared, fit_and_predict, nominal
from foldproof.data.arff import read_arff
from foldproof.data.sources import Wanted
from foldproof.domain.dataset import Dataset
from foldproof.learners import C45, NaiveBayes, NearestNeighbour, cross_predict
from foldproof.learners.binary import is_binary
from foldproof.partitions import WekaKFold, partition

FOLDS = 10
# Ours, scikit-learn's nearest relative, Weka's class.
LEARNERS = {
    "naive Bayes": (NaiveBayes(), None, "weka.classifiers.bayes.NaiveBayes"),
    "C4.5": (C45(), DecisionTreeClassifier(criterion="entropy", random_state=0), "weka.classifiers.trees.J48"),
    "1-NN": (NearestNeighbour(ranges="cumulative"), KNeighborsClassifier(1), "weka.classifiers.lazy.IB1"),
}
PUBLISHED = ("iris", "ionosphere", "sonar", "vehicle", "vowel")


@dataclass(frozen=True)
class Line:
    """Microseconds per fit; Weka's is None where it was not found."""

    data: str
    nominal: bool
    learner: str
    ours: float
    scored: float
    bare: float
    weka: float | None
    same: bool | None


def datasets(folder: Path | None) -> list[Dataset]:
    """Return generated data, and published ones where there are any."""
    made = {"300 x 10 binary": nominal(300, [2] * 10), "958 x 9 of three values": nominal(958, [3] * 9)}
    found = [declared(name, table) for name, table in made.items()]
    if folder is not None:
        found += [read_arff(folder / f"{name}.arff", Wanted(name)) for name in PUBLISHED]
    return found


def as_arff(dataset: Dataset, path: Path) -> None:
    """Write codes as an ARFF file, whose classes and categories are numbers."""
    lines = ["@relation data"]
    for j, attribute in enumerate(dataset.attributes):
        values = ",".join(str(v) for v in range(len(attribute.categories or ())))
        lines.append(f"@attribute x{j} " + (f"{{{values}}}" if attribute.nominal else "numeric"))
    lines.append("@attribute y {" + ",".join(str(c) for c in range(len(dataset.classes or ()))) + "}\n@data")
    for row, y in zip(dataset.codes, dataset.target_codes, strict=True):
        cells = [
            "?" if np.isnan(v) else str(int(v)) if a.nominal else repr(float(v))
            for v, a in zip(row, dataset.attributes, strict=True)
        ]
        lines.append(",".join([*cells, str(int(y))]))
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


def weka(data: list[Dataset], runs: int, repeats: int) -> dict[tuple[str, str], tuple[float, int]]:
    """Return Weka's microseconds per fit and its number of correct predictions; nothing where it is not found."""
    jar, java, javac = os.environ.get("FOLDPROOF_WEKA_JAR", ""), shutil.which("java"), shutil.which("javac")
    if not jar or not java or not javac:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(__file__).with_name("WekaSpeed.java")
        subprocess.run([javac, "-cp", jar, "-d", folder, str(source)], check=True, capture_output=True)
        pairs, names = [], {}
        for number, dataset in enumerate(data):
            path = Path(folder) / f"{number}.arff"
            as_arff(dataset, path)
            names[str(path)] = dataset.name
            for _, _, theirs in LEARNERS.values():
                pairs += [str(path), theirs]
        command = [java, "-XX:+UseSerialGC", "-Djava.awt.headless=true", "-cp", f"{jar}{os.pathsep}{folder}"]
        told = subprocess.run(
            [*command, "WekaSpeed", str(FOLDS), str(runs), str(repeats), *pairs],
            check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip
    found = {}
    for line in told.splitlines():
        path, classifier, micro, correct = line.split("\t")
        found[names[path], classifier] = float(micro), int(correct)
    return found


def seconds(work: Callable[[], Any]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start


def measured(data: list[Dataset], runs: int, repeats: int) -> list[Line]:
    """Return a line for each dataset and learner."""
    others = weka(data, 10, repeats)
    lines = []
    for dataset in data:
        X, y = np.ascontiguousarray(dataset.codes), dataset.target_codes.astype(int)
        every = all(attribute.nominal for attribute in dataset.attributes)
        one, ten = partition(WekaKFold(), dataset, runs=1), partition(WekaKFold(), dataset, runs=10)
        for name, (ours, theirs, classifier) in LEARNERS.items():
            other = theirs or (CategoricalNB(min_categories=int(X.max()) + 1) if every else GaussianNB())
            size = runs if name != "C4.5" or is_binary(dataset) else max(10, runs // 30)
            many = partition(WekaKFold(), dataset, runs=size)
            told = cross_predict(ours, dataset, ten)
            work: dict[str, Callable[[], Any]] = {
                "ours": lambda a=ours, d=dataset, p=many: cross_predict(a, d, p),
                "scored": lambda a=other, X=X, y=y, p=one: cross_val_score(a, X, y, cv=p),
                "bare": lambda a=other, X=X, y=y, p=one: fit_and_predict(a, X, y, p),
            }
            least = dict.fromkeys(work, float("inf"))
            for _ in range(repeats):
                for what, job in work.items():
                    least[what] = min(least[what], seconds(job))
            micro, right = others.get((dataset.name, classifier), (None, None))
            lines.append(
                Line(
                    dataset.name.removesuffix(".arff"), every, name, least["ours"] / size / FOLDS * 1e6,
                    least["scored"] / FOLDS * 1e6, least["bare"] / FOLDS * 1e6, micro,
                    None if right is None else right == int((told == y).sum()),
                )
            )  # fmt: skip
    return lines


def table(lines: list[Line]) -> str:
    """Return the lines as Markdown."""
    rows = [
        "| data | learner | µs per fit | x `cross_val_score` | x bare loop | x Weka | as many correct as Weka |",
        "| --- | --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for line in lines:
        beside = "–" if line.weka is None else f"{line.weka / line.ours:,.1f}"
        same = {None: "–", True: "yes", False: "no"}[line.same]
        rows.append(
            f"| {line.data} | {line.learner} | {line.ours:,.2f} | {line.scored / line.ours:,.0f} "
            f"| {line.bare / line.ours:,.0f} | {beside} | {same} |"
        )
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir", type=Path, default=os.environ.get("FOLDPROOF_DATA"))
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    print(table(measured(datasets(given.data_dir and Path(given.data_dir)), given.runs, given.repeats)))


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
