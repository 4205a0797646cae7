"""From a plan to outcomes: what the store holds is read, an executor runs the rest, and the store keeps it."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from foldproof.domain.outcomes import Outcomes
from foldproof.engine.events import Listener, task_finished
from foldproof.engine.gathered import Gathered
from foldproof.engine.held import Keyed, read_held, score_stored, tasks_left
from foldproof.engine.keeper import Keeper
from foldproof.engine.local import Local
from foldproof.engine.plan import Plan, Task
from foldproof.engine.task import TaskResult
from foldproof.store.base import Store


class Executor(Protocol):
    """What runs tasks: in any order and place, every task once. The results must not depend on either.

    Workers that die and fits that take too long come back as results too, with ``again`` in their remark. An iterator
    that is closed early lets go of its workers.
    """

    def run(self, plan: Plan, tasks: Sequence[Task]) -> Iterator[TaskResult]: ...  # noqa: D102


def execute(
    plan: Plan, *, store: Store | None = None, executor: Executor | None = None, on_event: Listener | None = None
) -> dict[str, Outcomes]:
    """Return each learner's outcomes: from the store where it holds them, from running the tasks where it does not.

    Results are written in batches soon after they are there; whatever ends the work, what was finished is kept.
    """
    gathered = [Gathered(plan, learner) for learner in range(len(plan.learners))]
    running = executor or Local()
    if store is None:
        for result in _told(plan, running.run(plan, plan.tasks()), on_event, 0):
            gathered[result.learner].add(result)
        return {found.name: found.outcomes() for found in gathered}
    keyed = Keyed.of(plan)
    left = [read_held(store, keyed, learner, gathered[learner]) for learner in range(len(plan.learners))]
    if any(own.fits or own.scores for own in left):
        keyed.announce(store)
        with Keeper(store) as keeper:
            for learner, own in enumerate(left):
                for result in score_stored(keyed, learner, own):
                    keeper.put(keyed.cell(result))
                    gathered[learner].add(result)
            groups = tasks_left(left)
            left.clear()
            known = len(plan.learners) * plan.splits.runs - sum(map(len, groups.values()))
            for scorings, tasks in groups.items():
                part = replace(plan, scorers={name: plan.scorers[name] for name in scorings})
                for result in _told(part, running.run(part, tasks), on_event, known):
                    keeper.put(keyed.cell(result))
                    gathered[result.learner].add(result)
                known += len(tasks)
    return {found.name: found.outcomes() for found in gathered}


def _told(plan: Plan, results: Iterator[TaskResult], on_event: Listener | None, known: int) -> Iterator[TaskResult]:
    """Pass results on and tell of them; let go of the workers, however it ends."""
    total, failures = len(plan.learners) * plan.splits.runs, 0
    try:
        for done, result in enumerate(results, known + 1):
            failures += result.failures
            yield result
            if on_event is not None:
                on_event(task_finished(plan, result, done, total, failures))
    finally:
        if isinstance(results, Generator):
            results.close()
