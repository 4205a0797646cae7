"""The executor for a Dask cluster: the plan goes there once, batches follow, results come back as they are finished.

Workers may join and leave at any time. On every worker of the cluster the fits are made in processes of our own
(``pool.py``), as on this machine: so a limit of time and a fit that kills its process mean the same everywhere.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from foldproof.domain.errors import FoldproofError, InputError
from foldproof.engine.batches import Batches, Lost, predicted_at_once, settled
from foldproof.engine.payload import Payload
from foldproof.engine.plan import Plan, Task
from foldproof.engine.pool import borrowed, give_back
from foldproof.engine.task import TaskResult

# Seconds that a batch should take: more than on one machine, because its way is longer.
SECONDS = 0.2
# Batches under way for each thread of the cluster: one at work, others waiting there for it.
AHEAD = 3
# Seconds between two looks at how large the cluster is.
LOOK = 0.5


class ClusterError(FoldproofError):
    """A cluster does not do what it should."""


@dataclass(frozen=True, slots=True)
class Dask:
    """A cluster by its scheduler's address; it has ``patience`` seconds to answer, and then to have a worker.

    ``seconds`` is what a batch should take: longer ones cost the scheduler and this process less.
    """

    scheduler: str
    patience: float = 10.0
    seconds: float = SECONDS

    def run(self, plan: Plan, tasks: Sequence[Task]) -> Iterator[TaskResult]:
        """Yield the result of every task, in any order."""
        if not len(tasks):
            return
        client = self._connect()
        try:
            yield from settled(plan, _Run(client, plan, tasks, self).results())
        finally:
            with suppress(Exception):
                client.close(timeout=1)

    def _connect(self) -> Any:
        try:
            from distributed import Client
        except ImportError:
            raise InputError("the executor dask needs the package distributed: pip install 'foldproof[dask]'") from None
        try:
            client = Client(self.scheduler, timeout=self.patience, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise InputError(
                f"the scheduler {self.scheduler} does not answer ({type(error).__name__}): is it running (dask "
                "scheduler), and is the address right?"
            ) from None
        try:
            client.wait_for_workers(1, timeout=self.patience)
        except TimeoutError:
            client.close(timeout=1)
            raise InputError(
                f"the scheduler {self.scheduler} has no workers: start some (dask worker {self.scheduler})"
            ) from None
        return client


class _Run:
    """One plan on a cluster."""

    def __init__(self, client: Any, plan: Plan, tasks: Sequence[Task], asked: Dask) -> None:
        self._client, self._address = client, asked.scheduler
        self._payload = Payload.of(plan)
        self._threads = self._size()
        self._batches = Batches(tasks, self._threads, predicted_at_once(plan, tasks), asked.seconds)
        self._looked = time.monotonic()
        self._under_way: dict[Any, list[Task]] = {}
        self._there: Any = None

    def results(self) -> Iterator[TaskResult | Lost]:
        """Yield results as batches are finished."""
        from distributed import as_completed

        finished = as_completed(loop=self._client.loop, with_results=True, raise_errors=False)
        self._place()
        try:
            while True:
                self._hand_out(finished)
                if not self._under_way:
                    return
                for future, result in finished.next_batch(block=True):
                    yield from self._taken(future, result)
        finally:
            with suppress(Exception):
                self._client.cancel(list(self._under_way), force=True)

    def _size(self) -> int:
        return max(sum(map(int, self._client.nthreads().values())), 1)

    def _place(self) -> None:
        """Put the plan where the workers are; where it got lost with them, again, as soon as there is one."""
        while True:
            try:
                self._there = self._client.scatter(self._payload, broadcast=True, hash=False)
                return
            except TimeoutError:
                self._check_scheduler()

    def _check_scheduler(self) -> None:
        if self._client.status != "running":
            raise ClusterError(
                f"the scheduler {self._address} went away: what was finished is kept where there is a store; the same "
                "command goes on from there"
            )

    def _hand_out(self, finished: Any) -> None:
        if time.monotonic() - self._looked > LOOK:
            self._threads = self._size()
            self._batches.workers = self._threads
            self._looked = time.monotonic()
        while len(self._under_way) < AHEAD * self._threads:
            tasks = self._batches.take()
            if not tasks:
                return
            future = self._client.submit(run_here, self._there, tasks, pure=False)
            self._under_way[future] = tasks
            finished.add(future)

    def _taken(self, future: Any, result: Any) -> Iterator[TaskResult | Lost]:
        """Take in a batch that is finished, or was lost."""
        tasks = self._under_way.pop(future)
        if future.status == "finished":
            for found in result:
                if isinstance(found, TaskResult):
                    self._batches.measured(found)
                yield found
            return
        yield from self._lost(future, tasks, result)

    def _lost(self, future: Any, tasks: list[Task], result: Any) -> Iterator[TaskResult | Lost]:
        from distributed import KilledWorker

        self._check_scheduler()
        error = result[1] if isinstance(result, tuple) else result
        if isinstance(error, KilledWorker):
            yield from self._batches.died(tasks, "the workers of the cluster that had it died")
        elif future.status == "error" and isinstance(error, FoldproofError):
            raise error
        elif future.status == "error" and not _is_lost(error):
            raise ClusterError(
                f"the cluster cannot run the tasks ({type(error).__name__}: {error}): are foldproof and the learners' "
                "modules installed on its workers, in the same versions?"
            )
        else:
            self._batches.put_back(tasks)
            if self._there.status != "finished":
                self._place()


def _is_lost(error: Any) -> bool:
    """Whether an error says that something was on a worker that has gone."""
    return type(error).__name__ in ("CancelledError", "FutureCancelledError", "FuturesCancelledError")


def run_here(payload: Payload, tasks: list[Task]) -> list[TaskResult | Lost]:
    """Run a batch on a worker of the cluster, in a process of its own."""
    batches = Batches((), 1)
    batches.put_back(tasks)
    pool = borrowed()
    try:
        return list(pool.run(payload, batches, 1))
    finally:
        give_back(pool)
