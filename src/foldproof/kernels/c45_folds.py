"""C4.5 on all folds of all runs: attributes are sorted once, and each training set is filtered out of that order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from foldproof.kernels.c45_grow import grow
from foldproof.kernels.c45_predict import compact, predict_rows
from foldproof.kernels.c45_prune import Estimate, collapse, prune
from foldproof.kernels.c45_prune_unit import prune_unit, tests_lack
from foldproof.kernels.c45_route import EPS, Floats, Ints, Sample, Tree
from foldproof.kernels.c45_sorted import Flags, Packed
from foldproof.kernels.c45_split import Room, Tables, room_for, tables_for
from foldproof.kernels.jit import kernel


class Options(NamedTuple):
    """How a tree is grown and pruned; ``how`` is of use only where ``pruning``."""

    least: float
    collapsing: bool
    pruning: bool
    raising: bool
    how: Estimate


@kernel
def enters_average(sizes: Ints, weight: float, counted: Flags) -> None:
    """Write which attributes enter the average gain: those with few values for so few instances, or else all."""
    some = False
    for j in range(len(sizes)):
        counted[j] = sizes[j] == 0 or 0.3 * weight - sizes[j] > EPS
        some |= counted[j]
    if not some:
        counted[:] = True


@kernel
def learn(
    sample: Sample, packed: Packed, kept: Flags, room: Room, weight: float, whole: bool, options: Options
) -> Tree:
    """Return the finished tree of the instances that are kept, which weigh ``weight``; some nodes are left unused."""
    enters_average(sample.sizes, weight, room.counted)
    tree, used, rows = grow(sample, packed, kept, room, options.least, whole)
    if options.collapsing:
        collapse(tree, used)
    if options.pruning:
        if len(rows) and not tests_lack(tree, used, packed.lacking):
            prune_unit(sample, tree, used, rows, options.how, options.raising)
        else:
            every = np.flatnonzero(kept).astype(np.int32)
            prune(sample, packed.lacking, every, tree, used, options.how, options.raising)
    return tree


@kernel
def learn_all(sample: Sample, packed: Packed, weight: float, whole: bool, options: Options) -> Tree:
    """Return the finished tree of a whole sample."""
    n = len(sample.y)
    room = room_for(packed, sample, tables_for(n))
    return compact(learn(sample, packed, np.ones(n, np.bool_), room, weight, whole, options))


@kernel
def predict_folds(
    sample: Sample, packed: Packed, codes: Floats, tables: Tables, test_fold: npt.NDArray[np.int32], options: Options,
    answers: Floats,
) -> None:  # fmt: skip
    """Write, for each run and instance that it tests, the class predicted by the tree of the other folds."""
    room = room_for(packed, sample, tables)
    for run in range(len(test_fold)):
        fold_of = test_fold[run]
        for fold in range(fold_of.max() + 1):
            inside = fold_of == fold
            tested = np.flatnonzero(inside)
            if len(tested) == 0:
                continue
            weight = float(len(fold_of) - len(tested))
            tree = learn(sample, packed, ~inside, room, weight, True, options)
            predict_rows(tree, sample.sizes, codes, sample.slack, tested, answers[run])
