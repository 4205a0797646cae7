"""The local executor: joblib's workers on this machine, in whatever way the user configured them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from foldproof.domain.outcomes import Outcomes
from foldproof.engine.events import Listener, TaskFinished
from foldproof.engine.plan import Plan
from foldproof.engine.task import TaskResult, run_task


def execute(plan: Plan, *, n_jobs: int | None = None, on_event: Listener | None = None) -> dict[str, Outcomes]:
    """Run every task of the plan and return each learner's outcomes.

    ``n_jobs=None`` follows ``joblib.parallel_config``. The outcomes do not depend on the number of jobs.
    """
    from joblib import Parallel, delayed

    tasks = plan.tasks()
    results: list[TaskResult] = []
    finished = Parallel(n_jobs=n_jobs, return_as="generator_unordered")(
        delayed(run_task)(plan, learner, run) for learner, run in tasks
    )
    failures = 0
    for result in finished:
        results.append(result)
        failures += len(result.failures)
        if on_event is not None:
            on_event(TaskFinished(result.learner, result.run, len(results), len(tasks), failures))
    return {learner.name: _outcomes(plan, learner.name, results) for learner in plan.learners}


def _outcomes(plan: Plan, name: str, results: list[TaskResult]) -> Outcomes:
    own = sorted((r for r in results if r.learner == name), key=lambda r: r.run)
    grumbles: Counter[str] = sum((r.grumbles for r in own), Counter())
    examples = {kind: text for r in reversed(own) for kind, text in r.examples.items()}
    fits = plan.partitions.runs * plan.partitions.folds
    keep_predictions = all(r.predictions is not None for r in own)
    return Outcomes(
        learner=name,
        dataset=plan.dataset.fingerprint,
        partitions=plan.partitions.fingerprint,
        scores={scoring: np.stack([r.scores[scoring] for r in own]) for scoring in plan.scorers},
        predictions=np.stack([r.predictions for r in own if r.predictions is not None]) if keep_predictions else None,
        chosen=tuple(tuple(r.chosen) for r in own) if any(any(r.chosen) for r in own) else None,
        failures=tuple(replace(f, run=plan.first_run + f.run) for r in own for f in r.failures),
        notes=tuple(_grumble(name, kind, examples[kind], count, fits) for kind, count in sorted(grumbles.items())),
    )


def _grumble(name: str, kind: str, text: str, count: int, fits: int) -> str:
    code = "not_converged" if kind == "ConvergenceWarning" else "learner_warned"
    return f"{code}: {name!r} in {count} of {fits} fits: {kind}: {text}"
