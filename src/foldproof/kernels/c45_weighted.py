"""Growing a C4.5 tree where instances have weights, or came in part: below a test of a value that some lack."""

from __future__ import annotations

import numpy as np

from foldproof.kernels.c45_route import (
    EPS,
    MISSING,
    Floats,
    Ints,
    Rows,
    Sample,
    Tree,
    arrivals,
    branches_of,
    deal,
    proportions,
    tabulate,
    total,
)
from foldproof.kernels.c45_sorted import Flags, Packed, Words, data_value, instances, listed
from foldproof.kernels.c45_split import Room, chosen_of, weigh_parts
from foldproof.kernels.jit import kernel


@kernel
def deal_words(
    packed: Packed, words: Words, starts: Ints, places: Ints, branch_of: Rows, takes_missing: bool, child: int,
    most: int,
) -> tuple[Words, Ints]:  # fmt: skip
    """Return what one child gets of the sorted instances, and where each of some attributes starts there.

    ``places``: which of the parent's attributes these are; ``most``: how many instances the child gets.
    """
    shift, mask = packed.row_shift, packed.row_mask
    dealt = np.empty(most * len(places) + 1, words.dtype)
    begins = np.zeros(len(places) + 1, dtype=np.int64)
    at = np.uint64(0)
    for k in range(len(places)):
        for word in words[starts[places[k]] : starts[places[k] + 1]]:
            b = branch_of[(word >> shift) & mask]
            dealt[at] = word
            at += np.uint64((b == child) | ((b == MISSING) & takes_missing))
        begins[k + 1] = at
    return dealt[:at].copy(), begins


@kernel
def is_leaf(class_weights: Floats, least: float) -> bool:
    """Return whether a node is too light to be split, or has a single class."""
    W = total(class_weights)
    single = False
    for c in range(len(class_weights)):
        single |= abs(W - class_weights[c]) < EPS
    return single or 2.0 * least - W > EPS


@kernel
def larger(tree: Tree, size: int) -> Tree:
    """Return a copy with room for ``size`` nodes."""
    n, K = tree.weights.shape
    attribute = np.full(size, -1, dtype=np.int64)
    threshold = np.full(size, np.nan)
    first = np.zeros(size, dtype=np.int64)
    branches = np.zeros(size, dtype=np.int64)
    weights = np.zeros((size, K))
    shares = np.zeros((size, K))
    attribute[:n] = tree.attribute
    threshold[:n] = tree.threshold
    first[:n] = tree.first
    branches[:n] = tree.branches
    weights[:n] = tree.weights
    shares[:n] = tree.shares
    return Tree(attribute, threshold, first, branches, weights, shares)


@kernel
def grow_weighted(
    sample: Sample, packed: Packed, kept: Flags, room: Room, tree: Tree, used: int, root: int, root_active: Rows,
    low: int, high: int, least: float, whole: bool,
) -> tuple[Tree, int]:  # fmt: skip
    """Return a tree in which a node is grown, and its number of nodes.

    The node's instances are between two places of the room's words; ``root_active``: the attributes to look at;
    ``kept``: the training set; ``whole``: it was given without weights.
    """
    root_rows = instances(packed, room.words, low, high)
    root_words, root_starts = listed(packed, room.words, root_active, low, high)
    branch_of = np.empty(len(sample.y), dtype=np.int32)
    nodes = [root]
    rows_of = [root_rows]
    weights_of = [sample.weights[root_rows]]
    words_of = [root_words]
    starts_of = [root_starts]
    active_of = [root_active]
    if is_leaf(tree.weights[root], least):
        nodes.pop()
    while len(nodes) > 0:
        node, rows, weights = nodes.pop(), rows_of.pop(), weights_of.pop()
        words, starts, active = words_of.pop(), starts_of.pop(), active_of.pop()
        for i in range(len(rows)):
            room.weight_of[rows[i]] = weights[i]
        W = total(tree.weights[node])
        below = weigh_parts(sample, packed, room, rows, words, starts, active, W, least, whole)
        chosen = chosen_of(room, active)
        if chosen < 0:
            continue
        count, cut = sample.sizes[chosen], np.nan
        if count == 0:
            count, cut = 2, data_value(packed, packed.slot[chosen], kept, room.cuts[chosen], sample.slack)
        if used + count > len(tree.attribute):
            tree = larger(tree, 2 * (used + count))
        first = used
        used += count
        branch = branches_of(sample, chosen, cut, rows)
        table, totals = tabulate(sample, branch, rows, weights, count)
        parts = proportions(table)
        arriving, counts = arrivals(sample, branch, rows, weights, parts)
        tree.attribute[node] = chosen
        tree.threshold[node] = cut
        tree.first[node] = first
        tree.branches[node] = count
        tree.weights[node] = totals
        tree.shares[first:used] = table
        tree.weights[first:used] = arriving
        wanted = np.zeros(count, dtype=np.bool_)
        for b in range(count):
            wanted[b] = not is_leaf(arriving[b], least)
        begins, dealt, fractions = deal(branch, rows, weights, parts, counts, wanted)
        for i in range(len(rows)):
            branch_of[rows[i]] = branch[i]
        places, at = np.empty(len(below), np.int64), 0
        for k in range(len(below)):
            while active[at] != below[k]:
                at += 1
            places[k] = at
        for b in range(count):
            if wanted[b]:
                child_words, child_starts = deal_words(
                    packed, words, starts, places, branch_of, parts[b] > EPS, b, counts[b]
                )
                nodes.append(first + b)
                rows_of.append(dealt[begins[b] : begins[b + 1]].copy())
                weights_of.append(fractions[begins[b] : begins[b + 1]].copy())
                words_of.append(child_words)
                starts_of.append(child_starts)
                active_of.append(below)
    return tree, used
