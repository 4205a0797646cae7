"""Plan: one dataset, its partitions, the learners and the scorings; every fit is done once and shared by all pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, overload

import numpy as np

from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset
from foldproof.domain.partitions import Ints, Splits, narrowest
from foldproof.engine.shortcuts import Shortcuts
from foldproof.learners.learner import Learner
from foldproof.learners.recognised import AtOnce, at_once

# A learner by its place in the plan, and a run by its place in the plan's partitions.
Task = tuple[int, int]


class Tasks(Sequence[Task]):
    """Many tasks in few bytes: each is one number, its run times the number of learners and its learner.

    >>> Tasks.product(2, 2)[1:]
    Tasks([(1, 0), (0, 1), (1, 1)])
    """

    def __init__(self, numbers: Ints, learners: int) -> None:
        self._numbers, self._learners = numbers, learners

    @classmethod
    def product(cls, learners: int, runs: int) -> Tasks:
        """Return every learner on every run, run by run."""
        return cls(np.arange(learners * runs, dtype=narrowest(learners * runs)), learners)

    @classmethod
    def of_runs(cls, runs: Mapping[int, Ints]) -> Tasks:
        """Return the tasks of some learners on runs of their own, run by run."""
        learners = max(runs, default=0) + 1
        kind = narrowest(max((int(own.max(initial=0)) + 1 for own in runs.values()), default=0) * learners)
        numbers = np.empty(sum(map(len, runs.values())), dtype=kind)
        start = 0
        for who, own in runs.items():
            numbers[start : start + len(own)] = own.astype(kind) * learners + who
            start += len(own)
        numbers.sort()
        return cls(numbers, learners)

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> Task: ...
    @overload
    def __getitem__(self, place: slice) -> Tasks: ...
    def __getitem__(self, place: int | slice) -> Task | Tasks:
        if isinstance(place, slice):
            return Tasks(self._numbers[place], self._learners)
        run, learner = divmod(int(self._numbers[place]), self._learners)
        return learner, run

    def __iter__(self) -> Iterator[Task]:
        for start in range(0, len(self), 1000):
            for number in self._numbers[start : start + 1000].tolist():
                run, learner = divmod(number, self._learners)
                task: Task = (learner, run)
                yield task

    def __repr__(self) -> str:
        return f"Tasks({list(self)})"

    @classmethod
    def of(cls, tasks: Sequence[Task]) -> Tasks:
        """Return any sequence of tasks in this form."""
        if isinstance(tasks, Tasks):
            return tasks
        learners = max((learner for learner, _ in tasks), default=0) + 1
        return cls(np.array([run * learners + learner for learner, run in tasks], dtype=np.int64), learners)

    def apart(self, learners: Sequence[int]) -> tuple[dict[int, Ints], Tasks]:
        """Return the runs of some learners, and the tasks of the others."""
        if not learners:
            return {}, self
        run, learner = np.divmod(self._numbers, self._learners)
        runs = {who: run[learner == who] for who in learners}
        return runs, Tasks(self._numbers[~np.isin(learner, learners)], self._learners)

    def counts(self) -> dict[int, int]:
        """Return how many tasks each learner has."""
        found, counts = np.unique(self._numbers % self._learners, return_counts=True)
        return dict(zip(found.tolist(), counts.tolist(), strict=True))


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

    def forget(self) -> None:
        """Let go of all methods: results are kept longer than what they were made with."""
        with self._lock:
            self._known.clear()


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
    shortcuts: Shortcuts = field(default_factory=Shortcuts, repr=False)

    def address(self, run: int) -> Address:
        """Return the address from which a run's fits draw their random states."""
        return Address(self.seed, self.dataset.fingerprint, self.repetition, self.first_run + run)

    def tasks(self) -> Tasks:
        """Return every task, run by run, so that early results are of all learners."""
        return Tasks.product(len(self.learners), self.splits.runs)
