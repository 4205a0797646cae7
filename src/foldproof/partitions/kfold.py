"""k-fold cross-validation, its repetition, 5 x 2, and leave-one-out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldproof.domain.address import Address
from foldproof.domain.errors import InputError
from foldproof.partitions.deal import deal_folds
from foldproof.partitions.scheme import SCHEMES, Design, TestFold


@SCHEMES.register("k-fold")
@dataclass(frozen=True, slots=True)
class KFold:
    """Near-equal folds, each tested once in a run; r runs of it are r x k-fold cross-validation."""

    folds: int = 10
    stratified: bool = True
    default_runs: int = 1
    name: str = "k-fold"

    def assign(self, design: Design, address: Address) -> TestFold:
        """Return the test fold of every instance in one run."""
        return deal_folds(design, self.folds, address.stream("partition"), stratified=self.stratified)


@SCHEMES.register("5x2")
@dataclass(frozen=True, slots=True)
class FiveByTwo:
    """Five runs of two folds (Dietterich 1998)."""

    stratified: bool = True
    default_runs: int = 5
    name: str = "5x2"

    def assign(self, design: Design, address: Address) -> TestFold:
        """Return the test half of every instance in one run."""
        return deal_folds(design, 2, address.stream("partition"), stratified=self.stratified)


@SCHEMES.register("leave-one-out")
@dataclass(frozen=True, slots=True)
class LeaveOneOut:
    """Each instance (each group, where groups bind) is a test set: nothing is random, so one run says it all."""

    default_runs: int = 1
    name: str = "leave-one-out"

    def assign(self, design: Design, address: Address) -> TestFold:
        """Return each instance's own fold."""
        if design.units < 2:
            raise InputError("leave-one-out needs at least two instances (or groups)")
        if address.run > 0:
            raise InputError("leave-one-out has one run only: nothing in it is random")
        folds = np.arange(design.n) if design.groups is None else design.groups
        return folds.astype(np.int32)
