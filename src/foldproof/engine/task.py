"""Tasks: one learner on some runs, at once where its predictions can be made so, otherwise fold by fold."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial, wraps
from typing import Any

import numpy as np
import numpy.typing as npt

from foldproof.engine.all_runs import scored_at_once
from foldproof.engine.environment import environment
from foldproof.engine.plan import Plan
from foldproof.engine.remarks import Remarking, failure
from foldproof.learners.fitting import fitting, one_thread, predicted_codes, take_rows
from foldproof.learners.tuning import chosen_parameters
from foldproof.store.records import Fault, Remark

# Responses that several scorers share; the first to ask computes it.
_RESPONSES = ("predict", "predict_proba", "decision_function", "predict_log_proba")


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


class _Once:
    """A fitted estimator that answers each question about the same test set once."""

    def __init__(self, estimator: Any) -> None:
        self._estimator = estimator
        self._answers: dict[tuple[str, int], Any] = {}

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._estimator, name)
        if name not in _RESPONSES:
            return found

        @wraps(found)  # scikit-learn asks a response method for its name
        def answer(X: Any, **options: Any) -> Any:
            if options:
                return found(X, **options)
            key = (name, id(X))
            if key not in self._answers:
                self._answers[key] = found(X)
            return self._answers[key]

        return answer


def run_tasks(plan: Plan, learner: int, runs: Sequence[int]) -> list[TaskResult]:
    """Return the results of one learner on several runs, in their order.

    All runs are predicted at once where the learner is recognised, ``plan.fast`` allows it and every scorer needs
    nothing but predictions; the results are the same either way, to the last bit of every score.
    """
    started = time.perf_counter()
    found = scored_at_once(plan, learner, runs)
    if found is None:
        return [run_task(plan, learner, run) for run in runs]
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


def run_task(plan: Plan, learner: int, run: int) -> TaskResult:
    """Return the result of one task, fitted fold by fold. Whatever a learner raises becomes a fault of that fold.

    Numeric libraries are held to one thread, so that sums are formed in the same order whatever runs beside.
    """
    started = time.perf_counter()
    folds = plan.splits.folds
    scores = {name: np.full(folds, np.nan) for name in plan.scorers}
    predictions = np.full(len(plan.dataset), np.nan) if plan.splits.complementary else None
    remarking = Remarking()
    with one_thread():
        chosen = [_run_fold(plan, learner, run, fold, scores, predictions, remarking) for fold in range(folds)]
    return TaskResult(
        learner=learner,
        run=run,
        scores=scores,
        predictions=predictions,
        remarks=remarking.remarks(),
        chosen=tuple(chosen) if any(chosen) else None,
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


def _run_fold(
    plan: Plan,
    learner: int,
    run: int,
    fold: int,
    scores: dict[str, npt.NDArray[np.float64]],
    predictions: npt.NDArray[np.float64] | None,
    remarking: Remarking,
) -> str | None:
    dataset = plan.dataset
    train, test = plan.splits.train_test(run, fold)
    fit = fitting(plan.learners[learner], dataset, plan.address(run), fold, encode=plan.encode)
    X_test, y_test = take_rows(fit.X, test), dataset.y[test]
    model = _Once(fit.estimator)
    with remarking.listening("", fold):
        try:
            fit.fit(train)
        except Exception as error:
            remarking.fault("", failure(fold, "fit_raised", error))
            return None
        chosen = chosen_parameters(fit.estimator)
        if predictions is not None:
            try:
                predictions[test] = predicted_codes(dataset, np.asarray(model.predict(X_test)))
            except Exception as error:
                remarking.fault("", failure(fold, "predict_raised", error))
                return chosen
    for name, scorer in plan.scorers.items():
        with remarking.listening(name, fold):
            scores[name][fold] = remarking.scored(name, fold, partial(scorer, model, X_test, y_test))
    return chosen


@cache
def _host() -> str:
    return socket.gethostname()


def worker_name() -> str:
    """Return which process this is, and where."""
    return f"{_host()}/{os.getpid()}"
