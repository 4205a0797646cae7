"""The folds that Weka makes for a run number, instance for instance.

Weka's Experimenter seeds the documented generator of Java with the run number (1, 2, …), so these schemes take
the run number and not our address: run ``j`` of repetition ``i`` is run number ``first_run + i * block + j``.
The order in which instances are dealt is kept: a nearest neighbour among equals is the first in it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from foldproof.domain.address import Address
from foldproof.domain.errors import InputError
from foldproof.partitions.resampling import part_of
from foldproof.partitions.scheme import SCHEMES, Design, TestFold

Order = npt.NDArray[np.int64]


@SCHEMES.register("weka-k-fold")
@dataclass(frozen=True, slots=True)
class WekaKFold:
    """Stratified cross-validation as Weka deals it: shuffle, group by class, deal every k-th, cut into blocks."""

    folds: int = 10
    first_run: int = 1
    block: int = 10
    default_runs: int = 10
    name: str = "weka-k-fold"

    def order(self, design: Design, address: Address) -> Order:
        """Return the instances as they are dealt in the run with this number."""
        if design.groups is not None:
            raise InputError("Weka's folds know no groups: leave the groups out or choose another scheme")
        if not 2 <= self.folds <= design.n:
            raise InputError(f"there are {design.n} instances for {self.folds} folds: use 2 to {design.n}")
        order = _shuffled(design.n, _run_number(self.first_run, self.block, address))
        if design.strata is not None:
            order = _dealt(_grouped_by_class(order, design.strata), self.folds)
        return order

    def assign(self, design: Design, address: Address) -> TestFold:
        """Return the test fold of every instance in the run with this number."""
        order = self.order(design, address)
        test_fold = np.empty(design.n, dtype=np.int32)
        size, larger = divmod(design.n, self.folds)
        sizes = [size + (fold < larger) for fold in range(self.folds)]
        test_fold[order] = np.repeat(np.arange(self.folds), sizes)
        return test_fold


@SCHEMES.register("weka-subsampling")
@dataclass(frozen=True, slots=True)
class WekaSubsampling:
    """Plain random subsampling as Weka draws it: shuffle, the first part (half up) trains, the rest is tested."""

    train_fraction: float = 0.9
    first_run: int = 1
    block: int = 100
    default_runs: int = 100
    name: str = "weka-subsampling"

    def order(self, design: Design, address: Address) -> Order:
        """Return the shuffled instances of the run with this number."""
        return _shuffled(design.n, _run_number(self.first_run, self.block, address))

    def assign(self, design: Design, address: Address) -> TestFold:
        """Return 0 for the instances tested in the run with this number, -1 for the rest."""
        n_train = part_of(self.train_fraction, design.n)
        if not 0 < n_train < design.n:
            raise InputError(f"training on {self.train_fraction:g} of {design.n} instances leaves one side empty")
        order = self.order(design, address)
        test_fold = np.full(design.n, -1, dtype=np.int32)
        test_fold[order[n_train:]] = 0
        return test_fold


def _run_number(first_run: int, block: int, address: Address) -> int:
    return first_run + block * address.repetition + address.run


def _shuffled(n: int, run_number: int) -> Order:
    from foldproof.kernels.java_random import java_shuffle  # numba is heavy: only who asks for Weka's folds pays

    return java_shuffle(n, run_number)


def _grouped_by_class(order: Order, strata: Order) -> Order:
    """Bring equal classes together by swaps; the order inside a class depends on the swaps too."""
    order = order.copy()
    labels = strata[order]
    n, start = len(order), 1
    while start < n:
        current = labels[start - 1]
        for j in range(start, n):
            if labels[j] == current:
                order[start], order[j] = order[j], order[start]
                labels[start], labels[j] = labels[j], labels[start]
                start += 1
        start += 1
    return order


def _dealt(order: Order, folds: int) -> Order:
    """Take positions 0, k, 2k, …, then 1, k + 1, …, and so on."""
    return np.concatenate([order[first::folds] for first in range(folds)])
