"""Growing a C4.5 tree: each attribute is sorted once, and a node's sorted instances are divided among its children."""

from __future__ import annotations

import numpy as np

from foldproof.kernels.c45_route import EPS, Ints, Rows, Sample, Tree
from foldproof.kernels.c45_sorted import Flags, Packed, Words, data_value
from foldproof.kernels.c45_split import MOST_INSTANCES, Tables, chosen_of, room_for
from foldproof.kernels.c45_unit import weigh
from foldproof.kernels.c45_weighted import grow_weighted, is_leaf, larger
from foldproof.kernels.jit import kernel


@kernel
def seedling(K: int) -> Tree:
    """Return a tree of one node, with room for more."""
    one = np.zeros(1, dtype=np.int64)
    return larger(Tree(np.full(1, -1), np.full(1, np.nan), one, one, np.zeros((1, K)), np.zeros((1, K))), 64)


@kernel
def fill(packed: Packed, kept: Flags, words: Words) -> int:
    """Write the words of a training set; return how many instances it has."""
    mask = (1 << (packed.rank_shift - packed.row_shift)) - 1
    at = 0
    for q in range(len(packed.words)):
        at = 0
        for i in range(len(kept)):
            word = packed.words[q, i]
            words[q, at] = word
            at += kept[(word >> packed.row_shift) & mask]
    return at


@kernel
def route(
    sample: Sample, packed: Packed, words: Words, chosen: int, cut: float, low: int, high: int, side: Rows, table: Ints
) -> bool:
    """Write the branch of each instance and count classes by branch; return whether all have a known value."""
    mask, class_mask = (1 << (packed.rank_shift - packed.row_shift)) - 1, (1 << packed.row_shift) - 1
    q = packed.slot[chosen]
    if q >= 0 and words[q, high - 1] >> packed.rank_shift == packed.first[q + 1] - packed.first[q]:
        return False
    line = q if q >= 0 else len(words) - 1
    for i in range(low, high):
        word = words[line, i]
        row = (word >> packed.row_shift) & mask
        if q >= 0:
            x = packed.distinct[packed.first[q] + (word >> packed.rank_shift)]
            b = 1 - ((sample.slack and x - cut < EPS) or x <= cut)
        else:
            b = packed.codes[-1 - q, row]
            if b < 0:
                table[:] = 0
                return False
        side[row] = b
        table[b, word & class_mask] += 1
    return True


@kernel
def divide(
    packed: Packed, words: Words, spare: Words, active: Rows, begin: int, end: int, side: Rows, low: int, high: int,
    counts: Ints, after_first: bool,
) -> None:  # fmt: skip
    """Bring the words of each child together, in their order, in the lines of some attributes and of the instances.

    ``counts``: how many each child gets; ``after_first``: whether the second of two is to be written.
    """
    shift, mask = packed.row_shift, (1 << (packed.rank_shift - packed.row_shift)) - 1
    places = np.zeros(len(counts), np.int64)
    for place in range(begin - 1, end):
        q = len(words) - 1 if place < begin else packed.slot[active[place]]
        if q < 0:
            continue
        if len(counts) == 2:
            at, other = low, 0
            for i in range(low, high):
                word = words[q, i]
                right = side[(word >> shift) & mask]
                words[q, at] = word
                spare[other] = word
                other += right
                at += 1 - right
            if after_first or place < begin:
                for i in range(other):
                    words[q, at + i] = spare[i]
        else:
            places[0] = 0
            for b in range(1, len(counts)):
                places[b] = places[b - 1] + counts[b - 1]
            for i in range(low, high):
                b = side[(words[q, i] >> shift) & mask]
                spare[places[b]] = words[q, i]
                places[b] += 1
            for i in range(high - low):
                words[q, low + i] = spare[i]


@kernel
def grow(
    sample: Sample, packed: Packed, kept: Flags, tables: Tables, least: float, counted: Flags, whole: bool
) -> tuple[Tree, int]:
    """Return the tree grown from the instances that are kept, and its number of nodes.

    ``counted``: which attributes enter the average gain; ``whole``: the training set was given without weights.
    """
    sizes, K, m = sample.sizes, sample.n_classes, len(sample.sizes)
    room = room_for(packed, int(kept.sum()), sample, tables, counted)
    words = room.words
    n = fill(packed, kept, words)
    tree, used = seedling(K), 1
    for i in range(len(kept)):
        if kept[i]:
            tree.weights[0, sample.y[i]] += sample.weights[i]
    active = np.empty(8 * m + 8, np.int32)
    for j in range(m):
        active[j] = j
    if not whole or n > MOST_INSTANCES:
        return grow_weighted(sample, packed, kept, room, tree, used, 0, active[:m].copy(), 0, n, least, whole)
    side = np.zeros(len(kept), np.int32)
    table, counts = np.zeros_like(room.table), np.zeros(len(room.table), np.int64)
    # A node that waits: its number, its places, and where the list of its attributes begins and ends.
    waiting = np.zeros((64, 5), np.int64)
    waiting[0, 2], waiting[0, 4] = n, m
    depth = 0 if is_leaf(tree.weights[0], least) else 1
    while depth > 0:
        depth -= 1
        node, low, high, begin, end = waiting[depth]
        if end + m > len(active):
            active = np.append(active, active)
        until = weigh(packed, room, sizes, tree.weights[node], low, high, least, active, begin, end)
        chosen = chosen_of(room, active[begin:end])
        if chosen < 0:
            continue
        q = packed.slot[chosen]
        count, cut = sizes[chosen], np.nan
        if q >= 0:
            count, cut = 2, data_value(packed, q, kept, room.cuts[chosen], sample.slack)
        if not route(sample, packed, words, chosen, cut, low, high, side, table):
            own = active[end:until].copy()
            tree, used = grow_weighted(sample, packed, kept, room, tree, used, node, own, low, high, least, whole)
            continue
        if used + count > len(tree.attribute):
            tree = larger(tree, 2 * (used + count))
        if depth + count > len(waiting):
            more = np.zeros((2 * (depth + count), 5), np.int64)
            more[:depth] = waiting[:depth]
            waiting = more
        first, used = used, used + count
        tree.attribute[node], tree.threshold[node] = chosen, cut
        tree.first[node], tree.branches[node] = first, count
        at, wanted, last = low, 0, False
        for b in range(count):
            counts[b] = 0
            for c in range(K):
                counts[b] += table[b, c]
                tree.shares[first + b, c] = tree.weights[first + b, c] = table[b, c]
                table[b, c] = 0
            last = not is_leaf(tree.weights[first + b], least)
            if last:
                waiting[depth, 0], waiting[depth, 1], waiting[depth, 2] = first + b, at, at + counts[b]
                waiting[depth, 3], waiting[depth, 4] = end, until
                depth += 1
                wanted += 1
            at += counts[b]
        divide(packed, words, room.spare, active, end, until if wanted else end, side, low, high, counts[:count], last)
    return tree, used
