"""Naive Bayes with normal densities on all folds: logarithms with bounds; too close to call is left to be fitted.

The precision to which values are rounded hangs on every gap between the training fold's values, so it is found again
for each fold. Where it is that of all data, the fold's sums are subtracted; else all values are rounded anew.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from foldproof.kernels.bayes_cells import FINE, NEAR, cell, density, mean_gap, moments
from foldproof.kernels.bayes_tables import Ints, Matrix, Places, Tables, Vector
from foldproof.kernels.folds import by_fold
from foldproof.kernels.jit import kernel


class Numbers(NamedTuple):
    """Numeric attributes.

    ``x[attribute, instance]``: values, NaN where missing. ``value``: the position among the attribute's ``distinct``
    values, which go from ``first[attribute]`` to the next; ``often``: how many instances have each. ``multiple``: the
    value in units of the ``precision`` of all data; ``reach``: its greatest magnitude. ``by_class``: all instances,
    class after class.
    """

    x: Matrix
    value: Places
    distinct: Vector
    first: Ints
    often: Ints
    multiple: Matrix
    precision: Vector
    reach: Vector
    by_class: Ints


@kernel
def _sums(
    numbers: Numbers, a: int, d: float, y: Ints, own: Places, fold: int, weight: Matrix, total: Matrix, squares: Matrix
) -> None:
    """Write sums over the instances outside a fold of the multiples of d, and of their squares, by class."""
    x = numbers.x[a]
    weight[a], total[a], squares[a] = 0.0, 0.0, 0.0
    c, w, s1, s2 = 0, 0.0, 0.0, 0.0
    for i in numbers.by_class:
        if y[i] != c:
            weight[a, c], total[a, c], squares[a, c] = w, s1, s2
            c, w, s1, s2 = y[i], 0.0, 0.0, 0.0
        v = x[i]
        if own[i] != fold and v == v:
            q = np.rint(v / d)
            w += 1.0
            s1 += q
            s2 += q * q
    weight[a, c], total[a, c], squares[a, c] = w, s1, s2


@kernel
def number_folds(
    tables: Tables, numbers: Numbers, slot: Ints, logs: Vector, test_fold: Places, found: Matrix,
    doubtful: npt.NDArray[np.bool_],
) -> None:  # fmt: skip
    """Write the predicted class of every tested instance, and which folds hold one that is too close to call.

    ``slot``: for each attribute in file order, its column in ``tables``, or -1 less its row in ``numbers``.
    """
    place, first, y = tables.place, tables.first, tables.y
    x, value, distinct, begins = numbers.x, numbers.value, numbers.distinct, numbers.first
    m, q, k, n = len(slot), len(numbers.x), len(tables.classes), len(tables.y)
    nominal, rows, folds = len(first) - 1, first[len(first) - 1], doubtful.shape[1]
    classes, counts, often = tables.classes.copy(), tables.counts.copy(), numbers.often.copy()
    score = np.zeros((rows + 1, k))
    all_w, all_s1, all_s2 = np.zeros((q, k)), np.zeros((q, k)), np.zeros((q, k))
    nobody = np.full(n, -1, np.int32)
    for a in range(q):
        _sums(numbers, a, numbers.precision[a], y, nobody, 0, all_w, all_s1, all_s2)
    w, s1, s2 = all_w.copy(), all_s1.copy(), all_s2.copy()
    step = np.empty(q)
    mean, inverse, width = np.empty((q, k)), np.empty((q, k)), np.empty((q, k))
    loose_mean, loose_dev = np.empty((q, k)), np.empty((q, k))
    base, curve = np.empty((q, k)), np.empty((q, k))
    fine = np.empty((q, k), np.bool_)
    coarse = np.empty(q, np.bool_)
    stamp = np.full(max(len(distinct), 1), -1, np.int64)
    middle, half = np.empty((len(stamp), k)), np.empty((len(stamp), k))
    prior, slack, total, span, gap = np.empty(k), np.empty(k), np.empty(k), np.empty(k), np.empty(k)
    now = -1
    for run in range(len(test_fold)):
        order, start = by_fold(test_fold[run], folds)
        own = test_fold[run]
        for fold in range(folds):
            begin, end = start[fold], start[fold + 1]
            if begin == end:
                continue
            now += 1
            for r in range(begin, end):
                i = order[r]
                classes[y[i]] -= 1
                for j in range(nominal):
                    counts[place[i, j], y[i]] -= 1
            for c in range(k):
                prior[c] = logs[classes[c] + 1]
                slack[c] = 1e-12
            for j in range(nominal):
                values = first[j + 1] - first[j]
                for c in range(k):
                    known = values
                    for t in range(first[j], first[j + 1]):
                        known += counts[t, c]
                    for t in range(first[j], first[j + 1]):
                        score[t, c] = logs[counts[t, c] + 1] - logs[known]
            bad = False
            for a in range(q):
                changed = False
                for r in range(begin, end):
                    v = value[a, order[r]]
                    if v >= 0:
                        often[v] -= 1
                        changed = changed or often[v] == 0
                d = numbers.precision[a]
                if changed:
                    d = mean_gap(distinct, often, begins[a], begins[a + 1])
                for r in range(begin, end):
                    v = value[a, order[r]]
                    if v >= 0:
                        often[v] += 1
                step[a] = d
                if not d * 1e14 > numbers.reach[a]:
                    bad = True
                    break
                if d != numbers.precision[a]:
                    _sums(numbers, a, d, y, own, fold, w, s1, s2)
                else:
                    for c in range(k):
                        w[a, c], s1[a, c], s2[a, c] = all_w[a, c], all_s1[a, c], all_s2[a, c]
                    for r in range(begin, end):
                        i = order[r]
                        if value[a, i] >= 0:
                            p = numbers.multiple[a, i]
                            w[a, y[i]] -= 1.0
                            s1[a, y[i]] -= p
                            s2[a, y[i]] -= p * p
                coarse[a] = begins[a + 1] - begins[a] <= (end - begin)
                for c in range(k):
                    mu, deviation, off, share = moments(w[a, c], s1[a, c], s2[a, c], d, numbers.reach[a])
                    h = d / deviation
                    mean[a, c], inverse[a, c], width[a, c] = mu, 1.0 / deviation, h
                    loose_mean[a, c], loose_dev[a, c] = off / deviation, share
                    bad = bad or not share < 1e-3 or not off / deviation < 1e-3
                    fine[a, c] = h <= FINE
                    if fine[a, c]:
                        base[a, c], curve[a, c], error = density(h, loose_mean[a, c], share)
                        slack[c] += error
            if bad:
                doubtful[run, fold] = True
            else:
                for r in range(begin, end):
                    i = order[r]
                    for c in range(k):
                        total[c], span[c], gap[c] = prior[c], slack[c], 0.0
                    for j in range(m):
                        if slot[j] >= 0:
                            at = place[i, slot[j]]
                            for c in range(k):
                                total[c] += score[at, c]
                        else:
                            a = -1 - slot[j]
                            v = value[a, i]
                            if v < 0:
                                continue
                            rounded = np.rint(x[a, i] / step[a]) * step[a]
                            if coarse[a]:
                                if stamp[v] != now:
                                    stamp[v] = now
                                    for c in range(k):
                                        z = (rounded - mean[a, c]) * inverse[a, c]
                                        middle[v, c], half[v, c] = cell(
                                            z, width[a, c], loose_mean[a, c], loose_dev[a, c]
                                        )
                                for c in range(k):
                                    total[c] += middle[v, c]
                                    span[c] += half[v, c]
                            else:
                                for c in range(k):
                                    z = (rounded - mean[a, c]) * inverse[a, c]
                                    if fine[a, c] and abs(z) <= NEAR:
                                        total[c] += base[a, c] + curve[a, c] * z * z
                                    else:
                                        log, more = cell(z, width[a, c], loose_mean[a, c], loose_dev[a, c])
                                        total[c] += log
                                        span[c] += more
                        # An entry that falls below what a number can hold stays there, whatever comes later.
                        if m > 20:
                            greatest = total[0]
                            for c in range(1, k):
                                greatest = max(greatest, total[c])
                            for c in range(k):
                                gap[c] = max(gap[c], greatest - total[c])
                    best = 0
                    for c in range(1, k):
                        if total[c] > total[best]:
                            best = c
                    sure = (gap[best] if m > 20 else -total[best]) < 480.0
                    for c in range(k):
                        if c != best and not total[best] - span[best] > total[c] + span[c] + 1e-13 * abs(total[c]):
                            sure = False
                    if sure:
                        found[run, i] = best
                    else:
                        doubtful[run, fold] = True
                        break
            for r in range(begin, end):
                i = order[r]
                classes[y[i]] += 1
                for j in range(nominal):
                    counts[place[i, j], y[i]] += 1
