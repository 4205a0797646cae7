"""The one writer: results go to the store in batches, soon after they are there, and all of them at the end."""

from __future__ import annotations

from collections import deque
from threading import Event, Thread
from types import TracebackType
from typing import Self

from foldproof.store.base import Store
from foldproof.store.records import Cell

# A transaction is begun when so many cells wait, or the first has waited so many seconds.
MOST = 1000
SOON = 0.25
# More than this many waiting cells make the work wait for the writer, so that memory stays as it is.
WAITING = 4000
# Seconds that the last cells may take to be written after a second interrupt.
LAST = 0.5


class Keeper:
    """Writes cells from a thread of its own. What was put in is kept when the context ends, however it ends.

    The threads meet once in a batch, not once in a cell: handing over costs next to nothing.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._cells: deque[Cell] = deque()
        self._error: BaseException | None = None
        self._some, self._many, self._room, self._end = Event(), Event(), Event(), Event()
        self._thread = Thread(target=self._work, name="foldproof writer", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for event in (self._end, self._many, self._some):
            event.set()
        try:
            self._thread.join()
        except KeyboardInterrupt:  # what is finished is kept, also where somebody presses Ctrl-C twice
            self._thread.join(LAST)
            raise
        if self._error is not None and kind is None:
            raise self._error

    def put(self, cell: Cell) -> None:
        """Hand over a cell; raises what went wrong with earlier ones."""
        if self._error is not None:
            raise self._error
        self._cells.append(cell)
        if not self._some.is_set():
            self._some.set()
        waiting = len(self._cells)
        if waiting >= MOST and not self._many.is_set():
            self._many.set()
        while waiting >= WAITING and self._error is None:
            self._room.clear()
            self._room.wait(SOON)
            waiting = len(self._cells)

    def _work(self) -> None:
        while not (self._end.is_set() and not self._cells):
            self._some.wait()
            self._many.wait(SOON)
            if not self._end.is_set():
                self._some.clear()
                self._many.clear()
            while self._cells and self._error is None:
                batch = [self._cells.popleft() for _ in range(min(len(self._cells), MOST))]
                self._room.set()
                try:
                    self._store.write(batch)
                except BaseException as error:
                    self._error = error
            if self._error is not None:
                self._room.set()
                return
