"""Cells as rows of a csv or parquet file, and back: every bit of them, and nothing but text and numbers.

A row is a cell with its series and its dataset. A score is a column ``score:NAME`` with a value per fold; predictions
are a column with a value per instance. In a csv file lists are JSON; a missing value among them is null.
"""

from __future__ import annotations

import csv
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from foldproof.domain.errors import InputError, unknown_name
from foldproof.store.base import Store
from foldproof.store.packing import pack_faults, pack_grumbles, unpack_faults, unpack_grumbles
from foldproof.store.records import Cell, DatasetRecord, Floats, Remark, Series

SCORE = "score:"
# fmt: off
COLUMNS = (
    "dataset", "fingerprint", "instances", "attributes", "classes", "origin",
    "learner", "learner_text", "recipe", "series", "seed", "repetition", "encode",
    "run", "division", "scheme", "predictions", "remarks", "seconds", "finished", "worker", "environment",
)
# fmt: on
_WHOLE = ("instances", "attributes", "classes", "repetition", "run")
_REAL = ("seconds", "finished")
# What may be missing; everything else that is empty is a text without characters.
_NULLABLE = ("classes", "origin", "recipe", "predictions")

Row = dict[str, Any]


def rows_of(store: Store) -> Iterator[Row]:
    """Yield a row for each cell, with lists as lists."""
    records = {record.fingerprint: record for record in store.datasets()}
    for series in store.series():
        record = records[series.dataset]
        shared = {
            "dataset": record.name,
            "fingerprint": record.fingerprint,
            "instances": record.instances,
            "attributes": record.attributes,
            "classes": record.classes,
            "origin": record.origin,
            "learner": series.name,
            "learner_text": series.learner,
            "recipe": series.recipe,
            "series": series.key,
            "seed": str(series.seed),
            "repetition": series.repetition,
            "encode": series.encode,
        }
        for cell in store.cells(series.key):
            yield {
                **shared,
                "run": cell.run,
                "division": cell.division.hex(),
                "scheme": cell.scheme,
                "predictions": None if cell.predictions is None else cell.predictions.tolist(),
                "remarks": _pack_remarks(cell.remarks),
                "seconds": cell.seconds,
                "finished": cell.finished,
                "worker": cell.worker,
                "environment": cell.environment,
                **{f"{SCORE}{name}": folds.tolist() for name, folds in cell.scores.items()},
            }


def parts_of(row: Mapping[str, Any]) -> tuple[DatasetRecord, Series, Cell]:
    """Return what a row holds."""
    record = DatasetRecord(
        row["fingerprint"], row["dataset"], row["instances"], row["attributes"], row["classes"], row["origin"]
    )
    series = Series(
        key=row["series"],
        dataset=row["fingerprint"],
        learner=row["learner_text"],
        name=row["learner"],
        recipe=row["recipe"],
        seed=int(row["seed"]),
        repetition=row["repetition"],
        encode=row["encode"],
    )
    scores = {
        name[len(SCORE) :]: _floats(row[name]) for name in row if name.startswith(SCORE) and row[name] is not None
    }
    cell = Cell(
        series=row["series"],
        run=row["run"],
        division=bytes.fromhex(row["division"]),
        scheme=row["scheme"],
        scores=scores,
        predictions=None if row["predictions"] is None else _floats(row["predictions"]),
        remarks=_unpack_remarks(row["remarks"]),
        seconds=row["seconds"],
        finished=row["finished"],
        worker=row["worker"],
        environment=row["environment"],
    )
    return record, series, cell


def _floats(values: Iterable[float | None]) -> Floats:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _pack_remarks(remarks: Mapping[str, Remark]) -> str:
    told = {
        where: {"faults": pack_faults(r.faults), "grumbles": pack_grumbles(r.grumbles), "again": r.again}
        for where, r in remarks.items()
    }
    return json.dumps(told, ensure_ascii=False, sort_keys=True) if told else ""


def _unpack_remarks(text: str) -> dict[str, Remark]:
    told = json.loads(text) if text else {}
    return {
        where: Remark(unpack_faults(r["faults"]), unpack_grumbles(r["grumbles"]), r["again"])
        for where, r in told.items()
    }


# ---- files ------------------------------------------------------------------------------------------------------


def write_table(store: Store, path: Path) -> int:
    """Write all cells to a file, whole or not at all; return how many there are."""
    writer = {".csv": write_csv, ".parquet": _write_parquet}[_ending(path)]
    with _whole(path) as draft:
        if writer is write_csv:
            with draft.open("w", encoding="utf-8", errors="surrogatepass", newline="") as file:
                return write_csv(store, file)
        return _write_parquet(store, draft)


def read_table(path: Path) -> Iterator[Row]:
    """Yield the rows of a file, with lists as lists; a value that cannot be read names its row and column."""
    if not path.is_file():
        raise InputError(f"there is no file {str(path)!r}: check the name and the folder")
    rows = _read_csv(path) if _ending(path) == ".csv" else _read_parquet(path)
    for number, row in enumerate(rows, 1):
        if number == 1:
            lacking = [name for name in COLUMNS if name not in row]
            if lacking:
                raise InputError(
                    f"{path} is no export of a store: it has no column {lacking[0]!r}; foldproof test reads scores "
                    "from elsewhere"
                )
        yield row


def _ending(path: Path) -> str:
    if path.suffix.lower() not in (".csv", ".parquet"):
        raise unknown_name("ending of a file of cells", path.suffix or path.name, [".csv", ".parquet"])
    return path.suffix.lower()


@contextmanager
def _whole(path: Path) -> Iterator[Path]:
    """Yield a draft that takes the place of the file when it is complete."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        os.close(handle)
        draft = Path(name)
        try:
            yield draft
            draft.chmod(0o644)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror or error}; choose another place") from None


def _scorings(store: Store) -> list[str]:
    return sorted({name for series in store.series() for cell in store.cells(series.key) for name in cell.scores})


def write_csv(store: Store, file: IO[str]) -> int:
    """Write all cells as csv; return how many there are."""
    columns = [*COLUMNS, *(f"{SCORE}{name}" for name in _scorings(store))]
    writer = csv.DictWriter(file, columns, lineterminator="\n")
    writer.writeheader()
    count = 0
    for count, row in enumerate(rows_of(store), 1):  # noqa: B007
        writer.writerow({name: _text(value) for name, value in row.items()})
    return count


def _text(value: Any) -> Any:
    """Return a value as csv holds it: numbers by their shortest exact text, lists as JSON."""
    if isinstance(value, list):
        return json.dumps([_short(number) for number in value], separators=(",", ":"))
    return repr(value) if isinstance(value, float) else value


def _short(number: float) -> float | int | None:
    if number != number:
        return None
    whole = number.is_integer() and abs(number) < 2**53 and not (number == 0 and np.signbit(number))
    return int(number) if whole else number


@contextmanager
def _long_fields() -> Iterator[None]:
    """Let fields be as long as the predictions on a large dataset."""
    before = csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _read_csv(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8", errors="surrogatepass", newline="") as file:
        reader = csv.DictReader(file)
        while True:
            try:
                with _long_fields():
                    row = next(reader, None)
            except (csv.Error, UnicodeDecodeError) as error:
                raise InputError(f"{path} is no csv file that can be read: {error}") from None
            if row is None:
                return
            yield {name: _value(path, reader.line_num, name, text) for name, text in row.items() if name is not None}


def _value(path: Path, line: int, name: str, text: str | None) -> Any:
    if text is None:
        raise InputError(f"{path}, line {line}: the line ends before the column {name!r}: is the file whole?")
    if text == "" and (name in _NULLABLE or name.startswith(SCORE)):
        return None
    try:
        if name in _WHOLE:
            return int(text)
        if name in _REAL:
            return float(text)
        if name == "encode":
            return {"True": True, "False": False}[text]
        if name == "predictions" or name.startswith(SCORE):
            return [None if number is None else float(number) for number in json.loads(text)]
    except (ValueError, TypeError, KeyError):
        shown = text if len(text) <= 40 else f"{text[:37]}…"
        raise InputError(f"{path}, line {line}: {name} cannot be read: {shown!r}") from None
    return text


def _write_parquet(store: Store, path: Path) -> int:
    import polars as pl

    lists = ["predictions", *(f"{SCORE}{name}" for name in _scorings(store))]
    kinds: dict[str, Any] = dict.fromkeys(COLUMNS, pl.String)
    kinds |= dict.fromkeys(_WHOLE, pl.Int64) | dict.fromkeys(_REAL, pl.Float64) | {"encode": pl.Boolean}
    kinds |= dict.fromkeys(lists, pl.List(pl.Float64))
    rows = list(rows_of(store))
    # By way of memory, so that a full disk is told as one.
    packed = io.BytesIO()
    pl.DataFrame([{name: row.get(name) for name in kinds} for row in rows], schema=kinds).write_parquet(packed)
    path.write_bytes(packed.getvalue())
    return len(rows)


def _read_parquet(path: Path) -> Iterator[Row]:
    import polars as pl

    try:
        frame = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"{path} is no parquet file that can be read: {str(error).splitlines()[0]}") from None
    yield from frame.iter_rows(named=True)
