"""Accuracies of the three learners of Bradford & Brodley (2001) beside their Table 1.

Run ``python benchmarks/bradford_brodley_accuracy.py --data-dir FOLDER``; it prints Markdown.
``bradford_brodley_table1.csv`` has the printed accuracies and those that an independent implementation of the same
description measured.

One partition is one run of ten-fold and five runs of two-fold cross-validation, not stratified, and its accuracy is
the mean over the ten folds. Three datasets with more than 3,000 instances get fewer partitions.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from foldproof.data.sources import Wanted, read_source
from foldproof.domain.address import Address
from foldproof.learners.learner import LEARNERS
from foldproof.partitions import FiveByTwo, KFold, partition

NAMES = ("tddt-1", "tddt-2", "discretised-naive-bayes")
SCHEMES = {"1x10": KFold(folds=10, stratified=False), "5x2": FiveByTwo(stratified=False)}
COLUMNS = tuple(f"{name}-{scheme}" for name in NAMES for scheme in SCHEMES)
LARGE = 3000


@dataclass(frozen=True)
class Measured:
    """One row: dataset, its partitions, and per column mean and standard deviation over them, in percent."""

    row: dict[str, str]
    partitions: int
    mean: dict[str, float]
    spread: dict[str, float]
    seconds: dict[str, float]

    def off(self, column: str) -> float:
        """Return the deviation from the paper."""
        return self.mean[column] - float(self.row[f"paper:{column}"])


def measure(folder: Path, row: dict[str, str], partitions: int, seed: int) -> Measured:
    dataset = read_source(str(folder / row["file"]), Wanted(row["file"]))
    found: dict[str, list[float]] = {column: [] for column in COLUMNS}
    seconds = dict.fromkeys(NAMES, 0.0)
    for name in NAMES:
        learner = LEARNERS[name]().with_declared(dataset.attributes, dataset.classes)
        for repetition in range(partitions):
            for label, scheme in SCHEMES.items():
                splits = partition(scheme, dataset, seed=seed, repetition=repetition)
                right = []
                for number, (train, test) in enumerate(splits.split()):
                    address = Address(seed, dataset.fingerprint, repetition, number)
                    if "random_state" in learner.get_params():
                        learner.set_params(random_state=address.integer("fit", label))
                    start = time.process_time()
                    learner.fit(dataset.codes[train], dataset.y[train])
                    right.append(np.mean(learner.predict(dataset.codes[test]) == dataset.y[test]))
                    seconds[name] += time.process_time() - start
                found[f"{name}-{label}"].append(100.0 * float(np.mean(right)))
    mean = {column: float(np.mean(values)) for column, values in found.items()}
    spread = {column: float(np.std(values, ddof=1)) if len(values) > 1 else 0.0 for column, values in found.items()}
    return Measured(row, partitions, mean, spread, seconds)


def rendered(rows: Sequence[Measured]) -> Iterator[str]:
    heads = [column.replace("discretised-naive-bayes", "NB").replace("tddt", "TDDT") for column in COLUMNS]
    yield "Paper / description / here, percent correct.\n"
    yield f"| dataset | partitions | {' | '.join(heads)} |"
    yield "| --- " * (len(heads) + 2) + "|"
    for each in rows:
        cells = [
            f"{each.row[f'paper:{column}']} / {each.row[f'expected:{column}']} / {each.mean[column]:.1f}"
            for column in COLUMNS
        ]
        yield f"| {each.row['dataset']} | {each.partitions} | {' | '.join(cells)} |"
    offs = {column: [each.off(column) for each in rows] for column in COLUMNS}
    theirs = {c: [each.mean[c] - float(each.row[f"expected:{c}"]) for each in rows] for c in COLUMNS}
    for label, summary in (
        ("**mean absolute deviation from the paper**", {c: np.mean(np.abs(offs[c])) for c in COLUMNS}),
        ("mean deviation from the paper", {c: np.mean(offs[c]) for c in COLUMNS}),
        ("mean absolute deviation from the description", {c: np.mean(np.abs(theirs[c])) for c in COLUMNS}),
    ):
        yield f"| {label} | | {' | '.join(f'{summary[column]:+.2f}'.replace('+', '') for column in COLUMNS)} |"
    yield "\nMore than 1.5 points from the paper:\n"
    for each in rows:
        for column, head in zip(COLUMNS, heads, strict=True):
            if abs(each.off(column)) > 1.5:
                error = each.spread[column] / each.partitions**0.5
                yield f"- {each.row['dataset']}, {head}: {each.off(column):+.1f} (standard error {error:.1f})"
    total = {name: sum(each.seconds[name] for each in rows) for name in NAMES}
    yield "\nCPU seconds: " + ", ".join(f"{name} {seconds:.0f}" for name, seconds in total.items()) + "."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir", type=Path, required=True, help="folder with the ARFF files")
    parser.add_argument("--partitions", type=int, default=10)
    parser.add_argument("--large-partitions", type=int, default=3, help=f"for more than {LARGE} instances")
    parser.add_argument("--seed", type=int, default=2001)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", nargs="*", help="names of datasets")
    options = parser.parse_args()
    with Path(__file__).with_name("bradford_brodley_table1.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if not options.only or row["dataset"] in options.only]
    counts = [options.large_partitions if int(row["size"]) > LARGE else options.partitions for row in rows]
    measured = Parallel(n_jobs=options.jobs)(
        delayed(measure)(options.data_dir, row, count, options.seed) for row, count in zip(rows, counts, strict=True)
    )
    print("\n".join(rendered(list(measured))))


if __name__ == "__main__":
    main()
