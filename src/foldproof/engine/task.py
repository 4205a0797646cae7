"""Tasks: one learner on some runs, at once where its predictions can be made so, otherwise fold by fold."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from foldproof.engine.all_runs import method_of, scored_at_once
from foldproof.engine.environment import environment
from foldproof.engine.folds import FoldByFold
from foldproof.engine.plan import Plan, Task
from foldproof.learners.fitting import one_thread
from foldproof.store.records import Fault, Remark

# Is told when a fit begins; None where nobody asks. What is predicted at once is no fit.
Begin = Callable[[], None] | None


@dataclass(slots=True)
class TaskResult:
    """Scores per scoring and fold, predictions per instance, and what was odd about the fit ("") or about a score.

    ``learner`` and ``run`` are places in the plan. ``chosen`` holds the setting that the learner chose for itself in
    each fold, None where it tunes nothing. ``method`` names the at-once method by which it was predicted,
    ``environment`` the versions that computed it.
    """

    learner: int
    run: int
    scores: Mapping[str, npt.NDArray[np.float64]]
    predictions: npt.NDArray[np.float64] | None = None
    remarks: Mapping[str, Remark] = field(default_factory=dict)
    chosen: tuple[str | None, ...] | None = None
    seconds: float = 0.0
    finished: float = 0.0
    worker: str = ""
    method: str | None = None
    environment: str = "{}"

    @property
    def again(self) -> float | None:
        """Whether it failed for want of time (the limit) or because a worker died (0), so that it may run again."""
        remark = self.remarks.get("")
        return None if remark is None else remark.again

    @property
    def failures(self) -> int:
        """How many folds have a fault."""
        return len({fault.fold for remark in self.remarks.values() for fault in remark.faults})


def run_batch(plan: Plan, tasks: Sequence[Task], begin: Begin = None) -> Iterator[TaskResult]:
    """Yield the results of some tasks in their order, each as soon as it is there."""
    for learner, own in groupby(tasks, key=itemgetter(0)):
        runs = [run for _, run in own]
        if method_of(plan, learner) is not None:
            yield from run_tasks(plan, learner, runs, begin)
        else:
            for run in runs:
                yield run_task(plan, learner, run, begin)


def run_tasks(plan: Plan, learner: int, runs: Sequence[int], begin: Begin = None) -> list[TaskResult]:
    """Return the results of one learner on several runs, in their order.

    All runs are predicted at once where the learner is recognised, ``plan.fast`` allows it and every scorer needs
    nothing but predictions; the results are the same either way, to the last bit of every score.
    """
    started = time.perf_counter()
    found = scored_at_once(plan, learner, runs)
    if found is None:
        return [run_task(plan, learner, run, begin) for run in runs]
    spent = (time.perf_counter() - started) / max(len(runs), 1)
    return [
        TaskResult(
            learner, run, scores, predictions, remarks, None, spent, time.time(), worker_name(), found.method,
            environment(found.method),
        )
        for run, scores, predictions, remarks in zip(
            runs, found.scores, found.predictions, found.remarks, strict=True
        )
    ]  # fmt: skip


def run_task(plan: Plan, learner: int, run: int, begin: Begin = None) -> TaskResult:
    """Return the result of one task, fitted fold by fold. Whatever a learner raises becomes a fault of that fold.

    Numeric libraries are held to one thread, so that sums are formed in the same order whatever runs beside.
    ``begin`` is called when a fit begins.
    """
    started = time.perf_counter()
    with one_thread():
        found = FoldByFold(plan, learner, run, begin)
    return TaskResult(
        learner=learner,
        run=run,
        scores=found.scores,
        predictions=found.predictions,
        remarks=found.remarking.remarks(),
        chosen=tuple(found.chosen) if any(found.chosen) else None,
        seconds=time.perf_counter() - started,
        finished=time.time(),
        worker=worker_name(),
        environment=environment(),
    )


def failed_task(plan: Plan, learner: int, run: int, kind: str, message: str, again: float | None = None) -> TaskResult:
    """Return the result of a task of which nothing came back: every fold has the same fault.

    ``again``: 0 where a worker died, the limit in seconds where time ran out, None where that is final.
    """
    folds = plan.splits.folds
    faults = tuple(Fault(fold, kind, message) for fold in range(folds))
    return TaskResult(
        learner=learner,
        run=run,
        scores={name: np.full(folds, np.nan) for name in plan.scorers},
        predictions=np.full(len(plan.dataset), np.nan) if plan.splits.complementary else None,
        remarks={"": Remark(faults, again=again)},
        finished=time.time(),
        worker=worker_name(),
        environment=environment(),
    )


@cache
def _host() -> str:
    return socket.gethostname()


def worker_name() -> str:
    """Return which process this is, and where."""
    return f"{_host()}/{os.getpid()}"
