"""What a worker process does: it is handed plans and batches of tasks through its standard input, and answers.

It is a plain child process, so that it can be killed without harm to anybody else. It ends when the program that
started it ends, whatever it is doing.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any

from foldproof.engine.frames import receive, send

# A worker that has had nothing to do for so many seconds ends.
IDLE = 300.0
# Seconds after which results are sent, though the batch is not finished.
SOON = 0.05


def main() -> None:
    """Serve whoever started this process, and end at once when there is nobody left."""
    try:
        _serve()
    except BrokenPipeError:
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _serve() -> None:
    # What learners print goes to the error stream: the standard output carries answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    inbox: SimpleQueue[Any] = SimpleQueue()
    Thread(target=_listen, args=(sys.stdin.buffer, inbox), name="foldproof orders", daemon=True).start()
    plan: Any = None
    send(answers, ("ready", None))
    while True:
        try:
            order, content = inbox.get(timeout=IDLE)
        except Empty:
            return
        if order == "plan":
            plan = _read(content, answers)
        else:
            for results in _done(plan, content):
                send(answers, ("results", results))
            send(answers, ("done", None))


def _listen(orders: IO[bytes], inbox: SimpleQueue[Any]) -> None:
    """Pass orders on; the end of them is the end of this process, also in the middle of a fit."""
    try:
        while True:
            inbox.put(receive(orders))
    except BaseException:
        os._exit(0)


def _read(payload: Any, answers: IO[bytes]) -> Any:
    try:
        return payload.plan()
    except Exception as error:
        send(answers, ("unreadable", f"{type(error).__name__}: {error}"))
        return None


def _done(plan: Any, tasks: Sequence[tuple[int, int]]) -> Iterator[list[Any]]:
    """Yield the results of a batch, a few together; one by one where a fit may end this process."""
    if plan is None:
        return
    from foldproof.engine.task import run_batch

    found: list[Any] = []
    last = time.monotonic()
    with Clock(plan.time_limit) as clock:
        for result in run_batch(plan, tasks, clock.begin):
            found.append(result)
            if plan.time_limit is not None or time.monotonic() - last > SOON:
                clock.stop()
                yield found
                found, last = [], time.monotonic()
    if found:
        yield found


class Clock:
    """Ends this process when a fit takes longer than the limit, also inside code that never returns to Python."""

    def __init__(self, limit: float | None) -> None:
        self._limit = limit
        self.begin: Callable[[], None] | None = None if limit is None else self._begin

    def __enter__(self) -> Clock:
        if self._limit is not None and hasattr(signal, "SIGALRM"):
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
        return self

    def __exit__(self, *given: object) -> None:
        self.stop()

    def _begin(self) -> None:
        assert self._limit is not None
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, self._limit)
        else:
            import faulthandler

            faulthandler.dump_traceback_later(self._limit, exit=True)

    def stop(self) -> None:
        """Stop the clock until the next fit."""
        if self._limit is None:
            return
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0.0)
        else:
            import faulthandler

            faulthandler.cancel_dump_traceback_later()
