"""Bernoulli naive Bayes on all folds: counts above a threshold, less what a fold holds back.

The threshold is one number, or each training set's mean. Counts are looked up in columns that are sorted once. Where
two classes are nearer than rounding, here or in an implementation by matrix products, the fold is left to be fitted.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.kernels.folds import by_fold
from foldproof.kernels.jit import kernel

Matrix = npt.NDArray[np.float64]
Vector = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@kernel
def counts_below(columns: Matrix, y: Ints, n_classes: int) -> tuple[Matrix, npt.NDArray[np.int32]]:
    """Return each column sorted, and for each of its positions how many of each class stand before it."""
    m, n = columns.shape
    ascending = np.empty((m, n))
    before = np.zeros((m, n + 1, n_classes), np.int32)
    for j in range(m):
        order = np.argsort(columns[j])
        for t in range(n):
            ascending[j, t] = columns[j, order[t]]
            before[j, t + 1] = before[j, t]
            before[j, t + 1, y[order[t]]] += 1
    return ascending, before


@kernel
def bernoulli_folds(
    X: Matrix, y: Ints, ascending: Matrix, before: npt.NDArray[np.int32], threshold: float, by_mean: bool, alpha: float,
    learns_prior: bool, test_fold: npt.NDArray[np.int32], found: Matrix, doubtful: npt.NDArray[np.bool_],
) -> None:  # fmt: skip
    """Write the predicted class of every tested instance, and which folds are too close to call.

    ``by_mean``: the threshold is each training set's mean of the column. ``alpha`` is added to all counts.
    ``learns_prior``: whether classes are as probable as they are frequent, or all alike.
    """
    n, m = X.shape
    k, folds = before.shape[2], doubtful.shape[1]
    logs, whole_logs = np.empty(n + 1), np.empty(n + 1)
    for i in range(n + 1):
        logs[i], whole_logs[i] = np.log(i + alpha), np.log(i + 2.0 * alpha)
    slack = (m + 8.0) * (2e-13 + 8e-15 * (n + 2.0 * alpha) / alpha)
    grain = 4.0 * (n + 16.0) * 1.2e-16
    total, reach, classes = np.zeros(m), np.zeros(m), np.zeros(k)
    for i in range(n):
        classes[y[i]] += 1.0
        for j in range(m):
            total[j] += X[i, j]
            reach[j] = max(reach[j], abs(X[i, j]))
    above, cut, w = np.empty((m, k), np.int64), np.full(m, threshold), np.empty(k)
    score, start_at = np.empty((m, 2, k)), np.empty(k)
    for run in range(len(test_fold)):
        order, start = by_fold(test_fold[run], folds)
        for fold in range(folds):
            begin, end = start[fold], start[fold + 1]
            if begin == end:
                continue
            w[:] = classes
            for r in range(begin, end):
                w[y[order[r]]] -= 1.0
            present = 0
            for c in range(k):
                present += w[c] > 0.5
            close = False
            for j in range(m):
                if by_mean:
                    cut[j] = total[j]
                    for r in range(begin, end):
                        cut[j] -= X[order[r], j]
                    cut[j] /= n - (end - begin)
                at = np.searchsorted(ascending[j], cut[j], side="right")
                if by_mean:
                    off = grain * reach[j]
                    close = close or (at > 0 and cut[j] - ascending[j, at - 1] <= off)
                    close = close or (at < n and ascending[j, at] - cut[j] <= off)
                for c in range(k):
                    above[j, c] = before[j, n, c] - before[j, at, c]
                for r in range(begin, end):
                    above[j, y[order[r]]] -= X[order[r], j] > cut[j]
            if close:
                doubtful[run, fold] = True
                continue
            for c in range(k):
                size = int(w[c])
                start_at[c] = np.log(w[c] / (n - (end - begin))) if learns_prior and size > 0 else 0.0
                for j in range(m):
                    score[j, 0, c] = logs[size - above[j, c]] - whole_logs[size]
                    score[j, 1, c] = logs[above[j, c]] - whole_logs[size]
            for r in range(begin, end):
                i = order[r]
                best, best_at, second = -np.inf, -1, -np.inf
                for c in range(k):
                    if w[c] < 0.5:
                        continue
                    sum_ = start_at[c]
                    for j in range(m):
                        sum_ += score[j, 1 if X[i, j] > cut[j] else 0, c]
                    if sum_ > best:
                        best, best_at, second = sum_, c, best
                    elif sum_ > second:
                        second = sum_
                if present > 1 and not best - second > slack:
                    doubtful[run, fold] = True
                    break
                found[run, i] = best_at
