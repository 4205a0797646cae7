"""Naive Bayes of binary attributes and two classes: a few additions of logarithms, and two look-ups per instance."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.kernels.bayes_tables import NEAR, decided
from foldproof.kernels.c45_cube import LOW, Cube, Held, less_held
from foldproof.kernels.jit import kernel

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@kernel
def learn_odds(cube: Cube, held: Held, words: int, logs: Floats, ones: Ints, odds: Floats) -> None:
    """Write the log-odds of the first class, the prior's with them, for both halves of all attributes.

    ``ones`` becomes the counts where each attribute is 1, and last the counts of all; ``odds`` has a line for the
    lower half of the attributes (``(m + 1) // 2``) and one for the upper; ``logs``: of the whole numbers.
    """
    m = len(cube.power)
    everything = m + 1
    counts = less_held(np.int64(cube.counts[0]), held.masks, words, everything, held.masks[everything], 0)
    n0, n1 = counts & LOW, counts >> 16
    ones[m] = counts
    half = (m + 1) // 2
    odds[0, 0] = logs[n0 + 1] - logs[n1 + 1]
    odds[1, 0] = 0.0
    size, line = 1, 0
    for a in range(m):
        if a == half:
            size, line = 1, 1
        part = less_held(np.int64(cube.counts[2 * cube.power[a]]), held.masks, words, a, held.masks[everything], 0)
        ones[a] = part
        whole = logs[n1 + 2] - logs[n0 + 2]
        one = logs[(part & LOW) + 1] - logs[(part >> 16) + 1] + whole
        zero = logs[n0 - (part & LOW) + 1] - logs[n1 - (part >> 16) + 1] + whole
        for v in range(size):
            odds[line, size + v] = odds[line, v] + one
            odds[line, v] += zero
        size *= 2


@kernel
def by_products(ones: Ints, values: int) -> int:
    """Return the class by the learner's own products, in its order: where logarithms are too close to call."""
    m = len(ones) - 1
    n0, n1 = ones[m] & LOW, ones[m] >> 16
    product = np.empty(2)
    product[0] = (n0 + 1.0) / float(n0 + n1 + 2)
    product[1] = (n1 + 1.0) / float(n0 + n1 + 2)
    for a in range(m):
        one0, one1 = ones[a] & LOW, ones[a] >> 16
        if values >> a & 1:
            product[0] *= (one0 + 1.0) / float(n0 + 2)
            product[1] *= (one1 + 1.0) / float(n1 + 2)
        else:
            product[0] *= (n0 - one0 + 1.0) / float(n0 + 2)
            product[1] *= (n1 - one1 + 1.0) / float(n1 + 2)
    return decided(product)


@kernel
def bayes_class(ones: Ints, odds: Floats, values: int) -> int:
    """Return the class of an instance whose attributes are the bits of ``values``."""
    half = len(ones) // 2
    score = odds[0, values & ((1 << half) - 1)] + odds[1, values >> half]
    if abs(score) < NEAR:
        return by_products(ones, values)
    return 0 if score > 0.0 else 1


@kernel
def bayes_right(cube: Cube, rows: npt.NDArray[np.intp], ones: Ints, odds: Floats) -> int:
    """Return how many of the instances held out are classified correctly."""
    values, y = cube.values, cube.y
    half = len(ones) // 2
    lower = (1 << half) - 1
    right = 0
    for i in range(len(rows)):
        score = odds[0, values[rows[i]] & lower] + odds[1, values[rows[i]] >> half]
        told = score <= 0.0
        if abs(score) < NEAR:
            told = by_products(ones, values[rows[i]]) == 1
        right += told == (y[rows[i]] == 1)
    return right
