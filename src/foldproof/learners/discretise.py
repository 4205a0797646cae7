"""Fayyad and Irani's discretisation: cuts of least entropy, as long as the description length pays for them."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]


def entropy_cuts(
    values: Vector,
    classes: npt.NDArray[np.int64],
    weights: Vector,
    n_classes: int,
    *,
    point: Literal["midpoint", "left"] = "midpoint",
    slack: float = 0.0,
    accept_slack: float = 1e-6,
    prefer: Literal["first", "even"] = "first",
    smallest: float = 0.0,
) -> Vector:
    """Return the cuts of a numeric attribute, ascending; a value belongs to the first interval with ``x <= cut``.

    In a range of weight N, the candidate with the least class-conditional entropy is accepted if its gain exceeds
    ``(log2(N - 1) + log2(3**k - 2) - (k e - k1 e1 - k2 e2)) / N`` (k classes present, entropy e), and both sides are
    cut again [1]_.

    Parameters
    ----------
    values, classes, weights
        The known values, their classes as positions, and their weights, in any order.
    point
        Where a cut lies: in the middle of its neighbours, or on the left one.
    slack
        A later candidate replaces an earlier one if its entropy is less by more than this.
    accept_slack
        By how much the gain must exceed its bound, and 0, to be accepted.
    prefer
        Among candidates within ``slack`` of the least entropy: the first scanned, or the one that divides most evenly.
    smallest
        The least weight of an interval.

    References
    ----------
    .. [1] U. M. Fayyad and K. B. Irani, "Multi-interval discretization of continuous-valued attributes for
       classification learning", IJCAI 1993.

    Examples
    --------
    >>> entropy_cuts(np.array([1.0, 2, 3, 4, 5, 6, 7, 8]), np.array([0, 0, 0, 0, 1, 1, 1, 1]), np.ones(8), 2)
    array([4.5])
    """
    order = np.argsort(values, kind="stable")
    x = values[order]
    if not len(x):
        return np.empty(0)
    # One row of class weights per distinct value: cuts lie between rows.
    first = np.flatnonzero(np.concatenate(([True], x[1:] != x[:-1])))
    row = np.cumsum(np.concatenate(([False], x[1:] != x[:-1])))
    counts = np.bincount(row * n_classes + classes[order], weights[order], len(first) * n_classes)
    table = counts.reshape(len(first), n_classes).astype(np.float64)
    distinct = x[first]
    cuts: list[float] = []
    open_ranges = [(0, len(distinct))]
    while open_ranges:
        low, high = open_ranges.pop()
        at = _cut(table[low:high], slack, accept_slack, prefer, smallest)
        if at is None:
            continue
        left, right = float(distinct[low + at]), float(distinct[low + at + 1])
        middle = (left + right) / 2.0
        cuts.append(left if point == "left" else middle if math.isfinite(middle) else left / 2.0 + right / 2.0)
        open_ranges += [(low, low + at + 1), (low + at + 1, high)]
    return np.array(sorted(cuts))


def intervals(values: Vector, cuts: Vector) -> Vector:
    """Return the position of each value's interval; what is missing stays missing.

    >>> intervals(np.array([1.0, 4.5, 9.0, np.nan]), np.array([4.5]))
    array([ 0.,  0.,  1., nan])
    """
    return np.where(np.isnan(values), np.nan, np.searchsorted(cuts, values, side="left").astype(np.float64))


def _cut(table: Vector, slack: float, accept_slack: float, prefer: str, smallest: float) -> int | None:
    """Return the row after which a range is cut, or None."""
    total = table.sum(axis=0)
    n = float(total.sum())
    if len(table) < 2 or n <= 1.0:
        return None
    left = np.cumsum(table, axis=0)[:-1]
    right = total - left
    whole = float(_information(total[None, :])[0])
    halves = (_information(left), _information(right))
    weights = left.sum(axis=1), right.sum(axis=1)
    conditional = (halves[0] + halves[1]) / n
    conditional[np.minimum(*weights) < smallest] = np.inf
    at = _best(conditional, whole / n, slack)
    if at is None:
        return None
    if prefer == "even":
        near = np.flatnonzero(conditional <= conditional.min() + slack)
        at = int(near[np.argmin(np.abs(weights[0] - weights[1])[near])])
    gain = whole / n - float(conditional[at])
    if gain < accept_slack or gain <= 0.0:
        return None
    k, k1, k2 = (int(np.count_nonzero(c > 0.0)) for c in (total, left[at], right[at]))
    entropies = whole / n, float(halves[0][at] / weights[0][at]), float(halves[1][at] / weights[1][at])
    delta = math.log2(3**k - 2) - (k * entropies[0] - k1 * entropies[1] - k2 * entropies[2])
    return at if gain - (math.log2(n - 1.0) + delta) / n > accept_slack else None


def _best(conditional: Vector, bound: float, slack: float) -> int | None:
    """Return the first of the least entropies, scanned with slack; it must be below that of the whole range."""
    if slack == 0.0:
        at = int(np.argmin(conditional))
        return at if conditional[at] < bound else None
    best: int | None = None
    for i, value in enumerate(conditional.tolist()):
        if bound - value > slack:
            best, bound = i, value
    return best


def _information(table: Vector) -> Vector:
    """Return weight times entropy of each row of class weights."""
    rows = table.sum(axis=1)
    return np.asarray(_f(rows) - _f(table).sum(axis=1))


def _f(v: Vector) -> Vector:
    return np.asarray(v * np.log2(np.where(v > 0.0, v, 1.0)))
