"""Nearest neighbours of all folds from one list per instance, under the ranges that each fold and query have.

A fold's ranges are those of its training instances, widened by the instance that is classified (and by those before
it). Where they are the ranges of all data, the listed distances are the distances. Elsewhere a list's distance, less
what a missing value may make of it, is a lower bound: numbers in a narrower range are farther apart. The list is
walked, distances computed, and the walk ends when the bound passes the k-th nearest; where a list runs out before that,
all instances are looked at.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from foldproof.kernels.folds import by_fold
from foldproof.kernels.jit import kernel
from foldproof.kernels.nearest import _scaled
from foldproof.kernels.nearest_lists import NOMINAL, NUMERIC, Kinds, Matrix, Places, alone

Vector = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# What rounding may do to a bound, relatively and per attribute.
GRAIN = 1e-12


class Space(NamedTuple):
    """The instances: as they are, and with numbers as shares of the ranges ``low`` to ``high`` of all data.

    ``lowest``, ``highest``: the instances with the least and the greatest values of each attribute, outermost first,
    -1 where there are no more; ``depth``: how many known values an attribute has.
    """

    raw: Matrix
    shares: Matrix
    kind: Kinds
    low: Vector
    high: Vector
    lowest: Places
    highest: Places
    depth: Ints


class Lists(NamedTuple):
    """Each instance's nearest others; ``whole``: all of them."""

    who: Places
    distance: Matrix
    whole: bool


class Vote(NamedTuple):
    """How neighbours vote, as in ``kernels.nearest.votes``."""

    k: int
    all_tied: bool
    slack: float
    cumulative: bool


class Narrow(NamedTuple):
    """The attributes whose range is not that of all data, ascending, for one fold and then for one query.

    ``asked``: the query in its range; ``gain``: by how much a squared difference grows, in units of itself.
    """

    attribute: Ints
    low: Vector
    high: Vector
    asked: Vector
    gain: Vector


@kernel
def _outermost(space: Space, own: Places, fold: int, a: int, ends: Places, none: float) -> float:
    """Return the least (or greatest) value of an attribute outside a fold."""
    for t in range(min(ends.shape[1], space.depth[a])):
        i = ends[a, t]
        if own[i] != fold:
            return float(space.raw[i, a])
    found = none
    if space.depth[a] > ends.shape[1]:
        for i in range(len(own)):
            v = space.raw[i, a]
            if own[i] != fold and v == v and (v < found if none > 0.0 else v > found):
                found = v
    return found


@kernel
def _narrowed(space: Space, own: Places, fold: int, low_fold: Ints, high_fold: Ints, slack: float, out: Narrow) -> int:
    """Write the ranges of a fold's training instances where they are not those of all; return how many."""
    count = 0
    for a in range(len(space.kind)):
        if low_fold[a] != fold and high_fold[a] != fold:
            continue
        low, high = space.low[a], space.high[a]
        if low_fold[a] == fold:
            low = _outermost(space, own, fold, a, space.lowest, np.inf)
        if high_fold[a] == fold:
            high = _outermost(space, own, fold, a, space.highest, -np.inf)
        if low != space.low[a] or high != space.high[a]:
            out.attribute[count], out.low[count], out.high[count] = a, low, high
            count += 1
    return count


@kernel
def _for_query(space: Space, i: int, fold: Narrow, count: int, vote: Vote, out: Narrow) -> tuple[int, float]:
    """Write the ranges that are still narrower once they hold the query; also return what a bound must give way.

    With cumulative ranges the fold's own are widened.
    """
    active, give = 0, 0.0
    for p in range(count):
        a = fold.attribute[p]
        v = space.raw[i, a]
        low, high = fold.low[p], fold.high[p]
        if v == v:
            low, high = min(low, v), max(high, v)
            if vote.cumulative:
                fold.low[p], fold.high[p] = low, high
        if low == space.low[a] and high == space.high[a]:
            continue
        whole, width = space.high[a] - space.low[a], high - low
        out.attribute[active], out.low[active], out.high[active] = a, low, high
        out.asked[active] = _scaled(v, low, high, vote.slack) if v == v else np.nan
        if not width > 0.0 or width < vote.slack:
            out.gain[active] = 0.0
            give += 1.0
        else:
            out.gain[active] = ((whole / width) * (whole / width) - 1.0) * (1.0 - GRAIN)
            if space.kind[a] != NUMERIC:
                if v == v:
                    give += max(0.0, alone(space.shares[i, a]) - alone(out.asked[active]))
                else:
                    give += 2.0 * max(low - space.low[a], space.high[a] - high) / whole
        active += 1
    return active, give


@kernel
def _estimate(space: Space, i: int, other: int, query: Narrow, active: int) -> float:
    """Return by how much a distance grows at least where ranges are narrower, but for what a bound gives way."""
    more = 0.0
    for p in range(active):
        d = space.shares[i, query.attribute[p]] - space.shares[other, query.attribute[p]]
        if d == d:
            more += d * d * query.gain[p]
    return more


@kernel
def _between(space: Space, i: int, other: int, query: Narrow, active: int, slack: float, limit: float) -> float:
    """Return the distance under the query's ranges, to the last bit; infinite where it passes the limit."""
    total = 0.0
    p = 0
    for a in range(len(space.kind)):
        x, b = space.shares[i, a], space.shares[other, a]
        if space.kind[a] == NOMINAL:
            total += 0.0 if x == b else 1.0
        else:
            if p < active and query.attribute[p] == a:
                x = query.asked[p]
                if b == b:
                    b = _scaled(space.raw[other, a], query.low[p], query.high[p], slack)
                p += 1
            d = x - b
            if d == d:
                total += d * d
            elif x == x:
                total += alone(x)
            elif b == b:
                total += alone(b)
            else:
                total += 1.0
        if total > limit:
            return np.inf
    return total


@kernel
def _keep(far: Vector, filled: int, d: float) -> int:
    """Insert a distance among the k least; return how many are kept."""
    k = len(far)
    if filled == k:
        if d >= far[k - 1]:
            return filled
        filled -= 1
    at = filled
    while at > 0 and far[at - 1] > d:
        far[at] = far[at - 1]
        at -= 1
    far[at] = d
    return filled + 1


@kernel
def _look(
    space: Space, lists: Lists, own: Places, i: int, query: Narrow, active: int, give: float, vote: Vote,
    far: Vector, who: Places, distance: Vector,
) -> tuple[int, int, bool]:  # fmt: skip
    """Write candidates among which the voters are; return how many, how many of the k are found, and whether sure."""
    fold = own[i]
    count, filled = 0, 0
    k = len(far)
    give += GRAIN * len(space.kind) if active else 0.0
    share = 1.0 - GRAIN if active else 1.0
    limit, bound = np.inf, 0.0
    for at in range(lists.who.shape[1]):
        bound = lists.distance[i, at] * share - give
        if bound > limit:
            return count, filled, True
        other = lists.who[i, at]
        if own[other] == fold:
            continue
        d = lists.distance[i, at]
        if active:
            if bound + _estimate(space, i, other, query, active) > limit:
                continue
            d = _between(space, i, other, query, active, vote.slack, limit)
            if d > limit:
                continue
        who[count], distance[count] = other, d
        count += 1
        filled = _keep(far, filled, d)
        if filled == k:
            limit = far[k - 1]
    return count, filled, lists.whole or bound > limit


@kernel
def _look_at_all(
    space: Space, own: Places, i: int, query: Narrow, active: int, slack: float, far: Vector, who: Places,
    distance: Vector,
) -> tuple[int, int]:  # fmt: skip
    """Do the same without a list."""
    count, filled, limit = 0, 0, np.inf
    for other in range(len(own)):
        if own[other] != own[i]:
            d = _between(space, i, other, query, active, slack, limit)
            if d <= limit and d < np.inf:
                who[count], distance[count] = other, d
                count += 1
                filled = _keep(far, filled, d)
                if filled == len(far):
                    limit = far[filled - 1]
    return count, filled


@kernel
def _elected(
    who: Places, distance: Vector, count: int, farthest: float, k: int, all_tied: bool, rank: Places, y: Ints,
    votes: Ints,
) -> int:  # fmt: skip
    """Return the first class with the most votes; among the farthest, the first by rank vote (or by position)."""
    votes[:] = 0
    room, tied = k, 0
    for at in range(count):
        if distance[at] < farthest:
            votes[y[who[at]]] += 1
            room -= 1
        elif distance[at] == farthest:
            who[tied] = who[at]
            tied += 1
    if all_tied or tied <= room:
        for at in range(tied):
            votes[y[who[at]]] += 1
    elif room == 1:
        first = who[0]
        for at in range(1, tied):
            other = who[at]
            if (rank[other] < rank[first]) if len(rank) else (other < first):
                first = other
        votes[y[first]] += 1
    else:
        by = rank[who[:tied]] if len(rank) else who[:tied].copy()
        order = np.argsort(by)
        for at in range(room):
            votes[y[who[order[at]]]] += 1
    best = 0
    for c in range(1, len(votes)):
        if votes[c] > votes[best]:
            best = c
    return best


@kernel
def nearest_folds(
    space: Space, lists: Lists, y: Ints, n_classes: int, test_fold: Places, rank: Places, vote: Vote, found: Matrix
) -> int:
    """Write the predicted class of every tested instance; return how often a list ran out.

    ``rank[run, instance]``: the position of the instance in the order in which a run hands them over; no rows where
    that is the order of the data.
    """
    n, m = space.raw.shape
    folds = test_fold.max() + 1
    length = lists.who.shape[1]
    ordered = len(rank) > 0
    simple = vote.k == 1 and not vote.all_tied and not ordered
    ran_out = 0
    low_fold, high_fold, narrow = np.empty(m, np.int64), np.empty(m, np.int64), np.empty(folds, np.bool_)
    of_fold = Narrow(np.empty(m, np.int64), np.empty(m), np.empty(m), np.empty(m), np.empty(m))
    query = Narrow(np.empty(m, np.int64), np.empty(m), np.empty(m), np.empty(m), np.empty(m))
    who, distance, votes = np.empty(n, np.int32), np.empty(n), np.empty(n_classes, np.int64)
    for run in range(len(test_fold)):
        own = test_fold[run]
        ranks = rank[run] if ordered else own[:0]
        narrow[:] = False
        complicated = not simple
        for a in range(m):
            low_fold[a], high_fold[a] = -1, -1
            width = space.high[a] - space.low[a]
            if space.kind[a] != NOMINAL and width > 0.0 and not width < vote.slack:
                low_fold[a], high_fold[a] = own[space.lowest[a, 0]], own[space.highest[a, 0]]
                for fold in (low_fold[a], high_fold[a]):
                    if fold >= 0:
                        narrow[fold] = True
                        complicated = True
        if simple:
            for i in range(n):
                if own[i] < 0 or narrow[own[i]]:
                    continue
                at = 0
                while at < length and own[lists.who[i, at]] == own[i]:
                    at += 1
                if at < length:
                    found[run, i] = y[lists.who[i, at]]
                else:
                    complicated = True
        if not complicated:
            continue
        members, start = by_fold(own, folds)
        for fold in range(folds):
            rows = members[start[fold] : start[fold + 1]]
            far = np.empty(min(vote.k, n - len(rows)))
            count = 0
            if narrow[fold]:
                count = _narrowed(space, own, fold, low_fold, high_fold, vote.slack, of_fold)
                if ordered and vote.cumulative:
                    rows = rows[np.argsort(ranks[rows])]
            for i in rows:
                if simple and not narrow[fold] and found[run, i] == found[run, i]:
                    continue
                active, give = 0, 0.0
                if count:
                    active, give = _for_query(space, i, of_fold, count, vote, query)
                candidates, filled, sure = _look(space, lists, own, i, query, active, give, vote, far, who, distance)
                if not sure or filled < len(far):
                    ran_out += 1
                    candidates, filled = _look_at_all(space, own, i, query, active, vote.slack, far, who, distance)
                found[run, i] = _elected(
                    who, distance, candidates, far[filled - 1], len(far), vote.all_tied, ranks, y, votes
                )
    return ran_out
