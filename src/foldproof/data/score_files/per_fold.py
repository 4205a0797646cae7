"""One row for each score: ``run,fold,learner,score[,n_train,n_test][,dataset]``, or a learner's scores in a column."""

from __future__ import annotations

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
    sizes_of,
    table_of,
)
from foldproof.data.score_files.records import PLACE, Records
from foldproof.domain.scores import Scores, ScoreTable

FORM = "the form run,fold,learner,score"
COLUMNS = ("run", "fold", "learner", "score", "n_train", "n_test", "dataset")


def read_per_fold(records: Records, given: Given, *, known: frozenset[str] = frozenset()) -> Scores:
    """Return the scores of a long table; ``known`` columns are not spoken of."""
    column = "score"
    if "score" not in records.columns and given.scoring is not None:
        records.column(given.scoring)
        column = given.scoring
    records.need(["learner", column], FORM)
    notes = []
    if column == "score" and given.scoring is not None and given.scoring in records.columns:
        column = given.scoring
    unused = [c for c in records.columns if c not in {*COLUMNS, column, *known}]
    if unused:
        notes.append(f"columns_unused: {', '.join(unused)}")
    frame = records.frame
    for part in ("run", "fold"):
        if part not in records.columns:
            frame = frame.with_columns(pl.lit(0, dtype=pl.Int64).alias(part))
    if "run" not in records.columns and "fold" not in records.columns and "dataset" not in records.columns:
        records.need(["run"], FORM)
    records = Records(frame, records.name, records.unit, records.like)
    learners = names_of(records)
    frame = records.frame.with_columns(
        records.whole("run").alias("run"),
        records.whole("fold").alias("fold"),
        records.text("learner").alias("learner"),
        (records.numbers(column) * given.sign).alias(column),
    )
    records = Records(frame, records.name, records.unit, records.like)
    tables = []
    for dataset, its in datasets_of(records):
        refuse_twice(its, ["learner", "run", "fold"], "a score")
        refuse_unpaired(its, learners, ["run", "fold"], dataset)
        runs, folds = rectangle(its, learners[0])
        refuse_conflict(its, given, len(runs), len(folds))
        design = design_of(len(runs), len(folds), sizes_of(its, learners, given))
        scores = {name: table_of(its, name, column, (len(runs), len(folds))) for name in learners}
        tables.append(ScoreTable(dataset=dataset, scores=scores, design=design))
    if any(len(table.scores[learners[0]].ravel()) > 1 for table in tables):
        notes.extend(dict.fromkeys(design_note(table.design) for table in tables))
    return Scores(
        tables=tuple(tables),
        scoring=given.scoring or column,
        greater_is_better=given.greater_is_better is not False,
        notes=tuple(notes),
        like=records.like,
    )


def is_wide(records: Records) -> bool:
    """Whether the records are a column of datasets and a column of scores for each learner."""
    return "dataset" in records.columns and not {"learner", "score", "run", "fold"} & set(records.columns)


def lengthened(records: Records) -> Records:
    """Return a wide table, one row for each dataset, as a long one; a learner's name is its column's."""
    learners = [column for column in records.columns if column != "dataset"]
    for learner in learners:
        records.numbers(learner)
    long = pl.concat(
        [
            records.frame.select("dataset", PLACE, pl.lit(name).alias("learner"), records.numbers(name).alias("score"))
            for name in learners
        ]
    )
    return Records(long, records.name, records.unit, records.like)
