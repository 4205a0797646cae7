"""``fp.export_store`` and ``fp.import_store``: cells to csv or parquet, and back into a store."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from foldproof.domain.errors import InputError
from foldproof.engine.keys import series_key
from foldproof.store.base import Store
from foldproof.store.records import Cell, DatasetRecord, Series
from foldproof.store.tables import parts_of, read_table, write_csv, write_table
from foldproof.workflows.execution import opened
from foldproof.workflows.ledgers import existing_store

# Cells of one transaction.
_BATCH = 1000
Parts = tuple[DatasetRecord, Series, Cell]


@dataclass(frozen=True, slots=True)
class Transfer:
    """How many cells went from a store to a file, or from a file to a store; ``new`` were not there before."""

    action: str
    store: str
    file: str | None
    cells: int
    new: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, with the keys of the JSON output."""
        return {
            "schema": "foldproof/transfer/1",
            "action": self.action,
            "store": self.store,
            "file": self.file,
            "cells": self.cells,
            "new": self.new,
        }

    def to_text(self, *, width: int = 100, color: bool = False) -> str:
        """Return the sentence that the command line prints."""
        cells = f"{self.cells} cell{'s' * (self.cells != 1)}"
        if self.action == "export":
            return (
                f"{cells} of {self.store} written to {self.file}. The ledger is not among them: see foldproof ledger "
                "export.\n"
            )
        return f"{cells} read from {self.file}, {self.new} of them new in {self.store}.\n"


def export_store(store: str | Store, file: str | Path) -> Transfer:
    """Write every cell of a store to a csv or parquet file, with its dataset and series; to be read back to the bit.

    The ledger and other logs are not cells, and stay: ``foldproof ledger export`` has the ledger.
    """
    path = Path(file)
    with existing_store(store) as kept:
        return Transfer("export", kept.url, str(path), write_table(kept, path))


def exported_csv(store: str | Store) -> str:
    """Return every cell of a store as csv."""
    out = io.StringIO()
    with existing_store(store) as kept:
        write_csv(kept, out)
    return out.getvalue()


def import_store(file: str | Path, store: str | Store) -> Transfer:
    """Read cells from a file that :func:`export_store` wrote into a store. What the store holds stays as it is.

    Nothing in the file is run. A row whose key is not that of its dataset, learner, seed and repetition is refused,
    and with it every row after it; the rows before it are kept.
    """
    path = Path(file)
    rows = read_table(path)
    first = next(rows, None)
    with opened(store) as kept:
        if kept is None:
            raise InputError("there is no store to read the cells into: give its URL")
        cells = new = 0
        known: set[str] = set()
        parts = _checked(path, _with_first(first, rows))
        while batch := list(islice(parts, _BATCH)):
            for record, series, _ in batch:
                if series.key not in known:
                    kept.add_dataset(record)
                    kept.add_series(series)
                    known.add(series.key)
            cells += len(batch)
            new += kept.write([cell for _, _, cell in batch])
        return Transfer("import", kept.url, str(path), cells, new)


def _with_first(first: Any, rows: Iterator[Any]) -> Iterator[Any]:
    if first is not None:
        yield first
        yield from rows


def _checked(path: Path, rows: Iterator[Mapping[str, Any]]) -> Iterator[Parts]:
    for number, row in enumerate(rows, 1):
        try:
            parts = parts_of(row)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError(f"{path}, cell {number} cannot be read: {error}") from None
        problem = _problem(*parts)
        if problem is not None:
            raise InputError(f"{path}, cell {number} is not as it was written: {problem}")
        yield parts


def _problem(record: DatasetRecord, series: Series, cell: Cell) -> str | None:
    """Return what is wrong with a row, if anything is."""
    key = series_key(record.fingerprint, series.learner, series.seed, series.repetition, encode=series.encode)
    if key != series.key:
        return "its series is not that of its dataset, learner, seed and repetition"
    if len(cell.division) != 16 or cell.run < 0:
        return f"run {cell.run} with a division of {len(cell.division)} bytes is none"
    if not cell.scores or len({len(folds) for folds in cell.scores.values()}) != 1:
        return "it has no scores, or not as many folds under each scoring"
    if cell.predictions is not None and len(cell.predictions) != record.instances:
        return f"it has {len(cell.predictions)} predictions for {record.instances} instances"
    return None
