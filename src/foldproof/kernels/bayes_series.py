"""Logarithms of the mass that a normal density has in cells, by series, for all instances of some folds.

A cell of h deviations around z has the mass h φ(z) Σ He_2j(z) (h/2)^2j / (2j+1)!, with Hermite polynomials. Narrow
cells are summed as the logarithm's own series, wider ones as a product of the sums; the widest are computed one by one.
Far out a class gets what it would get nearer, which is more than it has.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from foldproof.kernels.bayes_cells import LOG_ROOT_2PI, cell, narrow
from foldproof.kernels.bayes_tables import Matrix, Vector
from foldproof.kernels.jit import kernel

Cube = npt.NDArray[np.float64]
Bounds = npt.NDArray[np.intp]

# Up to NARROW deviations a cell has the logarithm's series, up to WIDE the product's; above, every cell is computed.
NARROW, WIDE = 0.25, 1.0
# Series hold up to so many deviations from the mean.
FAR = 5.0
# How far the learner's moments, or a sum of logarithms, may be off.
LOOSEST = 1e-3
# Parts of a number's 64 bits.
MANTISSA, ONE = (1 << 52) - 1, 1023 << 52
LOG_2 = math.log(2.0)
# How many cells of one attribute and class are kept, by their multiple.
SLOTS = 64


class Part(NamedTuple):
    """Room for some folds, each with its attributes by class, and its instances by attribute or class.

    ``mean``: in multiples of the precision from its centre; ``h``: one multiple in deviations; ``loose``: how far the
    learner's own mean may be off in deviations, and its deviation in shares; ``margin``: how far apart sums of
    logarithms must be; ``peak``: more than any of them. ``head`` and ``log`` add up to such a sum, which leaves out
    what all classes share; ``times`` is a product still to come into it; ``over``: the greatest square of deviations;
    ``off``: how much more the cells computed one by one may be off. ``first``, ``second``: the greatest sums, and
    ``who`` has the first.
    """

    mean: Cube
    h: Cube
    loose: Matrix
    margin: Vector
    peak: Vector
    head: Matrix
    multiple: Cube
    log: Cube
    times: Cube
    over: Cube
    off: Cube
    first: Matrix
    second: Matrix
    who: npt.NDArray[np.int64]
    key: Vector
    middle: Vector
    half: Vector


@kernel
def part_room(folds: int, m: int, k: int, most: int) -> Part:
    """Return room for so many folds, numeric attributes, classes and instances of a fold; loops go eight by eight."""
    rows = most + 8
    learnt, each, one = (folds, m, k), (folds, k, rows), (folds, rows)
    return Part(
        np.empty(learnt), np.empty(learnt), np.empty((folds, m)), np.empty(folds), np.empty(folds),
        np.empty((folds, k)), np.empty((folds, m, rows)), np.empty(each), np.empty(each), np.empty(each),
        np.empty(each), np.empty(one), np.empty(one), np.empty(one, np.int64), np.empty(SLOTS), np.empty(SLOTS),
        np.empty(SLOTS),
    )  # fmt: skip


@kernel
def wide(g: float) -> tuple[float, float, float, float, float, float]:
    """Return a polynomial of the square of z that is a cell's mass over h φ(z), for g = h²."""
    e1 = g / 24.0
    e2, e3 = e1 * g / 80.0, e1 * g * g / 13440.0
    e4, e5 = e3 * g / 288.0, e3 * g * g / 126720.0
    b0 = 1.0 - e1 + 3.0 * e2 - 15.0 * e3 + 105.0 * e4 - 945.0 * e5
    b1 = e1 - 6.0 * e2 + 45.0 * e3 - 420.0 * e4 + 4725.0 * e5
    b2 = e2 - 15.0 * e3 + 210.0 * e4 - 3150.0 * e5
    return b0, b1, b2, e3 - 28.0 * e4 + 630.0 * e5, e4 - 45.0 * e5, e5


@kernel
def at_far(h: float) -> float:
    """Return the logarithm of a cell's mass at FAR, over h φ(0), as the series have it."""
    u = FAR * FAR
    if h <= NARROW:
        b0, b1, b2, b3 = narrow(h * h)
        return b0 + u * (b1 + u * (b2 + u * b3))
    b0, b1, b2, b3, b4, b5 = wide(h * h)
    return math.log(b0 + u * (b1 + u * (b2 + u * (b3 + u * (b4 + u * b5))))) - 0.5 * u


@kernel
def add_series(start: Bounds, part: Part) -> None:
    """Add up logarithms of cells for the instances of some folds.

    Sums leave out how high the first class's cells are in the middle.
    """
    _, m, k = part.mean.shape
    mean_of, h_of, loose_of, head, multiple = part.mean, part.h, part.loose, part.head, part.multiple
    log, times, over, off = part.log, part.times, part.over, part.off
    key, middle, half = part.key, part.middle, part.half
    bits, exponent = times.view(np.int64), np.empty(times.shape[2])
    rise = np.empty(k + 1)
    for fold in range((len(start) - 1) // k):
        if not part.margin[fold] < LOOSEST:
            continue
        count = start[fold * k + k] - start[fold * k]
        size = (count + 7) // 8 * 8
        for c in range(k):
            for r in range(size):
                log[fold, c, r], over[fold, c, r], off[fold, c, r] = 0.0, 0.0, 0.0
        rise[:] = 1.0
        loosest = 0.0
        products = False
        for a in range(m):
            unit = 1.0 / h_of[fold, a, 0]
            steepest = 1.0
            for c in range(k):
                ratio = h_of[fold, a, c] * unit
                rise[c] *= ratio
                steepest = max(steepest, ratio)
            rise[k] *= steepest
            if a % 16 == 15 or a == m - 1:
                for c in range(k):
                    head[fold, c] += math.log(rise[c])
                part.peak[fold] += math.log(rise[k])
                rise[:] = 1.0
            for c in range(k):
                mean, h = mean_of[fold, a, c], h_of[fold, a, c]
                g = h * h
                if h <= NARROW:
                    b0, b1, b2, b3 = narrow(g)
                    for r in range(size):
                        z = multiple[fold, a, r] - mean
                        u = z * z * g
                        over[fold, c, r] = max(over[fold, c, r], u)
                        u = min(u, FAR * FAR)
                        log[fold, c, r] += b0 + u * (b1 + u * (b2 + u * b3))
                elif h <= WIDE:
                    if not products:
                        times[fold, :, :size] = 1.0
                    products = True
                    b0, b1, b2, b3, b4, b5 = wide(g)
                    for r in range(size):
                        z = multiple[fold, a, r] - mean
                        u = z * z * g
                        over[fold, c, r] = max(over[fold, c, r], u)
                        u = min(u, FAR * FAR)
                        log[fold, c, r] -= 0.5 * u
                        times[fold, c, r] *= b0 + u * (b1 + u * (b2 + u * (b3 + u * (b4 + u * b5))))
                else:
                    rest = LOG_ROOT_2PI - math.log(h)
                    key[:] = np.nan
                    for r in range(count):
                        q = multiple[fold, a, r]
                        slot = np.int64(q) & (SLOTS - 1)
                        if key[slot] != q:
                            key[slot] = q
                            loose = loose_of[fold, a]
                            middle[slot], half[slot] = cell((q - mean) * h, h, loose, loose)
                        log[fold, c, r] += middle[slot] + rest
                        off[fold, c, r] += half[slot]
                        loosest = max(loosest, off[fold, c, r])
        for c in range(k if products else 0):
            # A product is 2^e times a mantissa from 1 to 2, whose logarithm is 2 atanh of s.
            for r in range(size):
                word = bits[fold, c, r]
                exponent[r] = (word >> 52) - 1023
                bits[fold, c, r] = word & MANTISSA | ONE
            for r in range(size):
                s = np.divide(times[fold, c, r] - 1.0, times[fold, c, r] + 1.0)  # `/` would look for zeros
                u = s * s
                rest = u * (1 / 9 + u * (1 / 11 + u * (1 / 13 + u * (1 / 15 + u * (1 / 17 + u / 19)))))
                log[fold, c, r] += exponent[r] * LOG_2 + 2.0 * s * (
                    1.0 + u * (1 / 3 + u * (1 / 5 + u * (1 / 7 + rest)))
                )
        part.margin[fold] += 2.0 * loosest
