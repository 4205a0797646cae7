"""Naive Bayes with normal densities on all folds: logarithms with bounds; too close to call is left to be fitted.

The precision to which values are rounded is the mean gap between the training fold's values, so it is found again for
each fold. Where no value occurs in one fold only, it is that of all data, and the fold's sums are subtracted; else all
values are rounded anew. Multiples of the precision are whole numbers, whose sums are exact.
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
    value in units of the ``precision`` of all data; ``reach``: its greatest magnitude. ``by_class``: the values, class
    after class as ``ends`` tells, 0 where missing; ``known``: how many of each class are not.
    """

    x: Matrix
    value: Places
    distinct: Vector
    first: Ints
    often: Ints
    multiple: Matrix
    precision: Vector
    reach: Vector
    by_class: Matrix
    ends: Ints
    known: Matrix


@kernel
def _sums(by_class: Matrix, ends: Ints, a: int, d: float, total: Matrix, squares: Matrix) -> float:
    """Write sums of the multiples of d, and of their squares, by class; return how near a value is to a half."""
    half = 0.0
    for c in range(total.shape[1]):
        s1, s2 = 0.0, 0.0
        for t in range(ends[c], ends[c + 1]):
            ratio = by_class[a, t] / d
            q = np.rint(ratio)
            s1 += q
            s2 += q * q
            half = max(half, abs(ratio - q))
        total[a, c], squares[a, c] = s1, s2
    return half


@kernel
def number_folds(
    tables: Tables, numbers: Numbers, slot: Ints, logs: Vector, test_fold: Places, left: npt.NDArray[np.bool_],
    found: Matrix, doubtful: npt.NDArray[np.bool_],
) -> None:  # fmt: skip
    """Write the predicted class of every instance tested in the folds that are left, and which are too close to call.

    ``slot``: for each attribute in file order, its column in ``tables``, or -1 less its row in ``numbers``.
    """
    place, first, y = tables.place, tables.first, tables.y
    x, value, distinct, begins = numbers.x, numbers.value, numbers.distinct, numbers.first
    m, q, k = len(slot), len(numbers.x), len(tables.classes)
    nominal, rows, folds = len(first) - 1, first[len(first) - 1], doubtful.shape[1]
    classes, counts, often = tables.classes.copy(), tables.counts.copy(), numbers.often.copy()
    score = np.zeros((rows + 1, k))
    all_s1, all_s2 = np.zeros((q, k)), np.zeros((q, k))
    for a in range(q):
        _sums(numbers.by_class, numbers.ends, a, numbers.precision[a], all_s1, all_s2)
    w, s1, s2 = np.zeros((q, k)), np.zeros((q, k)), np.zeros((q, k))
    step = np.empty(q)
    mean, inverse, width = np.empty((q, k)), np.empty((q, k)), np.empty((q, k))
    loose_mean, loose_dev = np.empty((q, k)), np.empty((q, k))
    base, curve, bend = np.empty((q, k)), np.empty((q, k)), np.empty((q, k))
    fine = np.empty((q, k), np.bool_)
    coarse = np.empty(q, np.bool_)
    stamp = np.full(max(len(distinct), 1), -1, np.int64)
    middle, half = np.empty((len(stamp), k)), np.empty((len(stamp), k))
    prior, slack, total, span, gap = np.empty(k), np.empty(k), np.empty(k), np.empty(k), np.empty(k)
    now = -1
    for run in range(len(test_fold)):
        if not left[run].any():
            continue
        order, start = by_fold(test_fold[run], folds)
        for fold in range(folds):
            begin, end = start[fold], start[fold + 1]
            if begin == end or not left[run, fold]:
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
                vanished, rough = 0, 0.0
                for r in range(begin, end):
                    v = value[a, order[r]]
                    if v >= 0:
                        often[v] -= 1
                        vanished += often[v] == 0
                d = numbers.precision[a]
                if vanished:
                    low, high = begins[a], begins[a + 1] - 1
                    while low < high and often[low] == 0:
                        low += 1
                    while high > low and often[high] == 0:
                        high -= 1
                    gaps = begins[a + 1] - begins[a] - vanished - 1
                    near_half = True
                    if gaps > 0:
                        # The gaps' sum but for rounding; that is enough unless a value lies half between multiples.
                        d = (distinct[high] - distinct[low]) / gaps
                        rough = (gaps + 8.0) * 2.4e-16
                        closest = _sums(numbers.by_class, numbers.ends, a, d, s1, s2)
                        near_half = not closest + 2.0 * rough * numbers.reach[a] / d < 0.5
                    if near_half:
                        d, rough = mean_gap(distinct, often, begins[a], begins[a + 1]), 0.0
                        _sums(numbers.by_class, numbers.ends, a, d, s1, s2)
                else:
                    for c in range(k):
                        s1[a, c], s2[a, c] = all_s1[a, c], all_s2[a, c]
                step[a] = d
                for c in range(k):
                    w[a, c] = numbers.known[a, c]
                for r in range(begin, end):
                    i = order[r]
                    v = value[a, i]
                    if v >= 0:
                        often[v] += 1
                        p = np.rint(x[a, i] / d) if vanished else numbers.multiple[a, i]
                        w[a, y[i]] -= 1.0
                        s1[a, y[i]] -= p
                        s2[a, y[i]] -= p * p
                if not d * 1e14 > numbers.reach[a]:
                    bad = True
                    break
                coarse[a] = begins[a + 1] - begins[a] <= (end - begin)
                for c in range(k):
                    mu, deviation, off, share = moments(w[a, c], s1[a, c], s2[a, c], d, numbers.reach[a])
                    h = d / deviation
                    off, share = off + rough * (numbers.reach[a] + abs(mu)), share + rough
                    mean[a, c], inverse[a, c], width[a, c] = mu, 1.0 / deviation, h
                    loose_mean[a, c], loose_dev[a, c] = off / deviation, share
                    bad = bad or not share < 1e-3 or not off / deviation < 1e-3
                    fine[a, c] = h <= FINE
                    if fine[a, c]:
                        base[a, c], curve[a, c], bend[a, c], error = density(h, loose_mean[a, c], share)
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
                                        u = z * z
                                        total[c] += base[a, c] + u * (curve[a, c] + u * bend[a, c])
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
