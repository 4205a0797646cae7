"""What the engine tells while it works; the command line draws it, a notebook may too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from foldproof.engine.plan import Plan
from foldproof.engine.task import TaskResult


@dataclass(frozen=True, slots=True)
class TaskFinished:
    """One learner finished one run.

    ``done`` of ``total`` runs of learners are there, those that a store held among them; ``failures`` folds have failed
    since the call began, and ``faults`` says which did now: (fold, what happened). ``score`` is the run's mean under
    the first scoring, as scikit-learn turns it (more is better); None where no fold came out.
    """

    learner: str
    run: int
    done: int
    total: int
    failures: int
    dataset: str = ""
    scoring: str = ""
    score: float | None = None
    faults: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class DatasetStarted:
    """One dataset of many is begun under one procedure: step ``number`` of ``of``, from 1.

    ``before`` of ``total`` runs of learners, over all steps, are done.
    """

    dataset: str
    procedure: str
    number: int
    of: int
    before: int
    total: int


@dataclass(frozen=True, slots=True)
class DatasetFinished:
    """One dataset is done under one procedure; ``fitted`` of its ``tasks`` runs of learners had to be fitted."""

    dataset: str
    procedure: str
    number: int
    of: int
    tasks: int
    fitted: int


Listener = Callable[[TaskFinished], None]
# What is told where there are many datasets. Whoever hears all of it may be given to a call that tells of tasks alone.
ManyListener = Callable[[TaskFinished | DatasetStarted | DatasetFinished], None]


def task_finished(plan: Plan, result: TaskResult, done: int, total: int, failures: int) -> TaskFinished:
    """Return what is told of a result."""
    scoring = next(iter(plan.scorers), "")
    folds = result.scores.get(scoring, np.empty(0))
    known = folds[np.isfinite(folds)]
    faults = {fault.fold: fault.message for remark in result.remarks.values() for fault in remark.faults}
    return TaskFinished(
        learner=plan.learners[result.learner].name,
        run=plan.first_run + result.run,
        done=done,
        total=total,
        failures=failures,
        dataset=plan.dataset.name,
        scoring=scoring,
        score=float(known.mean()) if known.size else None,
        faults=tuple(sorted(faults.items())),
    )
