"""Nominal data as bits: which datasets are, and what the trees of all their training sets share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from foldproof.domain.dataset import Dataset

if TYPE_CHECKING:
    from foldproof.kernels.c45_bits import Sets
    from foldproof.kernels.c45_cube import Cube
    from foldproof.kernels.c45_folds import Options
    from foldproof.kernels.c45_memo import Memo, Rules
    from foldproof.kernels.simulation import Workspace

#: 3 to the power of this many conjunctions are counted.
MOST_ATTRIBUTES = 12
#: Up to so many instances, two counts share a number and errors have a table.
MOST_INSTANCES = 4096
#: All attributes together have at most so many values where trees are grown from sets.
MOST_VALUES = 512
#: Where no more than this many instances are held out of a node, its subtree is remembered.
FEW = 3
# Nodes that are kept, nodes of one tree, slots: at most, and slots for each tree that is learnt.
KEPT, FREE, SLOTS, EACH = 1 << 16, 1 << 13, 1 << 16, 64

Matrix = npt.NDArray[np.float64]


def is_binary(dataset: Dataset) -> bool:
    """Return whether all attributes have two declared values and all are known, of few enough instances."""
    codes = dataset.codes
    return (
        codes is not None
        and 0 < len(dataset.attributes) <= MOST_ATTRIBUTES
        and 0 < len(dataset) <= MOST_INSTANCES
        and dataset.classes is not None
        and len(dataset.classes) == 2
        and all(attribute.categories is not None and len(attribute.categories) == 2 for attribute in dataset.attributes)
        and not bool(np.isnan(codes).any())
    )


def is_nominal(dataset: Dataset) -> bool:
    """Return whether all attributes have declared values, few of them, and all are known, of few enough instances."""
    codes, attributes = dataset.codes, dataset.attributes
    return (
        codes is not None
        and len(attributes) > 0
        and 0 < len(dataset) <= MOST_INSTANCES
        and all(attribute.categories for attribute in attributes)
        and sum(len(attribute.categories or ()) for attribute in attributes) <= MOST_VALUES
        and not bool(np.isnan(codes).any())
    )


def sets_of(codes: Matrix, y: Matrix, sizes: npt.NDArray[np.int64], classes: int) -> Sets:
    """Return which instances have each value of each attribute, and which are of each class."""
    from foldproof.kernels.c45_bits import Sets
    from foldproof.kernels.words import BITS

    first = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    met = [codes[:, j] == v for j, size in enumerate(sizes.tolist()) for v in range(size)]
    words = (len(codes) + BITS - 1) // BITS

    def packed(lines: list[npt.NDArray[np.bool_]]) -> npt.NDArray[np.int64]:
        bits = np.zeros((len(lines), words * BITS), dtype=np.int64)
        bits[:, : len(codes)] = lines
        return np.asarray((bits.reshape(len(lines), words, BITS) << np.arange(BITS)).sum(axis=2))

    return Sets(packed(met), first, packed([y == c for c in range(classes)]), sizes)


def cube_of(codes: Matrix, y: npt.NDArray[np.int64]) -> tuple[Cube, npt.NDArray[np.intp]]:
    """Return binary instances with all conjunctions counted, and where the dataset has each of them."""
    from foldproof.kernels.c45_cube import Cube, count_conjunctions

    m = codes.shape[1]
    values = (codes.astype(np.int64) << np.arange(m)).sum(axis=1)
    cells = 2 * values + y
    place = np.argsort(cells, kind="stable")
    ordered = cells[place]
    kind = np.cumsum(np.concatenate(([True], ordered[1:] != ordered[:-1]))).astype(np.int64)
    values, y = values[place], y[place]
    return Cube(count_conjunctions(values, y, m), 3 ** np.arange(m, dtype=np.int64), values, y, kind), place


def rules_of(options: Options) -> Rules:
    """Return a tree's options in whole numbers of instances."""
    from foldproof.kernels.c45_memo import Rules

    counts = np.arange(2.0 * MOST_INSTANCES + 2.0)
    return Rules(
        int(np.argmax(options.least - counts < 1e-6)),
        int(np.argmax(~(2.0 * options.least - counts > 1e-6))),
        options.collapsing,
        options.pruning,
        options.raising,
        options.how,
    )


def memo_of(cube: Cube, trees: int) -> Memo:
    """Return an empty memo for so many trees of one dataset."""
    from foldproof.kernels.c45_memo import SPARE, memo_room

    kind_bits = len(cube.kind).bit_length()
    slots = min(SLOTS, 1 << (EACH * trees).bit_length())
    return memo_room(min(KEPT, slots + SPARE), FREE, slots, (2 * len(cube.counts)).bit_length(), kind_bits, FEW)


def workspace(cube: Cube, n: int, options: Options, trees: int) -> Workspace:
    """Return room and tables for naive Bayes and so many trees on training sets of one size."""
    from foldproof.kernels.c45_cube import held_room
    from foldproof.kernels.c45_memo import Tables, error_room, path_room
    from foldproof.kernels.c45_split import tables_for
    from foldproof.kernels.simulation import Workspace

    m = len(cube.power)
    held = held_room(m, n)
    return Workspace(
        Tables(tables_for(n).logs, error_room(n)),
        rules_of(options),
        memo_of(cube, trees),
        path_room(m, held.masks.shape[1]),
        held,
        whole_logs(n),
        np.zeros(m + 1, dtype=np.int64),
        np.zeros((2, 1 << (m + 1) // 2)),
    )


def whole_logs(n: int) -> npt.NDArray[np.float64]:
    """Return the logarithms of the whole numbers that counts of n instances lead to; of 0 that is never asked."""
    return np.asarray(np.log(np.maximum(np.arange(n + 3.0), 1.0)))
