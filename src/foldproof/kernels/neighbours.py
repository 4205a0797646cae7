"""Lists of each row's nearest others, made once for all folds, and what the nearest that are not held back predict.

A list is under one distance for all folds. Where columns are divided by each training set's own deviations, that
distance, times the least ratio of deviations, is a lower bound of the fold's: the list is walked, the fold's distance
computed, and the walk ends when the bound passes the farthest neighbour.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.kernels.folds import by_fold
from foldproof.kernels.jit import kernel

Matrix = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
BLOCK = 2048


@kernel
def away(d: float, power: float) -> float:
    """Return what one column's difference adds to a distance; a power of 0 stands for the greatest difference."""
    if power == 2.0:
        return d * d
    if power <= 1.0:
        return abs(d)
    return float(abs(d) ** power)


@kernel
def near_lists(
    columns: Matrix, first: int, last: int, power: float, who: npt.NDArray[np.int32], distance: Matrix
) -> None:
    """Write the nearest others of rows ``first`` to ``last``, by distance and then by position.

    ``columns``: one row per column of the data. Distances stay powers, without the root.
    """
    m, n = columns.shape
    length = who.shape[1]
    total = np.empty(min(BLOCK, n))
    for i in range(first, last):
        filled = 0
        worst = np.inf
        for begin in range(0, n, BLOCK):
            end = min(begin + BLOCK, n)
            total[: end - begin] = 0.0
            for j in range(m):
                x = columns[j, i]
                column = columns[j, begin:end]
                if power == 2.0:
                    for t in range(end - begin):
                        d = column[t] - x
                        total[t] += d * d
                elif power == 1.0:
                    for t in range(end - begin):
                        total[t] += abs(column[t] - x)
                elif power == 0.0:
                    for t in range(end - begin):
                        total[t] = max(total[t], abs(column[t] - x))
                else:
                    for t in range(end - begin):
                        total[t] += abs(column[t] - x) ** power
            for t in range(end - begin):
                if total[t] < worst and begin + t != i:
                    at = min(filled, length - 1)
                    filled = min(filled + 1, length)
                    while at > 0 and distance[i, at - 1] > total[t]:
                        distance[i, at], who[i, at] = distance[i, at - 1], who[i, at - 1]
                        at -= 1
                    distance[i, at], who[i, at] = total[t], begin + t
                    if filled == length:
                        worst = distance[i, length - 1]


@kernel
def _keep(distance: npt.NDArray[np.float64], who: Ints, filled: int, d: float, i: int) -> int:
    """Insert one candidate among those kept, nearest first; return how many are kept."""
    if filled == len(distance):
        if d >= distance[filled - 1]:
            return filled
        filled -= 1
    at = filled
    while at > 0 and distance[at - 1] > d:
        distance[at], who[at] = distance[at - 1], who[at - 1]
        at -= 1
    distance[at], who[at] = d, i
    return filled + 1


@kernel
def _between(X: Matrix, a: int, b: int, scale: npt.NDArray[np.float64], power: float) -> float:
    total = 0.0
    for j in range(X.shape[1]):
        d = away((X[a, j] - X[b, j]) * scale[j], power)
        total = max(total, d) if power == 0.0 else total + d
    return total


@kernel
def _winner(near: Ints, sure: int, kept: int, k: int, y: Ints, votes: Ints, border: Ints) -> int:
    """Return the first class with the most of k votes whichever of the equally far ones vote, or -1."""
    votes[:] = 0
    border[:] = 0
    for a in range(sure):
        votes[y[near[a]]] += 1
    for a in range(sure, kept):
        border[y[near[a]]] += 1
    room, many = k - sure, kept - sure
    best = 0
    for c in range(1, len(votes)):
        if votes[c] + max(0, room - many + border[c]) > votes[best] + max(0, room - many + border[best]):
            best = c
    least = votes[best] + max(0, room - many + border[best])
    for c in range(len(votes)):
        most = votes[c] + min(room, border[c])
        if c != best and (most > least or (most == least and c < best)):
            return -1
    return best


@kernel
def _weighted_class(
    near: Ints, distance: npt.NDArray[np.float64], k: int, y: Ints, power: float, slack: float, shares: Matrix
) -> int:
    """Return the class of the greatest sum of inverse distances, or -1 where rounding might decide."""
    shares[:] = 0.0
    loose, total = 0.0, 0.0
    for a in range(k):
        root = distance[a] if power <= 1.0 else distance[a] ** (1.0 / power)
        shares[0, y[near[a]]] += 1.0 / root
        loose += slack / distance[a] / root
        total += 1.0 / root
    best = 0
    for c in range(1, shares.shape[1]):
        if shares[0, c] > shares[0, best]:
            best = c
    for c in range(shares.shape[1]):
        if c != best and not shares[0, best] - shares[0, c] > 2.0 * loose + 1e-13 * total:
            return -1
    return best


@kernel
def _mean(
    near: Ints,
    distance: npt.NDArray[np.float64],
    sure: int,
    kept: int,
    k: int,
    target: npt.NDArray[np.float64],
    power: float,
    weighted: bool,
    slack: float,
) -> float:
    """Return the mean target of k neighbours, or NaN where it is not certain to nine digits."""
    for a in range(sure + 1, kept):
        if kept > k and target[near[a]] != target[near[sure]]:
            return np.nan
    low, high = np.inf, -np.inf
    total, weight, loose = 0.0, 0.0, 0.0
    for a in range(k):
        value = target[near[a]]
        low, high = min(low, value), max(high, value)
        w = 1.0
        if weighted:
            if not distance[a] > slack:
                return np.nan
            w = 1.0 / (distance[a] if power <= 1.0 else distance[a] ** (1.0 / power))
            loose = max(loose, slack / distance[a])
        total += w * value
        weight += w
    mean = total / weight
    if weighted and not loose * (high - low) <= 1e-10 * abs(mean):
        return np.nan
    return mean


@kernel
def neighbour_folds(
    X: Matrix,
    y: Ints,
    target: npt.NDArray[np.float64],
    who: npt.NDArray[np.int32],
    distance: Matrix,
    complete: bool,
    test_fold: npt.NDArray[np.int32],
    k: int,
    power: float,
    squared: bool,
    weighted: bool,
    n_classes: int,
    standardised: bool,
    magnitude: npt.NDArray[np.float64],
    found: Matrix,
    doubtful: npt.NDArray[np.bool_],
) -> None:
    """Write what the k nearest of each training set predict, and which folds are too close to call.

    ``who``, ``distance``: the lists; ``complete``: whether they hold all other rows. ``squared``: whether distances may
    have been computed from lengths and a product, which loses digits. ``n_classes`` of 0: the mean of ``target``.
    ``standardised``: whether X is divided by each training set's deviations (the lists are of X as it is).
    """
    n, m = X.shape
    length = who.shape[1]
    folds = doubtful.shape[1]
    room = max(length, k + 32)
    near, far = np.empty(room, np.int64), np.empty(room)
    votes, border = np.empty(max(n_classes, 1), np.int64), np.empty(max(n_classes, 1), np.int64)
    shares = np.empty((1, max(n_classes, 1)))
    grain = (n + 16.0) * 2.3e-16
    shift = grain * magnitude
    total, squares = np.zeros(m), np.zeros(m)
    norm = np.zeros(n)
    for i in range(n):
        for j in range(m):
            total[j] += X[i, j]
            squares[j] += X[i, j] * X[i, j]
            norm[i] += X[i, j] * X[i, j]
    scale, centre = np.ones(m), np.zeros(m)
    bound, loose = 1.0, 0.0
    for run in range(len(test_fold)):
        own = test_fold[run]
        order, start = by_fold(own, folds)
        for fold in range(folds):
            begin, end = start[fold], start[fold + 1]
            if begin == end:
                continue
            if n - (end - begin) < k:
                doubtful[run, fold] = True
                continue
            bad = False
            if standardised:
                scale[:], centre[:] = squares, total
                for r in range(begin, end):
                    for j in range(m):
                        v = X[order[r], j]
                        centre[j] -= v
                        scale[j] -= v * v
                least, loose = np.inf, 0.0
                for j in range(m):
                    centre[j] /= n - (end - begin)
                    variance = scale[j] / (n - (end - begin)) - centre[j] * centre[j]
                    if not variance > 100.0 * shift[j] * shift[j]:
                        bad = True
                        break
                    scale[j] = 1.0 / np.sqrt(variance)
                    least = min(least, scale[j])
                    loose = max(loose, 8.0 * grain + 4.0 * shift[j] * shift[j] / variance)
                bound = away(least, power) * (1.0 - 1e-9)
            if bad:
                doubtful[run, fold] = True
                continue
            for r in range(begin, end):
                i = order[r]
                filled = 0
                enough = False
                slack = np.inf
                size = norm[i]
                if standardised:
                    size = 0.0
                    for j in range(m):
                        d = (X[i, j] - centre[j]) * scale[j]
                        size += d * d
                grow = 4.5e-16 * (m + 16.0)
                for at in range(length):
                    if filled >= k and bound * distance[i, at] > far[k - 1] + slack:
                        enough = True
                        break
                    other = who[i, at]
                    if own[other] == fold:
                        continue
                    d = distance[i, at]
                    if standardised:
                        d = _between(X, i, other, scale, power)
                    filled = _keep(far, near, filled, d, other)
                    if filled >= k:
                        reach = far[k - 1]
                        # Lengths and a product lose what the lengths have more digits before the point.
                        slack = 8.0 * grow * (4.0 * size + 3.0 * reach) if squared else 8.0 * grow * reach
                        slack += 2.0 * (1.0 + power) * loose * reach
                if not enough and not complete:
                    filled = 0
                    for other in range(n):
                        if own[other] != fold:
                            filled = _keep(far, near, filled, _between(X, i, other, scale, power), other)
                    reach = far[k - 1]
                    slack = 8.0 * grow * (4.0 * size + 3.0 * reach) if squared else 8.0 * grow * reach
                    slack += 2.0 * (1.0 + power) * loose * reach
                    if filled == room and not far[room - 1] > reach + slack:
                        doubtful[run, fold] = True
                        break
                sure, kept = 0, k
                while sure < k and far[sure] < far[k - 1] - slack:
                    sure += 1
                while kept < filled and far[kept] <= far[k - 1] + slack:
                    kept += 1
                if n_classes == 0:
                    mean = _mean(near, far, sure, kept, k, target, power, weighted, slack)
                    if np.isnan(mean):
                        doubtful[run, fold] = True
                        break
                    found[run, i] = mean
                    continue
                if weighted:
                    at = -1
                    if kept == k and far[0] > slack:
                        at = _weighted_class(near, far, k, y, power, slack, shares)
                else:
                    at = _winner(near, sure, kept, k, y, votes, border)
                if at < 0:
                    doubtful[run, fold] = True
                    break
                found[run, i] = at
