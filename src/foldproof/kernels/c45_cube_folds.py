"""C4.5 on all folds of all runs of binary data, from one count of all conjunctions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.kernels.c45_cube import Cube, Held, Whole, hold_out
from foldproof.kernels.c45_memo import FIRST_LEAF, GROW, OUT, SUBTREE, Memo, Nodes, Path, Rules, Tables, learn_cube
from foldproof.kernels.c45_route import Floats, Ints, Rows
from foldproof.kernels.folds import by_fold
from foldproof.kernels.jit import kernel
from foldproof.kernels.words import popcount


@kernel
def right_of(held: Held, words: int, nodes: Nodes, trial: Ints, tree: int) -> int:
    """Return how many of the instances held out a tree classifies correctly; ``trial`` is scratch."""
    masks = held.masks
    second, last = len(masks) - 2, len(trial) - 1
    trial[0, SUBTREE] = tree
    for w in range(words):
        trial[0, OUT + w] = masks[second + 1, w]
    top, right = 0, 0
    while top >= 0:
        node = trial[top, SUBTREE]
        if node < 0:
            for w in range(words):
                within = trial[top, OUT + w]
                ones = popcount(within & masks[second, w])
                right += ones if node < FIRST_LEAF else popcount(within) - ones
            top -= 1
            continue
        for w in range(words):
            trial[last, OUT + w] = trial[top, OUT + w]
        top -= 1
        a = nodes[node, 0]
        for value in range(2):
            some = 0
            for w in range(words):
                one = trial[last, OUT + w] & masks[a, w]
                trial[top + 1, OUT + w] = one if value else trial[last, OUT + w] ^ one
                some |= trial[top + 1, OUT + w]
            if some:
                top += 1
                trial[top, SUBTREE] = nodes[node, 1 + value]
    return right


@kernel
def class_of(nodes: Nodes, tree: Whole, values: int) -> int:
    """Return the class that a tree gives to an instance, whose attributes are the bits of ``values``."""
    while tree >= 0:
        tree = np.int64(nodes[tree, 1 + ((values >> nodes[tree, 0]) & 1)])
    return int(FIRST_LEAF - tree)


@kernel
def predict_cube_folds(
    cube: Cube, place: npt.NDArray[np.intp], test_fold: Rows, held: Held, tables: Tables, rules: Rules,
    memo: Memo, path: Path, answers: Floats, doubtful: npt.NDArray[np.bool_],
) -> None:  # fmt: skip
    """Write, for each run and instance that it tests, the class predicted by the tree of the other folds.

    ``place``: where the dataset has each of the cube's instances. ``doubtful``: which folds were given up.
    """
    n, folds = len(place), doubtful.shape[1]
    fold_of = np.empty(n, dtype=np.int32)
    for run in range(len(test_fold)):
        for i in range(n):
            fold_of[i] = test_fold[run, place[i]]
        rows, start = by_fold(fold_of, folds)
        for fold in range(folds):
            tested = rows[start[fold] : start[fold + 1]]
            if len(tested) == 0:
                continue
            words = hold_out(cube, tested, held)
            if words == 1:  # compiled without loops over words
                tree = learn_cube(cube, held, 1, tables, rules, memo, path)
            else:
                tree = learn_cube(cube, held, words, tables, rules, memo, path)
            if tree <= GROW:
                doubtful[run, fold] = True
                continue
            for i in range(len(tested)):
                answers[run, place[tested[i]]] = class_of(memo.nodes, tree, cube.values[tested[i]])
