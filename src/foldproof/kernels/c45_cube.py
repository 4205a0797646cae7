"""How many instances of two classes meet each conjunction of binary attributes: all of them, counted once.

A conjunction has a ternary code: for each attribute 0 where it is left open, 1 where it is 0, 2 where it is 1. What a
training set lacks are the few instances held out; these are sets of bits.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from foldproof.kernels.jit import kernel
from foldproof.kernels.words import BITS, popcount

Ints = npt.NDArray[np.int64]
Counts = npt.NDArray[np.int32]
# A whole number, Python's or NumPy's.
Whole: TypeAlias = Any

#: Both classes share a number: the second one counts in units of this.
SECOND = 1 << 16
#: The bits of the first one's count.
LOW = SECOND - 1


class Cube(NamedTuple):
    """Instances that differ in nothing are neighbours.

    ``counts``: by the code of a conjunction, instances of the first class and SECOND times those of the second.
    ``power``: the weight of each attribute's digit. ``values``: each instance's attributes, one bit each; ``y`` its
    class; ``kind``: which instances are alike, counted from 1.
    """

    counts: Counts
    power: Ints
    values: Ints
    y: Ints
    kind: Ints


class Held(NamedTuple):
    """Instances held out, as bits of words.

    ``masks``: for each attribute those where it is 1, then those of the second class, then all. ``kind``: their kinds.
    """

    masks: Ints
    kind: Ints


@kernel
def count_conjunctions(values: Ints, y: Ints, m: int) -> Counts:
    """Return how many instances of both classes meet each conjunction of m attributes."""
    size = 3**m
    counts = np.zeros(size, dtype=np.int32)
    for i in range(len(values)):
        code, power = 0, 1
        for a in range(m):
            code += (1 + ((values[i] >> a) & 1)) * power
            power *= 3
        counts[code] += 1 if y[i] == 0 else SECOND
    # Places without a sign: they cost no test for one counted from the end, and the loop becomes four times as quick.
    step, end, three = np.uint64(1), np.uint64(size), np.uint64(3)
    for _ in range(m):
        for start in range(np.uint64(0), end, three * step):
            for at in range(start, start + step):
                counts[at] = counts[at + step] + counts[at + step + step]
        step *= three
    return counts


@kernel
def held_room(m: int, n: int) -> Held:
    """Return room for n instances held out."""
    words = n // BITS + 1
    return Held(np.zeros((m + 2, words), dtype=np.int64), np.zeros(words * BITS, dtype=np.int64))


@kernel
def hold_out(cube: Cube, rows: npt.NDArray[np.intp], held: Held) -> int:
    """Write which instances are held out, and return how many words they take, at least one."""
    m = len(cube.power)
    masks = held.masks
    words = max(1, (len(rows) + BITS - 1) // BITS)
    for line in range(m + 2):
        for w in range(words):
            masks[line, w] = 0
    for i in range(len(rows)):
        w, bit = i // BITS, i % BITS
        row = rows[i]
        values = cube.values[row]
        for a in range(m):
            masks[a, w] |= ((values >> a) & 1) << bit
        masks[m, w] |= cube.y[row] << bit
        masks[m + 1, w] |= np.int64(1) << bit
        held.kind[i] = cube.kind[row]
    return words


@kernel
def less_held(counts: Whole, masks: Ints, words: int, line: Whole, within: Ints, begin: int) -> Whole:
    """Return counts of both classes less the instances held out on one line of ``masks``.

    The words of ``within`` from ``begin`` on say which of them concern the node at hand.
    """
    second = len(masks) - 2
    for w in range(words):
        out = within[begin + w] & masks[line, w]
        counts -= popcount(out) + popcount(out & masks[second, w]) * LOW
    return counts
