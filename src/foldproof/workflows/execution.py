"""Execution: by what means a setting is run. Scores do not depend on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from foldproof.domain.errors import InputError
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
