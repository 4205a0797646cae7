"""Pruning the trees of ``kernels.tddt``, and following their branches.

Pruning works from the last node to the first, so that children come before their parents, and answers with a flag per
node: this is a leaf now. Nodes below such a leaf keep flags that nobody asks for.
"""

from __future__ import annotations

import numpy as np

from foldproof.kernels.jit import kernel
from foldproof.kernels.tddt import Flags, Floats, Ints, Tree

SLACK = 1e-9
WEIGHT_AND_LEAVES, WEIGHT_AND_MORE_LEAVES, MORE_LEAVES, LEAVES = 0, 1, 2, 3


@kernel
def prune_by_estimate(tree: Tree, values: Ints, estimate: Floats, slack: float) -> Flags:
    """Replace a subtree where the estimated errors of the leaf are at most those of its leaves plus ``slack``."""
    leaf = tree.attribute < 0
    below = estimate.copy()
    for t in range(leaf.size - 1, -1, -1):
        if leaf[t]:
            continue
        total = 0.0
        a = tree.attribute[t]
        for b in range((values[a] if values[a] > 0 else 2) + 1):
            child = tree.branch[tree.first[t] + b]
            if child >= 0:
                total += below[child]
        if estimate[t] <= total + slack + SLACK:
            leaf[t] = True
        else:
            below[t] = total
    return leaf


@kernel
def _charge(weight: float, leaves: float, penalty: int) -> float:
    """Return what the factor is multiplied by."""
    if penalty == WEIGHT_AND_LEAVES:
        return float(np.sqrt(weight * leaves))
    if penalty == WEIGHT_AND_MORE_LEAVES:
        return float(np.sqrt(weight) * (np.sqrt(leaves) - 1.0))
    if penalty == MORE_LEAVES:
        return leaves - 1.0
    return float(np.sqrt(leaves))


@kernel
def prune_by_penalty(tree: Tree, values: Ints, factor: float, penalty: int) -> tuple[Flags, float]:
    """Replace a subtree that saves no more errors than it is charged; also return the least factor to prune more."""
    leaf = tree.attribute < 0
    errors = tree.errors.copy()
    leaves = np.ones(leaf.size)
    least = np.full(leaf.size, np.inf)
    for t in range(leaf.size - 1, -1, -1):
        if leaf[t]:
            continue
        a = tree.attribute[t]
        declared = values[a] if values[a] > 0 else 2
        e, n, g = 0.0, 0.0, np.inf
        for b in range(declared + 1):
            child = tree.branch[tree.first[t] + b]
            if child >= 0:
                e += errors[child]
                n += leaves[child]
                g = min(g, least[child])
            elif b < declared:
                n += 1.0
        charge = _charge(tree.weight[t], n, penalty)
        if charge <= 0.0 or tree.errors[t] <= e + factor * charge + SLACK:
            leaf[t] = True
        else:
            errors[t], leaves[t] = e, n
            least[t] = min(g, (tree.errors[t] - e) / charge)
    return leaf, least[0]


@kernel
def critical_factors(tree: Tree, values: Ints, penalty: int) -> Floats:
    """Return the factors, from 0, at which the full tree is pruned more, up to the one that leaves the root only."""
    found = np.zeros(64)
    n = 1
    while True:
        leaf, least = prune_by_penalty(tree, values, found[n - 1], penalty)
        if leaf[0]:
            return found[:n].copy()
        if n == found.size:
            found = np.concatenate((found, np.zeros(n)))
        found[n] = least
        n += 1


@kernel
def leaf_of(tree: Tree, values: Ints, leaf: Flags, columns: Floats, row: int) -> int:
    """Return the node that answers for a row: a leaf, or the last node before a branch without training instances."""
    t = 0
    while not leaf[t]:
        a = tree.attribute[t]
        value = columns[a, row]
        declared = values[a] if values[a] > 0 else 2
        b = declared
        if values[a] == 0:
            if value == value:
                b = 0 if value <= tree.threshold[t] else 1
        elif 0.0 <= value < declared:
            b = int(value)
        child = tree.branch[tree.first[t] + b]
        if child < 0:
            return t
        t = child
    return t


@kernel
def answers(tree: Tree, values: Ints, leaf: Flags, columns: Floats) -> Ints:
    """Return the class that the tree gives to each row."""
    told = np.empty(columns.shape[1], np.int64)
    for row in range(told.size):
        told[row] = tree.majority[leaf_of(tree, values, leaf, columns, row)]
    return told


@kernel
def errors_by_factor(
    tree: Tree, values: Ints, factors: Floats, penalty: int, columns: Floats, y: Ints, weights: Floats, rows: Ints
) -> Floats:
    """Return the weight of the rows that the tree gets wrong when it is pruned with each factor."""
    wrong = np.zeros(factors.size)
    for k in range(factors.size):
        leaf, _ = prune_by_penalty(tree, values, factors[k], penalty)
        for row in rows:
            if tree.majority[leaf_of(tree, values, leaf, columns, row)] != y[row]:
                wrong[k] += weights[row]
    return wrong


@kernel
def compact(tree: Tree, values: Ints, leaf: Flags) -> Tree:
    """Return the tree without what lies below its leaves."""
    n = leaf.size
    new = np.full(n, -1, np.int64)
    new[0] = 0
    nodes, branches = 1, 0
    first = np.zeros(n, np.int64)
    branch = np.full(tree.branch.size, -1, np.int64)
    for t in range(n):
        if new[t] < 0 or leaf[t]:
            continue
        a = tree.attribute[t]
        first[t] = branches
        for b in range((values[a] if values[a] > 0 else 2) + 1):
            child = tree.branch[tree.first[t] + b]
            if child >= 0:
                new[child] = nodes
                branch[branches] = nodes
                nodes += 1
            branches += 1
    kept = np.empty(nodes, np.int64)
    for t in range(n):
        if new[t] >= 0:
            kept[new[t]] = t
    attribute, threshold, start = tree.attribute[kept], tree.threshold[kept], first[kept]
    for t in range(nodes):
        if leaf[kept[t]]:
            attribute[t], threshold[t], start[t] = -1, 0.0, 0
    return Tree(
        attribute, threshold, start, branch[:branches].copy(), tree.majority[kept], tree.weight[kept], tree.errors[kept]
    )
