"""Dealing: from a random order to folds, plainly, by class, or by whole groups."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from foldproof.domain.address import Stream
from foldproof.domain.errors import InputError
from foldproof.partitions.scheme import Design, TestFold

Intp = npt.NDArray[np.intp]


def deal_folds(design: Design, folds: int, stream: Stream, *, stratified: bool) -> TestFold:
    """Deal instances into folds, in random order, round-robin.

    Sizes differ by at most one. Stratified, the order is by class first, so that each class differs by at most one too.
    Where groups bind, whole groups go to the fold they fill best, and neither law can hold exactly.
    """
    if folds < 2:
        raise InputError(f"folds is {folds}: at least two are needed")
    if design.units < folds:
        what = "instances" if design.groups is None else "groups"
        raise InputError(f"there are {design.units} {what} for {folds} folds: use at most {design.units} folds")
    if design.groups is not None:
        return _deal_groups(design, folds, stream, stratified=stratified)
    order = stream.permutation(design.n)
    if stratified and design.strata is not None:
        order = order[np.argsort(design.strata[order], kind="stable")]
    test_fold = np.empty(design.n, dtype=np.int32)
    test_fold[order] = np.arange(design.n) % folds
    return test_fold


def _deal_groups(design: Design, folds: int, stream: Stream, *, stratified: bool) -> TestFold:
    """Give groups, largest first (equal ones in random order), each to the fold that stays most even.

    Evenness is the sum of squares of the folds' counts per class (one class where not stratified): adding a
    group to the fold with the least growth of it keeps both sizes and classes as level as whole groups allow.
    """
    groups = design.groups
    assert groups is not None
    strata = design.strata if stratified and design.strata is not None else np.zeros(design.n, dtype=np.intp)
    counts = np.zeros((design.units, int(strata.max()) + 1), dtype=np.int64)
    np.add.at(counts, (groups, strata), 1)
    shuffled = stream.permutation(design.units)
    order = shuffled[np.argsort(-counts[shuffled].sum(axis=1), kind="stable")]
    # Whole numbers throughout, so that ties fall alike on every machine: classes weigh by the inverse of their size.
    weight = 2**20 // np.maximum(counts.sum(axis=0), 1)
    load = np.zeros((folds, counts.shape[1]), dtype=np.int64)
    fold_of = np.empty(design.units, dtype=np.int32)
    for place, group in enumerate(order):
        growth = ((2 * load + counts[group]) * counts[group] * weight).sum(axis=1)
        empty = np.flatnonzero(load.sum(axis=1) == 0)
        # As many groups as empty folds are left: each must open one, or a fold would stay without a test set.
        must_open = len(empty) and len(order) - place <= len(empty)
        fold = int(empty[0]) if must_open else int(np.argmin(growth))
        load[fold] += counts[group]
        fold_of[group] = fold
    return fold_of[groups]


def draw_test_set(
    design: Design, n_test: int, stream: Stream, *, stratified: bool, fold_of_groups: Callable[[], TestFold]
) -> TestFold:
    """Draw one test set (fold 0; the rest -1): the first ``n_test`` of a random order, by class where stratified."""
    if design.groups is not None:
        return np.where(fold_of_groups() == 0, 0, -1).astype(np.int32)
    order = stream.permutation(design.n)
    test_fold = np.full(design.n, -1, dtype=np.int32)
    if not stratified or design.strata is None:
        test_fold[order[:n_test]] = 0
        return test_fold
    quota = largest_remainders(np.bincount(design.strata), n_test)
    for stratum, wanted in enumerate(quota):
        members = order[design.strata[order] == stratum]
        test_fold[members[:wanted]] = 0
    return test_fold


def largest_remainders(sizes: Intp, total: int) -> Intp:
    """Share ``total`` in proportion to ``sizes``: whole parts first, then the largest remainders (first of equals).

    >>> largest_remainders(np.array([50, 30, 20]), 9).tolist()
    [4, 3, 2]
    """
    exact = sizes * total
    share: Intp = exact // sizes.sum()
    order = np.argsort(-(exact % sizes.sum()), kind="stable")
    share[order[: total - int(share.sum())]] += 1
    return share
