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
# As much as a byte counts.
BYTE = 255


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


class Packed(NamedTuple):
    """The same instances, to be counted eight values at a time, and to be looked up some attributes at a time.

    ``word[word, instance]``: a byte for each row of the counts, 1 where the instance has that value. ``code[group,
    instance]``: which of the combinations of a group of attributes it has; ``member``: where each group's attributes
    begin, and the last one's end; ``begin``: where its combinations begin, and the last one's end. ``above``: for each
    combination the one with the first value in its last attribute that has another, and ``plus`` that attribute's
    value: a row of the counts, or their number plus the attribute where it is missing.
    """

    word: Ints
    code: Places
    member: Ints
    begin: Ints
    above: Places
    plus: Places


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
    tables: Tables, packed: Packed, logs: Vector, test_fold: Places, found: Matrix,
    doubtful: npt.NDArray[np.bool_],
) -> None:  # fmt: skip
    """Write the predicted class of every tested instance, and which folds hold one that is too close to call.

    ``logs``: logarithms of the whole numbers from 0 on.
    """
    place, first, y, whole = tables.place, tables.first, tables.y, tables.counts
    word, code, member, entry, above, plus = (
        packed.word, packed.code, packed.member, packed.begin, packed.above, packed.plus,
    )  # fmt: skip
    n, m, k, folds = len(y), len(first) - 1, len(tables.classes), doubtful.shape[1]
    rows, groups = first[m], len(code)
    # Of two classes one line of differences is enough.
    lines = 1 if k == 2 else k
    classes, counts, known = tables.classes.copy(), tables.counts.copy(), np.zeros((m, k), np.int64)
    score, table, total = np.zeros((lines, rows + 1)), np.empty((lines, entry[groups])), np.empty((lines, n))
    at, mixed, head, product = np.empty(n, np.uint64), np.empty(n, np.int32), np.empty(k), np.empty(k)
    more = np.empty(rows + m)
    for run in range(len(test_fold)):
        for i in range(n):
            fold = test_fold[run, i]
            mixed[i] = fold * k + y[i] if fold >= 0 else -1
        order, start = by_fold(mixed, folds * k)
        for fold in range(folds):
            begin, count = start[fold * k], start[fold * k + k] - start[fold * k]
            if count == 0:
                continue
            for c in range(k):
                first_one, end = start[fold * k + c], start[fold * k + c + 1]
                classes[c] = tables.classes[c] - (end - first_one)
                head[c] = logs[classes[c] + 1]
                for t in range(rows):
                    counts[t, c] = whole[t, c]
                for some in range(first_one, end, BYTE):
                    last = min(some + BYTE, end)
                    for w in range(len(word)):
                        held = np.int64(0)
                        for r in range(some, last):
                            held += word[w, np.uint64(order[np.uint64(r)])]
                        for t in range(8 * w, min(8 * w + 8, rows)):
                            counts[t, c] -= held & BYTE
                            held >>= 8
            for j in range(m):
                for c in range(k):
                    of_class = np.int64(0)
                    for t in range(first[j], first[j + 1]):
                        of_class += counts[t, c]
                    known[j, c] = of_class
                values = first[j + 1] - first[j]
                if k == 2:
                    every = logs[known[j, 1] + values] - logs[known[j, 0] + values]
                    for t in range(first[j], first[j + 1]):
                        score[0, t] = logs[counts[t, 0] + 1] - logs[counts[t, 1] + 1] + every
                else:
                    for c in range(k):
                        every = logs[known[j, c] + values]
                        for t in range(first[j], first[j + 1]):
                            score[c, t] = logs[counts[t, c] + 1] - every
            if k == 2:
                head[0] -= head[1]
            for line in range(lines):
                for r in range(count):
                    total[line, r] = head[line]
            if count * (m - groups) > entry[groups]:
                for line in range(lines):
                    for g in range(groups):
                        every = 0.0
                        for j in range(member[g], member[g + 1]):
                            every += score[line, first[j]]
                            for t in range(first[j + 1] - 1, first[j] - 1, -1):
                                more[t] = score[line, t] - score[line, first[j]]
                            more[rows + j] = -score[line, first[j]]
                        table[line, entry[g]] = every
                        for t in range(entry[g] + 1, entry[g + 1]):
                            table[line, np.uint64(t)] = table[line, np.uint64(above[t])] + more[np.uint64(plus[t])]
                for g in range(groups):
                    for r in range(count):
                        at[r] = entry[g] + code[g, np.uint64(order[np.uint64(begin + r)])]
                    for line in range(lines):
                        for r in range(count):
                            total[line, r] += table[line, at[r]]
            else:
                for j in range(m):
                    for r in range(count):
                        at[r] = place[np.uint64(order[np.uint64(begin + r)]), j]
                    for line in range(lines):
                        for r in range(count):
                            total[line, r] += score[line, at[r]]
            for r in range(count):
                i = order[begin + r]
                if k == 2:
                    told = 0 if total[0, r] > 0.0 else 1
                    ahead = abs(total[0, r])
                else:
                    told, best, second = 0, total[0, r], -np.inf
                    for c in range(1, k):
                        if total[c, r] > best:
                            told, best, second = c, total[c, r], best
                        elif total[c, r] > second:
                            second = total[c, r]
                    ahead = best - second
                if ahead < NEAR:
                    told = _multiplied(tables, counts, classes, known, i, product)
                if told < 0:
                    doubtful[run, fold] = True
                else:
                    found[run, i] = told
