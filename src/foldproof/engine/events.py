"""What the engine tells while it works; the command line draws it, a notebook may too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TaskFinished:
    """One learner finished one run."""

    learner: str
    run: int
    done: int
    total: int
    failures: int


Listener = Callable[[TaskFinished], None]
