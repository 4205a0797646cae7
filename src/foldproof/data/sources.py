"""From what a user types to a Dataset: a file, or ``prefix:name``."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

from foldproof.domain.dataset import Dataset, Task
from foldproof.domain.errors import InputError, unknown_name
from foldproof.domain.registry import Registry


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to read, which parts of it are target and groups, and the folder in which the catalogue looks.

    ``fingerprint`` is there where it is known already.
    """

    name: str
    target: str | None = None
    groups: str | None = None
    task: Task | Literal["auto"] = "auto"
    fingerprint: str | None = None
    data_dir: str | None = None


Reader = Callable[[Wanted], Dataset]

SOURCES: Registry[Reader] = Registry("source", "foldproof.data")
TABLES = (".csv", ".tsv", ".parquet")


def read_source(source: str, wanted: Wanted) -> Dataset:
    """Return the dataset that ``source`` names: ``prefix:name``, a file, or a name of the catalogue."""
    return replace(_read(source, wanted), origin=_origin(source, wanted))


def read_origin(origin: str) -> Dataset:
    """Return the dataset that an ``origin`` describes."""
    return read_source(**{**json.loads(origin), "wanted": Wanted(**json.loads(origin)["wanted"])})


def _origin(source: str, wanted: Wanted) -> str:
    """Return source and wishes as JSON, files by their whole path."""
    path = Path(source)
    place = str(path.resolve()) if path.exists() else source
    asked = {key: value for key, value in asdict(wanted).items() if key != "fingerprint"}
    return json.dumps({"source": place, "wanted": {**asked, "name": place}}, ensure_ascii=False)


def _read(source: str, wanted: Wanted) -> Dataset:
    from foldproof.data.table import read_table

    prefix, colon, name = source.partition(":")
    if colon and prefix in SOURCES:
        return SOURCES[prefix](replace(wanted, name=name))
    path = Path(source)
    endings = [s.lower() for s in path.suffixes]
    ending = endings[-2] if len(endings) > 1 and endings[-1] == ".gz" else (endings[-1] if endings else "")
    if ending in TABLES:
        return read_table(path, replace(wanted, name=source))
    if ending == ".arff":
        from foldproof.data.arff import read_arff

        return read_arff(path, replace(wanted, name=source))
    if colon and not path.exists():
        raise InputError(f"unknown source {source!r}: known prefixes are {', '.join(f'{p}:' for p in sorted(SOURCES))}")
    if not ending and not path.exists():
        from foldproof.data.catalog import catalogue

        if source not in catalogue():
            raise unknown_name("dataset of the catalogue (is it a file? give its ending)", source, catalogue())
        return SOURCES["catalogue"](replace(wanted, name=source))
    endings_known = ", ".join((*TABLES, ".arff"))
    raise InputError(f"cannot read {source!r}: the ending must be one of {endings_known}, with or without .gz")
