"""From a study's folder to a Study. Every complaint names the file and the key."""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from foldproof.domain.errors import InputError, unknown_name
from foldproof.domain.study import Part, Printed, Protocol, Study, StudyVariant

SETTINGS, PUBLISHED = "study.toml", "published.csv"
COLUMNS = ("table", "row", "column", "printed", "note")
FOLDS = ("seeds", "weka")
FORMULAS = ("as-printed", "as-run")
NULLS = ("random-labels", "own-copy")
_KEYS = {
    "title", "summary", "reference", "alpha", "notes", "repetitions", "learners", "pairs", "datasets", "protocols",
    "variants", "tables", "figures",
}  # fmt: skip
_PART_KEYS = {"name", "title", "maker", "protocols", "tables", "options"}


class _Reader:
    """One file's settings, whose complaints say where they are from."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def wrong(self, what: str) -> InputError:
        return InputError(f"{self.path}: {what}")

    def typed(self, table: Mapping[str, Any], key: str, kind: type, default: Any = None, where: str = "") -> Any:
        name = f"{where}{key}"
        if key not in table:
            if default is None:
                raise self.wrong(f"{name!r} is missing; add it (docs/how-to/studies.md)")
            return default
        value = table[key]
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.wrong(f"{name!r} is {value!r}; give a {_SAID[kind]}")
        return value

    def known(self, table: Mapping[str, Any], keys: set[str], where: str) -> None:
        for key in table:
            if key not in keys:
                raise self.wrong(str(unknown_name(f"key of {where}", key, keys)))

    def one_of(self, what: str, value: Any, names: Any) -> str:
        if value not in names:
            raise self.wrong(str(unknown_name(what, str(value), names)))
        return str(value)


_SAID = {str: "text", float: "number", int: "whole number", list: "list", dict: "table"}


def read_study(folder: Path) -> Study:
    """Return the study of a folder."""
    path = folder / SETTINGS
    read = _Reader(path)
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{str(folder)!r} is no study: there is no {SETTINGS} in it") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise read.wrong(f"cannot be read: {error}") from None
    read.known(told, _KEYS, "a study")
    learners = read.typed(told, "learners", dict, {})
    protocols = {
        name: _protocol(read, name, table, learners) for name, table in read.typed(told, "protocols", dict, {}).items()
    }
    repetitions = read.typed(told, "repetitions", dict, {})
    read.known(repetitions, {"published", "judged"}, "[repetitions]")
    tables = _parts(read, told, "table", protocols)
    figures = _parts(read, told, "figure", protocols)
    for part in [*tables.values(), *figures.values()]:
        for other in part.tables:
            read.one_of(f"table, named by {part.label}", other, tables)
    if not tables:
        raise read.wrong("a study needs at least one [[tables]]")
    published, references = _numbers(folder / PUBLISHED, tables)
    return Study(
        name=folder.name,
        title=read.typed(told, "title", str),
        summary=read.typed(told, "summary", str),
        reference=read.typed(told, "reference", str),
        alpha=read.typed(told, "alpha", float, 0.05),
        learners={str(k): _text(read, f"learners.{k}", v) for k, v in learners.items()},
        pairs=_pairs(read, told, learners),
        datasets={str(k): _text(read, f"datasets.{k}", v) for k, v in read.typed(told, "datasets", dict, {}).items()},
        protocols=protocols,
        variants=_variants(read, told),
        tables=tables,
        figures=figures,
        published=published,
        references=references,
        repetitions=read.typed(repetitions, "published", int, 10, "repetitions."),
        judged_repetitions=read.typed(repetitions, "judged", int, 100, "repetitions."),
        notes=tuple(_text(read, "notes", note) for note in read.typed(told, "notes", list, [])),
    )


def _text(read: _Reader, name: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise read.wrong(f"{name!r} is {value!r}; give text")
    return value


def _pairs(read: _Reader, told: Mapping[str, Any], learners: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    found = []
    for pair in read.typed(told, "pairs", list, []):
        if not isinstance(pair, list) or len(pair) != 2:
            raise read.wrong(f"'pairs' holds {pair!r}; give two names of learners")
        found.append((read.one_of("learner in 'pairs'", pair[0], learners), read.one_of("learner", pair[1], learners)))
    return tuple(found)


def _protocol(read: _Reader, name: str, table: Any, learners: Mapping[str, Any]) -> Protocol:
    where = f"[protocols.{name}]"
    if not isinstance(table, dict):
        raise read.wrong(f"{where} is {table!r}; give a table")
    read.known(table, {"runs", "repetitions", "procedures", "learners", "null", *FOLDS}, where)
    own = tuple(read.one_of("learner", x, learners) for x in read.typed(table, "learners", list, [], where))
    repetitions = read.typed(table, "repetitions", int, 0, f"protocols.{name}.") or None
    if "procedures" in table:
        return replace(_conducted(read, name, table, own, where), repetitions=repetitions)
    schemes = {}
    for folds in FOLDS:
        if folds in table:
            given = dict(read.typed(table, folds, dict, None, f"protocols.{name}."))
            schemes[folds] = (read.typed(given, "scheme", str, None, f"protocols.{name}.{folds}."), given)
            given.pop("scheme")
    if not schemes:
        raise read.wrong(
            f"{where} names no scheme; add 'seeds' (and 'weka', if the run numbers are known), or 'procedures'"
        )
    runs = read.typed(table, "runs", int, None, f"protocols.{name}.")
    return Protocol(name, runs, schemes, repetitions, learners=own)


def _conducted(read: _Reader, name: str, table: Any, learners: tuple[str, ...], where: str) -> Protocol:
    """Return a protocol of procedures that are carried out; which there are, the workflow knows."""
    for key in (*FOLDS, "runs"):
        if key in table:
            raise read.wrong(f"{where} has procedures, which bring their own partitions; leave out {key!r}")
    procedures = tuple(_text(read, f"{where} procedures", p) for p in read.typed(table, "procedures", list))
    null = read.typed(table, "null", str, " ", where).strip() or None
    if null is not None:
        read.one_of("null", null, NULLS)
        wanted = 1 if null == "own-copy" else 2
        if len(learners) != wanted:
            raise read.wrong(f"{where}: {null} takes {wanted} of 'learners'; got {len(learners)}")
    return Protocol(name, procedures=procedures, learners=learners, null=null)


def _variants(read: _Reader, told: Mapping[str, Any]) -> dict[str, StudyVariant]:
    found = {}
    for name, table in read.typed(told, "variants", dict).items():
        where = f"variants.{name}."
        read.known(table, {"formulas", "folds", "summary"}, f"[variants.{name}]")
        formulas = read.one_of("formulas", read.typed(table, "formulas", str, "as-printed", where), FORMULAS)
        folds = tuple(read.one_of("folds", kind, FOLDS) for kind in read.typed(table, "folds", list, ["seeds"], where))
        summary = read.typed(table, "summary", str, " ", where).strip()
        found[str(name)] = StudyVariant(str(name), formulas, folds, summary)  # type: ignore[arg-type]
    if not found:
        raise read.wrong("a study needs at least one variant: [variants.as-printed]")
    return found


def _parts(read: _Reader, told: Mapping[str, Any], kind: Any, protocols: Mapping[str, Any]) -> dict[str, Part]:
    found: dict[str, Part] = {}
    for number, table in enumerate(read.typed(told, f"{kind}s", list, []), start=1):
        where = f"{kind}s[{number}]."
        if not isinstance(table, dict):
            raise read.wrong(f"'{kind}s' holds {table!r}; write [[{kind}s]]")
        read.known(table, _PART_KEYS, f"[[{kind}s]]")
        name = read.typed(table, "name", str, None, where)
        if name in found:
            raise read.wrong(f"two {kind}s are called {name!r}; give each its own name")
        found[name] = Part(
            kind=kind,
            name=name,
            title=read.typed(table, "title", str, None, where),
            maker=read.typed(table, "maker", str, None, where),
            protocols=tuple(
                read.one_of(f"protocol, named by {kind} {name}", p, protocols)
                for p in read.typed(table, "protocols", list, [], where)
            ),
            tables=tuple(str(t) for t in read.typed(table, "tables", list, [], where)),
            options=read.typed(table, "options", dict, {}, where),
        )
    return found


def _numbers(path: Path, tables: Mapping[str, Part]) -> tuple[dict[Any, Printed], dict[str, dict[Any, Printed]]]:
    """Return the published numbers, and those of further columns that are named ``reference:NAME``."""
    if not path.is_file():
        return {}, {}
    reader = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")))
    names = reader.fieldnames or []
    if tuple(names[: len(COLUMNS)]) != COLUMNS:
        raise InputError(f"{path}: the columns are {', '.join(names)}; they must begin with {', '.join(COLUMNS)}")
    for name in names[len(COLUMNS) :]:
        if not name.startswith("reference:"):
            raise InputError(f"{path}: unknown column {name!r}; further columns are called reference:NAME")
    published: dict[Any, Printed] = {}
    references: dict[str, dict[Any, Printed]] = {n.partition(":")[2]: {} for n in names[len(COLUMNS) :]}
    for line, row in enumerate(reader, start=2):
        if row["table"] not in tables:
            raise InputError(f"{path}, line {line}: {unknown_name('table', row['table'], tables)}")
        key = (row["table"], row["row"], row["column"])
        if key in published or any(key in known for known in references.values()):
            raise InputError(f"{path}, line {line}: {', '.join(key)} stands there twice")
        for place, text in [(published, row["printed"]), *((references[n], row[f"reference:{n}"]) for n in references)]:
            if text:
                place[key] = _printed(text, row["note"] or "", f"{path}, line {line}")
    return published, references


def _printed(text: str, note: str, where: str) -> Printed:
    found = Printed(text.strip(), note)
    try:
        found.value  # noqa: B018
    except ValueError:
        raise InputError(f"{where}: {text!r} is no number; write it as it was printed, such as 0.737") from None
    return found
