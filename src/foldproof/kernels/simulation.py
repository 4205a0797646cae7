"""Naive Bayes and C4.5 on all partitions of one simulated training set, from the keys of their streams."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from foldproof.kernels.bayes_bits import bayes_class, bayes_right, learn_odds
from foldproof.kernels.c45_cube import Cube, Held, hold_out
from foldproof.kernels.c45_cube_folds import class_of, right_of
from foldproof.kernels.c45_memo import NO_ROOM, Memo, Path, Rules, Tables, learn_cube
from foldproof.kernels.folds import by_fold
from foldproof.kernels.jit import kernel
from foldproof.kernels.streams import deal_by_class, draw_words, first_of_order, sort_words

Counts = npt.NDArray[np.int32]


class Workspace(NamedTuple):
    """What the training sets of one size share: tables, and room to work in. ``logs``: of the whole numbers."""

    tables: Tables
    rules: Rules
    memo: Memo
    path: Path
    held: Held
    logs: npt.NDArray[np.float64]
    ones: npt.NDArray[np.int64]
    odds: npt.NDArray[np.float64]


class Right(NamedTuple):
    """How many of each test set were right: learners x repetitions x runs x folds, naive Bayes before C4.5.

    ``classes``: what each learner, trained on everything, answers to each code of the attributes.
    """

    tenths: Counts
    folds: Counts
    halves: Counts
    classes: Counts


@kernel
def learn_both(cube: Cube, rows: npt.NDArray[np.intp], words: int, work: Workspace) -> tuple[int, int]:
    """Return how many of the instances held out both learners classify correctly, NO_ROOM for a tree not finished."""
    learn_odds(cube, work.held, words, work.logs, work.ones, work.odds)
    tree = learn_cube(cube, work.held, words, work.tables, work.rules, work.memo, work.path)
    if tree == NO_ROOM:
        return 0, NO_ROOM
    right = right_of(work.held, words, work.memo.nodes, work.path.trial, tree)
    return bayes_right(cube, rows, work.ones, work.odds), right


@kernel
def both_right(cube: Cube, rows: npt.NDArray[np.intp], work: Workspace) -> tuple[int, int]:
    """Hold instances out and learn both; a single word is a case of its own, compiled without loops over words."""
    words = hold_out(cube, rows, work.held)
    if words == 1:
        return learn_both(cube, rows, 1, work)
    return learn_both(cube, rows, words, work)


@kernel
def divide_and_learn(
    cube: Cube, place: npt.NDArray[np.intp], keys: npt.NDArray[np.uint64], n_test: int, work: Workspace, right: Right
) -> bool:
    """Fill ``right``; return whether all trees found room.

    ``place``: where the training set has each of the cube's instances; ``keys``: repetitions x runs x 2. Every run is a
    random test set of ``n_test``; the first are also stratified folds, and the very first stratified halves.
    """
    n = len(place)
    words = np.empty(n, dtype=np.uint64)
    starts = np.empty((1 << 9) + 1, dtype=np.int32)
    order = np.empty(n, dtype=np.intp)
    chosen = np.empty(n_test, dtype=np.intp)
    positions = np.empty(n, dtype=np.int32)
    fold_of = np.empty(n, dtype=np.int32)
    y = np.empty(n, dtype=np.int64)
    for p in range(n):
        y[place[p]] = cube.y[p]
    for repetition in range(len(keys)):
        for run in range(right.tenths.shape[2]):
            draw_words(keys[repetition, run, 0], keys[repetition, run, 1], words)
            first_of_order(words, n_test, place, starts, order, chosen)
            a, b = both_right(cube, chosen, work)
            if b == NO_ROOM:
                return False
            right.tenths[0, repetition, run, 0], right.tenths[1, repetition, run, 0] = a, b
            if run >= right.folds.shape[2]:
                continue
            sort_words(words, starts, order)
            deal_by_class(order, y, positions)
            for k in (right.folds.shape[3], right.halves.shape[3]):
                if k == 2 and run >= right.halves.shape[2]:
                    continue
                for p in range(n):
                    fold_of[p] = positions[place[p]] % k
                rows, begin = by_fold(fold_of, k)
                for fold in range(k):
                    a, b = both_right(cube, rows[begin[fold] : begin[fold + 1]], work)
                    if b == NO_ROOM:
                        return False
                    into = right.halves if k == 2 else right.folds
                    into[0, repetition, run, fold], into[1, repetition, run, fold] = a, b
    held = hold_out(cube, chosen[:0], work.held)
    learn_odds(cube, work.held, held, work.logs, work.ones, work.odds)
    tree = learn_cube(cube, work.held, held, work.tables, work.rules, work.memo, work.path)
    if tree == NO_ROOM:
        return False
    for values in range(right.classes.shape[1]):
        right.classes[0, values] = bayes_class(work.ones, work.odds, values)
        right.classes[1, values] = class_of(work.memo.nodes, tree, values)
    return True
