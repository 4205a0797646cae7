"""What can be seen from a dataset and its partitions alone: columns, copies, classes."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from foldproof.domain.dataset import Dataset
from foldproof.domain.partitions import Splits

_TIME = re.compile(r"(^|_)(date|datetime|time|timestamp|year|month|week)(_|$)")
_GROUP = re.compile(
    r"(^|_)(patient|subject|person|user|customer|client|speaker|author|animal|household|hospital|site|batch|session|"
    r"group|school|store|device)(_?(id|no|nr|number|code))?$"
)


def time_columns(dataset: Dataset) -> list[str]:
    """Return the columns that seem to hold a time: named so, and in order or with many values that fit the name.

    >>> import foldproof as fp, pandas as pd
    >>> frame = pd.DataFrame({"year": range(1990, 2020), "x": [3.0, 1.0, 2.0] * 10})
    >>> time_columns(fp.dataset(frame, [0, 1] * 15))
    ['year']
    """
    return [name for j, name in _named(dataset, _TIME) if _looks_like_time(name, _column(dataset, j))]


def _looks_like_time(name: str, values: npt.NDArray[np.float64]) -> bool:
    known = values[np.isfinite(values)]
    if known.size < 2:
        return False
    steps = np.diff(known)
    if (steps >= 0).all() and steps.any():
        return True
    if re.search(r"year|month|week", name.lower()):
        # "wage increase in the first year" is no time; 1997 is one.
        return bool((known == np.rint(known)).all() and known.min() >= 1000 and np.unique(known).size > 2)
    return np.unique(known).size > 12


def group_columns(dataset: Dataset) -> list[str]:
    """Return the columns that seem to say to whom an instance belongs: named so, with values that come again.

    >>> import foldproof as fp, pandas as pd
    >>> frame = pd.DataFrame({"Patient ID": [i // 3 for i in range(30)], "x": [3.0, 1.0, 2.0] * 10})
    >>> group_columns(fp.dataset(frame, [0, 1] * 15))
    ['Patient ID']
    """
    found = []
    for j, name in _named(dataset, _GROUP):
        values = np.unique(_column(dataset, j)).size
        if 2 < values <= len(dataset) / 2:
            found.append(name)
    return found


def _named(dataset: Dataset, pattern: re.Pattern[str]) -> list[tuple[int, str]]:
    plain = [
        re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", a.name).lower()) for a in dataset.attributes
    ]
    return [(j, dataset.attributes[j].name) for j, name in enumerate(plain) if pattern.search(name.strip("_"))]


def _column(dataset: Dataset, j: int) -> npt.NDArray[np.float64]:
    if dataset.codes is not None:
        return dataset.codes[:, j]
    values: npt.NDArray[np.float64] = np.asarray(dataset.X[:, [j]].todense(), dtype=np.float64).ravel()
    return values


def copies_across_folds(dataset: Dataset, partitions: Splits) -> tuple[int, int, int] | None:
    """Return how many of the first run's tested instances have an equal in their training set, of how many; and copies.

    Equal means equal attributes, whatever the target. None where attributes are sparse, and where the values that
    occur make so few combinations that equal rows are to be expected.
    """
    if dataset.codes is None or _few_combinations(dataset.codes):
        return None
    # A missing value equals a missing value here; no number may stand for it.
    rows = np.column_stack([np.nan_to_num(dataset.codes, nan=0.0), np.isnan(dataset.codes)]) + 0.0
    _, kind, sizes = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    kind = kind.ravel()
    if sizes.max() == 1:
        return 0, len(dataset), 0
    copies = tested = 0
    for fold in range(partitions.folds):
        train, test = partitions.train_test(0, fold)
        trained = np.zeros(len(sizes), dtype=bool)
        trained[kind[train]] = True
        copies += int(trained[kind[test]].sum())
        tested += len(test)
    return copies, tested, int((sizes[kind] > 1).sum())


def _few_combinations(codes: npt.NDArray[np.float64]) -> bool:
    combinations = 1
    for column in codes.T:
        combinations *= max(1, np.unique(column).size)
        if combinations > 10 * len(codes):
            return False
    return True


def classes_torn(dataset: Dataset, partitions: Splits) -> list[tuple[str, int, int]]:
    """Return each class that some test set lacks although there are enough, in how many of how many, the worst first.

    Enough is one for each test set that a pass over the data has.
    """
    if dataset.classes is None or not partitions.complementary:
        return []
    codes = dataset.target_codes.astype(np.intp)
    sizes = np.bincount(codes, minlength=len(dataset.classes))
    parts = len(dataset) / partitions.n_test
    lacking = np.zeros(len(dataset.classes), dtype=np.intp)
    splits = partitions.runs * partitions.folds
    for run in range(partitions.runs):
        for fold in range(partitions.folds):
            _, test = partitions.train_test(run, fold)
            lacking += np.bincount(codes[test], minlength=len(dataset.classes)) == 0
    worst = sorted(np.flatnonzero((lacking > 0) & (sizes >= parts)), key=lambda c: -int(lacking[c]))
    return [(str(dataset.classes[c]), int(lacking[c]), splits) for c in worst]
