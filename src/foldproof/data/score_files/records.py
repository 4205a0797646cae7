"""Records: the rows of a file or frame as text and numbers, each with the place where a reader finds it."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl

from foldproof.data.table import MISSING, read_bytes
from foldproof.domain.errors import InputError, unknown_name

# The column that holds each row's place; no file has a column of that name.
PLACE = "\0place"


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """Rows of named columns. ``unit`` is "line" for a text file, "row" (from 1) for anything else."""

    frame: pl.DataFrame
    name: str
    unit: str = "line"
    like: Any = None

    @property
    def columns(self) -> list[str]:
        """The columns' names."""
        return [column for column in self.frame.columns if column != PLACE]

    def at(self, row: int) -> str:
        """Return where a row stands, for a sentence."""
        return f"{self.name}, {self.unit} {self.frame[PLACE][row]}"

    def first(self, condition: pl.Series) -> int | None:
        """Return the first row for which a condition holds."""
        found = condition.fill_null(False).arg_true()
        return int(found[0]) if len(found) else None

    def renamed(self, names: dict[str, str]) -> Records:
        """Return the records with other names for some columns."""
        return Records(self.frame.rename(names), self.name, self.unit, self.like)

    def need(self, columns: Sequence[str], form: str) -> None:
        """Refuse records that lack a column of their form."""
        for column in columns:
            if column not in self.columns:
                raise InputError(
                    f"{self.name} has no column {column!r}, which {form} needs; it has {', '.join(self.columns)}"
                )

    def column(self, name: str) -> pl.Series:
        """Return a column by name."""
        if name not in self.columns:
            raise unknown_name(f"column of {self.name}", name, self.columns)
        return self.frame[name]

    def text(self, name: str) -> pl.Series:
        """Return a column of names, refusing a blank."""
        values = self.frame[name]
        values = values if values.dtype == pl.String else values.cast(pl.String)
        bad = self.first(values.is_null())
        if bad is not None:
            raise InputError(f"{self.at(bad)}: {name} is blank; write the {name} of every row")
        return values

    def numbers(self, name: str) -> pl.Series:
        """Return a column of finite numbers, refusing anything else."""
        values = self.frame[name]
        numbers = values.cast(pl.Float64, strict=False)
        bad = self.first(values.is_null())
        if bad is not None:
            raise InputError(
                f"{self.at(bad)}: {name} is missing; a failed fold has no place in a test: repair it, or leave the "
                "fold out for every learner"
            )
        bad = self.first(numbers.is_null())
        if bad is not None:
            raise InputError(f"{self.at(bad)}: {name} is {values[bad]!r}, which is no number")
        bad = self.first(~numbers.is_finite())
        if bad is not None:
            raise InputError(f"{self.at(bad)}: {name} is {numbers[bad]}, which is not finite; repair the fold")
        return numbers

    def whole(self, name: str) -> pl.Series:
        """Return a column of whole numbers, refusing anything else."""
        values = self.frame[name]
        numbers = values.cast(pl.Float64, strict=False)
        bad = self.first(numbers.is_null() | (numbers != numbers.round()))
        if bad is not None:
            raise InputError(f"{self.at(bad)}: {name} is {values[bad]!r}; number the {name}s 0, 1, 2, …")
        return numbers.cast(pl.Int64)


def of_frame(frame: Any, name: str) -> Records:
    """Return the records of a dataframe of any kind."""
    table = nw.from_native(frame, eager_only=True).to_polars()
    if table.height == 0:
        raise InputError(f"{name} is a frame without rows: give one row for each score")
    table = table.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
    return Records(_placed(table, list(range(1, table.height + 1))), name, "row", frame)


def of_path(path: Path) -> Records:
    """Return the records of a csv, tsv or parquet file, gzipped or not."""
    raw = read_bytes(path)
    endings = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    if endings[-1:] == [".parquet"]:
        try:
            return Records(of_frame(pl.read_parquet(io.BytesIO(raw)), path.name).frame, path.name, "row")
        except pl.exceptions.PolarsError as error:
            raise InputError(f"{path.name} is not a parquet file: {str(error).splitlines()[0]}") from None
    return of_text(raw, path.name, tabs=endings[-1:] == [".tsv"])


def of_text(raw: bytes, name: str, *, tabs: bool = False) -> Records:
    """Return the records of a delimited text; lines that begin with # before the header are comments."""
    if b"\0" in raw[:4096]:
        raise InputError(f"{name} is no text: it holds NUL characters; save it as csv")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    lines = text.splitlines(keepends=True)
    start = 0
    while start < len(lines) and (not lines[start].strip() or lines[start].startswith("#")):
        start += 1
    if start == len(lines):
        raise InputError(f"{name} is empty: it needs a line of column names and one line for each score")
    header = lines[start]
    separator = "\t" if tabs else (";" if ";" in header and "," not in header else ",")
    # Weka quotes with single quotes, and its columns begin with the key of a result.
    quote = "'" if header.startswith("Key_") and any(",'" in line for line in lines[start + 1 :]) else '"'
    reader = csv.reader(lines[start:], delimiter=separator, quotechar=quote, escapechar="\\" if quote == "'" else None)
    try:
        columns = [column.strip() for column in next(reader)]
        rows, places = [], []
        for row in reader:
            if not row or not any(cell.strip() for cell in row):
                continue
            if len(row) != len(columns):
                raise InputError(
                    f"{name}, line {start + reader.line_num} has {len(row)} values and the header names "
                    f"{len(columns)} columns: one value for each"
                )
            rows.append([_known(cell) for cell in row])
            places.append(start + reader.line_num)
    except csv.Error as error:
        raise InputError(f"{name}, line {start + reader.line_num} cannot be read as csv: {error}") from None
    twice = [column for column in columns if columns.count(column) > 1]
    if twice:
        raise InputError(f"{name} has two columns called {twice[0]!r}; rename one")
    if not rows:
        raise InputError(f"{name} has column names and no rows: it needs one line for each score")
    frame = pl.DataFrame(dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)))
    return Records(_placed(frame.cast(pl.String), places), name)


def _known(cell: str) -> str | None:
    """Return a cell's text; nan and infinities stay, to be told apart from what is missing."""
    text = cell.strip()
    return None if text in MISSING and text.lower() != "nan" else text


def _placed(frame: pl.DataFrame, places: list[int]) -> pl.DataFrame:
    return frame.with_columns(pl.Series(PLACE, places, dtype=pl.Int64))
