"""C4.5 on all folds of all runs: attributes are sorted once, and each training set is filtered out of that order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from foldproof.kernels.c45_grow import Flags, grow, log_table, sort_attributes
from foldproof.kernels.c45_predict import compact, probabilities
from foldproof.kernels.c45_prune import Estimate, collapse, prune
from foldproof.kernels.c45_route import EPS, Floats, Ints, Rows, Sample, Tree
from foldproof.kernels.jit import kernel


class Options(NamedTuple):
    """How a tree is grown and pruned; ``how`` is of use only where ``pruning``."""

    least: float
    collapsing: bool
    pruning: bool
    raising: bool
    how: Estimate


@kernel
def enters_average(sizes: Ints, weight: float) -> Flags:
    """Return which attributes enter the average gain: those with few values for so few instances, or else all."""
    counted = np.empty(len(sizes), dtype=np.bool_)
    some = False
    for j in range(len(sizes)):
        counted[j] = sizes[j] == 0 or 0.3 * weight - sizes[j] > EPS
        some |= counted[j]
    if not some:
        counted[:] = True
    return counted


@kernel
def learn(
    sample: Sample, rows: Rows, order: Rows, starts: Ints, logs: Floats, weight: float, whole: bool, options: Options
) -> Tree:
    """Return the finished tree of some rows, which weigh ``weight``; ``order`` and ``starts`` are these rows sorted."""
    counted = enters_average(sample.sizes, weight)
    tree, used = grow(sample, rows, order, starts, logs, options.least, counted, whole)
    if options.collapsing:
        collapse(tree, used)
    if options.pruning:
        prune(sample, rows, tree, used, options.how, options.raising)
    return compact(tree)


@kernel
def learn_all(sample: Sample, weight: float, whole: bool, options: Options) -> Tree:
    """Return the finished tree of a whole sample."""
    order, starts = sort_attributes(sample)
    rows = np.arange(len(sample.y)).astype(np.int32)
    return learn(sample, rows, order, starts, log_table(len(rows)), weight, whole, options)


@kernel
def keep(order: Rows, starts: Ints, fold_of: Rows, left_out: int) -> tuple[Rows, Ints]:
    """Return the sorted instances without those of one fold, and where each attribute starts."""
    kept = np.empty(len(order), dtype=np.int32)
    begins = np.zeros_like(starts)
    at = 0
    for j in range(len(starts) - 1):
        for i in range(starts[j], starts[j + 1]):
            kept[at] = order[i]
            at += fold_of[order[i]] != left_out
        begins[j + 1] = at
    return kept[:at], begins


@kernel
def predict_folds(
    sample: Sample, codes: Floats, order: Rows, starts: Ints, logs: Floats,
    test_fold: npt.NDArray[np.int32], options: Options, answers: Floats,
) -> None:  # fmt: skip
    """Write, for each run and instance that it tests, the class predicted by the tree of the other folds."""
    for run in range(len(test_fold)):
        fold_of = test_fold[run]
        for fold in range(fold_of.max() + 1):
            inside = fold_of == fold
            tested = np.flatnonzero(inside)
            if len(tested) == 0:
                continue
            rows = np.flatnonzero(~inside).astype(np.int32)
            kept, begins = keep(order, starts, fold_of, fold)
            tree = learn(sample, rows, kept, begins, logs, float(len(rows)), True, options)
            told = probabilities(tree, sample.sizes, codes[tested], sample.slack)
            for i in range(len(tested)):
                answers[run, tested[i]] = np.argmax(told[i])
