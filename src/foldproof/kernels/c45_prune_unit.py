"""Pruning a C4.5 tree whose instances weigh 1 and have all tested values: a node's are neighbours in one list.

Decisions are those of ``c45_prune``, from the same sums. What a subtree would err in its parent's place is found by
sending only those instances down that are not in it, and no more of them than a decision needs.
"""

from __future__ import annotations

import math

import numpy as np

from foldproof.kernels.c45_prune import Estimate, child_of, estimated, largest_branch
from foldproof.kernels.c45_route import EPS, Floats, Ints, Rows, Sample, Tree, total
from foldproof.kernels.c45_sorted import Flags
from foldproof.kernels.jit import kernel

# An instance more that a leaf gets wrong adds at least this to the leaf's estimated errors, any other one nothing less
# than 0: so it is for all confidences, by the formulas of ``c45_prune``.
LEAST_ADDED = 0.5


@kernel
def tests_lack(tree: Tree, used: int, lacking: Flags) -> bool:
    """Return whether a tested value may be missing."""
    lack = False
    for node in range(used):
        lack |= tree.attribute[node] >= 0 and lacking[tree.attribute[node]]
    return lack


@kernel
def place_children(tree: Tree, node: int, starts: Ints) -> None:
    """Write where the instances of a node's children begin."""
    at = starts[node]
    for child in range(tree.first[node], tree.first[node] + tree.branches[node]):
        starts[child] = at
        at += int(total(tree.weights[child]))


@kernel
def errors_in_place(
    sample: Sample, tree: Tree, parent: int, child: int, starts: Ints, rows: Rows, how: Estimate, known: float,
    enough: float, counts: Floats, nodes: Ints,
) -> float:  # fmt: skip
    """Return the estimated errors of a child if it had all instances of its parent, or a bound above ``enough``.

    ``known``: its errors with its own; ``counts``: scratch of zeros, a line for each node; ``nodes``: scratch.
    """
    low, high = starts[parent], starts[parent] + int(total(tree.weights[parent]))
    own, own_end = starts[child], starts[child] + int(total(tree.weights[child]))
    nodes[0], number, at = child, 1, 0
    while at < number:
        node = nodes[at]
        if tree.attribute[node] >= 0:
            for b in range(tree.branches[node]):
                nodes[number] = tree.first[node] + b
                number += 1
        else:
            for c in range(sample.n_classes):
                counts[node, c] = tree.weights[node, c]
        at += 1
    bound = known - 1e-6  # less what rounding may do
    at = low
    while at < high and bound <= enough:
        if at == own:
            at = own_end
            continue
        row = rows[at]
        node = child
        while tree.attribute[node] >= 0:
            node = child_of(sample, tree, node, row)
        c = sample.y[row]
        most = 0.0
        for k in range(sample.n_classes):
            most = max(most, counts[node, k])
        counts[node, c] += 1.0
        if counts[node, c] <= most:
            bound += LEAST_ADDED
        at += 1
    errors = 0.0
    for k in range(number):
        node = nodes[k]
        if tree.attribute[node] < 0:
            if bound <= enough:
                errors += estimated(counts[node], how)
            counts[node] = 0.0
    return errors if bound <= enough else bound


@kernel
def send_down(sample: Sample, tree: Tree, root: int, starts: Ints, rows: Rows, nodes: Ints, spare: Rows) -> None:
    """Divide a subtree's instances anew among its nodes, and count them there."""
    nodes[0], number, at = root, 1, 0
    while at < number:
        node = nodes[at]
        at += 1
        if tree.attribute[node] < 0:
            continue
        first, count, low = tree.first[node], tree.branches[node], starts[node]
        high = low + int(total(tree.weights[node]))
        for child in range(first, first + count):
            tree.weights[child] = 0.0
        for i in range(low, high):
            spare[i] = child_of(sample, tree, node, rows[i])
            tree.weights[spare[i], sample.y[rows[i]]] += 1.0
        for child in range(first, first + count):
            tree.shares[child] = tree.weights[child]
            nodes[number] = child
            number += 1
        place_children(tree, node, starts)
        moved = rows[low:high].copy()
        ends = starts[first : first + count].copy()
        for i in range(low, high):
            b = spare[i] - first
            rows[ends[b]] = moved[i - low]
            ends[b] += 1


@kernel
def prune_unit(sample: Sample, tree: Tree, used: int, rows: Rows, how: Estimate, raising: bool) -> None:
    """Prune, from the bottom up, a tree: by a leaf, or by the largest branch's subtree.

    ``rows``: its instances; those of each node are neighbours, one child's after the other's. They are moved.
    """
    starts, estimates, counts = np.zeros(used, np.int64), np.zeros(used), np.zeros((used, sample.n_classes))
    visited, spare = np.zeros(used, dtype=np.bool_), np.empty(len(rows), np.int32)
    waiting, nodes = np.zeros(used, np.int64), np.zeros(used, np.int64)
    top = 0
    while top >= 0:
        node = waiting[top]
        first, count = tree.first[node], tree.branches[node]
        if tree.attribute[node] >= 0 and not visited[node]:
            visited[node] = True
            place_children(tree, node, starts)
            for child in range(first, first + count):
                visited[child] = False
                if tree.attribute[child] >= 0:
                    top += 1
                    waiting[top] = child
                else:
                    estimates[child] = estimated(tree.weights[child], how)
            continue
        as_leaf = estimated(tree.weights[node], how)
        if tree.attribute[node] >= 0:
            as_tree = 0.0
            for b in range(count):
                as_tree += estimates[first + b]
            child = largest_branch(tree, node)
            may_be_leaf = as_leaf - (as_tree + 0.1) < EPS
            as_child = math.inf
            if raising:
                # Above this the decision does not depend on it any more.
                enough = as_leaf if may_be_leaf else as_tree + 0.2
                as_child = errors_in_place(
                    sample, tree, node, child, starts, rows, how, estimates[child], enough, counts, nodes
                )
            if may_be_leaf and as_leaf - (as_child + 0.1) < EPS:
                tree.attribute[node] = -1
            elif as_child - (as_tree + 0.1) < EPS:
                tree.attribute[node], tree.threshold[node] = tree.attribute[child], tree.threshold[child]
                tree.first[node], tree.branches[node] = tree.first[child], tree.branches[child]
                send_down(sample, tree, node, starts, rows, nodes, spare)
                visited[node] = False
                continue
            else:
                as_leaf = as_tree
        estimates[node] = as_leaf
        top -= 1
