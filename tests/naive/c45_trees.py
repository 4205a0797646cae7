"""Trees of the library in the words of the slow twin."""

import numpy as np


def as_tuples(tree, node=0):
    """Return a C45Tree as ``naive.c45.C45.nested`` tells its own: class weights, or a test with its table."""
    if tree.attribute[node] < 0:
        return tuple(tree.weights[node].tolist())
    children = range(tree.first[node], tree.first[node] + tree.branches[node])
    threshold = tree.threshold[node]
    return (
        int(tree.attribute[node]),
        None if np.isnan(threshold) else float(threshold),
        tuple(tuple(tree.shares[child].tolist()) for child in children),
        *[as_tuples(tree, child) for child in children],
    )
