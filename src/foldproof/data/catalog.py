"""The catalogue: the datasets of the two experimental papers, what they must look like, and where they are found.

A dataset is an ARFF file of its name in a folder (``--data-dir`` or FOLDPROOF_DATA), or comes from OpenML once and is
kept. What is found is held against the catalogue: another shape is refused, other values are told.
"""

from __future__ import annotations

import csv
import io
import os
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from foldproof.data.sources import SOURCES, Wanted
from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError, NotAvailableError, unknown_name

VARIABLE = "FOLDPROOF_DATA"
ENDINGS = (".arff", ".arff.gz")


@dataclass(frozen=True, slots=True)
class Entry:
    """One dataset of the catalogue. ``openml_id`` is there where OpenML has the same data."""

    name: str
    bouckaert_frank: str
    bradford_brodley: str
    instances: int
    attributes: int
    nominal: int
    numeric: int
    missing: int
    classes: int
    classes_declared: int
    target: str
    openml_id: int | None
    fingerprint: str
    note: str

    @property
    def summary(self) -> str:
        """The shape in a line, and where it comes from."""
        shape = f"{self.instances} x {self.attributes}, {self.classes} classes, {self.missing} missing"
        return f"{shape}, {'not on OpenML' if self.openml_id is None else f'openml:{self.openml_id}'}"

    def check(self, dataset: Dataset, where: str) -> Dataset:
        """Return the dataset, with a note where its values are others; refuse it where its shape is another."""
        found = shape_of(dataset)
        for what, value in found.items():
            if value != getattr(self, what):
                raise InputError(
                    f"{where} is not the catalogue's {self.name!r}: it has {value} {_SAID[what]} and should have "
                    f"{getattr(self, what)}; use the file that the catalogue means ({self.note or 'see list datasets'})"
                )
        if dataset.fingerprint == self.fingerprint:
            return dataset
        word = (
            f"other_values: {where} has the shape of the catalogue's {self.name!r} and not all of its values in its "
            "order: results may differ from those of the catalogue's data"
        )
        return replace(dataset, notes=(*dataset.notes, word))


_SAID = {
    "instances": "instances", "attributes": "attributes", "nominal": "nominal attributes",
    "numeric": "numeric attributes", "missing": "missing values", "classes": "classes",
}  # fmt: skip


def shape_of(dataset: Dataset) -> dict[str, int]:
    """Return what the catalogue knows of a dataset's shape."""
    nominal = sum(attribute.nominal for attribute in dataset.attributes)
    missing = 0 if dataset.codes is None else int(np.isnan(dataset.codes).sum())
    return {
        "instances": len(dataset),
        "attributes": len(dataset.attributes),
        "nominal": nominal,
        "numeric": len(dataset.attributes) - nominal,
        "missing": missing,
        "classes": len(np.unique(dataset.target_codes)),
    }


@cache
def catalogue() -> dict[str, Entry]:
    """Return the entries by name.

    >>> catalogue()["iris"].instances, catalogue()["colic"].bouckaert_frank
    (150, 'horse-colic')
    """
    text = files("foldproof.data").joinpath("catalog.csv").read_text(encoding="utf-8")
    found = {}
    for row in csv.DictReader(io.StringIO(text)):
        values: dict[str, Any] = {**row, **{k: int(row[k]) for k in (*_SAID, "classes_declared")}}
        values["openml_id"] = int(row["openml_id"]) if row["openml_id"] else None
        found[row["name"]] = Entry(**values)
    return found


def data_folder(folder: str | Path | None) -> Path | None:
    """Return the folder where data are looked for: the one given, or that of the environment."""
    text = folder if folder is not None else os.environ.get(VARIABLE)
    if not text:
        return None
    path = Path(text).expanduser()
    if not path.is_dir():
        said = "--data-dir" if folder is not None else VARIABLE
        raise InputError(f"{said} is {str(text)!r}, which is no folder: give the folder that holds the .arff files")
    return path


def find_dataset(name: str, folder: str | Path | None = None) -> Dataset:
    """Return a dataset of the catalogue, from the folder or from OpenML; NotAvailableError where neither has it."""
    if name not in catalogue():
        raise unknown_name("dataset of the catalogue", name, catalogue())
    entry = catalogue()[name]
    place = data_folder(folder)
    for path in [] if place is None else [place / f"{name}{ending}" for ending in ENDINGS]:
        if path.is_file():
            from foldproof.data.sources import read_source

            return replace(entry.check(read_source(str(path), Wanted(str(path))), str(path)), name=name)
    return _fetched(entry, place)


def _fetched(entry: Entry, place: Path | None) -> Dataset:
    """Return the dataset from OpenML; what it sends is refused where it has another shape."""
    from foldproof.data.openml import fetch

    looked = f"no {entry.name}.arff in {place}" if place is not None else f"no --data-dir and no {VARIABLE} was given"
    put = f"put {entry.name}.arff into a folder and name it with --data-dir or {VARIABLE}"
    if entry.openml_id is None:
        raise NotAvailableError(entry.name, f"{looked}, and OpenML does not have the same data", put)
    try:
        found = fetch(entry.openml_id, target=entry.target, name=entry.name, what_to_do=f"connect, or {put}")
        return entry.check(found, f"openml:{entry.openml_id}")
    except NotAvailableError as missing:
        raise NotAvailableError(entry.name, f"{looked}, and {missing.why}", missing.what_to_do) from None
    except InputError as wrong:
        raise NotAvailableError(entry.name, f"{looked}, and {wrong}", put) from None


@SOURCES.register("catalogue")
def read_catalogue(wanted: Wanted) -> Dataset:
    """Return a dataset by its name in the catalogue."""
    if wanted.target is not None or wanted.groups is not None:
        raise InputError(f"{wanted.name} of the catalogue has its own target and no groups: leave both out")
    return find_dataset(wanted.name, wanted.data_dir)
