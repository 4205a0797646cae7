"""One row for each prediction: ``run,fold,instance,learner,y_true,y_pred``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from foldproof.data.score_files.pairing import (
    Given,
    datasets_of,
    design_note,
    design_of,
    names_of,
    rectangle,
    refuse_conflict,
    refuse_twice,
    refuse_unpaired,
)
from foldproof.data.score_files.records import PLACE, Records
from foldproof.domain.errors import InputError
from foldproof.domain.scores import Bools, Floats, Scores, ScoreTable

FORM = "the form run,fold,instance,learner,y_true,y_pred"


def read_per_instance(records: Records, given: Given) -> Scores:
    """Return the accuracies of every fold, and who was right on which instance."""
    records.need(["instance", "learner", "y_true", "y_pred"], FORM)
    if given.scoring not in (None, "accuracy"):
        raise InputError(
            f"single predictions are scored by accuracy, and {given.scoring!r} was asked for: give the scores of every "
            "fold (run,fold,learner,score) for another metric"
        )
    frame = records.frame
    for part in ("run", "fold"):
        if part not in records.columns:
            frame = frame.with_columns(pl.lit(0, dtype=pl.Int64).alias(part))
    records = Records(frame, records.name, records.unit, records.like)
    learners = names_of(records)
    frame = records.frame.with_columns(
        records.whole("run").alias("run"),
        records.whole("fold").alias("fold"),
        *(_labels(records, column).alias(column) for column in ("instance", "learner", "y_true", "y_pred")),
    )
    records = Records(frame, records.name, records.unit, records.like)
    _refuse_measurements(records)
    tables = []
    for dataset, its in datasets_of(records):
        tables.append(_table(its, learners, dataset, given))
    return Scores(
        tables=tuple(tables),
        scoring="accuracy",
        greater_is_better=True,
        notes=tuple(dict.fromkeys(design_note(table.design) for table in tables)),
        like=records.like,
    )


def _labels(records: Records, column: str) -> pl.Series:
    """Return labels as text, the same whether written 1 or 1.0."""
    values = records.frame[column]
    if values.dtype in (pl.Float32, pl.Float64) and (values.fill_null(0) == values.fill_null(0).round()).all():
        values = values.cast(pl.Int64)
    values = values.cast(pl.String)
    bad = records.first(values.is_null())
    if bad is not None:
        raise InputError(
            f"{records.at(bad)}: {column} is blank; every tested instance needs its {column}, or leave the instance "
            "out for every learner"
        )
    return values


def _refuse_measurements(records: Records) -> None:
    """Refuse targets that are measurements: being right about them is not a question of equality."""
    numbers = records.frame["y_true"].cast(pl.Float64, strict=False)
    odd = records.first(numbers.is_finite() & (numbers != numbers.round()))
    if odd is not None and numbers.null_count() == 0:
        raise InputError(
            f"{records.at(odd)}: y_true is {numbers[odd]:g}, a measurement and no class; give the scores of every fold "
            "(run,fold,learner,score) for a regression"
        )


def _table(records: Records, learners: Sequence[str], dataset: str | None, given: Given) -> ScoreTable:
    refuse_twice(records, ["learner", "run", "instance"], "a prediction")
    refuse_unpaired(records, learners, ["run", "instance"], dataset)
    for column, meaning in (("fold", "tested in another fold"), ("y_true", "told to be of another class")):
        _refuse_disagreement(records, column, meaning)
    by_fold = (
        records.frame.with_columns((pl.col("y_true") == pl.col("y_pred")).alias("right"))
        .group_by("learner", "run", "fold")
        .agg(pl.col("right").mean().alias("score"), pl.len().alias("n"), pl.col(PLACE).first())
    )
    folded = Records(by_fold, records.name, records.unit, records.like)
    runs, folds = rectangle(folded, learners[0])
    refuse_conflict(folded, given, len(runs), len(folds))
    shape = (len(runs), len(folds))
    own = by_fold.filter(pl.col("learner") == learners[0]).sort("run", "fold")["n"].to_numpy().reshape(shape)
    scores: dict[str, Floats] = {}
    for name in learners:
        part = by_fold.filter(pl.col("learner") == name).sort("run", "fold")
        scores[name] = np.array(part["score"].to_numpy(), dtype=np.float64).reshape(shape)
    sizes = given.n_train, given.n_test
    if sizes[0] is None and shape[1] > 1:
        # Every instance of a run is tested once in it, so a fold trains on the run's other instances.
        tested = float(own.mean())
        sizes = float(own.sum(axis=1).mean()) - tested, tested
    return ScoreTable(
        dataset=dataset,
        scores=scores,
        design=design_of(*shape, sizes),
        right=_right(records, learners, len(runs)),
    )


def _refuse_disagreement(records: Records, column: str, meaning: str) -> None:
    """Refuse an instance of which learners tell different things."""
    found = (
        records.frame.sort(PLACE)
        .with_columns(pl.col(column).first().over("run", "instance").alias("\0first"))
        .filter(pl.col(column) != pl.col("\0first"))
    )
    if found.height:
        row = found.row(0, named=True)
        raise InputError(
            f"unpaired: {records.name}, {records.unit} {row[PLACE]}: instance {row['instance']} of run {row['run']} is "
            f"{meaning} ({column} {row[column]}) than for the learner before ({row[chr(0) + 'first']})"
        )


def _right(records: Records, learners: Sequence[str], runs: int) -> dict[str, Bools] | None:
    """Return for every learner, run and instance whether it was right; None where runs test different instances."""
    counts = records.frame.group_by("run").agg(pl.col("instance").n_unique())["instance"].to_list()
    if len(set(counts)) > 1 or records.frame["instance"].n_unique() != counts[0]:
        return None
    found: dict[str, Bools] = {}
    for name in learners:
        own = records.frame.filter(pl.col("learner") == name).sort("run", "instance")
        found[name] = (own["y_true"] == own["y_pred"]).to_numpy().reshape(runs, counts[0])
    return found
