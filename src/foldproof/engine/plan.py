"""Plan: one dataset, its partitions, the learners and the scorings; every fit is done once and shared by all pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset
from foldproof.domain.partitions import Splits
from foldproof.learners.learner import Learner


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What is to be run. A task of it is one learner on one run."""

    dataset: Dataset
    partitions: Splits
    learners: tuple[Learner, ...]
    scorers: Mapping[str, Any]
    seed: int
    repetition: int = 0
    first_run: int = 0
    encode: bool = True

    def address(self, run: int) -> Address:
        """Return the address from which a run's fits draw their random states."""
        return Address(self.seed, self.dataset.fingerprint, self.repetition, self.first_run + run)

    def tasks(self) -> list[tuple[Learner, int]]:
        """Return every task, run by run, so that early results are of all learners."""
        return [(learner, run) for run in range(self.partitions.runs) for learner in self.learners]
