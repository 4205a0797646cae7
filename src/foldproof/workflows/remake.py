"""What a stored cell was computed from, made again: its dataset, its learner, and how its run divided the dataset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from foldproof.data.in_memory import dataset as make_dataset
from foldproof.data.sources import Wanted, read_origin, read_source
from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset, Task
from foldproof.domain.errors import FoldproofError, InputError, unknown_name
from foldproof.domain.partitions import Partitions
from foldproof.engine.describe import describe
from foldproof.engine.keys import divisions
from foldproof.learners.learner import Learner, gather_one
from foldproof.learners.spec import parse_spec
from foldproof.partitions import SCHEMES, Design
from foldproof.partitions.scheme import OrderedScheme, Scheme
from foldproof.store.records import Cell, DatasetRecord, Series


class NotRemadeError(Exception):
    """Why something that a cell was computed from cannot be made again: a reason, as a sentence without its end."""


def remade_dataset(record: DatasetRecord, given: Mapping[str, Any]) -> Dataset:
    """Return a dataset that was given again, or that is read where it came from; it is the same or it is refused."""
    return replace(_remade(record, given), name=record.name)


def _remade(record: DatasetRecord, given: Mapping[str, Any]) -> Dataset:
    if record.name in given or record.fingerprint in given:
        data = _given(given.get(record.name, given.get(record.fingerprint)), record)
        if data.fingerprint != record.fingerprint:
            raise InputError(
                f"the data given for {record.name!r} are not those of the store: their fingerprint is "
                f"{data.fingerprint[:12]}, and {record.fingerprint[:12]} was stored; check file, target and groups"
            )
        return data
    if record.origin is None:
        raise NotRemadeError(f"the data were given in memory: give them again, as in --data {record.name}=FILE")
    try:
        found = read_origin(record.origin)
    except FoldproofError as error:
        raise NotRemadeError(str(error)) from None
    if found.fingerprint != record.fingerprint:
        raise NotRemadeError(
            f"the data have changed: their fingerprint is {found.fingerprint[:12]}, and {record.fingerprint[:12]} was "
            "stored"
        )
    return found


def _given(data: Any, record: DatasetRecord) -> Dataset:
    """Return the dataset of a source, of a source and its target, or of X and y."""
    task: Task = "regression" if record.classes is None else "classification"
    if isinstance(data, Dataset):
        return data
    if isinstance(data, str):
        return read_source(data, Wanted(data, task=task))
    if isinstance(data, tuple) and len(data) == 2 and all(isinstance(part, str) for part in data):
        return read_source(data[0], Wanted(data[0], data[1], task=task))
    if isinstance(data, tuple) and len(data) == 2:
        return make_dataset(*data, task=task, name=record.name)
    raise InputError(
        f"the data given for {record.name!r} are a {type(data).__name__}: give a source, (source, target), (X, y) or a "
        "Dataset"
    )


def remade_learner(series: Series, given: Mapping[str, Any]) -> Learner:
    """Return a series' learner, from its recipe or from those given by name."""
    if series.recipe is not None:
        try:
            return Learner(series.name, parse_spec(series.recipe), series.recipe)
        except InputError as error:
            raise NotRemadeError(f"its recipe cannot be read here: {error}") from None
    if series.name not in given:
        raise NotRemadeError(
            f"the store has no recipe for {series.name!r}, because a part of it cannot be written as text: give the "
            f"learner again, as in --learner {series.name}=SPEC, or from Python"
        )
    found = gather_one(given[series.name], series.name)
    if without_versions(describe(found.estimator).whole) != without_versions(series.learner.rpartition(" on ")[0]):
        raise InputError(
            f"the learner given for {series.name!r} is not that of the store: it is {describe(found.estimator).text}"
        )
    return found


def without_versions(text: str) -> str:
    """Return a learner's text without the versions that stand behind it."""
    return text.rpartition(" [")[0] or text


def remade_partitions(cell: Cell, series: Series, dataset: Dataset) -> Partitions:
    """Return the partition of a cell's run, with the digest that was stored, or say that none has it."""
    if cell.scheme not in SCHEMES:
        raise NotRemadeError(
            f"its partitions ({cell.scheme!r}) were the caller's own or those of a procedure, and have no scheme here"
        )
    address = Address(series.seed, dataset.fingerprint, series.repetition, cell.run)
    design = Design.of(dataset)
    for scheme in _candidates(cell, len(dataset)):
        try:
            row = scheme.assign(design, address)[None, :]
            order = scheme.order(design, address)[None, :] if isinstance(scheme, OrderedScheme) else None
            found = Partitions(row, scheme=cell.scheme, order=order)
        except InputError:
            continue
        if next(divisions(found)) == cell.division:
            return found
    raise NotRemadeError(f"no partition of the scheme {cell.scheme!r} is the one that was stored")


def _candidates(cell: Cell, n: int) -> Iterator[Scheme]:
    """Yield schemes of the cell's kind that may have divided so."""
    kind = SCHEMES[cell.scheme]
    names = kind.__dataclass_fields__
    folds = len(next(iter(cell.scores.values())))
    sizes: list[dict[str, Any]] = [{}]
    if "folds" in names:
        sizes = [{"folds": folds}]
    elif cell.predictions is not None:
        tested = int(np.count_nonzero(~np.isnan(cell.predictions))) or 1
        share, part = tested / n, 1.0 / max(2, round(n / tested))
        if "test_fraction" in names:
            sizes = [{}, {"test_fraction": share}, {"test_fraction": part}]
        elif "train_fraction" in names:
            sizes = [{}, {"train_fraction": 1.0 - share}]
    for size in sizes:
        for stratified in (True, False) if "stratified" in names else (None,):
            yield kind(**size) if stratified is None else kind(**size, stratified=stratified)


def check_given(given: Mapping[str, Any], known: Mapping[str, str]) -> None:
    """Refuse data for a dataset that the store does not have; ``known`` has names by fingerprint."""
    for name in given:
        if name not in known and name not in known.values():
            raise unknown_name("dataset of this store", name, set(known.values()))
