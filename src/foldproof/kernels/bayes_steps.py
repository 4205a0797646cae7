"""What a fold's rounding makes of numbers: its precision, and sums of multiples of it, kept from fold to fold.

The precision is the mean gap of the training fold's distinct values. It hangs on how many values the fold holds all of,
and on whether the outermost are among them, which takes few forms; so sums over all data are found once for each form
and the few instances of the fold are subtracted. Only where a value lies half between two multiples does the last bit
of the precision count; then gaps are summed one by one, as the learner sums them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from foldproof.kernels.bayes_numbers import Numbers
from foldproof.kernels.bayes_tables import Ints, Matrix, Places, Vector
from foldproof.kernels.jit import kernel

# How many of the outermost values at either end a fold may hold all of; beyond it is left to the slower method.
ENDS = 5
# For how many folds gaps are summed side by side.
LANES = 16


class Alike(NamedTuple):
    """Which instances share a value.

    ``who``: for each distinct value the instance that alone has it, or the number of instances plus the value's group.
    ``single[instance, attribute]``: 1 where no other has the value. ``member``: the instances of each group, which
    begin at ``start[group]``, and the group's ``attribute``. ``whole``: attributes whose values are whole numbers.
    """

    who: Places
    single: Places
    member: Places
    start: Ints
    attribute: Ints
    whole: npt.NDArray[np.bool_]


class Steps(NamedTuple):
    """What is known under each precision that came up; the first ones are the attributes' own, of all data.

    ``size`` is the precision, ``share`` one over it, ``reach`` the greatest magnitude in multiples and one more.
    ``centre``: a multiple in the middle, from which multiples are counted. ``total``, ``squares``: of the multiples of
    all data, by class. ``divide``: whether a value may lie half between two multiples, and ``half``: whether the
    precision is not known to the last bit then; ``after`` is the first of a chain of exact ones.
    ``found[attribute, lowest gone, highest gone, gone]``: which one that is. ``used``: how many there are.
    """

    size: Vector
    share: Vector
    reach: Vector
    centre: Vector
    total: Matrix
    squares: Matrix
    half: npt.NDArray[np.bool_]
    divide: npt.NDArray[np.bool_]
    after: Ints
    found: npt.NDArray[np.int32]
    used: Ints


@kernel
def enter(numbers: Numbers, steps: Steps, a: int, d: float, exact: bool) -> np.int64:
    """Sum all data under one precision of an attribute; return where that stands, or -1 where there is no room."""
    at = np.int64(steps.used[0])
    if at == len(steps.size):
        return np.int64(-1)
    steps.used[0] = at + 1
    column, ends, begin, end = numbers.by_class[a], numbers.ends, numbers.first[a], numbers.first[a + 1]
    centre = np.rint(0.5 * (numbers.distinct[begin] + numbers.distinct[end - 1]) / d)
    slack = (end - begin + 8.0) * 5e-16 * numbers.reach[a] / d
    divide = False
    for c in range(steps.total.shape[1]):
        one, two, near = np.int64(0), np.int64(0), 0
        for t in range(ends[c], ends[c + 1]):
            ratio = column[t] / d
            q = np.rint(ratio)
            near += abs(ratio - q) > 0.5 - slack
            whole = np.int64(q - centre)
            one += whole
            two += whole * whole
        steps.total[at, c], steps.squares[at, c] = one, two
        divide = divide or near > 0
    steps.size[at], steps.share[at], steps.reach[at] = d, 1.0 / d, numbers.reach[a] / d + 1.0
    steps.centre[at], steps.divide[at] = centre, divide
    steps.half[at], steps.after[at] = divide and not exact, -1
    return at


@kernel
def steps_room(numbers: Numbers, k: int, room: int, most_gone: int) -> Steps:
    """Return room for so many precisions, with those of all data entered."""
    m = len(numbers.x)
    steps = Steps(
        np.empty(room), np.empty(room), np.empty(room), np.empty(room), np.empty((room, k)), np.empty((room, k)),
        np.zeros(room, np.bool_), np.zeros(room, np.bool_), np.full(room, -1, np.int64),
        np.full((m, ENDS, ENDS, most_gone), -1, np.int32), np.zeros(1, np.int64),
    )  # fmt: skip
    for a in range(m):
        enter(numbers, steps, a, numbers.precision[a], True)
    return steps


@kernel
def gone(alike: Alike, own: Places, order: npt.NDArray[np.intp], start: npt.NDArray[np.intp], k: int, lost: Places,
         holder: Places) -> None:  # fmt: skip
    """Count the values of each attribute that each fold holds all of; ``holder``: by ``Alike.who``, the fold, or -1.

    ``order``, ``start``: the tested instances by fold, and in it by one of k classes.
    """
    n, m = alike.single.shape
    holder[:n] = own
    for fold in range(len(lost)):
        for a in range(m):
            lost[fold, a] = 0
        for r in range(start[fold * k], start[fold * k + k]):
            i = order[r]
            for a in range(m):
                lost[fold, a] += alike.single[i, a]
    for group in range(len(alike.attribute)):
        begin, end = alike.start[group], alike.start[group + 1]
        fold = own[np.uint64(alike.member[np.uint64(begin)])]
        for t in range(begin + 1, end):
            if own[np.uint64(alike.member[np.uint64(t)])] != fold:
                fold = -1
                break
        holder[n + group] = fold
        if fold >= 0:
            lost[fold, alike.attribute[group]] += 1


@kernel
def _summed(distinct: Vector, who: Places, holder: Places, base: int, total: Vector, before: Vector) -> None:
    """Sum gaps one by one, side by side for LANES folds from ``base`` on; ``before``: each fold's least value."""
    total[:] = 0.0
    for v in range(0, len(distinct) - 3, 4):
        x0, x1, x2, x3 = distinct[v], distinct[v + 1], distinct[v + 2], distinct[v + 3]
        f0, f1 = holder[who[v]] - base, holder[who[v + 1]] - base
        f2, f3 = holder[who[v + 2]] - base, holder[who[v + 3]] - base
        for lane in range(LANES):
            b, t = before[lane], total[lane]
            t += x0 - b if f0 != lane else 0.0
            b = x0 if f0 != lane else b
            t += x1 - b if f1 != lane else 0.0
            b = x1 if f1 != lane else b
            t += x2 - b if f2 != lane else 0.0
            b = x2 if f2 != lane else b
            t += x3 - b if f3 != lane else 0.0
            before[lane] = x3 if f3 != lane else b
            total[lane] = t
    for v in range(len(distinct) // 4 * 4, len(distinct)):
        x, f = distinct[v], holder[who[v]] - base
        for lane in range(LANES):
            if f != lane:
                total[lane] += x - before[lane]
                before[lane] = x


@kernel
def steps_of_folds(
    numbers: Numbers, alike: Alike, steps: Steps, holder: Places, lost: Places, use: Places,
    sure: npt.NDArray[np.bool_],
) -> None:  # fmt: skip
    """Write which precision each attribute has in each fold, and for which folds all could be told."""
    first, distinct, who = numbers.first, numbers.distinct, alike.who
    folds = len(lost)
    lowest, total, before = np.empty(folds), np.empty(LANES), np.empty(LANES)
    sure[:] = True
    for a in range(len(first) - 1):
        begin, end = first[a], first[a + 1]
        halves = 0
        for fold in range(folds):
            use[fold, a] = a
            many = lost[fold, a]
            if many == 0:
                continue
            low, high = begin, end - 1
            while low < high and holder[who[low]] == fold:
                low += 1
            while high > low and holder[who[high]] == fold:
                high -= 1
            if low - begin >= ENDS or end - 1 - high >= ENDS or many >= steps.found.shape[3]:
                sure[fold] = False
                continue
            at = np.int64(steps.found[a, low - begin, end - 1 - high, many])
            if at < 0:
                gaps = end - begin - many - 1
                d = (distinct[high] - distinct[low]) / gaps if gaps > 0 else 0.01
                at = enter(numbers, steps, a, d, gaps < 1 or alike.whole[a])
                if at < 0:
                    sure[fold] = False
                    continue
                steps.found[a, low - begin, end - 1 - high, many] = at
            use[fold, a] = at
            halves += steps.half[at]
            lowest[fold] = distinct[low]
        if halves == 0:
            continue
        for base in range(0, folds, LANES):
            last = min(base + LANES, folds)
            some = False
            before[:] = distinct[begin]
            for fold in range(base, last):
                if sure[fold] and steps.half[use[fold, a]]:
                    before[fold - base] = lowest[fold]
                    some = True
            if not some:
                continue
            _summed(distinct[begin:end], who[begin:end], holder, base, total, before)
            for fold in range(base, last):
                rough = np.int64(use[fold, a])
                if not sure[fold] or not steps.half[rough]:
                    continue
                d = total[fold - base] / (end - begin - lost[fold, a] - 1)
                exact = steps.after[rough]
                while exact >= 0 and steps.size[exact] != d:
                    exact = steps.after[exact]
                if exact < 0:
                    exact = enter(numbers, steps, a, d, True)
                    if exact < 0:
                        sure[fold] = False
                        continue
                    steps.after[exact], steps.after[rough] = steps.after[rough], exact
                use[fold, a] = exact
