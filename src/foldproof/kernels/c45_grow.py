"""Growing a C4.5 tree: each attribute is sorted once, and a node's sorted instances are divided among its children."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.kernels.c45_route import EPS, Ints, Rows, Sample, Tree
from foldproof.kernels.c45_sorted import Flags, Packed, Words, data_value, instances
from foldproof.kernels.c45_split import MOST_INSTANCES, Room, chosen_of
from foldproof.kernels.c45_unit import weigh
from foldproof.kernels.c45_weighted import grow_weighted, is_leaf, larger
from foldproof.kernels.jit import kernel

Sides = npt.NDArray[np.uint32]


@kernel
def seedling(K: int) -> Tree:
    """Return a tree of one node, with room for more."""
    one = np.zeros(1, dtype=np.int64)
    return larger(Tree(np.full(1, -1), np.full(1, np.nan), one, one, np.zeros((1, K)), np.zeros((1, K))), 64)


@kernel
def fill(packed: Packed, kept: Flags, words: Words) -> int:
    """Write the words of a training set; return how many instances it has."""
    shift, mask = packed.row_shift, packed.row_mask
    at = np.uint64(0)
    for q in range(len(packed.words)):
        at = np.uint64(0)
        line = words[q]
        for word in packed.words[q]:
            line[at] = word
            at += np.uint64(kept[(word >> shift) & mask])
    return int(at)


@kernel
def route(
    sample: Sample, packed: Packed, words: Words, chosen: int, cut: float, low: int, high: int, side: Sides, table: Ints
) -> bool:
    """Write the branch of each instance and count classes by branch; return whether all have a known value."""
    shift, mask, class_mask, rank_shift = packed.row_shift, packed.row_mask, packed.class_mask, packed.rank_shift
    q = packed.slot[chosen]
    if q < 0:
        codes = packed.codes[-1 - q]
        for word in words[len(words) - 1, low:high]:
            row = (word >> shift) & mask
            b = codes[row]
            if b < 0:
                table[:] = 0
                return False
            side[row] = b
            table[b, word & class_mask] += 1
        return True
    values = packed.distinct[packed.first[q] : packed.first[q + 1]]
    if words[q, high - 1] >> rank_shift == np.uint64(len(values)):
        return False
    for word in words[q, low:high]:
        x = values[word >> rank_shift]
        b = 1 - ((sample.slack and x - cut < EPS) or x <= cut)
        side[(word >> shift) & mask] = b
        table[b, word & class_mask] += 1
    return True


@kernel
def divide(
    packed: Packed, words: Words, spare: Words, active: Rows, begin: int, end: int, side: Sides, low: int, high: int,
    counts: Ints, after_first: bool,
) -> None:  # fmt: skip
    """Bring the words of each child together, in their order, in the lines of some attributes and of the instances.

    ``counts``: how many each child gets; ``after_first``: whether the second of two is to be written.
    """
    shift, mask, one = packed.row_shift, packed.row_mask, np.uint64(1)
    places = np.zeros(len(counts), np.uint64)
    for place in range(begin - 1, end):
        q = len(words) - 1 if place < begin else packed.slot[active[place]]
        if q < 0:
            continue
        line = words[q, low:high]
        if len(counts) == 2:
            left = right = np.uint64(0)
            for word in line:
                to_right = np.uint64(side[(word >> shift) & mask])
                line[left] = word
                spare[right] = word
                right += to_right
                left += one - to_right
            if after_first or place < begin:
                rest = line[left:]
                for i in range(len(rest)):
                    rest[i] = spare[i]
        else:
            places[0] = 0
            for b in range(1, len(counts)):
                places[b] = places[b - 1] + np.uint64(counts[b - 1])
            for word in line:
                b = side[(word >> shift) & mask]
                spare[places[b]] = word
                places[b] += one
            for i in range(len(line)):
                line[i] = spare[i]


@kernel
def grow(sample: Sample, packed: Packed, kept: Flags, room: Room, least: float, whole: bool) -> tuple[Tree, int, Rows]:
    """Return the tree grown from the instances that are kept, its number of nodes, and the instances.

    These are in the order of the tree's nodes, as far as no tested value is missing; there are none where they have
    weights. ``whole``: the training set was given without weights.
    """
    sizes, K, m = sample.sizes, sample.n_classes, len(sample.sizes)
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
        tree, used = grow_weighted(sample, packed, kept, room, tree, used, 0, active[:m].copy(), 0, n, least, whole)
        return tree, used, np.empty(0, np.int32)
    side = np.zeros(len(kept), np.uint32)
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
    return tree, used, instances(packed, words, 0, n)
