"""The local executor: joblib's workers on this machine, in whatever way the user configured them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from foldproof.domain.errors import InputError
from foldproof.engine.all_runs import method_of
from foldproof.engine.plan import Plan, Task
from foldproof.engine.task import TaskResult, run_tasks


@dataclass(frozen=True, slots=True)
class Local:
    """Processes of this machine; ``n_jobs=None`` follows ``joblib.parallel_config``."""

    n_jobs: int | None = None

    def run(self, plan: Plan, tasks: Sequence[Task]) -> Iterator[TaskResult]:
        """Yield the result of every task, in any order."""
        from joblib import delayed

        jobs = batches(plan, tasks, workers(self.n_jobs, len(tasks)).n_jobs)
        made = workers(self.n_jobs, len(jobs))(delayed(run_tasks)(plan, learner, runs) for learner, runs in jobs)
        for results in made:
            yield from results


def workers(n_jobs: int | None, jobs: int) -> Any:
    """Return joblib's workers, as many as were asked for and no more than there are jobs."""
    from joblib import Parallel

    if n_jobs is not None and (not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or n_jobs == 0):
        raise InputError(f"n_jobs is {n_jobs!r}: give a number of processes, or -1 for one per processor")
    wanted = n_jobs if n_jobs is None or n_jobs < 0 else min(int(n_jobs), max(jobs, 1))
    return Parallel(n_jobs=wanted, return_as="generator_unordered")


def batches(plan: Plan, tasks: Sequence[Task], jobs: int) -> list[tuple[int, list[int]]]:
    """Return runs to be done together: shares of a recognised learner's runs, single runs of the others."""
    share: dict[int, list[int]] = {}
    found: list[tuple[int, list[int]]] = []
    for learner, run in tasks:
        if method_of(plan, learner) is None:
            found.append((learner, [run]))
        else:
            share.setdefault(learner, []).append(run)
    parts = max(abs(jobs), 1)
    shares = []
    for learner, runs in share.items():
        size = min(-(-len(runs) // parts), MOST_RUNS)
        shares += [(learner, runs[i : i + size]) for i in range(0, len(runs), size)]
    return [*shares, *found]


# So many runs at once at the most: progress is told and results are kept between.
MOST_RUNS = 200
