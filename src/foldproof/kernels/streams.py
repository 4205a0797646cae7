"""Partitions from their addresses, many at a time: the words of a stream, and the test sets that their order makes.

The words are those of NumPy's Philox, a counter-based generator (Salmon et al., 2011), from its key; the test sets
those of ``foldproof.partitions``.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.kernels.jit import kernel
from foldproof.kernels.words import multiply_high

Words = npt.NDArray[np.uint64]
Places = npt.NDArray[np.intp]
Rows = npt.NDArray[np.int32]

FACTOR_0, FACTOR_1 = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
STEP_0, STEP_1 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)
#: Words are first told apart by as many upper bits.
TOP = np.uint64(64 - 9)
BUCKETS = 1 << 9


@kernel
def draw_words(key_0: np.uint64, key_1: np.uint64, words: Words) -> None:
    """Fill an array with the first words of the stream that belongs to a key."""
    zero = np.uint64(0)
    for block in range((len(words) + 3) // 4):
        a, b, c, d = np.uint64(block + 1), zero, zero, zero
        k0, k1 = key_0, key_1
        for step in range(10):
            if step:
                k0 += STEP_0
                k1 += STEP_1
            high_0, low_0 = multiply_high(FACTOR_0, a), FACTOR_0 * a
            high_1, low_1 = multiply_high(FACTOR_1, c), FACTOR_1 * c
            a, b, c, d = high_1 ^ b ^ k0, low_1, high_0 ^ d ^ k1, low_0
        at = 4 * block
        words[at] = a
        if at + 1 < len(words):
            words[at + 1] = b
        if at + 2 < len(words):
            words[at + 2] = c
        if at + 3 < len(words):
            words[at + 3] = d


@kernel
def bucket_starts(words: Words, starts: Rows) -> None:
    """Write where each bucket of upper bits begins among the words in order; ``starts`` has one place more."""
    starts[:] = 0
    for i in range(len(words)):
        starts[np.intp(words[i] >> TOP) + 1] += 1
    for b in range(BUCKETS):
        starts[b + 1] += starts[b]


@kernel
def sort_words(words: Words, starts: Rows, order: Places) -> None:
    """Write the order of the words, equal ones as they come; ``starts`` is scratch."""
    bucket_starts(words, starts)
    for i in range(len(words)):
        b = np.intp(words[i] >> TOP)
        order[starts[b]] = i
        starts[b] += 1
    for i in range(1, len(words)):
        at, moving = i, order[i]
        while at > 0 and words[order[at - 1]] > words[moving]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = moving


@kernel
def first_of_order(words: Words, count: int, place: Places, starts: Rows, order: Places, chosen: Places) -> None:
    """Write which instances come first in the order of their words, by ascending position in ``place``."""
    bucket_starts(words, starts)
    bucket = 0
    while starts[bucket + 1] < count:
        bucket += 1
    wanted = count - starts[bucket]
    found = 0
    for i in range(len(words)):  # the words of the bucket in which the count is reached, in order
        if np.intp(words[i] >> TOP) == bucket:
            at = found
            while at > 0 and words[order[at - 1]] > words[i]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = i
            found += 1
    last = order[wanted - 1]
    number = 0
    for p in range(len(place)):
        i = place[p]
        if words[i] < words[last] or (words[i] == words[last] and i <= last):
            chosen[number] = p
            number += 1


@kernel
def deal_by_class(order: Places, y: npt.NDArray[np.int64], positions: Rows) -> None:
    """Write the position of each instance in an order of two classes, the first one first."""
    at = 0
    for c in range(2):
        for k in range(len(order)):
            if y[order[k]] == c:
                positions[order[k]] = at
                at += 1
