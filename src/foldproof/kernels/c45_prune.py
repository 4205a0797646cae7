"""Pruning a C4.5 tree: collapse, pessimistic estimates, subtree raising. Stacks instead of recursion."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from foldproof.kernels.c45_route import (
    EPS,
    Floats,
    Rows,
    Sample,
    Tree,
    arrivals,
    branches_of,
    child_by,
    deal,
    majority,
    proportions,
    tabulate,
    total,
)
from foldproof.kernels.c45_sorted import Flags
from foldproof.kernels.jit import kernel


class Estimate(NamedTuple):
    """How errors are estimated: confidence, its normal deviate, and whether as the original C4.5 does."""

    confidence: float
    deviation: float
    original: bool


@kernel
def upper(N: float, e: float, how: Estimate) -> float:
    """Return what is added to e errors among N, for at least (about) one error."""
    z2 = how.deviation * how.deviation
    if e + 0.5 >= N:
        return 0.67 * (N - e) if how.original else max(N - e, 0.0)
    if how.original:
        root = math.sqrt(z2 * ((e + 0.5) * (1.0 - (e + 0.5) / N) + z2 / 4.0))
        return N * (e + 0.5 + z2 / 2.0 + root) / (N + z2) - e
    g = (e + 0.5) / N
    root = math.sqrt(g / N - g * g / N + z2 / (4.0 * N * N))
    return N * (g + z2 / (2.0 * N) + how.deviation * root) / (1.0 + z2 / N) - e


@kernel
def added_errors(N: float, e: float, how: Estimate) -> float:
    """Return what pessimistic pruning adds to e errors among N."""
    if e >= (0.9999 if how.original else 1.0):
        return upper(N, e, how)
    base = N * (1.0 - math.pow(how.confidence, 1.0 / N))
    return base if e == 0.0 else base + e * (upper(N, 1.0, how) - base)


@kernel
def errors_of(weights: Floats) -> float:
    """Return the weight that is not the majority's."""
    return float(total(weights) - weights[majority(weights)])


@kernel
def estimated(weights: Floats, how: Estimate) -> float:
    """Return the estimated errors of a leaf with these class weights."""
    N = total(weights)
    if abs(N) < EPS:
        return 0.0
    e = errors_of(weights)
    return e + added_errors(N, e, how)


@kernel
def collapse(tree: Tree, used: int) -> None:
    """Make leaves, from the top, of nodes whose leaves make as many training errors as they would themselves."""
    errors = np.zeros(used)
    for node in range(used - 1, -1, -1):  # children stand behind their parents
        if tree.attribute[node] < 0:
            errors[node] = errors_of(tree.weights[node])
        else:
            for b in range(tree.branches[node]):
                errors[node] += errors[tree.first[node] + b]
    for node in range(used):
        if tree.attribute[node] >= 0 and errors[node] >= errors_of(tree.weights[node]) - 1e-3:
            tree.attribute[node] = -1


@kernel
def errors_elsewhere(
    sample: Sample, tree: Tree, root: int, all_rows: Rows, all_weights: Floats, how: Estimate, enough: float
) -> float:
    """Return the estimated errors of a subtree if these instances were sent there; stops above ``enough``."""
    if tree.attribute[root] < 0:
        arriving = np.zeros(sample.n_classes)
        for i in range(len(all_rows)):
            arriving[sample.y[all_rows[i]]] += all_weights[i]
        return estimated(arriving, how)
    errors = 0.0
    nodes, rows_of, weights_of = [root], [all_rows], [all_weights]
    while len(nodes) > 0 and errors <= enough:
        node, rows, weights = nodes.pop(), rows_of.pop(), weights_of.pop()
        first, count = tree.first[node], tree.branches[node]
        branch = branches_of(sample, tree.attribute[node], tree.threshold[node], rows)
        table, _ = tabulate(sample, branch, rows, weights, count)
        parts = proportions(table)
        arrived, counts = arrivals(sample, branch, rows, weights, parts)
        inner = tree.attribute[first : first + count] >= 0
        starts, dealt, fractions = deal(branch, rows, weights, parts, counts, inner)
        for b in range(count):
            if inner[b]:
                nodes.append(first + b)
                rows_of.append(dealt[starts[b] : starts[b + 1]])
                weights_of.append(fractions[starts[b] : starts[b + 1]])
            else:
                errors += estimated(arrived[b], how)
    return errors


@kernel
def child_of(sample: Sample, tree: Tree, node: int, row: int) -> int:
    """Return the child to which an instance goes that has the tested value."""
    return child_by(tree, node, sample.sizes, sample.slack, sample.columns[tree.attribute[node], row])


@kernel
def errors_with_others(
    sample: Sample, lacking: Flags, tree: Tree, parent: int, root: int, rows: Rows, weights: Floats, how: Estimate,
    more: Floats,
) -> float:  # fmt: skip
    """Return the estimated errors of a child if it had all instances of its parent, below 0 where that takes longer.

    It does where a tested value may be missing or an instance weighs not 1. Otherwise what is in the child stays where
    it is, and only the others are sent down. ``lacking``: the attributes with missing values; ``more``: scratch of
    zeros, a line for each node.
    """
    if lacking[tree.attribute[parent]]:
        return -1.0
    nodes = [root]
    at = 0
    while at < len(nodes):
        node = nodes[at]
        if tree.attribute[node] >= 0:
            if lacking[tree.attribute[node]]:
                return -1.0
            for b in range(tree.branches[node]):
                nodes.append(tree.first[node] + b)
        at += 1
    for i in range(len(rows)):
        if weights[i] != 1.0:
            return -1.0
    for i in range(len(rows)):
        node = child_of(sample, tree, parent, rows[i])
        if node != root:
            node = root
            while tree.attribute[node] >= 0:
                node = child_of(sample, tree, node, rows[i])
            more[node, sample.y[rows[i]]] += 1.0
    errors = 0.0
    for node in nodes:
        if tree.attribute[node] < 0:
            for c in range(sample.n_classes):
                more[node, c] += tree.weights[node, c]
            errors += estimated(more[node], how)
            more[node] = 0.0
    return errors


@kernel
def recompute(sample: Sample, tree: Tree, root: int, all_rows: Rows, all_weights: Floats) -> None:
    """Fill a subtree's tables anew from these instances."""
    nodes, rows_of, weights_of = [root], [all_rows], [all_weights]
    while len(nodes) > 0:
        node, rows, weights = nodes.pop(), rows_of.pop(), weights_of.pop()
        first, count = tree.first[node], tree.branches[node]
        branch = branches_of(sample, tree.attribute[node], tree.threshold[node], rows)
        table, totals = tabulate(sample, branch, rows, weights, count)
        parts = proportions(table)
        arrived, counts = arrivals(sample, branch, rows, weights, parts)
        tree.weights[node] = totals
        tree.shares[first : first + count] = table
        tree.weights[first : first + count] = arrived
        inner = tree.attribute[first : first + count] >= 0
        starts, dealt, fractions = deal(branch, rows, weights, parts, counts, inner)
        for b in range(count):
            if inner[b]:
                nodes.append(first + b)
                rows_of.append(dealt[starts[b] : starts[b + 1]])
                weights_of.append(fractions[starts[b] : starts[b + 1]])


@kernel
def largest_branch(tree: Tree, node: int) -> int:
    """Return the child to which most weight goes, the last of equal ones."""
    most, place = 0.0, tree.first[node]
    for child in range(tree.first[node], tree.first[node] + tree.branches[node]):
        weight = total(tree.shares[child])
        if most - weight < EPS:
            most, place = weight, child
    return int(place)


@kernel
def raise_subtree(sample: Sample, tree: Tree, node: int, child: int, rows: Rows, weights: Floats) -> None:
    """Put a child in its parent's place, with all of the parent's instances."""
    tree.attribute[node] = tree.attribute[child]
    tree.threshold[node] = tree.threshold[child]
    tree.first[node] = tree.first[child]
    tree.branches[node] = tree.branches[child]
    if tree.attribute[node] >= 0:
        recompute(sample, tree, node, rows, weights)
        return
    tree.weights[node] = 0.0
    for i in range(len(rows)):
        tree.weights[node, sample.y[rows[i]]] += weights[i]


@kernel
def prune(
    sample: Sample, lacking: Flags, all_rows: Rows, tree: Tree, used: int, how: Estimate, raising: bool
) -> None:  # fmt: skip
    """Prune, from the bottom up, a tree grown from some rows: by a leaf, or by the largest branch's subtree.

    ``lacking``: which attributes have missing values.
    """
    more = np.zeros((used, sample.n_classes))
    estimates = np.zeros(used)
    visited = np.zeros(used, dtype=np.bool_)
    nodes = [0]
    rows_of = [all_rows]
    weights_of = [sample.weights[all_rows]]
    while len(nodes) > 0:
        node, rows, weights = nodes[-1], rows_of[-1], weights_of[-1]
        first, count = tree.first[node], tree.branches[node]
        if tree.attribute[node] >= 0 and not visited[node]:
            visited[node] = True
            branch = branches_of(sample, tree.attribute[node], tree.threshold[node], rows)
            parts = proportions(tree.shares[first : first + count])
            _, counts = arrivals(sample, branch, rows, weights, parts)
            inner = tree.attribute[first : first + count] >= 0
            starts, dealt, fractions = deal(branch, rows, weights, parts, counts, inner)
            for b in range(count):
                visited[first + b] = False
                if inner[b]:
                    nodes.append(first + b)
                    rows_of.append(dealt[starts[b] : starts[b + 1]])
                    weights_of.append(fractions[starts[b] : starts[b + 1]])
                else:
                    estimates[first + b] = estimated(tree.weights[first + b], how)
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
                as_child = errors_with_others(sample, lacking, tree, node, child, rows, weights, how, more)
                if as_child < 0.0:
                    as_child = errors_elsewhere(sample, tree, child, rows, weights, how, enough)
            if may_be_leaf and as_leaf - (as_child + 0.1) < EPS:
                tree.attribute[node] = -1
            elif as_child - (as_tree + 0.1) < EPS:
                raise_subtree(sample, tree, node, child, rows, weights)
                visited[node] = False
                continue
            else:
                as_leaf = as_tree
        estimates[node] = as_leaf
        nodes.pop()
        rows_of.pop()
        weights_of.pop()
