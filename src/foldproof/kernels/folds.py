"""The instances of one run, fold by fold."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.kernels.jit import kernel


@kernel
def fold_starts(test_fold: npt.NDArray[np.int32], folds: int) -> npt.NDArray[np.intp]:
    """Return where each fold begins when the instances that one run tests stand fold after fold."""
    start = np.zeros(folds + 1, np.intp)
    for i in range(len(test_fold)):
        if test_fold[i] >= 0:
            start[test_fold[i] + 1] += 1
    for f in range(folds):
        start[f + 1] += start[f]
    return start


@kernel
def by_fold(test_fold: npt.NDArray[np.int32], folds: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the instances that one run tests, fold after fold, and where each fold begins (and the last one ends)."""
    start = fold_starts(test_fold, folds)
    order = np.empty(start[folds], np.intp)
    at = start.copy()
    for i in range(len(test_fold)):
        f = test_fold[i]
        if f >= 0:
            order[at[f]] = i
            at[f] += 1
    return order, start


@kernel
def in_order(
    test_fold: npt.NDArray[np.int32], order: npt.NDArray[np.int32], folds: int
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Do the same, with each fold's instances as they come in ``order``."""
    start = fold_starts(test_fold, folds)
    members = np.empty(start[folds], np.intp)
    at = start.copy()
    for i in order:
        f = test_fold[i]
        if f >= 0:
            members[at[f]] = i
            at[f] += 1
    return members, start


@kernel
def most_tested(test_fold: npt.NDArray[np.int32]) -> int:
    """Return how many instances the largest fold of all runs tests."""
    most = 0
    size = np.zeros(test_fold.max() + 2, np.intp)
    for run in range(len(test_fold)):
        size[:] = 0
        for i in range(test_fold.shape[1]):
            size[test_fold[run, i] + 1] += 1
        for f in range(1, len(size)):
            most = max(most, size[f])
    return most
