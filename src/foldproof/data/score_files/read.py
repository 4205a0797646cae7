"""``fp.read_scores``: scores and predictions that exist already, in whatever form they come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl

from foldproof.data.score_files.experimenter import arff_records, is_experiment, read_experiment
from foldproof.data.score_files.pairing import Given
from foldproof.data.score_files.per_fold import is_wide, lengthened, read_per_fold
from foldproof.data.score_files.per_instance import read_per_instance
from foldproof.data.score_files.records import Records, of_frame, of_path
from foldproof.data.score_files.sklearn_dumps import (
    is_dump,
    is_dump_table,
    parse_json,
    read_dump,
    read_dump_table,
)
from foldproof.data.table import read_bytes
from foldproof.domain.errors import InputError
from foldproof.domain.scores import Scores

TEXTS = (".csv", ".tsv", ".txt", ".parquet")


def read_scores(
    source: Any,
    *,
    runs: int | None = None,
    folds: int | None = None,
    n_train: float | None = None,
    n_test: float | None = None,
    scoring: str | None = None,
    greater_is_better: bool | None = None,
) -> Scores:
    """Read scores or predictions from elsewhere, and check that they are paired.

    Parameters
    ----------
    source
        A file, a dataframe, or a dictionary. Tables are long, ``run,fold,learner,score[,n_train,n_test][,dataset]``,
        per instance, ``run,fold,instance,learner,y_true,y_pred``, or have a ``dataset`` column and one of scores for
        each learner. Of scikit-learn, what ``cross_validate`` returns, by learner, or ``cv_results_``; of Weka's
        Experimenter, its result files. ``{"forest": "forest.csv", "bayes": "bayes.csv"}`` joins a file for each.
    runs, folds, n_train, n_test
        The design, where the form does not tell it: scikit-learn's dumps need runs and folds, or both sizes.
    scoring
        Which metric or column to read, where there are several.
    greater_is_better
        False for a loss. Known for Weka's measures; otherwise more is better, as scikit-learn has it.

    Returns
    -------
    Scores
        For ``fp.judge``; ``notes`` say what was recovered or assumed.

    Examples
    --------
    >>> found = read_scores({"a": [0.9, 0.8, 0.85], "b": [0.8, 0.8, 0.75]}, runs=1, folds=3)
    >>> found.learners, found.differences("a", "b").values.shape
    (('a', 'b'), (1, 3))
    """
    given = Given(
        runs=runs,
        folds=folds,
        n_train=n_train,
        n_test=n_test,
        scoring=scoring,
        greater_is_better=greater_is_better,
    )
    if isinstance(source, (str, Path)):
        found = _of_path(Path(source), given)
    elif isinstance(source, Mapping):
        found = _of_mapping(source, given)
    elif isinstance(nw.from_native(source, eager_only=True, pass_through=True), nw.DataFrame):
        found = _of_records(of_frame(source, "the frame"), given)
    else:
        raise InputError(f"scores are read from a file, a frame or a dictionary; got {type(source).__name__}")
    return found


def _ending(path: Path) -> str:
    endings = [suffix.lower() for suffix in path.suffixes]
    return endings[-2] if len(endings) > 1 and endings[-1] == ".gz" else (endings[-1] if endings else "")


def _of_path(path: Path, given: Given) -> Scores:
    ending = _ending(path)
    if ending == ".json":
        return read_dump(parse_json(read_bytes(path), path.name), path.name, given)
    return _of_records(_records(path), given)


def _records(path: Path) -> Records:
    ending = _ending(path)
    if ending == ".arff":
        return arff_records(read_bytes(path), path.name)
    if ending not in TEXTS:
        raise InputError(
            f"cannot read scores from {path.name!r}: the ending must be one of .csv, .tsv, .parquet, .json or .arff, "
            "with or without .gz"
        )
    return of_path(path)


def _of_records(records: Records, given: Given) -> Scores:
    """Return the scores of a table, by the form that its columns have."""
    columns = set(records.columns)
    if is_experiment(records) or (records.unit == "line" and records.name.endswith((".arff", ".arff.gz"))):
        return read_experiment(records, given)
    if is_dump_table(records):
        return read_dump_table(records, given)
    if {"y_true", "y_pred"} & columns:
        return read_per_instance(records, given)
    if is_wide(records):
        return read_per_fold(lengthened(records), given)
    return read_per_fold(records, given)


def _of_mapping(source: Mapping[Any, Any], given: Given) -> Scores:
    """Return the scores of learners by name: dumps, lists, or a file or frame for each."""
    if not source:
        raise InputError("an empty dictionary holds no scores: give each learner's under its name")
    whole = {name: _is_table(value) for name, value in source.items()}
    if not any(whole.values()):
        return read_dump(source, "the dictionary", given)
    if not all(whole.values()):
        odd = next(name for name, table in whole.items() if not table)
        raise InputError(f"{odd!r} is neither a file nor a frame, and the others are: give all learners in one form")
    dumps: dict[str, Any] = {}
    parts: list[pl.DataFrame] = []
    first: Records | None = None
    for name, value in source.items():
        if isinstance(value, (str, Path)) and _ending(Path(value)) == ".json":
            told = parse_json(read_bytes(Path(value)), Path(value).name)
            if not is_dump(told) or any(str(key).startswith("split") for key in told):
                raise InputError(
                    f"{Path(value).name} is not what cross_validate returns for one learner: give it alone"
                )
            dumps[str(name)] = told
            continue
        records = _records(Path(value)) if isinstance(value, (str, Path)) else of_frame(value, f"the frame of {name!r}")
        first = first or records
        frame = records.frame.with_columns(pl.lit(str(name)).alias("learner"))
        parts.append(frame)
    if dumps and parts:
        raise InputError("some learners are in json files and some in tables: give all learners in one form")
    if dumps:
        return read_dump(dumps, "the files", given)
    assert first is not None
    joined = pl.concat(parts, how="diagonal_relaxed")
    return _of_records(replace(first, frame=joined, name=f"{first.name} and the others"), given)


def _is_table(value: Any) -> bool:
    if isinstance(value, (str, Path)):
        return True
    return isinstance(nw.from_native(value, eager_only=True, pass_through=True), nw.DataFrame)
