"""Results of Weka's Experimenter, as arff or csv: one row for each scheme, run and fold.

Only the columns' names and the meaning of the rows are used; they are described in Weka's documentation.
"""

from __future__ import annotations

import re

import polars as pl

from foldproof.data.arff import decoded, parse
from foldproof.data.score_files.pairing import Given
from foldproof.data.score_files.per_fold import read_per_fold
from foldproof.data.score_files.records import PLACE, Records
from foldproof.domain.errors import InputError
from foldproof.domain.scores import Scores

DEFAULT = "Percent_correct"
_KEYS = ("Key_Dataset", "Key_Run", "Key_Scheme")
_RENAMED = {
    "Key_Dataset": "dataset",
    "Key_Run": "run",
    "Key_Fold": "fold",
    "Number_of_training_instances": "n_train",
    "Number_of_testing_instances": "n_test",
}
# Measures of which less is better, by their names.
_LESS = re.compile(r"(?i)incorrect|unclassified|error|entropy(?!_gain)|false_(positive|negative)|time|size|avg_false")


def is_experiment(records: Records) -> bool:
    """Whether the columns are those of the Experimenter."""
    return any(column.startswith("Key_") for column in records.columns)


def arff_records(raw: bytes, name: str) -> Records:
    """Return the rows of an arff file."""
    try:
        arff = parse(decoded(raw))
    except InputError as error:
        raise InputError(f"cannot read {name}: {error}") from None
    columns = {field.name: [row[j] for row in arff.rows] for j, field in enumerate(arff.fields)}
    frame = pl.DataFrame({name: pl.Series(values, dtype=pl.String) for name, values in columns.items()})
    return Records(frame.with_columns(pl.Series(PLACE, arff.lines, dtype=pl.Int64)), name)


def read_experiment(records: Records, given: Given) -> Scores:
    """Return the scores of every scheme: by default the percentage correct, in the file's own units."""
    for column in _KEYS:
        if column not in records.columns:
            raise InputError(
                f"{records.name} is no result file of Weka's Experimenter: the column {column!r} is missing; it has "
                f"{', '.join(records.columns[:8])}, …"
            )
    measure = given.scoring or DEFAULT
    if measure not in records.columns:
        records.column(measure)
    less = given.greater_is_better is False or (given.greater_is_better is None and bool(_LESS.search(measure)))
    frame = records.frame.with_columns(_names(records).alias("learner"))
    named = Records(frame, records.name, records.unit, records.like).renamed(
        {old: new for old, new in _RENAMED.items() if old in records.columns}
    )
    kept = [c for c in named.columns if c in {*_RENAMED.values(), "learner"}]
    named = Records(
        named.frame.select(*kept, PLACE, pl.col(measure).alias("score")), records.name, records.unit, records.like
    )
    if named.frame["dataset"].n_unique() == 1:
        named = Records(named.frame.drop("dataset"), named.name, named.unit, named.like)
    told = Given(
        runs=given.runs,
        folds=given.folds,
        n_train=given.n_train,
        n_test=given.n_test,
        scoring=None,
        greater_is_better=not less,
    )
    found = read_per_fold(named, told)
    return Scores(
        tables=found.tables,
        scoring=measure,
        greater_is_better=not less,
        notes=(f"measure: {measure}, in the units of the file", *found.notes),
        like=records.like,
    )


def _names(records: Records) -> pl.Series:
    """Return the schemes by their class, with the options where one class has several."""
    schemes = records.text("Key_Scheme")
    short = schemes.str.split(".").list.last()
    if "Key_Scheme_options" not in records.columns:
        return short
    options = records.frame["Key_Scheme_options"].fill_null("").str.strip_chars()
    pairs = pl.DataFrame({"scheme": schemes, "short": short, "options": options})
    many = pairs.unique().group_by("short").len().filter(pl.col("len") > 1)["short"].to_list()
    return pairs.select(
        pl.when(pl.col("short").is_in(many))
        .then((pl.col("short") + " " + pl.col("options")).str.strip_chars())
        .otherwise(pl.col("short"))
    ).to_series()
