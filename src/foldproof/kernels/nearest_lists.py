"""Lists of each instance's nearest others under the ranges of all data: mixed attributes, missing values.

Distances are summed attribute by attribute in file order, as ``kernels.nearest`` sums them, so that under these ranges
they are the same numbers to the last bit.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.kernels.jit import kernel

Matrix = npt.NDArray[np.float64]
Places = npt.NDArray[np.int32]
Kinds = npt.NDArray[np.int8]
NOMINAL, NUMERIC, NUMERIC_WITH_MISSING = 0, 1, 2
BLOCK = 2048
# How many distances are looked at to guess how far the last of a list will be.
SAMPLE = 64


@kernel
def alone(v: float) -> float:
    """Return the squared difference between a known value and a missing one."""
    far = v if v >= 0.5 else 1.0 - v
    return far * far


@kernel
def _add_attribute(column: npt.NDArray[np.float64], x: float, kind: int, total: npt.NDArray[np.float64]) -> None:
    """Add what one attribute contributes to the distances from ``x`` to a block of a column."""
    size = len(column)
    if kind == NOMINAL:
        for t in range(size):
            total[t] += 0.0 if column[t] == x else 1.0
    elif kind == NUMERIC:
        for t in range(size):
            d = column[t] - x
            total[t] += d * d
    elif x == x:
        other = alone(x)
        for t in range(size):
            d = column[t] - x
            total[t] += d * d if d == d else other
    else:
        for t in range(size):
            v = column[t]
            far = v if v >= 0.5 else 1.0 - v
            total[t] += far * far if v == v else 1.0


@kernel
def insert(distance: npt.NDArray[np.float64], who: Places, filled: int, d: float, i: int) -> int:
    """Insert a candidate among those kept, after those that are as near; return how many are kept."""
    at = min(filled, len(distance) - 1)
    filled = min(filled + 1, len(distance))
    while at > 0 and distance[at - 1] > d:
        distance[at], who[at] = distance[at - 1], who[at - 1]
        at -= 1
    distance[at], who[at] = d, i
    return filled


@kernel
def _add_four(columns: Matrix, j: int, begin: int, size: int, i: int, total: npt.NDArray[np.float64]) -> None:
    """Add what four numeric attributes without missing values contribute, in their order."""
    x0, x1, x2, x3 = columns[j, i], columns[j + 1, i], columns[j + 2, i], columns[j + 3, i]
    first, second = columns[j, begin : begin + size], columns[j + 1, begin : begin + size]
    third, fourth = columns[j + 2, begin : begin + size], columns[j + 3, begin : begin + size]
    for t in range(size):
        d0, d1, d2, d3 = first[t] - x0, second[t] - x1, third[t] - x2, fourth[t] - x3
        total[t] = (((total[t] + d0 * d0) + d1 * d1) + d2 * d2) + d3 * d3


@kernel
def _likely(total: npt.NDArray[np.float64], wanted: int) -> float:
    """Return a distance below which there are probably ``wanted`` others and not many more, from a sample."""
    size = len(total)
    if size < 4 * SAMPLE:
        return np.inf
    least = np.empty(min(SAMPLE, 4 + 2 * SAMPLE * wanted // size))
    filled = 0
    for s in range(SAMPLE):
        d = total[s * size // SAMPLE]
        if filled == len(least):
            if d >= least[filled - 1]:
                continue
            filled -= 1
        at = filled
        while at > 0 and least[at - 1] > d:
            least[at] = least[at - 1]
            at -= 1
        least[at] = d
        filled += 1
    return float(least[len(least) - 1])


@kernel
def mixed_lists(columns: Matrix, kind: Kinds, first: int, last: int, who: Places, distance: Matrix) -> None:
    """Write the nearest others of instances ``first`` to ``last``, by squared distance and then by position.

    ``columns``: a row per attribute: categories as numbers, numbers as shares of their range, NaN where missing.
    """
    m, n = columns.shape
    length = who.shape[1]
    total = np.empty(min(BLOCK, n))
    for i in range(first, last):
        filled, worst = 0, np.inf
        for begin in range(0, n, BLOCK):
            size = min(BLOCK, n - begin)
            total[:size] = 0.0
            j = 0
            while j < m:
                four = j + 3 < m
                if four:
                    for a in range(j, j + 4):
                        four = four and kind[a] == NUMERIC
                if four:
                    _add_four(columns, j, begin, size, i, total)
                    j += 4
                else:
                    _add_attribute(columns[j, begin : begin + size], columns[j, i], kind[j], total[:size])
                    j += 1
            limit = worst if filled else _likely(total[:size], length)
            for t in range(size):
                if total[t] < limit and begin + t != i:
                    filled = insert(distance[i], who[i], filled, total[t], begin + t)
                    if filled == length:
                        worst = distance[i, length - 1]
                        limit = min(limit, worst)
            if filled < length and begin == 0 and limit < np.inf:  # the sample misled: from the start
                filled = 0
                for t in range(size):
                    if total[t] < worst and begin + t != i:
                        filled = insert(distance[i], who[i], filled, total[t], begin + t)
                        if filled == length:
                            worst = distance[i, length - 1]


@kernel
def nominal_lists(columns: npt.NDArray[np.uint8], first: int, last: int, who: Places, distance: Matrix) -> None:
    """Do the same for attributes that are all nominal, with fewer than 255 values; 255 is missing.

    Distances are whole numbers, so they are counted and dealt instead of sorted.
    """
    m, n = columns.shape
    length = who.shape[1]
    total = np.empty(n, np.uint16)
    part = np.empty(n, np.uint8)
    at = np.empty(m + 2, np.int64)
    for i in range(first, last):
        total[:] = 0
        for begin in range(0, m, 255):
            part[:] = 0
            for j in range(begin, min(begin + 255, m)):
                x = columns[j, i]
                column = columns[j]
                if x == 255:
                    for t in range(n):
                        part[t] += np.uint8(1)
                else:
                    for t in range(n):
                        part[t] += np.uint8(column[t] != x)
            for t in range(n):
                total[t] += part[t]
        at[:] = 0
        for t in range(n):
            at[total[t] + 1] += 1
        at[total[i] + 1] -= 1
        for d in range(m + 1):
            at[d + 1] += at[d]
        farthest = 0
        while at[farthest + 1] < length:
            farthest += 1
        for t in range(n):
            d = total[t]
            if d <= farthest and t != i:
                if at[d] < length:
                    who[i, at[d]], distance[i, at[d]] = t, d
                at[d] += 1
