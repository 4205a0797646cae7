"""C4.5 of complete nominal data from sets of instances as bits: a branch's counts are those of an intersection.

The rules, and the tree that comes out, are those of ``c45_grow`` and ``c45_prune``; no instance is ever dealt.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from foldproof.kernels.c45_folds import Options, enters_average
from foldproof.kernels.c45_predict import predict_rows
from foldproof.kernels.c45_prune import Estimate, collapse, estimated, largest_branch
from foldproof.kernels.c45_route import EPS, Floats, Ints, Rows, Tree
from foldproof.kernels.c45_split import split_ratio
from foldproof.kernels.c45_weighted import is_leaf, larger
from foldproof.kernels.jit import kernel
from foldproof.kernels.words import BITS, popcount


class Sets(NamedTuple):
    """Instances with each value of each attribute, and of each class, as bits; ``first``: an attribute's first line."""

    values: Ints
    first: Ints
    classes: Ints
    sizes: Ints


class Room(NamedTuple):
    """Room to work in.

    Nodes that wait with their instances, in growing and pruning, and others of subtrees that are tried elsewhere; the
    counts of a test's branches; and which words of a node are not empty, with these words.
    """

    nodes: Ints
    within: Ints
    trial: Ints
    trial_within: Ints
    table: Ints
    filled: Ints


@kernel
def room_for(sets: Sets) -> Room:
    """Return room for the paths through all attributes."""
    waiting = sets.first[-1] + 2
    words = sets.values.shape[1]
    return Room(
        np.zeros(waiting, dtype=np.int64), np.zeros((waiting, words), dtype=np.int64),
        np.zeros(waiting, dtype=np.int64), np.zeros((waiting + 1, words), dtype=np.int64),
        np.zeros((sets.sizes.max(), len(sets.classes)), dtype=np.int64), np.zeros((2, words), dtype=np.int64),
    )  # fmt: skip


@kernel
def count_classes(sets: Sets, within: Ints, weights: Floats) -> None:
    """Write how many instances of a set are of each class."""
    for c in range(len(weights)):
        number = 0
        for w in range(len(within)):
            number += popcount(within[w] & sets.classes[c, w])
        weights[c] = number


@kernel
def count_branches(
    values: Ints, classes: Ints, line: int, size: int, filled: Ints, full: int, weights: Ints, table: Ints
) -> None:
    """Write how many of a node's instances of each class have each of ``size`` values, whose sets begin at ``line``.

    ``filled``: which of the node's words are not empty, and these words, ``full`` of them; ``weights``: its classes.
    """
    K = len(weights)
    for c in range(K):
        table[size - 1, c] = weights[c]
    for v in range(size - 1):  # the last value has what is left
        every = 0
        for c in range(K):
            table[v, c] = 0
        for k in range(full):
            met = filled[1, k] & values[line + v, filled[0, k]]
            if met:
                every += popcount(met)
                for c in range(1, K):
                    table[v, c] += popcount(met & classes[c, filled[0, k]])
        for c in range(1, K):
            every -= table[v, c]
            table[size - 1, c] -= table[v, c]
        table[v, 0] = every
        table[size - 1, 0] -= every


@kernel
def choose_nominal(
    values: Ints, classes: Ints, first: Ints, within: Ints, weights: Ints, filled: Ints, table: Ints, logs: Floats,
    least: float, counted: npt.NDArray[np.bool_], tests: Floats,
) -> int:  # fmt: skip
    """Return the attribute to test at a node, -1 for none; ``tests`` is scratch for gains and ratios."""
    n = 0
    for c in range(len(weights)):
        n += weights[c]
    W, before = float(n), logs[n]
    for c in range(len(weights)):
        before -= logs[weights[c]]
    full = 0
    for w in range(len(within)):
        filled[0, full], filled[1, full] = w, within[w]
        full += within[w] != 0
    added, number = 0.0, 0
    for j in range(len(first) - 1):
        tests[0, j] = -1.0
        size = first[j + 1] - first[j]
        count_branches(values, classes, first[j], size, filled, full, weights, table)
        heavy = 0
        after = branches = 0.0
        for v in range(size):
            weight = 0
            for c in range(len(weights)):
                weight += table[v, c]
                after -= logs[table[v, c]]
            branches += logs[weight]
            heavy += least - weight < EPS
        if heavy >= 2:
            gained = before - (after + branches)
            gain = 0.0 if abs(gained) < EPS else gained / W
            tests[0, j], tests[1, j] = gain, split_ratio(gain, W, W, branches, logs)
            if counted[j]:
                added += gain
                number += 1
    best, chosen = 0.0, -1
    if number:
        bar = added / number - 1e-3
        for j in range(len(first) - 1):
            if tests[0, j] >= 0.0 and tests[0, j] >= bar and tests[1, j] - best > EPS:
                best, chosen = tests[1, j], j
    if chosen >= 0:
        line = first[chosen]
        count_branches(values, classes, line, first[chosen + 1] - line, filled, full, weights, table)
    return chosen


@kernel
def grow_sets(sets: Sets, training: Ints, room: Room, logs: Floats, least: float, weight: float) -> tuple[Tree, int]:
    """Return the tree grown from a set of instances, which weighs ``weight``, and its number of nodes."""
    K = len(sets.classes)
    counted = np.empty(len(sets.sizes), np.bool_)
    enters_average(sets.sizes, weight, counted)
    tests = np.zeros((2, len(sets.sizes)))
    tree = larger(
        Tree(np.full(1, -1), np.full(1, np.nan), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64),
             np.zeros((1, K)), np.zeros((1, K))),
        64,
    )  # fmt: skip
    count_classes(sets, training, tree.weights[0])
    used, top = 1, -1
    if not is_leaf(tree.weights[0], least):
        top = 0
        room.nodes[0] = 0
        room.within[0, :] = training
    here = np.empty_like(training)
    whole = np.empty(K, dtype=np.int64)
    while top >= 0:
        node = room.nodes[top]
        here[:] = room.within[top]
        top -= 1
        for c in range(K):
            whole[c] = np.int64(tree.weights[node, c])
        chosen = choose_nominal(
            sets.values, sets.classes, sets.first, here, whole, room.filled, room.table, logs, least, counted, tests
        )
        if chosen < 0:
            continue
        count = sets.sizes[chosen]
        if used + count > len(tree.attribute):
            tree = larger(tree, 2 * (used + count))
        first = used
        used += count
        tree.attribute[node], tree.first[node], tree.branches[node] = chosen, first, count
        for b in range(count):
            child = first + b
            for c in range(K):
                tree.weights[child, c] = tree.shares[child, c] = room.table[b, c]
            if not is_leaf(tree.weights[child], least):
                top += 1
                room.nodes[top] = child
                branch_of_set(sets, chosen, b, here, room.within[top])
    return tree, used


@kernel
def branch_of_set(sets: Sets, attribute: int, value: int, within: Ints, below: Ints) -> None:
    """Write which of some instances have a value."""
    line = sets.first[attribute] + value
    for w in range(len(within)):
        below[w] = within[w] & sets.values[line, w]


@kernel
def set_errors(
    sets: Sets, tree: Tree, root: int, within: Ints, room: Room, how: Estimate, enough: float, weights: Floats
) -> float:
    """Return the estimated errors of a subtree if these instances were sent there; stops above ``enough``."""
    if tree.attribute[root] < 0:
        count_classes(sets, within, weights)
        return estimated(weights, how)
    trial, waiting = room.trial, room.trial_within
    last = len(waiting) - 1
    trial[0] = root
    waiting[0, :] = within
    top, errors = 0, 0.0
    while top >= 0 and errors <= enough:
        node = trial[top]
        waiting[last, :] = waiting[top]
        top -= 1
        for b in range(tree.branches[node]):
            child = tree.first[node] + b
            branch_of_set(sets, tree.attribute[node], b, waiting[last], waiting[top + 1])
            if tree.attribute[child] >= 0:
                top += 1
                trial[top] = child
            else:
                count_classes(sets, waiting[top + 1], weights)
                errors += estimated(weights, how)
    return errors


@kernel
def recount(sets: Sets, tree: Tree, root: int, within: Ints, room: Room) -> None:
    """Fill a subtree's counts anew from these instances."""
    trial, waiting = room.trial, room.trial_within
    last = len(waiting) - 1
    trial[0] = root
    waiting[0, :] = within
    top = 0
    while top >= 0:
        node = trial[top]
        waiting[last, :] = waiting[top]
        top -= 1
        for b in range(tree.branches[node]):
            child = tree.first[node] + b
            branch_of_set(sets, tree.attribute[node], b, waiting[last], waiting[top + 1])
            count_classes(sets, waiting[top + 1], tree.weights[child])
            tree.shares[child] = tree.weights[child]
            if tree.attribute[child] >= 0:
                top += 1
                trial[top] = child


@kernel
def prune_sets(sets: Sets, training: Ints, tree: Tree, used: int, room: Room, how: Estimate, raising: bool) -> None:
    """Prune, from the bottom up, a tree grown from a set: by a leaf, or by the largest branch's subtree."""
    estimates = np.zeros(used)
    visited = np.zeros(used, dtype=np.bool_)
    weights = np.zeros(len(sets.classes))
    here = np.empty_like(training)
    room.nodes[0] = 0
    room.within[0, :] = training
    top = 0
    while top >= 0:
        node = room.nodes[top]
        here[:] = room.within[top]
        first, count = tree.first[node], tree.branches[node]
        inner = tree.attribute[node] >= 0
        if inner and not visited[node]:
            visited[node] = True
            for child in range(first, first + count):
                visited[child] = False
                if tree.attribute[child] >= 0:
                    top += 1
                    room.nodes[top] = child
                    branch_of_set(sets, tree.attribute[node], child - first, here, room.within[top])
                else:
                    estimates[child] = estimated(tree.weights[child], how)
            continue
        as_leaf = estimated(tree.weights[node], how)
        if inner:
            as_tree = 0.0
            for child in range(first, first + count):
                as_tree += estimates[child]
            child = largest_branch(tree, node)
            may_be_leaf = as_leaf - (as_tree + 0.1) < EPS
            as_child = math.inf
            if raising:
                enough = as_leaf if may_be_leaf else as_tree + 0.2
                as_child = set_errors(sets, tree, child, here, room, how, enough, weights)
            if may_be_leaf and as_leaf - (as_child + 0.1) < EPS:
                tree.attribute[node] = -1
            elif as_child - (as_tree + 0.1) < EPS:
                tree.attribute[node] = tree.attribute[child]
                tree.first[node], tree.branches[node] = tree.first[child], tree.branches[child]
                if tree.attribute[node] >= 0:
                    recount(sets, tree, node, here, room)
                else:
                    count_classes(sets, here, tree.weights[node])
                visited[node] = False
                continue
            else:
                as_leaf = as_tree
        estimates[node] = as_leaf
        top -= 1


@kernel
def predict_set_folds(
    sets: Sets, codes: Floats, logs: Floats, test_fold: Rows, votes: bool, options: Options, answers: Floats
) -> None:
    """Write, for each run and instance that it tests, the class predicted by the tree of the other folds."""
    room = room_for(sets)
    words = sets.values.shape[1]
    training = np.empty(words, dtype=np.int64)
    for run in range(len(test_fold)):
        fold_of = test_fold[run]
        for fold in range(fold_of.max() + 1):
            tested = np.flatnonzero(fold_of == fold)
            if len(tested) == 0:
                continue
            training[:] = 0
            for i in range(len(codes)):
                training[i // BITS] |= np.int64(fold_of[i] != fold) << (i % BITS)
            tree, used = grow_sets(sets, training, room, logs, options.least, float(len(codes) - len(tested)))
            if options.collapsing:
                collapse(tree, used)
            if options.pruning:
                prune_sets(sets, training, tree, used, room, options.how, options.raising)
            predict_rows(tree, sets.sizes, codes, votes, tested, answers[run])
