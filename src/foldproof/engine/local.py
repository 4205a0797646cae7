"""The local executor: this process alone, worker processes, or whatever joblib was configured to use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from foldproof.domain.errors import InputError
from foldproof.engine.batches import Batches, predicted_at_once, settled
from foldproof.engine.payload import Payload
from foldproof.engine.plan import Plan, Task
from foldproof.engine.pool import borrowed, give_back
from foldproof.engine.task import TaskResult, run_batch

# Joblib's ways that are processes of this machine, for which there are workers of our own.
_PROCESSES = ("LokyBackend", "MultiprocessingBackend", "SequentialBackend")


@dataclass(frozen=True, slots=True)
class Local:
    """Processes of this machine; ``n_jobs=None`` follows ``joblib.parallel_config``.

    One process is this one, unless there is a limit of time: then fits are made in another, which can be ended.
    """

    n_jobs: int | None = None

    def run(self, plan: Plan, tasks: Sequence[Task]) -> Iterator[TaskResult]:
        """Yield the result of every task, in any order."""
        from joblib import effective_n_jobs
        from joblib.parallel import get_active_backend

        jobs = int(effective_n_jobs(checked_jobs(self.n_jobs)))
        if not len(tasks):
            return iter(())
        backend, _ = get_active_backend()
        if plan.time_limit is None and type(backend).__name__ not in _PROCESSES:
            return self._by_joblib(plan, tasks, jobs)
        if plan.time_limit is None and jobs == 1:
            return _here(plan, tasks)
        # A single task that is left goes to a worker too: it may be what killed one before.
        return _by_workers(plan, tasks, min(jobs, len(tasks)))

    def _by_joblib(self, plan: Plan, tasks: Sequence[Task], jobs: int) -> Iterator[TaskResult]:
        from joblib import delayed

        batches = Batches(tasks, jobs, predicted_at_once(plan, tasks))
        for results in workers(self.n_jobs, len(tasks))(delayed(_results)(plan, own) for own in iter(batches.take, [])):
            for result in results:
                batches.measured(result)
                yield result


def _results(plan: Plan, tasks: list[Task]) -> list[TaskResult]:
    return list(run_batch(plan, tasks))


def checked_jobs(n_jobs: int | None) -> int | None:
    """Return a number of processes as joblib takes it, or say why it is none."""
    if n_jobs is not None and (not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or n_jobs == 0):
        raise InputError(f"n_jobs is {n_jobs!r}: give a number of processes, or -1 for one per processor")
    return None if n_jobs is None else int(n_jobs)


def workers(n_jobs: int | None, jobs: int) -> Any:
    """Return joblib's workers, as many as were asked for and no more than there are jobs."""
    from joblib import Parallel

    wanted = checked_jobs(n_jobs)
    if wanted is not None and wanted > 0:
        wanted = min(wanted, max(jobs, 1))
    return Parallel(n_jobs=wanted, return_as="generator_unordered")


def _here(plan: Plan, tasks: Sequence[Task]) -> Iterator[TaskResult]:
    batches = Batches(tasks, 1, predicted_at_once(plan, tasks))
    while own := batches.take():
        for result in run_batch(plan, own):
            batches.measured(result)
            yield result


def _by_workers(plan: Plan, tasks: Sequence[Task], jobs: int) -> Iterator[TaskResult]:
    batches = Batches(tasks, jobs, predicted_at_once(plan, tasks))
    payload = Payload.of(plan, share=True)
    pool = borrowed()
    try:
        yield from settled(plan, pool.run(payload, batches, jobs))
    finally:
        give_back(pool)
        payload.close()
