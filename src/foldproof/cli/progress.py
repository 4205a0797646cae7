"""Progress on stderr: bars with rate and estimate on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from foldproof.engine.events import DatasetFinished, DatasetStarted, ManyListener, TaskFinished

# Seconds between plain lines; work shorter than this prints none.
_EVERY = 5.0
# So many failures are told one by one as they happen; the rest are counted, and listed at the end.
_TOLD = 5
Event = TaskFinished | DatasetStarted | DatasetFinished


@contextmanager
def progress(*, quiet: bool) -> Iterator[ManyListener | None]:
    """Yield a listener that draws what the engine tells."""
    if quiet:
        yield None
    elif sys.stderr.isatty():
        with _bars() as listener:
            yield listener
    else:
        yield _lines()


class Tally:
    """What was told so far: how far the work is, how fast it goes, how the learners do, and what failed."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.step: DatasetStarted | None = None
        self.task: TaskFinished | None = None
        self.fitted = 0
        self.faults = 0
        self._sums: dict[str, tuple[float, int]] = {}

    def hear(self, event: Event) -> list[str]:
        """Take in an event; return sentences about what failed."""
        if isinstance(event, DatasetStarted):
            self.step, self.task, self._sums = event, None, {}
        elif isinstance(event, DatasetFinished):
            self.task = None
        else:
            self.fitted += 1
            self.task = event
            if event.score is not None:
                total, count = self._sums.get(event.learner, (0.0, 0))
                self._sums[event.learner] = (total + event.score, count + 1)
            return self._failures(event)
        return []

    def _failures(self, event: TaskFinished) -> list[str]:
        where = f"{event.dataset}: " if self.step is not None else ""
        said = []
        for fold, message in event.faults:
            self.faults += 1
            if self.faults <= _TOLD:
                said.append(f"{where}{event.learner}, run {event.run}, fold {fold} failed: {message}")
            elif self.faults == _TOLD + 1:
                said.append("more folds failed; they are counted here and listed at the end")
        return said

    @property
    def means(self) -> dict[str, float]:
        """The learners' mean scores on this dataset, over the runs that were fitted in this call."""
        return {name: total / count for name, (total, count) in self._sums.items()}

    @property
    def overall(self) -> tuple[int, int]:
        """How many runs of learners are done, and how many there are in all."""
        done, total = (0, 0) if self.task is None else (self.task.done, self.task.total)
        if self.step is None:
            return done, total
        return self.step.before + done, max(self.step.total, self.step.before + total)

    @property
    def rate(self) -> float:
        """How many runs of learners are fitted in a second."""
        return self.fitted / max(time.monotonic() - self.started, 1e-9)

    def pace(self) -> str:
        """Return rate and estimate in words."""
        done, total = self.overall
        rate = self.rate
        if not self.fitted:
            return ""
        shown = f"{rate:.0f}/s" if rate >= 10 else f"{rate:.1f}/s" if rate >= 1 else f"{60 * rate:.1f}/min"
        return f"{shown}, about {_duration((total - done) / rate)} left"


def _duration(seconds: float) -> str:
    """Return a time as one says it.

    >>> _duration(30.2), _duration(600), _duration(10000)
    ('30 s', '10 min', '2 h 47 min')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


@contextmanager
def _bars() -> Iterator[ManyListener]:
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.text import Text

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[pace]}"))
    bars, tally, means = Progress(*columns), Tally(), Text()
    whole = bars.add_task("all datasets", total=None, pace="", visible=False)
    own = bars.add_task("runs of learners", total=None, pace="")

    with Live(Group(bars, means), console=Console(stderr=True), transient=True, refresh_per_second=5) as live:

        def listen(event: Event) -> None:
            for said in tally.hear(event):
                live.console.print(Text(said, style="red"))
            done, total = tally.overall
            name = "runs of learners"
            if tally.step is not None:
                name = f"{tally.step.dataset}, {tally.step.procedure}"
                steps = f"all: {tally.step.number} of {tally.step.of}"
                bars.update(
                    whole, visible=True, description=steps, completed=done, total=total or None, pace=tally.pace()
                )
            task = tally.task
            failed = f", {task.failures} folds failed" if task is not None and task.failures else ""
            bars.update(
                own,
                description=f"{name}{failed}",
                completed=0 if task is None else task.done,
                total=None if task is None else task.total,
                pace="" if tally.step is not None else tally.pace(),
            )
            shown = "  ".join(f"{learner} {mean:.4f}" for learner, mean in tally.means.items())
            means.plain = f"{task.scoring}: {shown}" if shown and task is not None else ""

        yield listen


def _lines() -> ManyListener:
    tally = Tally()
    last = tally.started

    def say(sentence: str) -> None:
        sys.stderr.write(f"{sentence}\n")
        sys.stderr.flush()

    def listen(event: Any) -> None:
        nonlocal last
        for said in tally.hear(event):
            say(said)
        now = time.monotonic()
        if now - last < _EVERY or tally.task is None:
            return
        last = now
        where, (done, total) = "", tally.overall
        if tally.step is not None:
            where = f"{tally.step.dataset} ({tally.step.number} of {tally.step.of}): "
        failed = f", {tally.faults} folds failed" if tally.faults else ""
        say(f"{where}{done} of {total} runs of learners done{failed}, {tally.pace()}")

    return listen
