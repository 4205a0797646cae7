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
from foldproof.kernels.nearest_lists import NOMINAL, Kinds, Matrix, Places, alone

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


@kernel
def room_for(m: int) -> Narrow:
    """Return room for so many attributes."""
    return Narrow(np.empty(m, np.int64), np.empty(m), np.empty(m), np.empty(m), np.empty(m))


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
def of_fold(space: Space, own: Places, fold: int, low_fold: Ints, high_fold: Ints, out: Narrow) -> int:
    """Write the ranges of a fold's training instances where they are not those of all data; return how many.

    ``low_fold``, ``high_fold``: the fold that holds the first of each attribute's outermost instances, if any.
    """
    count = 0
    for a in range(len(low_fold)):
        if low_fold[a] != fold and high_fold[a] != fold:
            continue
        low, high = space.low[a], space.high[a]
        if low_fold[a] == fold:
            low = _outermost(space, own, fold, a, space.lowest, 1.0)
        if high_fold[a] == fold:
            high = _outermost(space, own, fold, a, space.highest, -1.0)
        if low != space.low[a] or high != space.high[a]:
            out.attribute[count], out.low[count], out.high[count] = a, low, high
            out.ratio[count], out.gain[count] = _ratio(space.high[a] - space.low[a], low, high, space.slack)
            count += 1
    return count


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
