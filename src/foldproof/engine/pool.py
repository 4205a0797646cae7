"""Worker processes of this machine: handed batches, watched, replaced when they die, and kept for the next plan.

They are processes of their own and no pool of a library's, because a fit that takes too long can only be ended by
ending its process, and because it must be known which tasks a process had when it died (docs/decisions/0012).
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

from foldproof.domain.errors import FoldproofError, InputError
from foldproof.engine.batches import Batches, Lost
from foldproof.engine.frames import receive, send
from foldproof.engine.payload import Payload
from foldproof.engine.plan import Task
from foldproof.engine.task import TaskResult

# A worker has so many batches: one that it works on, and one that it finds when it has finished.
AHEAD = 2
# So many starts in a row may fail; then no more are tried while others run, and the work goes on with these.
STARTS = 3
_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from foldproof.engine.worker import main; main()"


def _is_text(place: object) -> bool:
    return isinstance(place, str)


class WorkerError(FoldproofError):
    """Processes that were to do the work cannot be started."""


class _Worker:
    """One process, and the tasks that it was handed and has not answered."""

    def __init__(self, answers: SimpleQueue[Any]) -> None:
        apart: dict[str, Any] = {"process_group": 0} if os.name == "posix" else {}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, json.dumps([*filter(_is_text, sys.path)])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            **apart,
        )
        self.batches: deque[deque[Task]] = deque()
        self.plan: str | None = None
        # Whether it ever answered.
        self.proved = False
        Thread(target=self._listen, args=(answers,), name="foldproof answers", daemon=True).start()

    def _listen(self, answers: SimpleQueue[Any]) -> None:
        assert self._process.stdout is not None
        with suppress(Exception):
            while True:
                answers.put((self, *receive(self._process.stdout)))
        # One that has closed its end without ending is of no use; on one that has ended this does nothing.
        self._process.kill()
        answers.put((self, "gone", self._process.wait()))
        self._process.stdout.close()

    def send(self, order: str, content: Any) -> None:
        """Hand something over; a process that has gone is told of by its answers."""
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):
            send(self._process.stdin, (order, content))

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()

    def wait(self) -> None:
        """Wait until the process has ended, which was ended."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5.0)

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process.poll() is None


class Pool:
    """A number of workers. One plan at a time."""

    def __init__(self) -> None:
        self._answers: SimpleQueue[Any] = SimpleQueue()
        self._workers: list[_Worker] = []
        self._failed_starts = 0
        self.owner = os.getpid()

    def run(self, payload: Payload, batches: Batches, size: int) -> Iterator[TaskResult | Lost]:
        """Yield the result of every task, or that it is given up.

        An iterator that is closed early ends the workers that are busy.
        """
        kept = [worker for worker in self._workers if worker.alive][:size]
        for left in self._workers:
            if left not in kept:
                left.kill()
        self._workers = kept
        self._failed_starts = 0
        try:
            while True:
                self._hand_out(payload, batches, size)
                if not any(worker.batches for worker in self._workers):
                    return
                yield from self._answer(batches, payload.time_limit, *self._answers.get())
        finally:
            for worker in self._workers:
                if worker.batches:
                    worker.kill()
            self._workers = [worker for worker in self._workers if not worker.batches]

    def _hand_out(self, payload: Payload, batches: Batches, size: int) -> None:
        """Give every worker something to do, the idle ones first, and start workers while there is more to do."""
        for depth in range(AHEAD):
            for place in range(size):
                if not batches:
                    return
                if place == len(self._workers):
                    if self._failed_starts >= STARTS and self._workers:
                        break
                    self._workers.append(_Worker(self._answers))
                worker = self._workers[place]
                if len(worker.batches) > depth:
                    continue
                tasks = batches.take()
                if not tasks:
                    return
                if worker.plan != payload.key:
                    worker.plan = payload.key
                    worker.send("plan", payload)
                worker.batches.append(deque(tasks))
                worker.send("batch", tasks)

    def _answer(
        self, batches: Batches, limit: float | None, worker: _Worker, kind: str, content: Any
    ) -> Iterator[TaskResult | Lost]:
        """Take in what a worker answers; what is left of one that was ended is nobody's any more."""
        if worker not in self._workers:
            return
        if kind == "gone":
            yield from self._gone(batches, limit, worker, content)
            return
        if not worker.proved:
            worker.proved, self._failed_starts = True, 0
        if kind == "unreadable":
            raise InputError(
                f"the learners or data cannot be read in another process ({content}): define them in a module that "
                "other processes can import, or use one process without a time limit"
            )
        if kind == "results":
            for result in content:
                worker.batches[0].popleft()
                batches.measured(result)
                yield result
        elif kind == "done":
            worker.batches.popleft()

    def _gone(self, batches: Batches, limit: float | None, worker: _Worker, code: int) -> Iterator[TaskResult | Lost]:
        """Take in that a worker has ended: what it was doing is done again, or given up."""
        self._workers.remove(worker)
        worker.kill()
        held = [list(batch) for batch in worker.batches]
        worker.batches.clear()
        # One that never answered has begun nothing.
        for unbegun in held[worker.proved :]:
            batches.put_back(unbegun)
        if held and not worker.proved:
            self._failed_starts += 1
            if self._failed_starts >= STARTS and not self._workers:
                raise WorkerError(
                    f"worker processes end before they have done anything ({_how(code)}): see above what they said, "
                    "or use one process without a time limit"
                )
            return
        if not held or not held[0]:
            return
        if limit is not None and code == _EXPIRED:
            yield batches.expired(held[0], limit)
        else:
            yield from batches.died(held[0], _how(code))

    def close(self) -> None:
        """End all workers, and wait until they have."""
        for worker in self._workers:
            worker.kill()
        for worker in self._workers:
            worker.wait()
        self._workers = []


# How a worker ends that took too long.
_EXPIRED = -signal.SIGALRM if hasattr(signal, "SIGALRM") else 1


def _how(code: int) -> str:
    if code < 0:
        with suppress(ValueError):
            return f"signal {signal.Signals(-code).name}"
    return f"exit code {code}"


_idle: list[Pool] = []
_lock = Lock()


def borrowed() -> Pool:
    """Return a pool whose workers may be warm already; give it back with :func:`give_back`."""
    with _lock:
        while _idle:
            pool = _idle.pop()
            if pool.owner == os.getpid():
                return pool
    return Pool()


def give_back(pool: Pool) -> None:
    """Keep a pool for the next plan."""
    with _lock:
        _idle.append(pool)


@atexit.register
def close_all() -> None:
    """End every worker that waits for work."""
    with _lock:
        while _idle:
            pool = _idle.pop()
            if pool.owner == os.getpid():
                pool.close()
