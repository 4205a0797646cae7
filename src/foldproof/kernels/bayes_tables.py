"""Naive Bayes of categories on all folds: counts of all data less what a fold holds back, and logarithms from a table.

Sums of logarithms decide where they are clearly apart. Where they are not, the shares are multiplied in the order of
the attributes and scaled as the learner does it, so that ties fall as they fall there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from foldproof.kernels.folds import by_fold
from foldproof.kernels.jit import kernel

Matrix = npt.NDArray[np.float64]
Vector = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]

# Sums of logarithms that are nearer than this are not decided by them.
NEAR = 1e-9
FLOOR = 1e-75
UNSURE = -1


class Tables(NamedTuple):
    """Nominal instances, and how often each value of each attribute goes with each class.

    ``place[instance, attribute]``: the value's row in ``counts``; missing values have the last row of all, which counts
    nothing. ``first``: where each attribute's rows begin, and the last one's end.
    """

    place: Places
    first: Ints
    counts: Ints
    classes: Ints
    y: Ints


@kernel
def decided(product: Vector) -> int:
    """Return the first of the greatest shares of a sum, or UNSURE where that hangs on how the sum was rounded."""
    best, total = 0, 0.0
    for c in range(len(product)):
        total += product[c]
        if product[c] > product[best]:
            best = c
    told = best
    # Division may make neighbours equal, and then the first of them is greatest.
    for c in range(best):
        if product[c] > product[best] * (1.0 - 1e-14):
            if len(product) == 2:
                return c if product[c] / total == product[best] / total else best
            equal = 0
            for step in range(-4, 5):
                sum_ = total * (1.0 + step * 1.2e-16 * len(product))
                equal += product[c] / sum_ == product[best] / sum_
            if equal == 9:
                return c
            if equal > 0:
                return UNSURE
    return told


@kernel
def _multiplied(tables: Tables, counts: Ints, classes: Ints, known: Ints, i: int, product: Vector) -> int:
    """Return the class by products, in the order of the attributes; -1 where it is not sure."""
    k = len(classes)
    n = 0
    for c in range(k):
        n += classes[c]
    for c in range(k):
        product[c] = (classes[c] + 1.0) / float(n + k)
    last = tables.first[len(tables.first) - 1]
    for j in range(len(tables.first) - 1):
        place = tables.place[i, j]
        if place == last:
            continue
        values = tables.first[j + 1] - tables.first[j]
        greatest = 0.0
        for c in range(k):
            product[c] *= max(FLOOR, (counts[place, c] + 1.0) / float(known[j, c] + values))
            greatest = max(greatest, product[c])
        if 0.0 < greatest < FLOOR:
            for c in range(k):
                product[c] *= 1e75
    return decided(product)


@kernel
def nominal_folds(
    tables: Tables, logs: Vector, test_fold: Places, found: Matrix, doubtful: npt.NDArray[np.bool_]
) -> None:
    """Write the predicted class of every tested instance, and which folds hold one that is too close to call.

    ``logs``: logarithms of the whole numbers from 0 on.
    """
    place, first, y = tables.place, tables.first, tables.y
    m, k = len(first) - 1, len(tables.classes)
    folds = doubtful.shape[1]
    rows = first[m]
    classes = tables.classes.copy()
    counts = tables.counts.copy()
    known = np.zeros((m, k), np.int64)
    score = np.zeros((rows + 1, k))
    odds = np.zeros(rows + 1)
    prior, total, product = np.empty(k), np.empty(k), np.empty(k)
    for run in range(len(test_fold)):
        order, start = by_fold(test_fold[run], folds)
        for fold in range(folds):
            begin, end = start[fold], start[fold + 1]
            if begin == end:
                continue
            for r in range(begin, end):
                i = order[r]
                c = y[i]
                classes[c] -= 1
                for j in range(m):
                    counts[place[i, j], c] -= 1
            for c in range(k):
                prior[c] = logs[classes[c] + 1]
            for j in range(m):
                values = first[j + 1] - first[j]
                for c in range(k):
                    known[j, c] = 0
                for r in range(first[j], first[j + 1]):
                    for c in range(k):
                        known[j, c] += counts[r, c]
                for c in range(k):
                    total[c] = logs[known[j, c] + values]
                if k == 2:
                    whole = total[1] - total[0]
                    for r in range(first[j], first[j + 1]):
                        odds[r] = logs[counts[r, 0] + 1] - logs[counts[r, 1] + 1] + whole
                else:
                    for r in range(first[j], first[j + 1]):
                        for c in range(k):
                            score[r, c] = logs[counts[r, c] + 1] - total[c]
            if k == 2:
                even = prior[0] - prior[1]
                for r in range(begin, end):
                    i = order[r]
                    sum_ = even
                    for j in range(m):
                        sum_ += odds[place[i, j]]
                    told = 0 if sum_ > 0.0 else 1
                    if abs(sum_) < NEAR:
                        told = _multiplied(tables, counts, classes, known, i, product)
                    if told < 0:
                        doubtful[run, fold] = True
                    else:
                        found[run, i] = told
            else:
                for r in range(begin, end):
                    i = order[r]
                    for c in range(k):
                        total[c] = prior[c]
                    for j in range(m):
                        at = place[i, j]
                        for c in range(k):
                            total[c] += score[at, c]
                    best, second = 0, -np.inf
                    for c in range(1, k):
                        if total[c] > total[best]:
                            second = total[best]
                            best = c
                        elif total[c] > second:
                            second = total[c]
                    told = best
                    if total[best] - second < NEAR:
                        told = _multiplied(tables, counts, classes, known, i, product)
                    if told < 0:
                        doubtful[run, fold] = True
                    else:
                        found[run, i] = told
            if (end - begin) * m > rows * k:
                counts[:, :] = tables.counts
                classes[:] = tables.classes
                continue
            for r in range(begin, end):
                i = order[r]
                c = y[i]
                classes[c] += 1
                for j in range(m):
                    counts[place[i, j], c] += 1
