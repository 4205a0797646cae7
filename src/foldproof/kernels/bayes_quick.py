"""Naive Bayes with normal densities: nearly all instances of all folds, by ``bayes_series``.

An instance is decided where one class is ahead by more than all of that is off; fine differences are left to
``bayes_numbers``.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from foldproof.kernels.bayes_cells import LOG_ROOT_2PI, cell
from foldproof.kernels.bayes_numbers import Numbers
from foldproof.kernels.bayes_series import FAR, LOOSEST, NARROW, WIDE, Bounds, Part, add_series, at_far, part_room
from foldproof.kernels.bayes_steps import Alike, Steps, gone, steps_of_folds
from foldproof.kernels.bayes_tables import Ints, Matrix, Places, Tables, Vector
from foldproof.kernels.folds import by_fold
from foldproof.kernels.jit import kernel

# The flattest density, in multiples.
FLATTEST = 1e5
# A product this much (in logarithms) below the greatest cannot have lost digits to underflow.
DEEP = 300.0
# So many folds are worked on together: a call with many arrays costs more than some loops do.
TOGETHER = 32


@kernel
def learn(
    values: int, steps: Steps, classes: Ints, logs: Vector, turn: Matrix, start: Bounds, use: Places, part: Part
) -> None:
    """Learn the moments of some folds.

    ``turn``: the values of the run's instances, fold after fold; ``start``: where each class of each fold begins in it,
    and where the last one ends. ``use``: the attributes' precisions in each fold. ``values``: how many gaps at most.
    """
    size_of, share_of, reach_of = steps.size, steps.share, steps.reach
    centre_of, divide, totals, all_squares = steps.centre, steps.divide, steps.total, steps.squares
    mean_of, h_of, multiple = part.mean, part.h, part.multiple
    folds, m = use.shape
    k = len(classes)
    inverse = np.empty(k)
    rough = 1e-15 * values
    for fold in range(folds):
        begin, end = start[fold * k], start[fold * k + k]
        size = (end - begin + 7) // 8 * 8
        n = 0
        top = -np.inf
        for c in range(k):
            w = classes[c] - (start[fold * k + c + 1] - start[fold * k + c])
            n += w
            inverse[c] = 1.0 / w if w > 0 else 0.0
            part.head[fold, c] = logs[w + 1]
            top = max(top, logs[w + 1])
        part.peak[fold] = top
        grain = (n + 8.0) * 1.2e-16
        margin = 1e-9
        for a in range(m):
            at = use[fold, a]
            d, centre = size_of[at], centre_of[at]
            # Places without a sign are not searched for those that count from the end.
            if divide[at]:
                for r in range(size):
                    multiple[fold, a, r] = np.rint(turn[a, np.uint64(begin + r)] / d) - centre
            else:
                share = share_of[at]
                for r in range(size):
                    multiple[fold, a, r] = np.rint(turn[a, np.uint64(begin + r)] * share) - centre
            reach, steepest, series, flattest = reach_of[at], 0.0, 0.0, 0.0
            for c in range(k):
                one, two = totals[at, c], all_squares[at, c]
                for r in range(start[fold * k + c] - begin, start[fold * k + c + 1] - begin):
                    q = multiple[fold, a, np.uint64(r)]
                    one -= q
                    two -= q * q
                if inverse[c] == 0.0:
                    mean_of[fold, a, c], h_of[fold, a, c] = -centre, 6.0  # as they are
                    continue
                mean = one * inverse[c]
                deviation = math.sqrt(max(two * inverse[c] - mean * mean, 1.0 / 36.0))
                h = 1.0 / deviation
                mean_of[fold, a, c], h_of[fold, a, c] = mean, h
                steepest, flattest = max(steepest, h), max(flattest, deviation)
                series = max(series, 0.08 * (h * h) * (h * h) * (h * h) * (h * h) if h <= NARROW else 6e-7)
            # How far the learner's moments may be off, in deviations, and the precision in its last bits.
            loose = reach * steepest * (grain * (2.0 + 2.0 * reach * steepest) + rough)
            part.loose[fold, a] = loose
            # The series' ends, the learner's subtraction of numbers near 1 at FAR, and what its moments make of both.
            margin += 2.0 * (series + 3e-10 * flattest + 40.0 * loose)
            if not (loose < LOOSEST and d > 1e-9 and flattest < FLATTEST):
                margin = np.inf
        part.margin[fold] = margin


@kernel
def add_tables(
    first: Ints, logs: Vector, value: Places, start: Bounds, counts: Ints, score: Matrix, part: Part
) -> None:
    """Add what the nominal attributes tell of some folds' instances.

    ``value[attribute, place]``: the rows in ``counts`` of the run's instances, fold after fold and class after class.
    ``counts`` are of all data before and after.
    """
    log = part.log
    k = len(score)
    for fold in range((len(start) - 1) // k):
        begin, count = start[fold * k], start[fold * k + k] - start[fold * k]
        for j in range(len(first) - 1):
            for c in range(k):
                for r in range(start[fold * k + c], start[fold * k + c + 1]):
                    counts[value[j, r], c] -= 1
                known = first[j + 1] - first[j]
                for t in range(first[j], first[j + 1]):
                    known += counts[t, c]
                for t in range(first[j], first[j + 1]):
                    score[c, t] = logs[counts[t, c] + 1] - logs[known]
                for r in range(start[fold * k + c], start[fold * k + c + 1]):
                    counts[value[j, r], c] += 1
            for c in range(k):
                for r in range(count):
                    log[fold, c, r] += score[c, np.uint64(value[j, np.uint64(begin + r)])]


@kernel
def rank_classes(start: Bounds, part: Part) -> None:
    """Write for each instance of some folds which class has the greatest sum, that sum, and the next greatest.

    The greatest is no number where it is more than there is.
    """
    first, second, who, over, log = part.first, part.second, part.who, part.over, part.log
    k = log.shape[1]
    for fold in range((len(start) - 1) // k):
        count = start[fold * k + k] - start[fold * k]
        for r in range(count):
            first[fold, r], second[fold, r], who[fold, r] = log[fold, 0, r] + part.head[fold, 0], -np.inf, 0
        for c in range(1, k):
            head = part.head[fold, c]
            for r in range(count):
                total = log[fold, c, r] + head
                greater = total > first[fold, r]
                second[fold, r] = max(second[fold, r], first[fold, r] if greater else total)
                who[fold, r] = c if greater else who[fold, r]
                first[fold, r] = total if greater else first[fold, r]
        for r in range(count):
            if over[fold, who[fold, r], r] > FAR * FAR:
                first[fold, r] = np.nan


@kernel
def decide(order: Bounds, start: Bounds, k: int, part: Part, found: Vector, left: npt.NDArray[np.bool_]) -> None:
    """Write the classes that are ahead of all others, whatever these are off, and which of some folds are left."""
    first, second, who, log, off, over = part.first, part.second, part.who, part.log, part.off, part.over
    mean, hs, loose_of, multiple = part.mean, part.h, part.loose, part.multiple
    m, told, span, more = multiple.shape[1], np.empty(k), np.empty(k), np.empty(k, np.bool_)
    for fold in range(len(left)):
        begin, end, margin = start[fold * k], start[fold * k + k], part.margin[fold]
        if begin == end:
            left[fold] = False
        if not left[fold] or not margin < LOOSEST:
            continue
        least_of_all = part.peak[fold] - DEEP
        sure = True
        for r in range(end - begin):
            best, least = who[fold, r], first[fold, r]
            if not least - second[fold, r] > margin:
                for c in range(k):
                    told[c], span[c] = part.head[fold, c] + log[fold, c, r], off[fold, c, r]
                    more[c] = over[fold, c, r] > FAR * FAR
                while True:
                    best = 0
                    for c in range(1, k):
                        if told[c] + span[c] > told[best] + span[best]:
                            best = c
                    if not more[best]:
                        break
                    # Far cells as they are, instead of what they would be nearer.
                    more[best] = False
                    for a in range(m):
                        h = hs[fold, a, best]
                        z = (multiple[fold, a, r] - mean[fold, a, best]) * h
                        if h <= WIDE and abs(z) > FAR:
                            middle, half = cell(z, h, loose_of[fold, a], loose_of[fold, a])
                            told[best] += middle - math.log(h) + LOG_ROOT_2PI - at_far(h)
                            span[best] += half
                least = told[best] - span[best]
                for c in range(k):
                    sure = sure and (c == best or told[c] + span[c] + margin < least)
            if not sure or not least > least_of_all:
                sure = False
                break
            found[order[begin + r]] = best
        left[fold] = not sure


@kernel
def quick_folds(
    tables: Tables, numbers: Numbers, alike: Alike, steps: Steps, logs: Vector, test_fold: Places, most: int,
    found: Matrix,
    left: npt.NDArray[np.bool_],
) -> None:  # fmt: skip
    """Write the predicted class of tested instances, and which folds are left to the slower method.

    ``most``: how many instances the largest fold tests.
    """
    y, k, folds = tables.y, len(tables.classes), left.shape[1]
    n, m, rows = len(y), len(numbers.x), tables.first[len(tables.first) - 1]
    counts, score = tables.counts.copy(), np.zeros((k, rows + 1))
    part = part_room(min(folds, TOGETHER), m, k, most)
    turn, mixed = np.zeros((m, n + 8)), np.empty(n, np.int32)
    value = np.zeros((len(tables.first) - 1, n), np.int32)
    lost, holder = np.empty((folds, m), np.int32), np.empty(n + len(alike.attribute), np.int32)
    use = np.empty((folds, m), np.int32)
    for run in range(len(test_fold)):
        own = test_fold[run]
        for i in range(n):
            mixed[i] = own[i] * k + y[i] if own[i] >= 0 else -1
        order, start = by_fold(mixed, folds * k)
        for a in range(m):
            for t in range(len(order)):
                turn[a, t] = numbers.x[a, np.uint64(order[t])]
        for j in range(len(value)):
            for t in range(len(order)):
                value[j, t] = tables.place[np.uint64(order[t]), j]
        gone(alike, own, order, start, k, lost, holder)
        left[run] = True
        steps_of_folds(numbers, alike, steps, holder, lost, use, left[run])
        known = left[run].copy()
        for base in range(0, folds, TOGETHER):
            last = min(base + TOGETHER, folds)
            some = start[base * k : last * k + 1]
            learn(len(numbers.distinct), steps, tables.classes, logs, turn, some, use[base:last], part)
            add_series(some, part)
            if rows:
                add_tables(tables.first, logs, value, some, counts, score, part)
            rank_classes(some, part)
            decide(order, some, k, part, found[run], left[run, base:last])
        for fold in range(folds):
            left[run, fold] = left[run, fold] or not known[fold]
