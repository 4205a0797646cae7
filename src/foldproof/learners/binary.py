"""Binary data as bits: which datasets are, and what the trees of all their training sets share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from foldproof.domain.dataset import Dataset

if TYPE_CHECKING:
    from foldproof.kernels.c45_cube import Cube
    from foldproof.kernels.c45_folds import Options
    from foldproof.kernels.c45_memo import Memo, Rules
    from foldproof.kernels.simulation import Workspace

#: 3 to the power of this many conjunctions are counted.
MOST_ATTRIBUTES = 12
#: Up to so many instances, two counts share a number and errors have a table.
MOST_INSTANCES = 4096
#: Where no more than this many instances are held out of a node, its subtree is remembered.
FEW = 5
# Nodes that are kept, nodes of one tree, slots.
KEPT, FREE, SLOTS = 1 << 16, 1 << 13, 1 << 16

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


def memo_of(cube: Cube) -> Memo:
    """Return an empty memo for one dataset."""
    from foldproof.kernels.c45_memo import memo_room

    kind_bits = len(cube.kind).bit_length()
    return memo_room(KEPT, FREE, SLOTS, (2 * len(cube.counts)).bit_length(), kind_bits, FEW)


def workspace(cube: Cube, n: int, options: Options) -> Workspace:
    """Return room and tables for naive Bayes and C4.5 on training sets of one size."""
    from foldproof.kernels.c45_cube import held_room
    from foldproof.kernels.c45_memo import Tables, error_room, path_room
    from foldproof.kernels.c45_split import tables_for
    from foldproof.kernels.simulation import Workspace

    m = len(cube.power)
    held = held_room(m, n)
    return Workspace(
        Tables(tables_for(n).logs, error_room(n)),
        rules_of(options),
        memo_of(cube),
        path_room(m, held.masks.shape[1]),
        held,
        np.log(np.maximum(np.arange(n + 3.0), 1.0)),
        np.zeros(m + 1, dtype=np.int64),
        np.zeros((2, 1 << (m + 1) // 2)),
    )
