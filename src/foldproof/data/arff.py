"""ARFF files: what they declare stays declared.

The format is described at https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable/. Nominal columns
become polars Enums, so that categories which never occur are kept, and the class keeps its declared order.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl

from foldproof.data.in_memory import dataset
from foldproof.data.sources import Wanted
from foldproof.data.table import read_bytes
from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError, unknown_name

# What the format takes for blanks: control characters and the space, but no other blank of Unicode.
_BLANKS = "".join(map(chr, range(33)))
# A quoted or plain word, a brace or a comma; whatever else there is starts a word. A % outside quotes is a comment.
_TOKEN = re.compile(
    r"""[\x00-\x20]*(?: '(?P<single>(?:[^'\\]|\\.)*)' | "(?P<double>(?:[^"\\]|\\.)*)" | (?P<sign>[{},])
        | (?P<comment>%.*) | (?P<open>['"]) | (?P<word>[^\x00-\x20,{}%'"][^\x00-\x20,{}%]*) )""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_KEYWORD = re.compile(r"[\x00-\x20]*@(\w+)[\x00-\x20]*(.*)", re.DOTALL)
_NUMERIC = ("numeric", "real", "integer")
# What makes a row need more than a split at its commas.
_SPECIAL = re.compile(r"""['"{}%\\]|[^\x00-\x20,][\x00-\x20]+[^\x00-\x20,]""")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a line. A quoted ``?`` is a value, a plain one is missing; only plain braces and commas are signs."""

    text: str
    quoted: bool = False
    sign: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """A declared attribute: nominal with its values, numeric, or text."""

    name: str
    kind: str
    values: tuple[str, ...] = ()


Cell = str | None


@dataclass(slots=True)
class Arff:
    """A file's declarations and rows; a cell is its text, None where it is missing."""

    fields: list[Field]
    lines: list[int] = field(default_factory=list)
    rows: list[list[Cell]] = field(default_factory=list)
    weights: list[float | None] = field(default_factory=list)


def read_arff(path: Path, wanted: Wanted) -> Dataset:
    """Return the file as a Dataset. The class is the attribute that is named, or the last, as the format has it.

    Instances whose class is missing are left out, and a note says how many.
    """
    raw = read_bytes(path)
    if not raw.strip():
        raise InputError(f"{str(path)!r} is empty: an ARFF file needs @attribute lines, @data and at least one row")
    try:
        arff = parse(decoded(raw))
        columns = {f.name: _column(arff, j) for j, f in enumerate(arff.fields)}
    except InputError as error:
        raise InputError(f"cannot read {str(path)!r}: {error}") from None
    names = list(columns)
    for name in (wanted.target, wanted.groups):
        if name is not None and name not in columns:
            raise unknown_name("attribute", name, names)
    notes = []
    target = wanted.target
    if target is None:
        target = names[-1]
        notes.append(f"target_assumed: no target was named, so the last attribute, {target!r}, is taken")
    if target == wanted.groups:
        raise InputError(f"attribute {target!r} cannot be both the target and the groups")
    declared = next(f for f in arff.fields if f.name == target)
    nominal = declared.kind == "nominal"
    task = wanted.task if wanted.task != "auto" or declared.kind == "text" else None
    known = columns[target].is_not_null()
    left_out = len(known) - int(known.sum())
    if left_out == len(known):
        raise InputError(f"{str(path)!r}: nothing is known of {target!r}, the target: name another with --target")
    if left_out:
        notes.append(
            f"class_missing: {left_out} of {len(known)} instances are left out, because their {target!r} is missing"
        )
        columns = {name: series.filter(known) for name, series in columns.items()}
    weights = np.array([1.0 if w is None else w for w in arff.weights])[known.to_numpy()]
    weighted = any(w is not None for w in arff.weights)
    return dataset(
        pl.DataFrame([s for n, s in columns.items() if n not in (target, wanted.groups)]),
        columns[target],
        task=task or ("classification" if nominal else "regression"),
        name=path.name,
        groups=None if wanted.groups is None else columns[wanted.groups],
        sample_weight=weights if weighted else None,
        target_name=target,
        classes=declared.values if nominal else None,
        notes=tuple(notes),
        _fingerprint=wanted.fingerprint,
    )


def decoded(raw: bytes) -> str:
    """Return the text of a file: UTF-16 where it says so, UTF-8 where it is, else Latin-1.

    >>> decoded("ü".encode("latin-1")) == decoded("ü".encode()) == decoded("ü".encode("utf-16")) == "ü"
    True
    """
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", "replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def parse(text: str) -> Arff:
    r"""Return the declarations and rows of an ARFF text.

    >>> parse("@attribute a {x, '?'}\n@attribute b integer [1,10]\n@data\n'?',? % why\n{1 3}").rows
    [['?', None], ['x', '3']]
    """
    if "\0" in text:
        raise InputError("there are NUL characters in it, as in what is no text: save it as UTF-8")
    lines = re.split(r"\r\n|\n|\r", text)
    arff = Arff([])
    at = _header(lines, arff)
    for number in range(at, len(lines)):
        line = lines[number]
        if line.strip(_BLANKS)[:1] in ("", "%"):
            continue
        _row(arff, line, number + 1)
    if not arff.rows:
        raise InputError("there are no rows after @data")
    return arff


def _header(lines: Sequence[str], arff: Arff) -> int:
    """Read the declarations and return the position of the first line after @data."""
    seen: set[str] = set()
    for number, line in enumerate(lines):
        if line.strip(_BLANKS)[:1] in ("", "%"):
            continue
        match = _KEYWORD.match(line)
        keyword = match.group(1).lower() if match else ""
        if keyword == "attribute":
            assert match is not None
            declared = _declaration(match.group(2), number + 1, len(arff.fields) + 1)
            if declared.name in seen:
                raise InputError(f"line {number + 1}: a second attribute is called {declared.name!r}; rename one")
            seen.add(declared.name)
            arff.fields.append(declared)
        elif keyword == "data":
            if len(arff.fields) < 2:
                raise InputError(
                    f"line {number + 1}: {len(arff.fields)} attributes are declared before @data: a class and at "
                    "least one attribute are needed"
                )
            return number + 1
        elif keyword != "relation":
            raise InputError(
                f"line {number + 1}, column 1: {line.strip(_BLANKS)[:40]!r} stands before @data; only @relation, "
                "@attribute, @data and comments (%) can"
            )
    raise InputError("there is no line @data, after which the rows stand")


def _declaration(text: str, line: int, column: int) -> Field:
    """Return the attribute that the rest of an @attribute line declares."""
    where = f"line {line}, column {column}"
    tokens = _tokens(text, where)
    if len(tokens) < 2 or tokens[0].sign:
        raise InputError(f"{where}: an attribute needs a name and a type: @attribute name numeric, or {{a, b}}")
    name, kind = tokens[0].text, tokens[1]
    if not name:
        raise InputError(f"{where}: the attribute's name is empty")
    where += f" ({name!r})"
    if kind.sign and kind.text == "{":
        ends = [i for i, t in enumerate(tokens) if t.sign and t.text == "}"]
        if not ends:
            raise InputError(f"{where}: the list of values is not closed by a brace on its line (a % has to be quoted)")
        if ends[-1] < len(tokens) - 1:
            raise InputError(f"{where}: {tokens[ends[-1] + 1].text!r} stands behind the list of values")
        inside = [t for t in tokens[2:-1] if not (t.sign and t.text == ",")]
        if any(t.sign for t in inside):
            raise InputError(f"{where}: a brace inside the list of values has to be quoted")
        values = tuple(t.text for t in inside)
        if not values:
            raise InputError(f"{where}: the list of values is empty")
        twice = {v for v in values if values.count(v) > 1} if len(set(values)) < len(values) else set()
        if twice:
            raise InputError(f"{where}: the value {min(twice)!r} is declared twice")
        return Field(name, "nominal", values)
    word = kind.text.lower().partition("[")[0]
    if word in _NUMERIC:
        return Field(name, "numeric")  # a range such as [1,10] after the type says nothing that is used
    if word == "string":
        return Field(name, "text")
    if word in ("date", "relational"):
        raise InputError(
            f"{where}: attributes of type {word} cannot be learnt from: "
            + ("turn the dates into numbers or drop them" if word == "date" else "give one row per instance")
        )
    raise InputError(f"{where}: {kind.text!r} is no type: use numeric, string or a list of values in braces")


def _tokens(text: str, where: str, *, row: bool = False) -> list[Token]:
    """Return the pieces of a line up to a comment; in a row, an error is in the column that the commas make."""
    found: list[Token] = []
    position = 0
    while match := _TOKEN.match(text, position):
        position = match.end()
        kind = match.lastgroup
        if kind == "comment":
            break
        if kind == "open":
            if row:
                where += f", column {1 + sum(t.sign and t.text == ',' for t in found)}"
            raise InputError(f"{where}: the quote in {text.strip(_BLANKS)[:40]!r} is not closed on its line")
        if kind in ("single", "double"):
            found.append(Token(_ESCAPE.sub(_unescaped, match.group(kind)), quoted=True))
        elif kind == "sign":
            found.append(Token(match.group(kind), sign=True))
        else:
            found.append(Token(match.group("word")))
    return found


def _unescaped(match: re.Match[str]) -> str:
    if match.group(1):
        return chr(int(match.group(1), 16))
    return _ESCAPES.get(match.group(2), match.group(2))


def _row(arff: Arff, line: str, number: int) -> None:
    """Add the row that a line holds."""
    width = len(arff.fields)
    arff.lines.append(number)
    if not _SPECIAL.search(line):
        cells: list[Cell] = [c.strip(_BLANKS) for c in line.split(",")]
        if len(cells) == width and all(cells):
            arff.rows.append([None if c == "?" else c for c in cells])
            arff.weights.append(None)
            return
    tokens = _tokens(line, f"line {number}", row=True)
    tokens, weight = _weight(tokens, number, width)
    arff.weights.append(weight)
    if tokens and tokens[0].sign and tokens[0].text == "{":
        arff.rows.append(_sparse(arff.fields, tokens, number))
        return
    row: list[Cell] = []
    expecting = True  # a value has to come, because the row begins here or a comma stands before
    for token in tokens:
        if token.sign and token.text == ",":
            if expecting:
                raise InputError(_at(arff.fields, number, len(row)) + "there is nothing between commas; write ?")
            expecting = True
        elif token.sign:
            raise InputError(_at(arff.fields, number, len(row)) + f"a {token.text!r} has to be quoted")
        else:
            row.append(None if token.text == "?" and not token.quoted else token.text)
            expecting = False
    if expecting:
        raise InputError(_at(arff.fields, number, len(row)) + "the row ends in a comma; write ? for a missing value")
    if len(row) != width:
        raise InputError(
            _at(arff.fields, number, min(len(row), width))
            + f"the row has {len(row)} values and {width} attributes are declared"
        )
    arff.rows.append(row)


def _weight(tokens: list[Token], number: int, width: int) -> tuple[list[Token], float | None]:
    """Take the weight of an instance, ``{w}`` at the end of its row, off the tokens."""
    tail = tokens[-3:]
    if len(tokens) < 4 or len(tail) < 3 or not (tail[0].sign and tail[0].text == "{" and tail[2].text == "}"):
        return tokens, None
    if not _NUMBER.fullmatch(tail[1].text) or float(tail[1].text) < 0.0:
        raise InputError(
            f"line {number}, column {width + 1}: the weight {tail[1].text!r} is not a number of at least 0"
        )
    rest = tokens[:-3]
    return (rest[:-1] if rest[-1].sign and rest[-1].text == "," else rest), float(tail[1].text)


def _sparse(fields: Sequence[Field], tokens: list[Token], number: int) -> list[Cell]:
    """Return the row that ``{position value, …}`` stands for; what is left out is 0 or the first declared value."""
    row: list[Cell] = [f.values[0] if f.kind == "nominal" else "0" for f in fields]
    if not (tokens[-1].sign and tokens[-1].text == "}"):
        raise InputError(_at(fields, number, 0) + "the sparse row, which begins here, does not end in a brace")
    inside = [t for t in tokens[1:-1] if not (t.sign and t.text == ",")]
    if len(inside) % 2 or any(t.sign for t in inside):
        raise InputError(_at(fields, number, 0) + "a sparse row is a list of pairs, position and value: {1 5.0, 3 yes}")
    given: set[int] = set()
    for position, value in zip(inside[::2], inside[1::2], strict=True):
        if not re.fullmatch("[0-9]{1,9}", position.text) or int(position.text) >= len(fields):
            raise InputError(
                _at(fields, number, 0)
                + f"{position.text!r} is no position of an attribute; they go from 0 to {len(fields) - 1}"
            )
        at = int(position.text)
        if at in given:
            raise InputError(_at(fields, number, at) + "the sparse row gives it twice")
        given.add(at)
        row[at] = None if value.text == "?" and not value.quoted else value.text
    unsaid = [j for j, f in enumerate(fields) if f.kind == "text" and j not in given]
    if unsaid:
        raise InputError(_at(fields, number, unsaid[0]) + "a sparse row cannot leave out an attribute of type string")
    return row


def _at(fields: Sequence[Field], number: int, column: int) -> str:
    name = f" ({fields[column].name!r})" if column < len(fields) else ""
    return f"line {number}, column {column + 1}{name}: "


def _column(arff: Arff, j: int) -> pl.Series:
    """Return one attribute's values: an Enum, numbers or texts."""
    declared = arff.fields[j]
    cells = [row[j] for row in arff.rows]
    if declared.kind == "nominal":
        known = set(declared.values)
        for line, cell in zip(arff.lines, cells, strict=True):
            if cell is not None and cell not in known:
                shown = ", ".join(declared.values[:8]) + ", …" * (len(declared.values) > 8)
                raise InputError(_at(arff.fields, line, j) + f"{cell!r} is not among the declared values ({shown})")
        return pl.Series(declared.name, cells, dtype=pl.Enum(list(declared.values)))
    if declared.kind == "text":
        return pl.Series(declared.name, cells, dtype=pl.String)
    numbers: list[float | None] = []
    for line, cell in zip(arff.lines, cells, strict=True):
        if cell is None or cell.lower() == "nan":
            numbers.append(None)
        elif not _NUMBER.fullmatch(cell):
            raise InputError(_at(arff.fields, line, j) + f"{cell!r} is not a number")
        elif not math.isfinite(float(cell)):
            raise InputError(_at(arff.fields, line, j) + f"{cell!r} is more than a number can hold: rescale the column")
        else:
            numbers.append(float(cell))
    return pl.Series(declared.name, numbers, dtype=pl.Float64)
