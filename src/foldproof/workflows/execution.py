"""Execution: by what means a setting is run. Scores do not depend on it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from foldproof.domain.errors import InputError, unknown_name
from foldproof.engine.execute import Executor
from foldproof.store.base import Store, open_store


@dataclass(frozen=True, slots=True, eq=False)
class Execution:
    """Where results are kept, who runs tasks, how long one fit may take, and whether ways round fitting are used.

    Without an ``executor`` it is this machine's processes, as many as the front door was asked for. Where there is a
    store, what is seen is entered in its ``ledger``; ``looks`` is how many looks at the dataset are planned.
    """

    store: Store | None = None
    fast: bool = True
    time_limit: float | None = None
    executor: Executor | None = None
    ledger: bool = True
    looks: int | None = None

    @classmethod
    def of_fits(cls, time_limit: float | None, executor: str | Executor, scheduler: str | None) -> Execution:
        """Return how fits are made, as a front door was asked; nothing is kept, and no look is entered."""
        return cls(time_limit=checked_limit(time_limit), executor=executor_of(executor, scheduler))


EXECUTORS = ("local", "dask")
# Seconds to wait for a scheduler, and for its first worker.
PATIENCE = 10.0


def executor_of(executor: str | Executor, scheduler: str | None) -> Executor | None:
    """Return the executor that a front door was asked for; None for this machine's processes."""
    if scheduler is not None and executor != "dask":
        raise InputError(f"a scheduler ({scheduler}) is for the executor dask: choose it, or leave out the scheduler")
    if not isinstance(executor, str):
        if not hasattr(executor, "run"):
            raise InputError(f"executor is {executor!r}: give 'local', 'dask', or an object with the verb run")
        return executor
    if executor not in EXECUTORS:
        raise unknown_name("executor", executor, EXECUTORS)
    if executor == "local":
        return None
    if scheduler is None:
        raise InputError("the executor dask needs the address of a scheduler, such as tcp://127.0.0.1:8786")
    from foldproof.engine.dask_executor import Dask

    return Dask(scheduler, PATIENCE)


def checked_limit(seconds: float | None) -> float | None:
    """Return a limit of time for one fit, refusing what is none."""
    if seconds is not None and not (isinstance(seconds, (int, float)) and math.isfinite(seconds) and seconds > 0.0):
        raise InputError(f"the time limit of a fit is {seconds!r}: give a number of seconds above 0")
    return None if seconds is None else float(seconds)


@contextmanager
def opened(store: str | Store | None) -> Iterator[Store | None]:
    """Yield the store that a front door was given; one that was given as a URL is closed again."""
    if store is None or isinstance(store, Store):
        yield store
    elif isinstance(store, str):
        with open_store(store) as found:
            yield found
    else:
        raise InputError(f"store is {store!r}: give a URL such as sqlite:///results.db, or an open store")
