"""Progress on stderr: a bar with an estimate on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from foldproof.engine.events import Listener, TaskFinished

# Seconds between plain lines; work shorter than this prints none.
_EVERY = 5.0


@contextmanager
def progress(*, quiet: bool) -> Iterator[Listener | None]:
    """Yield a listener that draws what the engine tells."""
    if quiet:
        yield None
    elif sys.stderr.isatty():
        with _bar() as listener:
            yield listener
    else:
        yield _lines()


@contextmanager
def _bar() -> Iterator[Listener]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("fitting", total=None)

        def listen(event: TaskFinished) -> None:
            failed = f", {event.failures} folds failed" if event.failures else ""
            bar.update(task, completed=event.done, total=event.total, description=f"runs of learners{failed}")

        yield listen


def _lines() -> Listener:
    started = last = time.monotonic()

    def listen(event: TaskFinished) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < _EVERY:
            return
        last = now
        left = (now - started) / event.done * (event.total - event.done)
        failed = f", {event.failures} folds failed" if event.failures else ""
        sys.stderr.write(f"{event.done} of {event.total} runs of learners done{failed}, about {left:.0f} s left\n")
        sys.stderr.flush()

    return listen
