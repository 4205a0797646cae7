"""Naive Bayes with normal densities: nearly all instances, by series for the logarithm of a cell's mass.

A cell of h deviations around z has the mass h φ(z) Σ He_2j(z) (h/2)^2j / (2j+1)!, with Hermite polynomials. Narrow
cells are summed as the logarithm's own series, wider ones as a product of the sums; far out a class gets what it would
get nearer, which is more than it has. An instance is decided where one class is ahead by more than all of this is off;
fine differences are left to ``bayes_numbers``.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from foldproof.kernels.bayes_cells import LOG_ROOT_2PI, cell
from foldproof.kernels.bayes_numbers import Numbers
from foldproof.kernels.bayes_steps import Alike, Steps, gone, steps_of_folds
from foldproof.kernels.bayes_tables import Ints, Matrix, Places, Tables, Vector
from foldproof.kernels.folds import by_fold
from foldproof.kernels.jit import kernel

# Up to NARROW deviations a cell has the logarithm's series, up to WIDE the product's; above, every cell is computed.
NARROW, WIDE = 0.15, 1.0
# Series hold up to so many deviations from the mean.
FAR = 5.0
# The narrowest cells; and how far the learner's moments, or a sum of logarithms, may be off.
LEAST, LOOSEST = 1e-5, 1e-3
# How many cells of one attribute and class are kept, by their multiple.
SLOTS = 64
# A product this much (in logarithms) below the greatest cannot have lost digits to underflow.
DEEP = 300.0


class Fold(NamedTuple):
    """Room for what is learnt of a fold, attribute by class, and for its instances, class by instance.

    ``w``: how many instances each class has. ``mean``: in multiples of the precision from its centre; ``h``: one
    multiple in deviations; ``loose``: how far the learner's own mean may be off in deviations, and its deviation in
    shares. ``head`` and ``log`` add up to a sum of logarithms, ``times`` is a product still to come into it; ``over``:
    the greatest square of deviations; ``off``: how much more the cells computed one by one may be off, at most half of
    ``loosest[0]``.
    """

    w: Vector
    mean: Matrix
    h: Matrix
    loose: Vector
    multiple: Matrix
    head: Vector
    log: Matrix
    times: Matrix
    over: Matrix
    off: Matrix
    loosest: Vector
    first: Vector
    second: Vector
    who: Ints
    value: Ints
    key: Vector
    middle: Vector
    half: Vector


@kernel
def fold_room(m: int, k: int, most: int) -> Fold:
    """Return room for m numeric attributes, k classes and folds of at most so many instances."""
    size = most + 8
    each = (k, size)
    return Fold(
        np.empty(k), np.empty((m, k)), np.empty((m, k)), np.empty(m), np.empty((m, size)), np.empty(k),
        np.empty(each), np.empty(each), np.empty(each), np.empty(each), np.zeros(1), np.empty(size), np.empty(size),
        np.empty(size, np.int64), np.empty(size, np.int64), np.empty(SLOTS), np.empty(SLOTS), np.empty(SLOTS),
    )  # fmt: skip


@kernel
def learn(numbers: Numbers, steps: Steps, turn: Matrix, begins: npt.NDArray[np.intp], use: Places, room: Fold) -> float:
    """Learn one fold's moments; return how far apart two sums of logarithms must be, infinite if moments are not known.

    ``use``: the attributes' precisions. ``turn``: the values of the run's instances, fold after fold; ``begins``: where
    this fold's classes begin in it, and where the last one ends.
    """
    m, k = room.mean.shape
    begin, end = begins[0], begins[k]
    size = (end - begin + 7) // 8 * 8
    n = 0.0
    for c in range(k):
        n += room.w[c]
    grain = (n + 8.0) * 1.2e-16
    margin = 1e-9
    for a in range(m):
        at = use[a]
        d, centre = steps.size[at], steps.centre[at]
        for r in range(size):
            room.multiple[a, r] = np.rint(turn[a, begin + r] / d) - centre
        reach, steepest, series, flattest = numbers.reach[a] / d + 1.0, 0.0, 0.0, 6.0
        for c in range(k):
            one, two = steps.total[at, c], steps.squares[at, c]
            for r in range(begins[c] - begin, begins[c + 1] - begin):
                q = room.multiple[a, r]
                one -= q
                two -= q * q
            weight = max(room.w[c], 1.0)
            mean = one / weight
            h = 1.0 / math.sqrt(max(two / weight - mean * mean, 1.0 / 36.0))
            if room.w[c] < 0.5:
                room.mean[a, c], room.h[a, c] = -centre, 6.0  # as they are
                continue
            room.mean[a, c], room.h[a, c] = mean, h
            steepest, flattest = max(steepest, h), min(flattest, h)
            series = max(series, 0.12 * h**6 if h <= NARROW else 6e-7)
        # How far the learner's moments may be off, in deviations, and the precision in its last bits.
        loose = reach * steepest * (grain * (2.0 + 2.0 * reach * steepest) + 1e-15 * len(numbers.distinct))
        room.loose[a] = loose
        # The series' ends, the learner's subtraction of numbers near 1 at FAR, and what its moments make of both.
        margin += 2.0 * (series + 3e-10 / flattest + 40.0 * loose)
        if not (loose < LOOSEST and d > 1e-9 and flattest > LEAST):
            margin = np.inf
    return margin


@kernel
def add_series(count: int, room: Fold) -> float:
    """Add up logarithms of cells for the instances of a fold; return the greatest sum there may be.

    Sums leave out what the first class's cells are high in the middle.
    """
    m, k = room.mean.shape
    size = (count + 7) // 8 * 8
    multiple, log, times, over, off = room.multiple, room.log, room.times, room.over, room.off
    log[:, :size], times[:, :size], over[:, :size], off[:, :size] = 0.0, 1.0, 0.0, 0.0
    rise = np.ones(k + 1)
    peak, loosest = 0.0, 0.0
    wide = False
    for a in range(m):
        unit = 1.0 / room.h[a, 0]
        steepest = 1.0
        for c in range(k):
            rise[c] *= room.h[a, c] * unit
            steepest = max(steepest, room.h[a, c] * unit)
        rise[k] *= steepest
        if a % 16 == 15 or a == m - 1:
            for c in range(k):
                room.head[c] += math.log(rise[c])
            peak += math.log(rise[k])
            rise[:] = 1.0
        for c in range(k):
            mean, h = room.mean[a, c], room.h[a, c]
            g = h * h
            if h <= NARROW:
                b0 = g * (g * (1.0 / 1440.0) - 1.0 / 24.0)
                b1 = g * (1.0 / 24.0 - g * (1.0 / 720.0)) - 0.5
                b2 = g * g * (-1.0 / 2880.0)
                for r in range(size):
                    z = multiple[a, r] - mean
                    u = z * z * g
                    over[c, r] = max(over[c, r], u)
                    u = min(u, FAR * FAR)
                    log[c, r] += b0 + u * (b1 + u * b2)
            elif h <= WIDE:
                wide = True
                e1 = g / 24.0
                e2, e3 = e1 * g / 80.0, e1 * g * g / 13440.0
                e4, e5 = e3 * g / 288.0, e3 * g * g / 126720.0
                b0 = 1.0 - e1 + 3.0 * e2 - 15.0 * e3 + 105.0 * e4 - 945.0 * e5
                b1 = e1 - 6.0 * e2 + 45.0 * e3 - 420.0 * e4 + 4725.0 * e5
                b2 = e2 - 15.0 * e3 + 210.0 * e4 - 3150.0 * e5
                b3, b4 = e3 - 28.0 * e4 + 630.0 * e5, e4 - 45.0 * e5
                for r in range(size):
                    z = multiple[a, r] - mean
                    u = z * z * g
                    over[c, r] = max(over[c, r], u)
                    u = min(u, FAR * FAR)
                    log[c, r] -= 0.5 * u
                    times[c, r] *= b0 + u * (b1 + u * (b2 + u * (b3 + u * (b4 + u * e5))))
            else:
                rest = LOG_ROOT_2PI - math.log(h)
                room.key[:] = np.nan
                for r in range(count):
                    q = multiple[a, r]
                    slot = np.int64(q) & (SLOTS - 1)
                    if room.key[slot] != q:
                        room.key[slot] = q
                        room.middle[slot], room.half[slot] = cell((q - mean) * h, h, room.loose[a], room.loose[a])
                    log[c, r] += room.middle[slot] + rest
                    off[c, r] += room.half[slot]
                    loosest = max(loosest, off[c, r])
    if wide:
        for c in range(k):
            for r in range(size):
                log[c, r] += math.log(times[c, r])
    room.loosest[0] = 2.0 * loosest
    return peak


@kernel
def add_tables(tables: Tables, score: Matrix, order: npt.NDArray[np.intp], room: Fold) -> None:
    """Add the nominal attributes' logarithms for instances ``order``; ``score[class, value]``."""
    for j in range(tables.place.shape[1]):
        for r in range(len(order)):
            room.value[r] = tables.place[order[r], j]
        for c in range(len(score)):
            for r in range(len(order)):
                room.log[c, r] += score[c, room.value[r]]


@kernel
def rank_classes(count: int, room: Fold) -> None:
    """Write for each instance which class has the greatest sum, that sum, the next greatest, and how far it is over."""
    first, second, who, over = room.first, room.second, room.who, room.over
    first[:count], second[:count], who[:count] = -np.inf, -np.inf, 0
    for c in range(len(room.log)):
        head = room.head[c]
        for r in range(count):
            total = room.log[c, r] + head
            greater = total > first[r]
            second[r] = max(second[r], first[r] if greater else total)
            who[r] = c if greater else who[r]
            first[r] = total if greater else first[r]
    for r in range(count):
        first[r] = first[r] if over[who[r], r] <= FAR * FAR else -np.inf


@kernel
def nearer(room: Fold, c: int, r: int) -> tuple[float, float]:
    """Return the logarithm for one class and instance, far cells as they are, and by how much it may be off."""
    log, off = room.head[c] + room.log[c, r], room.off[c, r]
    for a in range(len(room.loose)):
        h = room.h[a, c]
        z = (room.multiple[a, r] - room.mean[a, c]) * h
        if h <= WIDE and abs(z) > FAR:
            middle, half = cell(z, h, room.loose[a], room.loose[a])
            instead, more = cell(-FAR, h, room.loose[a], room.loose[a])
            log += middle - instead
            off += half + more
    return log, off


@kernel
def ahead(room: Fold, r: int, margin: float) -> tuple[int, float]:
    """Return the class that is ahead of all others, whatever these are off, and its logarithm; -1 if there is none."""
    best, least, top, next_ = -1, -np.inf, -np.inf, -np.inf
    for c in range(len(room.log)):
        log, off = room.head[c] + room.log[c, r], room.off[c, r]
        if room.over[c, r] > FAR * FAR:
            log, off = nearer(room, c, r)
        if log - off > least:
            next_ = max(next_, top)
            best, least, top = c, log - off, log + off
        else:
            next_ = max(next_, log + off)
    return (best if next_ + margin < least else -1), least


@kernel
def quick_folds(
    tables: Tables, numbers: Numbers, alike: Alike, steps: Steps, logs: Vector, test_fold: Places, most: int,
    found: Matrix, left: npt.NDArray[np.bool_],
) -> None:  # fmt: skip
    """Write the predicted class of tested instances, and which folds are left to the slower method.

    ``most``: how many instances the largest fold tests.
    """
    place, first, y = tables.place, tables.first, tables.y
    k, n, folds = len(tables.classes), len(y), left.shape[1]
    m, nominal, rows = len(numbers.x), len(first) - 1, first[len(first) - 1]
    counts, score = tables.counts.copy(), np.zeros((k, rows + 1))
    room = fold_room(m, k, most)
    turn = np.zeros((m, n + 8))
    mixed = np.empty(n, np.int32)
    lost, holder = np.empty((folds, m), np.int32), np.empty(n + len(alike.attribute), np.int32)
    prior = np.empty(k)
    use, sure_of = np.empty((folds, m), np.int32), np.empty(folds, np.bool_)
    for run in range(len(test_fold)):
        own = test_fold[run]
        for i in range(n):
            mixed[i] = own[i] * k + y[i] if own[i] >= 0 else -1
        order, start = by_fold(mixed, folds * k)
        for a in range(m):
            for t in range(len(order)):
                turn[a, t] = numbers.x[a, order[t]]
        gone(alike, own, order, start, k, lost, holder)
        steps_of_folds(numbers, alike, steps, holder, lost, use, sure_of)
        for fold in range(folds):
            begins = start[fold * k : fold * k + k + 1]
            begin, count = begins[0], begins[k] - begins[0]
            if count == 0:
                continue
            left[run, fold] = True
            for c in range(k):
                room.w[c] = tables.classes[c] - (begins[c + 1] - begins[c])
                prior[c] = logs[np.int64(room.w[c]) + 1]
                room.head[c] = prior[c]
            if not sure_of[fold]:
                continue
            margin = learn(numbers, steps, turn, begins, use[fold], room)
            if not margin < LOOSEST:
                continue
            peak = add_series(count, room)
            for c in range(k if nominal else 0):
                for r in range(begins[c], begins[c + 1]):
                    for j in range(nominal):
                        counts[place[order[r], j], c] -= 1
            for j in range(nominal):
                for c in range(k):
                    known = first[j + 1] - first[j]
                    for t in range(first[j], first[j + 1]):
                        known += counts[t, c]
                    for t in range(first[j], first[j + 1]):
                        score[c, t] = logs[counts[t, c] + 1] - logs[known]
            if nominal:
                for c in range(k):
                    for r in range(begins[c], begins[c + 1]):
                        for j in range(nominal):
                            counts[place[order[r], j], c] += 1
                add_tables(tables, score, order[begin : begin + count], room)
            rank_classes(count, room)
            top = peak + prior.max() - DEEP
            sure = True
            for r in range(count):
                best, least = room.who[r], room.first[r]
                if not least - room.second[r] > margin + room.loosest[0]:
                    best, least = ahead(room, r, margin)
                    if best < 0:
                        sure = False
                        break
                if not least > top:
                    sure = False
                    break
                found[run, order[begin + r]] = best
            left[run, fold] = not sure
