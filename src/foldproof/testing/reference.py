"""Run reference predictions: ``python -m foldproof.testing.reference DATASET.arff REFERENCE.csv [--json]``.

The reference has one row per instance and repetition: ``index`` (position in the dataset), ``rep``, ``fold`` (in which
the instance is tested), ``actual``, and a column of predicted labels per learner. Each learner is trained on the other
folds of a repetition, in the order of the file, and predicts the fold, in the order of the file. A cell
without a label is not compared. One line is printed per learner; the exit code is 1 if any prediction differs and 2 if
the files cannot be used.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from foldproof.data.sources import Wanted, read_source
from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import FoldproofError, InputError

_KEYS = ("index", "rep", "fold", "actual")


def _bayes(**options: Any) -> Any:
    from foldproof.learners._naive_bayes import NaiveBayes

    return NaiveBayes(**options)


def _nearest(**options: Any) -> Any:
    from foldproof.learners._nearest_neighbour import NearestNeighbour

    return NearestNeighbour(**options)


def _c45(**options: Any) -> Any:
    from foldproof.learners._c45 import C45

    return C45(**options)


# Which learner, in which variant, stands behind each column of a reference file.
COLUMNS: Mapping[str, Callable[[], Any]] = {
    "j48": lambda: _c45(variant="current"),
    "j48_33": lambda: _c45(variant="classic", deviations="table"),
    "nb": _bayes,
    "nb_kernel": lambda: _bayes(numeric="kernel", variant="classic"),
    "nb_kernel_397": lambda: _bayes(numeric="kernel", variant="current"),
    "nb_discretised": lambda: _bayes(numeric="discretised"),
    "nb_discretised_336": lambda: _bayes(numeric="discretised", variant="3.3.6"),
    "ib1": lambda: _nearest(ties="first", ranges="cumulative"),
    "ib1_single": lambda: _nearest(ties="first", ranges="single"),
    "ibk": lambda: _nearest(ties="vote", ranges="cumulative"),
    "ibk_single": lambda: _nearest(ties="vote", ranges="single"),
}


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many predictions of a column were compared, and how many differ."""

    compared: int
    differing: int


def check(dataset: Dataset, rows: Sequence[Mapping[str, str]], columns: Sequence[str]) -> dict[str, Agreement]:
    """Return each column's agreement with what our learners predict on the reference's folds."""
    if dataset.classes is None or dataset.codes is None:
        raise InputError(f"{dataset.name}: the target is numeric, and these learners predict classes: other data?")
    index, rep, fold = (np.array([_whole(row, key) for row in rows]) for key in _KEYS[:3])
    outside = index[(index < 0) | (index >= len(dataset))]
    if len(outside):
        raise InputError(
            f"the reference names instance {outside[0]}, and those of the dataset are 0 to {len(dataset) - 1}"
        )
    at, times = np.unique(np.column_stack([rep, index]), axis=0, return_counts=True)
    if times.max() > 1:
        r, i = at[times.argmax()]
        raise InputError(f"instance {i} stands {times.max()} times in repetition {r} of the reference: once is enough")
    labels = np.array([str(label) for label in dataset.y.tolist()])
    wrong = [row["index"] for row, at in zip(rows, index, strict=True) if labels[at] != row["actual"]]
    if wrong:
        raise InputError(f"instance {wrong[0]} is of another class in the dataset than in the reference: other data?")
    learners = {c: COLUMNS[c]().with_declared(dataset.attributes, dataset.classes) for c in columns}
    compared, differing = dict.fromkeys(columns, 0), dict.fromkeys(columns, 0)
    for r in np.unique(rep):
        for f in np.unique(fold[rep == r]):
            tested = np.flatnonzero((rep == r) & (fold == f))
            tested = tested[np.argsort(index[tested], kind="stable")]
            train = np.sort(index[(rep == r) & (fold != f)])
            if not len(train):
                raise InputError(f"repetition {r} of the reference has a single fold, which leaves nothing to train on")
            weights = None if dataset.sample_weight is None else dataset.sample_weight[train]
            for column, learner in learners.items():
                learner.fit(dataset.codes[train], dataset.y[train], sample_weight=weights)
                told = learner.predict(dataset.codes[index[tested]]).tolist()
                pairs = [
                    (str(t), rows[i][column]) for t, i in zip(told, tested.tolist(), strict=True) if rows[i][column]
                ]
                compared[column] += len(pairs)
                differing[column] += sum(ours != theirs for ours, theirs in pairs)
    return {c: Agreement(compared[c], differing[c]) for c in columns}


def _whole(row: Mapping[str, str], key: str) -> int:
    try:
        return int(row[key])
    except (KeyError, TypeError, ValueError):
        raise InputError(f"the reference needs a whole number in column {key!r} of every row") from None


def read_reference(path: Path) -> tuple[list[dict[str, str]], list[str]]:
    """Return the rows of a reference file and the names of its learner columns."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            names = list(reader.fieldnames or [])
            rows = list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise InputError(f"{path}: two columns are called {twice[0]!r}")
    lacking = [key for key in _KEYS if key not in names]
    if lacking or not rows:
        raise InputError(f"{path}: {f'there is no column {lacking[0]!r}' if lacking else 'there are no rows'}")
    for number, row in enumerate(rows, start=1):
        if None in row or None in row.values():
            few = "more" if None in row else "fewer"
            raise InputError(f"{path}: row {number} has {few} values than there are columns")
    return rows, [name for name in names if name not in _KEYS]


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare the files named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m foldproof.testing.reference", description=__doc__)
    parser.add_argument("dataset", help="the dataset, an ARFF file")
    parser.add_argument("reference", type=Path, help="the predictions, a CSV file")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    options = parser.parse_args(arguments)
    try:
        rows, named = read_reference(options.reference)
        known = [name for name in named if name in COLUMNS]
        for name in named:
            if name not in COLUMNS:
                sys.stderr.write(f"column {name!r} is left out: no learner stands behind it\n")
        if not known:
            raise InputError(f"{options.reference}: none of its columns is one of {', '.join(COLUMNS)}")
        found = check(read_source(options.dataset, Wanted(options.dataset)), rows, known)
    except FoldproofError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    if options.json:
        told = {c: {"compared": a.compared, "differing": a.differing} for c, a in found.items()}
        sys.stdout.write(json.dumps({"columns": told}) + "\n")
    else:
        width = max(map(len, found))
        for c, a in found.items():
            sys.stdout.write(f"{c:<{width}}  {a.differing} of {a.compared} predictions differ\n")
    return 1 if any(a.differing for a in found.values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())
