"""Votes of the nearest training instances: distances summed attribute by attribute, so that equal ones are equal."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.kernels.jit import kernel

Matrix = npt.NDArray[np.float64]


@kernel
def _scaled(v: float, low: float, high: float, slack: float) -> float:
    """Return where a value lies in its range, 0 in a range of no width (or none: low is above high)."""
    width = high - low
    if not width > 0.0 or width < slack:
        return 0.0
    return (v - low) / width


@kernel
def votes(
    train: Matrix,
    y: npt.NDArray[np.int64],
    weights: npt.NDArray[np.float64],
    n_classes: int,
    nominal: npt.NDArray[np.bool_],
    queries: Matrix,
    k: int,
    all_tied: bool,
    slack: float,
    cumulative: bool,
) -> Matrix:
    """Return, per query and class, the weight of its nearest training instances.

    ``all_tied``: everyone as near as the k-th votes, else the first k in training order. ``slack``: a range narrower
    than this has no width. ``cumulative``: queries widen the ranges for those after them.
    """
    n, m = train.shape
    low, high = np.full(m, np.inf), np.full(m, -np.inf)
    for j in range(m):
        for i in range(n):
            if not np.isnan(train[i, j]):
                low[j], high[j] = min(low[j], train[i, j]), max(high[j], train[i, j])
    base = np.empty((n, m))
    for j in range(m):
        for i in range(n):
            base[i, j] = train[i, j] if nominal[j] else _scaled(train[i, j], low[j], high[j], slack)
            if np.isnan(train[i, j]):
                base[i, j] = np.nan
    found = np.zeros((len(queries), n_classes))
    distance = np.empty(n if k > 1 else 0)
    now_low, now_high, asked, wider = low.copy(), high.copy(), np.empty(m), np.zeros(m, dtype=np.bool_)
    for q in range(len(queries)):
        for j in range(m):
            v = queries[q, j]
            now_low[j], now_high[j], wider[j], asked[j] = low[j], high[j], False, v
            if nominal[j] or np.isnan(v):
                continue
            if v < low[j] or v > high[j]:
                now_low[j], now_high[j], wider[j] = min(low[j], v), max(high[j], v), True
                if cumulative:
                    low[j], high[j], wider[j] = now_low[j], now_high[j], False
                    for i in range(n):
                        if not np.isnan(train[i, j]):
                            base[i, j] = _scaled(train[i, j], low[j], high[j], slack)
            asked[j] = _scaled(v, now_low[j], now_high[j], slack)
        best = np.inf
        for i in range(n):
            total = 0.0
            for j in range(m):
                a, b = asked[j], base[i, j]
                if nominal[j]:
                    diff = 0.0 if a == b else 1.0
                else:
                    if wider[j] and not np.isnan(b):
                        b = _scaled(train[i, j], now_low[j], now_high[j], slack)
                    if np.isnan(a) and np.isnan(b):
                        diff = 1.0
                    elif np.isnan(a) or np.isnan(b):
                        known = b if np.isnan(a) else a
                        diff = known if known >= 0.5 else 1.0 - known
                    else:
                        diff = a - b
                total += diff * diff
                if total > best and k == 1:  # sums only grow
                    break
            if k > 1:
                distance[i] = total
            elif total < best:
                best = total
                found[q, :] = 0.0
                found[q, y[i]] = weights[i]
            elif total == best and all_tied:
                found[q, y[i]] += weights[i]
        if k > 1:
            farthest = np.sort(distance)[min(k, n) - 1]
            room = min(k, n)
            for i in range(n):
                if distance[i] < farthest:
                    found[q, y[i]] += weights[i]
                    room -= 1
            for i in range(n):
                if distance[i] == farthest and (all_tied or room > 0):
                    found[q, y[i]] += weights[i]
                    room -= 1
    return found
