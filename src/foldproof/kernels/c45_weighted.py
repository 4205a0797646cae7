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
from foldproof.kernels.c45_sorted import Flags, Packed, data_value
from foldproof.kernels.c45_split import nominal_split, numeric_split
from foldproof.kernels.jit import kernel


@kernel
def deal_sorted(
    order: Rows, starts: Ints, branch_of: Rows, parts: Floats, counts: Ints, child: int
) -> tuple[Rows, Ints]:
    """Return what one child gets of the sorted instances, and where each attribute starts there."""
    m = len(starts) - 1
    dealt = np.empty(counts[child] * m, dtype=np.int32)
    begins = np.zeros(m + 1, dtype=np.int64)
    at = 0
    takes_missing = parts[child] > EPS
    for j in range(m):
        for i in range(starts[j], starts[j + 1]):
            b = branch_of[order[i]]
            if b == child or (b == MISSING and takes_missing):
                dealt[at] = order[i]
                at += 1
        begins[j + 1] = at
    return dealt[:at].copy(), begins


@kernel
def choose(
    sample: Sample, rows: Rows, weights: Floats, order: Rows, starts: Ints,
    scratch: tuple[Floats, Floats, Floats, Flags], W: float, least: float, whole: bool,
) -> tuple[int, float]:  # fmt: skip
    """Return the attribute to test (-1: none) and, for a numeric one, the preliminary threshold."""
    weight_of, logs, table, counted = scratch
    m = len(sample.sizes)
    gains, ratios, cuts = np.zeros(m), np.zeros(m), np.zeros(m)
    valid = np.zeros(m, dtype=np.bool_)
    for i in range(len(rows)):
        weight_of[rows[i]] = weights[i]
    added, number = 0.0, 0
    for j in range(m):
        if sample.sizes[j] > 0:
            valid[j], gains[j], ratios[j] = nominal_split(sample, j, rows, weights, W, least, logs, table)
        else:
            mine = order[starts[j] : starts[j + 1]]
            valid[j], gains[j], ratios[j], cuts[j] = numeric_split(sample, j, mine, weight_of, W, least, logs, whole)
        if valid[j] and counted[j]:
            added += gains[j]
            number += 1
    best, chosen = 0.0, -1
    if number:
        bar = added / number - 1e-3
        for j in range(m):
            if valid[j] and gains[j] >= bar and ratios[j] - best > EPS:
                best, chosen = ratios[j], j
    return chosen, cuts[max(chosen, 0)]


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
    sample: Sample, packed: Packed, kept: Flags, scratch: tuple[Floats, Floats, Floats, Flags], tree: Tree, used: int,
    root: int, root_rows: Rows, root_weights: Floats, root_order: Rows, root_starts: Ints, least: float, whole: bool,
) -> tuple[Tree, int]:  # fmt: skip
    """Return a tree in which a node is grown, and its number of nodes.

    ``root_order`` and ``root_starts`` are the node's instances by value, as ``listed`` lists them; ``kept``: the
    training set; ``whole``: it was given without weights.
    """
    branch_of = np.empty(len(sample.y), dtype=np.int32)
    nodes = [root]
    rows_of = [root_rows]
    weights_of = [root_weights]
    order_of = [root_order]
    starts_of = [root_starts]
    if is_leaf(tree.weights[root], least):
        nodes.pop()
    while len(nodes) > 0:
        node, rows, weights, order, starts = (
            nodes.pop(),
            rows_of.pop(),
            weights_of.pop(),
            order_of.pop(),
            starts_of.pop(),
        )
        W = total(tree.weights[node])
        chosen, cut = choose(sample, rows, weights, order, starts, scratch, W, least, whole)
        if chosen < 0:
            continue
        count = sample.sizes[chosen]
        if count == 0:
            count = 2
            cut = data_value(packed, packed.slot[chosen], kept, cut, sample.slack)
        if used + count > len(tree.attribute):
            tree = larger(tree, 2 * (used + count))
        first = used
        used += count
        branch = branches_of(sample, chosen, cut, rows)
        table, totals = tabulate(sample, branch, rows, weights, count)
        parts = proportions(table)
        arriving, counts = arrivals(sample, branch, rows, weights, parts)
        tree.attribute[node] = chosen
        tree.threshold[node] = cut if sample.sizes[chosen] == 0 else np.nan
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
        for b in range(count):
            if wanted[b]:
                child_order, child_starts = deal_sorted(order, starts, branch_of, parts, counts, b)
                nodes.append(first + b)
                rows_of.append(dealt[begins[b] : begins[b + 1]].copy())
                weights_of.append(fractions[begins[b] : begins[b + 1]].copy())
                order_of.append(child_order)
                starts_of.append(child_starts)
    return tree, used
