"""Partitions from any scikit-learn splitter, or from a list of (training, test) positions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from foldproof.domain.errors import InputError
from foldproof.domain.partitions import ExplicitPartitions, Indices, Partitions, Splits

Split = tuple[Indices, Indices]


def partitions_from_splitter(cv: Any, X: Any, y: Any = None, groups: Any = None) -> Splits:
    """Return the splits of ``cv`` as Partitions where each trains on the rest, as ExplicitPartitions elsewhere.

    Consecutive test sets that together test every instance once are the folds of a run (so RepeatedKFold gives
    its repeats); where that does not work out for all of them, each split is a run of its own (ShuffleSplit).
    Test sets that never overlap but leave instances untested are one run (PredefinedSplit).
    """
    if isinstance(cv, (Partitions, ExplicitPartitions)):
        return cv
    n = int(X.shape[0])
    splits = _listed(cv, X, y, groups, n)
    name = type(cv).__name__ if hasattr(cv, "split") else "explicit"
    runs = _runs(splits, n, independent=hasattr(cv, "test_size"))
    if all(len(train) == n - len(test) and np.intersect1d(train, test).size == 0 for train, test in splits):
        matrix = np.full((len(runs), n), -1, dtype=np.int32)
        for r, run in enumerate(runs):
            for f, (_, test) in enumerate(run):
                matrix[r, test] = f
        return Partitions(matrix, scheme=name)
    return ExplicitPartitions(tuple(tuple(run) for run in runs), n_instances=n, scheme=name)


def _listed(cv: Any, X: Any, y: Any, groups: Any, n: int) -> list[Split]:
    if isinstance(cv, (int, np.integer)):
        raise InputError(
            f"cv={cv}: a number of folds is given as procedure='corrected-repeated-cv' with folds={cv}; "
            "cv= takes a splitter"
        )
    pairs: Iterable[Any]
    if isinstance(cv, (str, bytes)):
        raise InputError(f"cv is {cv!r}: give a scikit-learn splitter or a list of (train, test) positions")
    if hasattr(cv, "split"):
        try:
            pairs = list(cv.split(X, y, groups))
        except ValueError as error:
            raise InputError(f"the splitter {type(cv).__name__} cannot divide this dataset: {error}") from None
    elif isinstance(cv, Iterable):
        pairs = cv
    else:
        raise InputError(f"cv is {cv!r}: give a scikit-learn splitter or a list of (train, test) positions")
    found = []
    for number, pair in enumerate(pairs):
        if not isinstance(pair, Iterable) or len(parts := list(pair)) != 2:
            raise InputError(f"cv: split {number} is no pair of training and test positions")
        found.append((_positions(parts[0], n, number), _positions(parts[1], n, number)))
    if not found:
        raise InputError("the splitter gave no split at all")
    return found


def _positions(given: Any, n: int, number: int) -> Indices:
    """Return positions, also of a mask, after making sure that the data have them."""
    part = np.asarray(given)
    if part.dtype == bool and part.shape == (n,):
        return np.flatnonzero(part)
    if part.ndim != 1 or part.dtype.kind not in "iu":
        raise InputError(f"cv: split {number} holds {part.dtype} of shape {part.shape}: give whole-number positions")
    if part.size and not 0 <= part.min() <= part.max() < n:
        wrong = part.max() if part.max() >= n else part.min()
        raise InputError(f"cv: split {number} names position {wrong}, and the data have {n} rows, 0 to {n - 1}")
    return part.astype(np.intp)


def _runs(splits: list[Split], n: int, *, independent: bool) -> list[list[Split]]:
    """Group consecutive splits into runs that test every instance once; else one run each, or one for all."""
    each_alone = [[split] for split in splits]
    if independent:
        return each_alone
    runs: list[list[Split]] = [[]]
    tested = np.zeros(n, dtype=bool)
    for split in splits:
        if tested.all():
            runs.append([])
            tested[:] = False
        if tested[split[1]].any():
            return each_alone
        tested[split[1]] = True
        runs[-1].append(split)
    if len({len(run) for run in runs}) == 1 and (len(runs) == 1 or tested.all()):
        return runs
    return each_alone
