"""Nearest neighbours of a fold whose ranges are narrower than those of all data.

The hot loop passes no arrays to other functions: numba counts references each time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from foldproof.kernels.jit import kernel
from foldproof.kernels.nearest import _scaled
from foldproof.kernels.nearest_lists import NUMERIC, Matrix, Places, alone
from foldproof.kernels.nearest_ranges import GRAIN, Ints, Narrow, Space, Vector, _ratio, look_at_all, settle


class Lists(NamedTuple):
    """Each instance's nearest others, by distance and then by position; ``whole``: all of them."""

    who: Places
    distance: Matrix
    whole: bool


class Vote(NamedTuple):
    """How neighbours vote, as in ``kernels.nearest.votes``."""

    k: int
    all_tied: bool
    cumulative: bool


class Election(NamedTuple):
    """Room for candidates, their distances, the k least and the votes; and everybody's class."""

    far: Vector
    who: Places
    distance: Vector
    votes: Ints
    y: Ints


@kernel
def most(votes: Ints) -> int:
    """Return the first class with the most votes."""
    best = 0
    for c in range(1, len(votes)):
        if votes[c] > votes[best]:
            best = c
    return best


@kernel
def first_by(who: Places, tied: int, room: int, rank: Ints, y: Ints, votes: Ints) -> None:
    """Let the first ``room`` of ``tied`` vote, by rank where there is one, else by position."""
    if room == 1:
        first = who[0]
        for at in range(1, tied):
            other = who[at]
            if (rank[other] < rank[first]) if len(rank) else (other < first):
                first = other
        votes[y[first]] += 1
        return
    by = rank[who[:tied]] if len(rank) else who[:tied].astype(np.int64)
    order = np.argsort(by)
    for at in range(room):
        votes[y[who[order[at]]]] += 1


@kernel
def elected(election: Election, count: int, k: int, all_tied: bool, rank: Ints) -> int:
    """Return the first class with the most votes of the k nearest among some candidates."""
    who, votes, y = election.who, election.votes, election.y
    farthest, room, tied = election.far[k - 1], k, 0
    votes[:] = 0
    for at in range(count):
        if election.distance[at] < farthest:
            votes[y[who[at]]] += 1
            room -= 1
        elif election.distance[at] == farthest:
            who[tied] = who[at]
            tied += 1
    if all_tied or tied <= room:
        for at in range(tied):
            votes[y[who[at]]] += 1
    else:
        first_by(who, tied, room, rank, y, votes)
    return most(votes)


@kernel
def narrow_fold(
    space: Space, lists: Lists, own: Places, rows: npt.NDArray[np.intp], left: int, fold: Narrow, count: int,
    query: Narrow, vote: Vote, rank: Ints, election: Election, found: Vector,
) -> int:  # fmt: skip
    """Write the classes predicted for ``rows``, the instances of one fold; return how often a list ran out.

    ``left``: how many of them have none.

    ``fold``: the ``count`` ranges of its training set that are not those of all data. With cumulative ranges they are
    widened on the way. Instances for which no range is narrower any more are passed over, as are those with a class.
    """
    raw, shares, kind, slack = space.raw, space.shares, space.kind, space.slack
    near, listed = lists.who, lists.distance
    attribute, lows, highs, gains, ratios = query.attribute, query.low, query.high, query.gain, query.ratio
    far, who, distance, y = election.far, election.who, election.distance, election.y
    n, length = near.shape
    k = min(vote.k, n - len(rows))
    ran_out = 0
    for i in rows:
        if left == 0:
            break
        if found[i] == found[i]:
            if vote.cumulative:
                for p in range(count):
                    a = fold.attribute[p]
                    v = raw[i, a]
                    if v < fold.low[p] or v > fold.high[p]:
                        fold.low[p], fold.high[p] = min(fold.low[p], v), max(fold.high[p], v)
                        whole = space.high[a] - space.low[a]
                        fold.ratio[p], fold.gain[p] = _ratio(whole, fold.low[p], fold.high[p], slack)
            continue
        left -= 1
        # The ranges for this instance, by how much a distance may be less under them, and what rounding may do to it.
        active, give, loose = 0, 0.0, float(len(kind))
        for p in range(count):
            a = fold.attribute[p]
            v, low, high, gain, ratio = raw[i, a], fold.low[p], fold.high[p], fold.gain[p], fold.ratio[p]
            if low == space.low[a] and high == space.high[a]:
                continue
            if v < low or v > high:
                low, high = min(low, v), max(high, v)
                ratio, gain = _ratio(space.high[a] - space.low[a], low, high, slack)
                if vote.cumulative:
                    fold.low[p], fold.high[p], fold.gain[p], fold.ratio[p] = low, high, gain, ratio
                if low == space.low[a] and high == space.high[a]:
                    continue
            attribute[active], lows[active], highs[active] = a, low, high
            gains[active], ratios[active] = gain, ratio
            if gain < 0.0:
                give += 1.0
            elif kind[a] != NUMERIC:
                if v == v:
                    give += max(0.0, alone(shares[i, a]) - alone(_scaled(v, low, high, slack)))
                else:
                    give += 2.0 * max(low - space.low[a], space.high[a] - high) / (space.high[a] - space.low[a])
            loose += ratio
            active += 1
        if active == 0:
            continue
        loose *= GRAIN
        give += loose
        candidates, filled, limit = 0, 0, np.inf
        sure = lists.whole
        for at in range(length):
            d = listed[i, at]
            if d - give > limit:
                sure = True
                break
            other = near[i, at]
            if own[other] == own[i]:
                continue
            for p in range(active):
                a = attribute[p]
                x, b = shares[i, a], shares[other, a]
                away = x - b
                if away == away:
                    d += away * away * gains[p]
                elif x == x:
                    d += alone(_scaled(raw[i, a], lows[p], highs[p], slack)) - alone(x)
                elif b == b:
                    d += alone(_scaled(raw[other, a], lows[p], highs[p], slack)) - alone(b)
            if d > limit:
                continue
            who[candidates], distance[candidates] = other, d
            candidates += 1
            if filled < k or d < far[k - 1]:
                place = min(filled, k - 1)
                while place > 0 and far[place - 1] > d:
                    far[place] = far[place - 1]
                    place -= 1
                far[place] = d
                filled = min(filled + 1, k)
                if filled == k:
                    limit = far[k - 1] * (1.0 + 4.0 * GRAIN) + 4.0 * loose
        if not sure or filled < k:
            ran_out += 1
            candidates = look_at_all(space, own, i, query, active, far[:k], who, distance)
        elif candidates == 1:
            found[i] = y[who[0]]
            continue
        else:
            candidates = settle(space, i, query, active, loose, far[:k], who, distance, candidates)
        found[i] = elected(election, candidates, k, vote.all_tied, rank)
    return ran_out
