"""The one writer: results go to the store in batches, soon after they are there, and all of them at the end."""

from __future__ import annotations

import time
from queue import Empty, Queue
from threading import Thread
from types import TracebackType
from typing import Self

from foldproof.store.base import Store
from foldproof.store.records import Cell

# A transaction is begun when so many cells wait, or the first has waited so many seconds.
MOST = 1000
SOON = 0.25
# More than this many waiting cells make the work wait for the writer, so that memory stays as it is.
WAITING = 5000


class Keeper:
    """Writes cells from a thread of its own. What was put in is kept when the context ends, however it ends."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queue: Queue[Cell | None] = Queue(WAITING)
        self._error: BaseException | None = None
        self._thread = Thread(target=self._work, name="foldproof writer", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._queue.put(None)
        self._thread.join()
        if self._error is not None and kind is None:
            raise self._error

    def put(self, cell: Cell) -> None:
        """Hand over a cell; raises what went wrong with earlier ones."""
        if self._error is not None:
            raise self._error
        self._queue.put(cell)

    def _work(self) -> None:
        last = False
        while not last:
            batch, last = self._batch()
            if batch and self._error is None:
                try:
                    self._store.write(batch)
                except BaseException as error:
                    self._error = error

    def _batch(self) -> tuple[list[Cell], bool]:
        """Wait for a cell and take what follows it soon; say whether it was the end."""
        first = self._queue.get()
        if first is None:
            return [], True
        batch, deadline = [first], time.monotonic() + SOON
        while len(batch) < MOST:
            try:
                cell = self._queue.get(timeout=max(deadline - time.monotonic(), 0.0))
            except Empty:
                return batch, False
            if cell is None:
                return batch, True
            batch.append(cell)
        return batch, False
