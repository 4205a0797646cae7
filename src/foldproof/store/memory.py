"""A store that lives as long as its process: for tests, and for work that nobody wants to keep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from threading import RLock

import numpy as np

from foldproof.store.base import STORES, Store
from foldproof.store.errors import StoreError
from foldproof.store.packing import pack_scores, unpack_scores
from foldproof.store.records import Cell, CellKey, DatasetRecord, Floats, Remark, Series


class MemoryStore(Store):
    """Dictionaries, and one lock around them."""

    def __init__(self) -> None:
        self.url = "memory://"
        self._lock = RLock()
        self._datasets: dict[str, DatasetRecord] = {}
        self._series: dict[str, Series] = {}
        self._cells: dict[str, dict[CellKey, Cell]] = {}
        self._logs: dict[str, list[str]] = {}
        self._marks: dict[str, str] = {}

    def add_dataset(self, record: DatasetRecord) -> None:
        """Keep a dataset's record."""
        with self._lock:
            known = self._datasets.setdefault(record.fingerprint, record)
            if known.origin is None and record.origin is not None:
                self._datasets[record.fingerprint] = replace(known, origin=record.origin)

    def add_series(self, series: Series) -> None:
        """Keep a series."""
        with self._lock:
            if series.dataset not in self._datasets:
                raise StoreError(
                    f"the series {series.key[:12]} is of a dataset that the store does not know: add it first"
                )
            if self._series.setdefault(series.key, series) is series:
                self._cells[series.key] = {}

    def write(self, cells: Iterable[Cell]) -> int:
        """Keep cells."""
        with self._lock:
            given = list(cells)
            for cell in given:
                if cell.series not in self._series:
                    raise StoreError(
                        f"a cell is of the series {cell.series[:12]}, which the store does not know: add it first"
                    )
            return sum(self._keep(cell) for cell in given)

    def _keep(self, cell: Cell) -> bool:
        own = self._cells[cell.series]
        held = own.get(cell.key)
        # What is kept is a copy: the caller may go on to use its arrays.
        copy = replace(
            cell,
            scores={name: unpack_scores(pack_scores(values)) for name, values in cell.scores.items()},
            predictions=None if cell.predictions is None else np.array(cell.predictions, dtype=np.float64),
            remarks={key: remark for key, remark in cell.remarks.items() if remark},
        )
        if held is None or held.again is not None:
            own[cell.key] = copy
            return held is None
        more = {name: values for name, values in copy.scores.items() if name not in held.scores}
        if more:
            remarks = {key: remark for key, remark in copy.remarks.items() if key in more}
            own[cell.key] = replace(held, scores={**held.scores, **more}, remarks={**held.remarks, **remarks})
        return False

    def datasets(self) -> list[DatasetRecord]:
        """Return every dataset."""
        with self._lock:
            return [self._datasets[key] for key in sorted(self._datasets)]

    def series(self) -> list[Series]:
        """Return every series."""
        with self._lock:
            return [self._series[key] for key in sorted(self._series)]

    def keys(self, series: str) -> list[CellKey]:
        """Return the keys of a series' cells."""
        with self._lock:
            return sorted(self._cells.get(series, {}))

    def scores(self, series: str, scoring: str) -> dict[CellKey, bytes]:
        """Return the scores of each cell that has this scoring."""
        with self._lock:
            own = self._cells.get(series, {})
            return {key: pack_scores(c.scores[scoring]) for key, c in sorted(own.items()) if scoring in c.scores}

    def remarks(self, series: str) -> dict[CellKey, dict[str, Remark]]:
        """Return what is odd about cells."""
        with self._lock:
            own = self._cells.get(series, {})
            return {key: dict(cell.remarks) for key, cell in sorted(own.items()) if cell.remarks}

    def predictions(self, series: str) -> dict[CellKey, Floats]:
        """Return the predictions of each cell that has them."""
        with self._lock:
            own = self._cells.get(series, {})
            return {key: cell.predictions.copy() for key, cell in sorted(own.items()) if cell.predictions is not None}

    def environments(self, series: str) -> list[str]:
        """Return the environments that a series' cells were made in."""
        with self._lock:
            return sorted({cell.environment for cell in self._cells.get(series, {}).values()})

    def cells(self, series: str | None = None) -> Iterator[Cell]:
        """Yield whole cells."""
        with self._lock:
            wanted = sorted(self._cells) if series is None else [series]
            found = [cell for name in wanted for _, cell in sorted(self._cells.get(name, {}).items())]
        yield from found

    def count(self) -> int:
        """Return the number of cells."""
        with self._lock:
            return sum(map(len, self._cells.values()))

    def changed(self) -> bool:
        """Never: no other program can see it."""
        return False

    def append_line(
        self, log: str, build: Callable[[int, str | None], str], mark: str | None = None
    ) -> tuple[int, str]:
        """Append a line."""
        with self._lock:
            lines = self._logs.get(log, [])
            line = build(len(lines), lines[-1] if lines else None)
            self._logs.setdefault(log, lines).append(line)
            if mark is not None:
                self._marks[mark] = line
            return len(lines), line

    def lines(self, log: str) -> list[str]:
        """Return a log's lines."""
        with self._lock:
            return list(self._logs.get(log, []))

    def logs(self) -> list[str]:
        """Return the names of the logs that have lines."""
        with self._lock:
            return sorted(self._logs)

    def set_mark(self, key: str, value: str) -> None:
        """Keep a small fact."""
        with self._lock:
            self._marks[key] = value

    def mark(self, key: str) -> str | None:
        """Return a small fact."""
        with self._lock:
            return self._marks.get(key)

    def close(self) -> None:
        """Nothing is let go: whoever holds the store may go on to use it."""


@STORES.register("memory")
def open_memory(url: str) -> Store:
    """Return a new store in memory; two of them share nothing."""
    return MemoryStore()
