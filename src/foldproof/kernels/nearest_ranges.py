"""Distances under ranges that are narrower than those of all data.

A fold's ranges are those of its training instances, widened by the instance that is classified (and by those before
it). A distance there is that under the ranges of all data, plus what a few attributes add, up to rounding; and never
less than it, but for what a missing value may make of it. So a list under the ranges of all data is walked with
approximate distances until the bound passes; only those too close to call are summed as a plain search sums them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from foldproof.kernels.jit import kernel
from foldproof.kernels.nearest import _scaled
from foldproof.kernels.nearest_lists import NOMINAL, NUMERIC, Kinds, Matrix, Places, alone

Vector = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# A hundred times what rounding does to a share of a range; it is multiplied by how much narrower the range is.
GRAIN = 1e-13


class Space(NamedTuple):
    """The instances: as they are, and with numbers as shares of the ranges ``low`` to ``high`` of all data.

    ``lowest``, ``highest``: the instances with the least and the greatest values of each attribute, outermost first;
    ``depth``: how many known values an attribute has. ``slack``: a range narrower than this has no width.
    """

    raw: Matrix
    shares: Matrix
    kind: Kinds
    low: Vector
    high: Vector
    lowest: Places
    highest: Places
    depth: Ints
    slack: float


class Narrow(NamedTuple):
    """Attributes whose range is not that of all data, ascending.

    ``gain``: by how much a squared difference grows, in units of itself; ``ratio``: the greater range in units of the
    narrower one.
    """

    attribute: Ints
    low: Vector
    high: Vector
    gain: Vector
    ratio: Vector


class Ranges(NamedTuple):
    """For each fold its ``narrowed`` ranges that are not those of all data, as ``Narrow`` has them."""

    narrowed: Ints
    attribute: npt.NDArray[np.int64]
    low: Matrix
    high: Matrix
    gain: Matrix
    ratio: Matrix


@kernel
def room_for(m: int) -> Narrow:
    """Return room for so many attributes."""
    return Narrow(np.empty(m, np.int64), np.empty(m), np.empty(m), np.empty(m), np.empty(m))


@kernel
def ranges_room(folds: int, m: int) -> Ranges:
    """Return room for m ranges of each fold."""
    size = (folds, m)
    return Ranges(
        np.zeros(folds, np.int64), np.empty(size, np.int64), np.empty(size), np.empty(size), np.empty(size),
        np.empty(size),
    )  # fmt: skip


@kernel
def ranges_of(ranges: Ranges, fold: int) -> Narrow:
    """Return the ranges of one fold."""
    return Narrow(ranges.attribute[fold], ranges.low[fold], ranges.high[fold], ranges.gain[fold], ranges.ratio[fold])


@kernel
def has_width(low: float, high: float, slack: float) -> bool:
    """Return whether a range divides its values."""
    return high - low > 0.0 and not high - low < slack


@kernel
def _ratio(whole: float, low: float, high: float, slack: float) -> tuple[float, float]:
    """Return how much narrower than the whole a range is, and how much squared differences gain by that."""
    if not has_width(low, high, slack):
        return 1.0, -1.0  # all known values are the same
    ratio = whole / (high - low)
    return ratio, ratio * ratio - 1.0


@kernel
def _outermost(space: Space, own: Places, fold: int, a: int, ends: Places, sign: float) -> float:
    """Return the least value of an attribute outside a fold; with a sign of -1 the greatest."""
    for t in range(min(ends.shape[1], space.depth[a])):
        i = ends[a, t]
        if own[i] != fold:
            return float(space.raw[i, a])
    found = sign * np.inf
    if space.depth[a] > ends.shape[1]:
        for i in range(len(own)):
            v = space.raw[i, a]
            if own[i] != fold and v == v and sign * v < sign * found:
                found = v
    return float(found)


@kernel
def of_folds(space: Space, own: Places, ranges: Ranges, spread: Vector) -> bool:
    """Write the ranges of each fold's training instances where they are not those of all data; return if any are not.

    ``spread``: raised to how many times greater a distance may be in each fold; infinite where it may be less.
    """
    raw, kind, lowest, highest, slack = space.raw, space.kind, space.lowest, space.highest, space.slack
    count, attribute, gains, ratios = ranges.narrowed, ranges.attribute, ranges.gain, ranges.ratio
    count[:] = 0
    some = False
    for a in range(len(kind)):
        if kind[a] == NOMINAL or not has_width(space.low[a], space.high[a], slack):
            continue
        ends = min(lowest.shape[1], space.depth[a])
        low, high = space.low[a], space.high[a]
        # The folds of the outermost instances, and how many more of those at that end are in the same.
        for side in range(2):
            outer = lowest if side == 0 else highest
            fold = own[outer[a, 0]]
            if fold < 0:
                continue
            t = 1
            while t < ends and own[outer[a, t]] == fold:
                t += 1
            if t < ends:
                found = raw[outer[a, t], a]
            else:
                found = _outermost(space, own, fold, a, outer, 1.0 if side == 0 else -1.0)
            at = count[fold]
            if side == 0:
                if found == low:
                    continue
                ranges.low[fold, at], ranges.high[fold, at] = found, high
            elif found == high:
                continue
            elif at > 0 and attribute[fold, at - 1] == a:
                at -= 1
                ranges.high[fold, at] = found
            else:
                ranges.low[fold, at], ranges.high[fold, at] = low, found
            some = True
            attribute[fold, at], count[fold] = a, at + 1
            ratios[fold, at], gains[fold, at] = 1.0, -1.0  # all known values are the same
            width = ranges.high[fold, at] - ranges.low[fold, at]
            if width > 0.0 and not width < slack:
                ratio = (high - low) / width
                ratios[fold, at], gains[fold, at] = ratio, ratio * ratio - 1.0
    if some:
        for fold in range(len(count)):
            for p in range(count[fold]):
                sure = gains[fold, p] >= 0.0 and kind[attribute[fold, p]] == NUMERIC
                spread[fold] = max(spread[fold], 1.0 + gains[fold, p] if sure else np.inf)
            if count[fold]:
                spread[fold] = max(spread[fold], 1.0 + GRAIN)  # 1 stands for distances that are those listed
    return some


@kernel
def between(space: Space, i: int, other: int, query: Narrow, active: int, limit: float) -> float:
    """Return the distance under the query's ranges, to the last bit; infinite where it passes the limit."""
    total = 0.0
    p = 0
    for a in range(len(space.kind)):
        x, b = space.shares[i, a], space.shares[other, a]
        if space.kind[a] == NOMINAL:
            total += 0.0 if x == b else 1.0
        else:
            if p < active and query.attribute[p] == a:
                if x == x:
                    x = _scaled(space.raw[i, a], query.low[p], query.high[p], space.slack)
                if b == b:
                    b = _scaled(space.raw[other, a], query.low[p], query.high[p], space.slack)
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
def keep(far: Vector, filled: int, d: float) -> int:
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
def look_at_all(
    space: Space, own: Places, i: int, query: Narrow, active: int, far: Vector, who: Places, distance: Vector
) -> int:
    """Write candidates among which the k nearest are, for k as ``far`` is long, from all instances; return how many.

    Distances are exact; the k-th least is the last of ``far``.
    """
    count, filled, limit = 0, 0, np.inf
    for other in range(len(own)):
        if own[other] != own[i]:
            d = between(space, i, other, query, active, limit)
            if d < np.inf:
                who[count], distance[count] = other, d
                count += 1
                filled = keep(far, filled, d)
                if filled == len(far):
                    limit = far[filled - 1]
    return count


@kernel
def settle(
    space: Space, i: int, query: Narrow, active: int, loose: float, far: Vector, who: Places, distance: Vector,
    count: int,
) -> int:  # fmt: skip
    """Keep the candidates that may be among the k nearest, and make their distances exact where that decides."""
    k = len(far)
    farthest = far[k - 1]
    border = 2.0 * (GRAIN * farthest + loose)
    kept = 0
    for at in range(count):
        if distance[at] <= farthest + border:
            who[kept], distance[kept] = who[at], distance[at]
            kept += 1
    if kept == k:
        distance[:k] = 0.0
        far[k - 1] = 0.0
        return kept
    filled = 0
    for at in range(kept):
        if distance[at] < farthest - border:
            distance[at] = -1.0
        else:
            distance[at] = between(space, i, who[at], query, active, np.inf)
        filled = keep(far, filled, distance[at])
    return kept
