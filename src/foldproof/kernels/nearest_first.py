"""The class of the nearest one alone, from lists under the ranges of all data, where these settle it.

Under a fold's narrower ranges a distance is at least what it is under those of all data, and at most so many times as
much as the most narrowed attribute's squares grow. So whoever is listed farther than that stays farther; and who is as
near as the nearest need not be told apart while all of them are of one class.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foldproof.kernels.jit import kernel
from foldproof.kernels.nearest_lists import Places
from foldproof.kernels.nearest_narrow import Lists
from foldproof.kernels.nearest_ranges import GRAIN, Ints, Ranges, Space, Vector

# A key holds a position and, in its lower bits, a fold.
FOLD_BITS = 32
FOLD = (1 << FOLD_BITS) - 1
LAST = np.iinfo(np.int64).max


class Firsts(NamedTuple):
    """What the head of each list tells.

    ``who``: the nearest one, and its class as ``label``. ``reach``: how many times as far as that one is the nearest of
    another class, or the end of the list. ``tied``: how many are as near as that one, 0 where the list ends with them.
    ``other[instance, place]``: where in the list the next of another class is.
    """

    who: Places
    label: Vector
    reach: Vector
    tied: Places
    other: Places


@kernel
def firsts_of(lists: Lists, y: Ints, m: int) -> Firsts:
    """Return what the heads of lists tell; ``m``: how many attributes were summed."""
    who, distance = lists.who, lists.distance
    n, length = who.shape
    other = np.empty((n, length), np.int32)
    label, reach, tied = np.empty(n), np.empty(n), np.zeros(n, np.int32)
    for i in range(n):
        while tied[i] < length and distance[i, tied[i]] == distance[i, 0]:
            tied[i] += 1
        if tied[i] == length and not lists.whole:
            tied[i] = 0
        other[i, length - 1] = length
        for at in range(length - 2, -1, -1):
            same = y[who[i, at]] == y[who[i, at + 1]]
            other[i, at] = other[i, at + 1] if same else at + 1
        to = other[i, 0]
        far = np.inf
        if to < length:
            far = distance[i, to]
        elif not lists.whole:
            far = distance[i, length - 1]
        label[i] = y[who[i, 0]]
        reach[i] = far * (1.0 - GRAIN) / (distance[i, 0] + 4.0 * m * GRAIN)
    return Firsts(who[:, 0].copy(), label, reach, tied, other)


@kernel
def keys_of(own: Places, order: Places, keys: Ints) -> None:
    """Write the position in which a run hands over each instance, and below it the instance's fold."""
    for at in range(len(order)):
        i = order[at]
        keys[i] = at << FOLD_BITS | (np.int64(own[i]) & FOLD)


@kernel
def first_of_all(
    space: Space, lists: Lists, firsts: Firsts, own: Places, order: Places, keys: Ints, y: Ints, spread: Vector,
    ranges: Ranges, left: Ints, found: Vector,
) -> int:  # fmt: skip
    """Write the class of tested instances that have none, if settled; return how many are left, and count by fold.

    ``spread``: for each fold how many times greater distances may be than listed, 0 where the order of the list is what
    counts. ``order``, ``keys``: where instances are not in the order of the data, theirs, and what ``keys_of`` writes.
    """
    who, distance, other, shares = lists.who, lists.distance, firsts.other, space.shares
    length, m = who.shape[1], shares.shape[1]
    slack = 4.0 * m * GRAIN
    all_left = 0
    left[:] = 0
    for i in range(len(own)):
        fold = own[i]
        if fold < 0 or found[i] == found[i]:
            continue
        most = spread[fold]
        if own[firsts.who[i]] != fold and most < firsts.reach[i]:
            found[i] = firsts.label[i]
            continue
        if most == 1.0 and firsts.tied[i] > 0:
            least = LAST
            for t in range(firsts.tied[i]):
                key = keys[who[i, t]]
                least = min(least, LAST if key & FOLD == fold else key)
            if least < LAST:
                found[i] = y[order[least >> FOLD_BITS]]
                continue
        at = 0
        while at < length and own[who[i, at]] == fold:
            at += 1
        settled = at < length
        if settled:
            first = who[i, at]
            label, limit = y[first], distance[i, at]
            if most > 0.0:
                t = other[i, at]
                ranked = most == 1.0
                if ranked:
                    if t < length and distance[i, t] == limit:  # as near, and of several classes
                        t = at + 1
                elif most < np.inf:
                    limit = (limit + slack) * most
                    if t == length or distance[i, t] <= limit:
                        limit = distance[i, at]
                        for p in range(ranges.narrowed[fold]):
                            a = ranges.attribute[fold, p]
                            away = shares[i, a] - shares[first, a]
                            limit += away * away * ranges.gain[fold, p]
                        limit += limit * GRAIN * m + slack * most
                else:
                    limit = np.inf
                least = keys[first] if ranked else 0
                while t < length and distance[i, t] <= limit:
                    near = who[i, t]
                    if own[near] != fold:
                        if ranked:
                            if keys[near] < least:
                                least, label = keys[near], y[near]
                        elif y[near] != label:
                            settled = False
                            break
                    t += 1
                if t == length and not lists.whole and not distance[i, length - 1] > limit:
                    settled = False
        if settled:
            found[i] = label
        else:
            all_left += 1
            left[fold] += 1
    return all_left
