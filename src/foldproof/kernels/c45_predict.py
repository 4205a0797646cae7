"""Class probabilities from a C4.5 tree, and its compact form. Stacks instead of recursion."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.kernels.c45_route import EPS, Floats, Ints, Tree, child_by, majority, total
from foldproof.kernels.jit import kernel


@kernel
def is_empty(tree: Tree, node: int) -> bool:
    """Return whether a node is a leaf where nothing arrived."""
    return bool(tree.attribute[node] < 0 and total(tree.weights[node]) < EPS)


@kernel
def compact(tree: Tree) -> Tree:
    """Return the nodes that can be reached, parents before children, level by level."""
    old = [0]
    at = 0
    while at < len(old):
        node = old[at]
        if tree.attribute[node] >= 0:
            for b in range(tree.branches[node]):
                old.append(tree.first[node] + b)
        at += 1
    size, K = len(old), tree.weights.shape[1]
    attribute = np.full(size, -1, dtype=np.int64)
    threshold = np.full(size, np.nan)
    first = np.zeros(size, dtype=np.int64)
    branches = np.zeros(size, dtype=np.int64)
    weights = np.empty((size, K))
    shares = np.empty((size, K))
    following = 1
    for node in range(size):
        source = old[node]
        weights[node] = tree.weights[source]
        shares[node] = tree.shares[source]
        if tree.attribute[source] >= 0:
            attribute[node] = tree.attribute[source]
            threshold[node] = tree.threshold[source]
            first[node] = following
            branches[node] = tree.branches[source]
            following += branches[node]
    return Tree(attribute, threshold, first, branches, weights, shares)


@kernel
def depths(tree: Tree) -> Ints:
    """Return the number of tests above each node of a compact tree."""
    depth = np.zeros(len(tree.attribute), dtype=np.int64)
    for node in range(len(depth)):
        for b in range(tree.branches[node]):
            depth[tree.first[node] + b] = depth[node] + 1
    return depth


@kernel
def normalise(weights: Floats, answer: Floats) -> None:
    """Write class weights as probabilities, zeros if there is no weight."""
    added = total(weights)
    for c in range(len(weights)):
        answer[c] = weights[c] / added if added > 0.0 else 0.0


@kernel
def answer_for_empty(tree: Tree, node: int, child: int, votes: bool, answer: Floats) -> None:
    """Write the stored table's word for a branch that has no instances."""
    source = tree.shares[child] if total(tree.shares[child]) > 0.0 else tree.weights[node]
    normalise(source, answer)
    if votes:
        answer[:] = 0.0
        answer[majority(source)] = 1.0


@kernel
def probabilities(tree: Tree, sizes: Ints, codes: Floats, slack: bool) -> Floats:
    """Return a line of class probabilities for each line of codes.

    ``slack``: as classic versions compare with thresholds and answer for empty leaves.
    """
    n, K = len(codes), tree.weights.shape[1]
    room = depths(tree).max() + 1
    result = np.empty((n, K))
    # A row without the tested value asks all children: these are the tests that wait for their children's answers.
    waiting = np.empty(room, dtype=np.int64)
    asked = np.empty(room, dtype=np.int64)
    weight_of = np.empty(room)
    added = np.zeros((room, K))
    answer = np.empty(K)
    for i in range(n):
        node, top = 0, -1
        while True:
            # Down to an answer, or to a test of a missing value.
            answered = False
            while not answered:
                a = tree.attribute[node]
                if a < 0:
                    normalise(tree.weights[node], answer)
                    answered = True
                    break
                x = codes[i, a]
                if x != x:
                    top += 1
                    waiting[top], asked[top], weight_of[top] = node, -1, 0.0
                    added[top] = 0.0
                    break
                child = child_by(tree, node, sizes, slack, x)
                if is_empty(tree, child):
                    answer_for_empty(tree, node, child, slack, answer)
                    answered = True
                else:
                    node = child
            # Hand answers up until a test has another child to ask.
            descend = False
            while top >= 0 and not descend:
                test = waiting[top]
                if answered:
                    for c in range(K):
                        added[top, c] += weight_of[top] * answer[c]
                    answered = False
                asked[top] += 1
                while asked[top] < tree.branches[test] and is_empty(tree, tree.first[test] + asked[top]):
                    asked[top] += 1
                if asked[top] < tree.branches[test]:
                    T = 0.0
                    for b in range(tree.branches[test]):
                        T += total(tree.shares[tree.first[test] + b])
                    node = tree.first[test] + asked[top]
                    part = total(tree.shares[node])
                    weight_of[top] = part / T if T > 0.0 else 1.0 / tree.branches[test]
                    descend = True
                else:
                    answer[:] = added[top]
                    answered = True
                    top -= 1
            if not descend:
                break
        result[i] = answer
    return result


@kernel
def predict_known(
    tree: Tree, sizes: Ints, codes: Floats, slack: bool, rows: npt.NDArray[np.intp], answers: Floats
) -> int:
    """Write the class of each row that comes to a leaf with instances; return how many do not, which come first then.

    These lack a tested value, or the leaf is empty: ``probabilities`` says what they are told.
    """
    class_of = np.full(len(tree.attribute), -1, np.int64)
    chances = np.empty(tree.weights.shape[1])
    left = 0
    for i in range(len(rows)):
        row, node = rows[i], 0
        while tree.attribute[node] >= 0:
            x = codes[row, tree.attribute[node]]
            if x != x:
                break
            node = child_by(tree, node, sizes, slack, x)
        if tree.attribute[node] >= 0 or is_empty(tree, node):
            rows[left] = row
            left += 1
            continue
        if class_of[node] < 0:
            normalise(tree.weights[node], chances)
            class_of[node] = np.argmax(chances)
        answers[row] = class_of[node]
    return left


@kernel
def predict_rows(
    tree: Tree, sizes: Ints, codes: Floats, slack: bool, rows: npt.NDArray[np.intp], answers: Floats
) -> None:
    """Write the class predicted for each of these lines of codes, in its place; the rows are brought out of order."""
    left = predict_known(tree, sizes, codes, slack, rows, answers)
    if left:
        asked = rows[:left]
        told = probabilities(compact(tree), sizes, codes[asked], slack)
        for i in range(left):
            answers[asked[i]] = np.argmax(told[i])
