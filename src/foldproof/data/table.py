"""Tables on disk: csv, tsv and parquet, gzipped or not."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
from pathlib import Path

import polars as pl

from foldproof.data.in_memory import dataset
from foldproof.data.sources import Wanted
from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError, unknown_name

# What people write for "not known", besides nothing at all.
MISSING = ["", "?", "NA", "N/A", "NaN", "nan", "NULL", "null", "None"]


def read_table(path: Path, wanted: Wanted) -> Dataset:
    """Return the table as a Dataset; every column but target and groups is an attribute."""
    frame = read_frame(path)
    notes = []
    target = wanted.target
    if target is None:
        target = frame.columns[-1]
        notes.append(f"target_assumed: no target was named, so the last column, {target!r}, is taken")
    for column in (target, wanted.groups):
        if column is not None and column not in frame.columns:
            raise unknown_name("column", column, frame.columns)
    if target == wanted.groups:
        raise InputError(f"column {target!r} cannot be both the target and the groups")
    groups = None if wanted.groups is None else frame[wanted.groups]
    attributes = frame.drop([target] if wanted.groups is None else [target, wanted.groups])
    empty = [c for c in attributes.columns if attributes[c].null_count() == len(frame)]
    if empty:
        notes.append(f"empty_columns: nothing is known of {', '.join(map(repr, empty))}; left out")
        attributes = attributes.drop(empty)
    return dataset(
        attributes,
        frame[target],
        task=wanted.task,
        name=path.name,
        groups=groups,
        target_name=target,
        notes=tuple(notes),
        _fingerprint=wanted.fingerprint,
    )


def read_bytes(path: Path) -> bytes:
    """Return what is in a file, unpacked where it ends in .gz."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"there is no file {str(path)!r}: check the name and the folder") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot read {str(path)!r}: {reason}") from None
    if path.suffix.lower() == ".gz":
        try:
            raw = gzip.decompress(raw)
        except (OSError, EOFError) as error:
            raise InputError(f"cannot unpack {str(path)!r}: {error}") from None
    return raw


def read_frame(path: Path) -> pl.DataFrame:
    """Return the table as it is in the file, numbers as numbers, missing values as nulls."""
    raw = read_bytes(path)
    if not raw.strip():
        raise InputError(f"{str(path)!r} is empty: it needs a line of column names and at least one row")
    kind = path.with_suffix("").suffix.lower() if path.suffix.lower() == ".gz" else path.suffix.lower()
    try:
        frame = pl.read_parquet(io.BytesIO(raw)) if kind == ".parquet" else delimited(_text(raw, path), kind, path)
    except (pl.exceptions.PolarsError, UnicodeDecodeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputError(f"cannot read {str(path)!r} as {kind[1:]}: {reason}") from None
    if frame.height == 0:
        raise InputError(f"{str(path)!r} has column names and no rows")
    if frame.width < 2:
        raise InputError(
            f"{str(path)!r} has one column ({frame.columns[0]!r}): a target and at least one attribute are needed; "
            f"is the separator a {'tab' if kind == '.tsv' else 'comma'}?"
        )
    return frame


def _text(raw: bytes, path: Path) -> str:
    """Return the text of a file: UTF-8, UTF-16 with its mark, or else Latin-1, with whatever line ends."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = raw.decode("utf-16")
    else:
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = raw.decode("latin-1")
    if "\0" in text:
        raise InputError(f"{str(path)!r} is not a text: it holds zero bytes, as a spreadsheet or an archive does")
    return (text if "\n" in text else text.replace("\r", "\n")).lstrip("\r\n")


def delimited(text: str, kind: str, path: Path) -> pl.DataFrame:
    """Read csv or tsv; a header with semicolons and no comma is the csv of spreadsheets elsewhere in the world."""
    header = text.splitlines()[0]
    separator = "\t" if kind == ".tsv" else (";" if ";" in header and "," not in header else ",")
    _check_names(next(csv.reader(io.StringIO(text), delimiter=separator)), path)
    try:
        frame = pl.read_csv(
            io.BytesIO(text.encode()),
            separator=separator,
            null_values=MISSING,
            infer_schema_length=None,
            truncate_ragged_lines=False,
        )
    except pl.exceptions.PolarsError:
        _check_widths(text, separator, path)
        raise
    # Blanks around a text are not part of it; a text of blanks is missing.
    frame = frame.with_columns(pl.col(pl.String).str.strip_chars().replace("", None))
    if separator == ";":
        frame = frame.with_columns([_with_points(frame[c]) for c in frame.columns if frame[c].dtype == pl.String])
    # Whole numbers beyond 64 bits have no place in NumPy.
    return frame.with_columns(pl.col(pl.Int128).cast(pl.Float64))


def _with_points(column: pl.Series) -> pl.Series:
    """Return numbers where every text is a number with a decimal comma."""
    numbers = column.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
    return numbers if numbers.null_count() == column.null_count() else column


def _check_names(names: list[str], path: Path) -> None:
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise InputError(f"{str(path)!r} has two columns called {twice!r}: give each its own name")


def _check_widths(text: str, separator: str, path: Path) -> None:
    """Name the first row that has more fields than the header."""
    reader = csv.reader(io.StringIO(text), delimiter=separator)
    width = len(next(reader))
    for row in reader:
        if len(row) > width:
            raise InputError(
                f"{str(path)!r}, line {reader.line_num}: {len(row)} fields under a header of {width}; "
                "is a text with the separator in it not in quotation marks?"
            )
