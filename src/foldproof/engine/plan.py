"""Plan: one dataset, its partitions, the learners and the scorings; every fit is done once and shared by all pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset
from foldproof.domain.partitions import Splits
from foldproof.learners.learner import Learner
from foldproof.learners.recognised import AtOnce, at_once

# A learner by its place in the plan, and a run by its place in the plan's partitions.
Task = tuple[int, int]


class Methods:
    """The at-once methods of a dataset's estimators, looked for once; in another process they are looked for again.

    A method holds what all partitions share (sorted columns, lists of neighbours), so it is worth keeping.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        # The estimator is kept with its method, so that its id is not given to another.
        self._known: dict[int, tuple[Any, AtOnce | None]] = {}

    def __reduce__(self) -> tuple[type[Methods], tuple[()]]:
        return (Methods, ())

    def of(self, estimator: Any, dataset: Dataset) -> AtOnce | None:
        """Return the method for an estimator, if there is one."""
        with self._lock:
            if id(estimator) not in self._known:
                self._known[id(estimator)] = (estimator, at_once(estimator, dataset))
            return self._known[id(estimator)][1]


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What is to be run. A task of it is one learner on one run. Plans travel to other processes.

    ``first_run`` is the number that the first run of ``splits`` has in its series; ``time_limit`` is for one fit, in
    seconds; ``fast`` allows methods for all partitions at once, whose scores are the same.
    """

    dataset: Dataset
    splits: Splits
    learners: tuple[Learner, ...]
    scorers: Mapping[str, Any]
    seed: int
    repetition: int = 0
    first_run: int = 0
    encode: bool = True
    fast: bool = True
    time_limit: float | None = None
    methods: Methods = field(default_factory=Methods, repr=False)

    def address(self, run: int) -> Address:
        """Return the address from which a run's fits draw their random states."""
        return Address(self.seed, self.dataset.fingerprint, self.repetition, self.first_run + run)

    def tasks(self) -> list[Task]:
        """Return every task, run by run, so that early results are of all learners."""
        return [(learner, run) for run in range(self.splits.runs) for learner in range(len(self.learners))]
