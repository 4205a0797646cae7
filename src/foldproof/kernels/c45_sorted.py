"""A sample sorted once: each numeric value becomes a word of its rank, its instance and the instance's class.

Words have no sign, and no more than they have what is read out of them: a place in an array that may be negative costs
a test, which is half the time of a short loop.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from foldproof.kernels.c45_route import EPS, Floats, Ints, Rows, Sample
from foldproof.kernels.jit import kernel

Flags = npt.NDArray[np.bool_]
Words = npt.NDArray[np.uint32] | npt.NDArray[np.uint64]
Place: TypeAlias = np.uint64
Places = npt.NDArray[np.uint64]
# What C4.5 asks between two values that it may cut: this much, and what rounding leaves of it.
GAP = 1e-5


class Packed(NamedTuple):
    """The numeric attributes, a line of words each, by value and then by instance; missing values come last.

    The last line has the instances in their order, with ranks of 0. ``slot``: for each attribute its line in
    ``words``, or -1 less its line in ``codes``. The values that occur are ``distinct``, each attribute's from ``first``
    on; ``ends``: how many words of the line do not exceed each. ``clear``: whether any two of them are far enough
    apart to be cut. ``lacking``: which attributes have missing values.
    ``codes``: nominal values, -1 where missing.
    """

    words: Words
    slot: Ints
    first: Ints
    distinct: Floats
    ends: Ints
    clear: Flags
    lacking: Flags
    codes: npt.NDArray[np.int32]
    row_shift: Place
    rank_shift: Place
    row_mask: Place
    class_mask: Place


def pack(sample: Sample) -> Packed:
    """Return a sample as words; 32 bits each where that is enough."""
    n = len(sample.y)
    numeric, nominal = np.flatnonzero(sample.sizes == 0), np.flatnonzero(sample.sizes > 0)
    slot = np.empty(len(sample.sizes), np.int64)
    slot[numeric], slot[nominal] = np.arange(len(numeric)), -1 - np.arange(len(nominal))
    ranks, rows = np.empty((len(numeric), n), np.int64), np.empty((len(numeric), n), np.int64)
    distinct, ends, first, clear = [], [], [0], np.empty(len(numeric), np.bool_)
    for q, attribute in enumerate(numeric):
        column = sample.columns[attribute]
        rows[q] = np.argsort(column, kind="stable")
        known = n - int(np.isnan(column).sum())
        ordered = column[rows[q]][:known]
        starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]][:known])
        values = ordered[starts]
        ranks[q] = len(values)
        ranks[q, :known] = np.repeat(np.arange(len(values)), np.diff(np.r_[starts, known]))
        clear[q] = bool((values[:-1] + GAP < values[1:]).all())
        distinct.append(values)
        ends.append(np.r_[starts[1:], known][: len(values)])
        first.append(first[-1] + len(values))
    row_shift = max(int(sample.n_classes - 1).bit_length(), 1)
    rank_shift = row_shift + max(int(n - 1).bit_length(), 1)
    ranks, rows = np.vstack([ranks, np.zeros(n, np.int64)]), np.vstack([rows, np.arange(n)])
    words = (ranks << rank_shift) | (rows << row_shift) | sample.y[rows]
    narrow = int(ranks.max(initial=0)).bit_length() + rank_shift <= 32
    codes = sample.columns[nominal]
    return Packed(
        np.ascontiguousarray(words.astype(np.uint32 if narrow else np.uint64)), slot, np.array(first, np.int64),
        np.concatenate([*distinct, np.empty(0)]), np.concatenate([*ends, np.empty(0, np.int64)]).astype(np.int64),
        clear, np.asarray(np.isnan(sample.columns).any(axis=1)), np.where(np.isnan(codes), -1, codes).astype(np.int32),
        np.uint64(row_shift), np.uint64(rank_shift), np.uint64((1 << (rank_shift - row_shift)) - 1),
        np.uint64((1 << row_shift) - 1),
    )  # fmt: skip


@kernel
def ranks_of(packed: Packed) -> Rows:
    """Return the rank of each instance's value, a line for each numeric attribute; missing ones have the last."""
    ranks = np.empty((len(packed.words) - 1, packed.words.shape[1]), np.int32)
    for q in range(len(ranks)):
        for word in packed.words[q]:
            ranks[q, (word >> packed.row_shift) & packed.row_mask] = word >> packed.rank_shift
    return ranks


@kernel
def reordered(packed: Packed, ranks: Rows, y: Rows, order: Rows) -> Words:
    """Return the words of the same instances in another order."""
    words = np.empty_like(packed.words)
    for q in range(len(words)):
        lines = len(words) - 1
        values = packed.first[q + 1] - packed.first[q] if q < lines else 0
        at = np.zeros(values + 1, np.int64)
        for r in range(values):
            at[r + 1] = packed.ends[packed.first[q] + r]
        for p in range(len(order)):
            r = ranks[q, order[p]] if q < lines else 0
            named = (np.uint64(r) << packed.rank_shift) | (np.uint64(p) << packed.row_shift)
            words[q, at[r]] = named | np.uint64(y[order[p]])
            at[r] += 1
    return words


@kernel
def data_value(packed: Packed, line: int, kept: Flags, middle: float, slack: bool) -> float:
    """Return the greatest known value, of the instances that are kept, that does not exceed ``middle``."""
    low, high = packed.first[line], packed.first[line + 1]
    while low < high:
        at = (low + high) // 2
        x = packed.distinct[at]
        if (slack and x - middle < EPS) or x <= middle:
            low = at + 1
        else:
            high = at
    i = packed.ends[low - 1] - 1
    while not kept[(packed.words[line, i] >> packed.row_shift) & packed.row_mask]:
        i -= 1
    return float(packed.distinct[packed.first[line] + np.int64(packed.words[line, i] >> packed.rank_shift)])


@kernel
def instances(packed: Packed, words: Words, low: int, high: int) -> Rows:
    """Return the instances between two places."""
    rows = np.empty(high - low, np.int32)
    for i in range(low, high):
        rows[i - low] = (words[len(words) - 1, i] >> packed.row_shift) & packed.row_mask
    return rows


@kernel
def listed(packed: Packed, words: Words, active: Rows, low: int, high: int) -> tuple[Words, Ints]:
    """Return the words with a known value between two places, one of some attributes after the other."""
    starts = np.zeros(len(active) + 1, np.int64)
    count = 0
    for j in active:
        count += packed.slot[j] >= 0
    found = np.empty(count * (high - low), words.dtype)
    at = 0
    for k in range(len(active)):
        q = packed.slot[active[k]]
        if q >= 0:
            missing = np.uint64(packed.first[q + 1] - packed.first[q])
            for i in range(low, high):
                if words[q, i] >> packed.rank_shift == missing:
                    break
                found[at] = words[q, i]
                at += 1
        starts[k + 1] = at
    return found[:at].copy(), starts
