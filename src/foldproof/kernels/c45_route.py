"""Where instances go below a test: branches, stored tables, fractional instances."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from foldproof.kernels.jit import kernel

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int32]

EPS = 1e-6
MISSING = -1


class Sample(NamedTuple):
    """A training set: one line of ``columns`` per attribute; ``sizes``: declared values, 0 where numeric."""

    columns: Floats
    sizes: Ints
    y: Rows
    weights: Floats
    n_classes: int
    # Whether a value that exceeds a threshold by less than EPS goes left.
    slack: bool


class Tree(NamedTuple):
    """A tree: a node's children are ``branches`` neighbours from ``first`` on; ``attribute`` is -1 at leaves.

    ``weights`` are class weights; ``shares`` the line that a node has in the stored table of its parent.
    """

    attribute: Ints
    threshold: Floats
    first: Ints
    branches: Ints
    weights: Floats
    shares: Floats


@kernel
def majority(weights: Floats) -> int:
    """Return the first class that no later one exceeds by more than the slack."""
    best, place = 0.0, 0
    for c in range(len(weights)):
        if weights[c] - best > EPS:
            best, place = weights[c], c
    return place


@kernel
def total(weights: Floats) -> float:
    """Add up from left to right."""
    added = 0.0
    for c in range(len(weights)):
        added += weights[c]
    return added


@kernel
def proportions(table: Floats) -> Floats:
    """Return the branches' parts of a table's weight, equal ones if it has none."""
    count = table.shape[0]
    parts = np.empty(count)
    added = 0.0
    for b in range(count):
        parts[b] = total(table[b])
        added += parts[b]
    for b in range(count):
        parts[b] = parts[b] / added if added > 0.0 else 1.0 / count
    return parts


@kernel
def child_by(tree: Tree, node: int, sizes: Ints, slack: bool, x: float) -> int:
    """Return the child to which a known value of the tested attribute goes."""
    if sizes[tree.attribute[node]] > 0:
        return int(tree.first[node] + int(x))
    if slack:
        return int(tree.first[node] + (0 if x - tree.threshold[node] < EPS else 1))
    return int(tree.first[node] + (0 if x <= tree.threshold[node] else 1))


@kernel
def branches_of(sample: Sample, attribute: int, threshold: float, rows: Rows) -> Rows:
    """Return the branch of each instance, MISSING where the tested value is."""
    column = sample.columns[attribute]
    nominal = sample.sizes[attribute] > 0
    branch = np.empty(len(rows), dtype=np.int32)
    for i in range(len(rows)):
        x = column[rows[i]]
        if x != x:
            branch[i] = MISSING
        elif nominal:
            branch[i] = np.int32(x)
        elif sample.slack:
            branch[i] = 0 if x - threshold < EPS else 1
        else:
            branch[i] = 0 if x <= threshold else 1
    return branch


@kernel
def tabulate(sample: Sample, branch: Rows, rows: Rows, weights: Floats, count: int) -> tuple[Floats, Floats]:
    """Return the stored table and its class weights: the known ones, then the others spread in proportion to them."""
    table = np.zeros((count, sample.n_classes))
    totals = np.zeros(sample.n_classes)
    unknown = 0
    for i in range(len(rows)):
        if branch[i] == MISSING:
            unknown += 1
        else:
            c = sample.y[rows[i]]
            table[branch[i], c] += weights[i]
            totals[c] += weights[i]
    if unknown:
        parts = proportions(table)
        for i in range(len(rows)):
            if branch[i] == MISSING:
                c = sample.y[rows[i]]
                totals[c] += weights[i]
                for b in range(count):
                    table[b, c] += parts[b] * weights[i]
    return table, totals


@kernel
def arrivals(sample: Sample, branch: Rows, rows: Rows, weights: Floats, parts: Floats) -> tuple[Floats, Ints]:
    """Return the class weights and the number of instances that arrive at each child."""
    arriving = np.zeros((len(parts), sample.n_classes))
    counts = np.zeros(len(parts), dtype=np.int64)
    for i in range(len(rows)):
        c = sample.y[rows[i]]
        if branch[i] != MISSING:
            arriving[branch[i], c] += weights[i]
            counts[branch[i]] += 1
        else:
            for b in range(len(parts)):
                if parts[b] > EPS:
                    arriving[b, c] += weights[i] * parts[b]
                    counts[b] += 1
    return arriving, counts


@kernel
def deal(
    branch: Rows, rows: Rows, weights: Floats, parts: Floats, counts: Ints, wanted: npt.NDArray[np.bool_]
) -> tuple[Ints, Rows, Floats]:
    """Return the instances of the wanted children, one child after the other, and where each child's start."""
    starts = np.zeros(len(parts) + 1, dtype=np.int64)
    for b in range(len(parts)):
        starts[b + 1] = starts[b] + (counts[b] if wanted[b] else 0)
    at = starts[:-1].copy()
    dealt = np.empty(starts[-1], dtype=np.int32)
    fractions = np.empty(starts[-1])
    for i in range(len(rows)):
        b = branch[i]
        if b != MISSING:
            if wanted[b]:
                dealt[at[b]] = rows[i]
                fractions[at[b]] = weights[i]
                at[b] += 1
        else:
            for k in range(len(parts)):
                if parts[k] > EPS and wanted[k]:
                    dealt[at[k]] = rows[i]
                    fractions[at[k]] = weights[i] * parts[k]
                    at[k] += 1
    return starts, dealt, fractions
