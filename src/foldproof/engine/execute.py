"""From a plan to outcomes: an executor runs the tasks, and each learner's results become its outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from foldproof.domain.outcomes import Failure, Outcomes
from foldproof.engine.events import Listener, TaskFinished
from foldproof.engine.local import Local
from foldproof.engine.plan import Plan, Task
from foldproof.engine.task import TaskResult


class Executor(Protocol):
    """What runs tasks: in any order and place, every task once. The results must not depend on either.

    Workers that die and fits that take too long come back as results too, with ``again`` in their remark.
    """

    def run(self, plan: Plan, tasks: Sequence[Task]) -> Iterator[TaskResult]: ...  # noqa: D102


def execute(plan: Plan, *, executor: Executor | None = None, on_event: Listener | None = None) -> dict[str, Outcomes]:
    """Run every task of the plan and return each learner's outcomes."""
    tasks = plan.tasks()
    results: list[TaskResult] = []
    failures = 0
    for result in (executor or Local()).run(plan, tasks):
        results.append(result)
        failures += result.failures
        if on_event is not None:
            name = plan.learners[result.learner].name
            on_event(TaskFinished(name, result.run, len(results), len(tasks), failures))
    return {
        learner.name: assemble(plan, place, sorted((r for r in results if r.learner == place), key=lambda r: r.run))
        for place, learner in enumerate(plan.learners)
    }


def assemble(plan: Plan, learner: int, results: Sequence[TaskResult]) -> Outcomes:
    """Return one learner's outcomes; ``results`` has one for each run, in order."""
    name = plan.learners[learner].name
    order = {scoring: i for i, scoring in enumerate(["", *plan.scorers])}
    failures: list[Failure] = []
    grumbles: dict[str, tuple[str, set[tuple[int, int]]]] = {}
    for result in results:
        remarks = sorted(((order[w], r) for w, r in result.remarks.items() if w in order), key=lambda pair: pair[0])
        faults = [(fault.fold, i, fault) for i, remark in remarks for fault in remark.faults]
        faults.sort(key=lambda found: found[:2])
        run = plan.first_run + result.run
        failures += [Failure(name, run, fold, fault.kind, fault.message) for fold, _, fault in faults]
        for _, remark in remarks:
            for grumble in remark.grumbles:
                _, fits = grumbles.setdefault(grumble.kind, (grumble.text, set()))
                fits.update((run, fold) for fold in grumble.folds)
    total = plan.splits.runs * plan.splits.folds
    predictions = [r.predictions for r in results if r.predictions is not None]
    return Outcomes(
        learner=name,
        dataset=plan.dataset.fingerprint,
        partitions=plan.splits.fingerprint,
        scores={scoring: np.stack([r.scores[scoring] for r in results]) for scoring in plan.scorers},
        predictions=np.stack(predictions) if len(predictions) == len(results) else None,
        chosen=_chosen(plan, results),
        failures=tuple(failures),
        notes=tuple(_note(name, kind, text, len(fits), total) for kind, (text, fits) in sorted(grumbles.items())),
    )


def _chosen(plan: Plan, results: Sequence[TaskResult]) -> tuple[tuple[str | None, ...], ...] | None:
    if all(result.chosen is None for result in results):
        return None
    return tuple(result.chosen or (None,) * plan.splits.folds for result in results)


def _note(name: str, kind: str, text: str, count: int, fits: int) -> str:
    code = "not_converged" if kind == "ConvergenceWarning" else "learner_warned"
    return f"{code}: {name!r} in {count} of {fits} fits: {kind}: {text}"
