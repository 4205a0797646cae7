"""From records to paired tables: duplicated, unpaired and incomplete rows are refused by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isclose
from typing import Any

import numpy as np
import polars as pl

from foldproof.data.score_files.records import PLACE, Records
from foldproof.domain.errors import InputError
from foldproof.domain.scores import Design, Floats
from foldproof.domain.verdict import NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What the caller says of scores: their design where it cannot be recovered, and what they measure."""

    runs: int | None = None
    folds: int | None = None
    n_train: float | None = None
    n_test: float | None = None
    scoring: str | None = None
    greater_is_better: bool | None = None

    def __post_init__(self) -> None:
        for name in ("runs", "folds", "n_train", "n_test"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise InputError(f"{name} is {value!r}: give a positive number")
        if (self.n_train is None) != (self.n_test is None):
            raise InputError("one size was given: the mean sizes of training and test sets go together")

    @property
    def sign(self) -> float:
        """What scores are multiplied with so that more is better."""
        return -1.0 if self.greater_is_better is False else 1.0


def names_of(records: Records) -> list[str]:
    """Return the learners in the order they are met, refusing one alone and one called none."""
    learners = records.text("learner").unique(maintain_order=True).to_list()
    if NONE in learners:
        where = records.first(records.text("learner") == NONE)
        assert where is not None
        raise InputError(f"{records.at(where)}: a learner is called {NONE!r}, which is a verdict; rename it")
    if len(learners) < 2:
        raise InputError(
            f"{records.name} holds the scores of {learners[0]!r} alone: a test compares at least two learners"
        )
    return [str(name) for name in learners]


def datasets_of(records: Records) -> list[tuple[str | None, Records]]:
    """Return the records of every dataset, in the order they are met."""
    if "dataset" not in records.columns:
        return [(None, records)]
    records.text("dataset")
    frame = records.frame.with_columns(pl.col("dataset").cast(pl.String))
    parts = frame.partition_by("dataset", maintain_order=True)
    return [(str(part["dataset"][0]), Records(part, records.name, records.unit, records.like)) for part in parts]


def refuse_twice(records: Records, key: Sequence[str], what: str) -> None:
    """Refuse a row whose key has been met before."""
    twice = records.first(~records.frame.select(pl.struct(*key).is_first_distinct()).to_series())
    if twice is None:
        return
    row = records.frame.row(twice, named=True)
    same = pl.all_horizontal(pl.col(k) == row[k] for k in key)
    first = records.frame.filter(same)[PLACE][0]
    told = _told(row, [k for k in key if k != "learner"])
    raise InputError(
        f"{records.at(twice)}: {what} for {row['learner']!r}{told} stands already in {records.unit} {first}; keep one"
    )


def refuse_unpaired(records: Records, learners: Sequence[str], key: Sequence[str], dataset: str | None) -> None:
    """Refuse a row whose counterpart of another learner is not there."""
    frame = records.frame
    missing = set(learners) - set(frame["learner"].unique().to_list())
    if missing:
        name = next(name for name in learners if name in missing)
        raise InputError(f"{records.name}: {name!r} has no scores on dataset {dataset!r}, where others have; add them")
    counts = frame.group_by(key, maintain_order=True).agg(pl.col("learner"), pl.col(PLACE).first())
    alone = counts.filter(pl.col("learner").list.len() < len(learners))
    if alone.height == 0:
        return
    row = alone.sort(PLACE).row(0, named=True)
    have = row["learner"][0]
    lacks = next(name for name in learners if name not in row["learner"])
    raise InputError(
        f"unpaired: {records.name}, {records.unit} {row[PLACE]} is {have!r}{_told(row, key)}, and {lacks!r} has no "
        "such row; every learner needs the same runs, folds and instances"
    )


def _told(row: dict[str, Any], key: Sequence[str]) -> str:
    """Return a key in words."""
    return "".join(f"{' on' if i == 0 else ','} {k} {row[k]}" for i, k in enumerate(key))


def rectangle(records: Records, learner: str) -> tuple[list[int], list[int]]:
    """Return the runs and folds there are, refusing a run that lacks a fold others have."""
    own = records.frame.filter(pl.col("learner") == learner)
    runs, folds = sorted(own["run"].unique().to_list()), sorted(own["fold"].unique().to_list())
    if own.height == len(runs) * len(folds):
        return runs, folds
    there = set(own.select("run", "fold").iter_rows())
    run, fold = next((r, f) for r in runs for f in folds if (r, f) not in there)
    raise InputError(
        f"incomplete: {records.name} has no scores for run {run}, fold {fold}, while other runs have a fold {fold}; "
        f"add them, or leave run {run} out"
    )


def table_of(records: Records, learner: str, column: str, shape: tuple[int, int]) -> Floats:
    """Return one learner's column, runs x folds."""
    own = records.frame.filter(pl.col("learner") == learner).sort("run", "fold")
    return np.array(own[column].to_numpy(), dtype=np.float64).reshape(shape)


def sizes_of(records: Records, learners: Sequence[str], given: Given) -> tuple[float | None, float | None]:
    """Return the mean sizes that the records tell, or those given."""
    there = [column for column in ("n_train", "n_test") if column in records.columns]
    if not there:
        return given.n_train, given.n_test
    if len(there) == 1:
        other = "n_test" if there == ["n_train"] else "n_train"
        raise InputError(f"{records.name} has a column {there[0]!r} and none {other!r}: give both sizes, or neither")
    for column in there:
        sizes = records.numbers(column)
        bad = records.first(sizes <= 0)
        if bad is not None:
            raise InputError(f"{records.at(bad)}: {column} is {sizes[bad]:g}; a set has at least one instance")
        odd = (
            records.frame.with_columns(sizes.alias("\0size"))
            .group_by("run", "fold", maintain_order=True)
            .agg(pl.col("\0size").n_unique().alias("many"), pl.col(PLACE).first(), pl.col("\0size"), pl.col("learner"))
            .filter(pl.col("many") > 1)
            .sort(PLACE)
        )
        if odd.height:
            row = odd.row(0, named=True)
            several = ", ".join(f"{value:g}" for value in sorted(set(row["\0size"])))
            raise InputError(
                f"unpaired: {records.name}, {records.unit} {row[PLACE]}: {column} of run {row['run']}, fold "
                f"{row['fold']} differs between learners ({several}); they were not tested on the same split"
            )
    means = [float(records.numbers(column).cast(pl.Float64).mean()) for column in there]  # type: ignore[arg-type]
    if given.n_train is not None and given.n_test is not None and [given.n_train, given.n_test] != means:
        raise InputError(
            f"sizes {given.n_train:g} and {given.n_test:g} were given, and {records.name} says {means[0]:g} and "
            f"{means[1]:g}; leave them out"
        )
    return means[0], means[1]


def design_of(runs: int | None, folds: int | None, sizes: tuple[float | None, float | None]) -> Design:
    """Return the design, with whether sizes fit folds that train on the rest."""
    n_train, n_test = sizes
    complementary = True
    if n_train is not None and n_test is not None and folds is not None and folds > 1:
        complementary = isclose(n_test / n_train, 1.0 / (folds - 1), rel_tol=0.02)
    return Design(runs=runs, folds=folds, n_train=n_train, n_test=n_test, complementary=complementary)


def design_note(design: Design) -> str:
    """Return what is known or assumed of a design, in a sentence."""
    if design.runs is None:
        size = "a flat list of resamplings"
    elif design.folds == 1:
        size = f"{design.runs} random splits"
    else:
        size = f"{design.runs} x {design.folds} folds"
    if design.n_train is not None:
        return f"design: {size}, trained on {design.n_train:g} and tested on {design.n_test:g} instances"
    if design.folds is not None and design.folds > 1:
        return (
            f"design: {size}; no sizes are told, so test sets are taken to be 1/{design.folds - 1} of the training "
            "sets, as in k-fold cross-validation"
        )
    return f"design: {size}; no sizes are told, which corrected tests need: give n_train and n_test"


def refuse_conflict(records: Records, given: Given, runs: int, folds: int) -> None:
    """Refuse runs or folds that were given and are not those of the records."""
    for what, wanted, found in (("runs", given.runs, runs), ("folds", given.folds, folds)):
        if wanted is not None and wanted != found:
            raise InputError(f"{what} is {wanted}, and {records.name} has {found} {what}; leave {what} out")
