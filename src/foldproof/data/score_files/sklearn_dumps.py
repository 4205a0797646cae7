"""What scikit-learn's ``cross_validate`` and searches (``cv_results_``) leave, as json, csv or dictionaries."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from foldproof.data.score_files.pairing import Given, design_note, design_of
from foldproof.data.score_files.records import Records
from foldproof.domain.errors import InputError
from foldproof.domain.scores import Floats, Scores, ScoreTable
from foldproof.domain.verdict import NONE

_TEST = re.compile(r"test_(\w+)")
_SPLIT = re.compile(r"split(\d+)_test_(\w+)")


def parse_json(raw: bytes, name: str) -> Mapping[str, Any]:
    """Return the object that a json file holds."""
    try:
        told = json.loads(raw.decode("utf-8-sig"))
    except (UnicodeDecodeError, ValueError) as error:
        raise InputError(f"{name} is not valid json: {error}") from None
    if not isinstance(told, dict):
        raise InputError(
            f"{name} holds a {type(told).__name__}, not an object: write the scores of each learner under its name, "
            '{"forest": {"test_score": […]}, "bayes": {"test_score": […]}}'
        )
    return told


def is_dump(told: Mapping[str, Any]) -> bool:
    """Whether this is what ``cross_validate`` or a search returns, rather than learners by name."""
    return any(_TEST.fullmatch(str(key)) or _SPLIT.fullmatch(str(key)) for key in told)


def read_dump(told: Mapping[str, Any], name: str, given: Given, like: Any = None) -> Scores:
    """Return the scores of learners by name, or of a search's candidates."""
    if is_dump(told):
        if not any(_SPLIT.fullmatch(str(key)) for key in told):
            raise InputError(
                f"{name} is what cross_validate returns for a single learner: put several under their names, "
                '{"forest": {…}, "bayes": {…}}, or give a file for each'
            )
        lists, metric = _candidates(told, name, given)
    else:
        lists, metric = _learners(told, name, given)
    return _scores(lists, metric, name, given, like)


def is_dump_table(records: Records) -> bool:
    """Whether the columns are those of ``cross_validate`` with a learner, or of ``cv_results_``."""
    columns = records.columns
    return ("learner" in columns and any(_TEST.fullmatch(c) for c in columns)) or any(
        _SPLIT.fullmatch(c) for c in columns
    )


def read_dump_table(records: Records, given: Given) -> Scores:
    """Return the scores of a csv of either kind."""
    if any(_SPLIT.fullmatch(column) for column in records.columns):
        told: dict[str, Any] = {}
        for column in records.columns:
            told[column] = (
                records.numbers(column).to_list() if _SPLIT.fullmatch(column) else records.frame[column].to_list()
            )
        lists, metric = _candidates(told, records.name, given)
    else:
        metric = _metric([m[1] for c in records.columns if (m := _TEST.fullmatch(c))], given, records.name)
        values, names = records.numbers(f"test_{metric}"), records.text("learner")
        lists = {
            str(name): np.array(values.filter(names == name).to_list()) for name in names.unique(maintain_order=True)
        }
    return _scores(lists, metric, records.name, given, records.like)


def _metric(found: Sequence[str], given: Given, name: str) -> str:
    """Return the metric to read: the one asked for, or the only one."""
    known = list(dict.fromkeys(found))
    if given.scoring is not None and given.scoring in known:
        return given.scoring
    if len(known) == 1 and (given.scoring is None or known == ["score"]):
        return known[0]
    wanted = "" if given.scoring is None else f", and none is {given.scoring!r}"
    raise InputError(f"{name} holds the metrics {', '.join(known)}{wanted}: name one with scoring")


def _learners(told: Mapping[str, Any], name: str, given: Given) -> tuple[dict[str, Floats], str]:
    metrics: list[str] = []
    for learner, dump in told.items():
        if isinstance(dump, (list, tuple, np.ndarray)):
            metrics.append("score")
            continue
        own = [m[1] for key in dump if (m := _TEST.fullmatch(str(key)))] if isinstance(dump, Mapping) else []
        if not own:
            raise InputError(
                f"{name}: {learner!r} has no list of test scores (test_score, as cross_validate returns it)"
            )
        metrics += own
    metric = _metric(metrics, given, name)
    lists = {}
    for learner, dump in told.items():
        values = dump if not isinstance(dump, Mapping) else dump.get(f"test_{metric}")
        if values is None:
            raise InputError(
                f"{name}: {learner!r} has no {metric!r}, which the others have; score it by the same metric"
            )
        lists[str(learner)] = _finite(values, f"{name}: {learner!r}")
    return lists, metric


def _candidates(told: Mapping[str, Any], name: str, given: Given) -> tuple[dict[str, Floats], str]:
    """Return the scores of a search's candidates, which are called by their parameters."""
    splits = [m for key in told if (m := _SPLIT.fullmatch(str(key)))]
    metric = _metric([m[2] for m in splits], given, name)
    numbers = sorted(int(m[1]) for m in splits if m[2] == metric)
    if numbers != list(range(len(numbers))):
        missing = next(i for i in range(len(numbers) + 1) if i not in numbers)
        raise InputError(
            f"{name} lacks split{missing}_test_{metric} and has later splits: write all columns of cv_results_"
        )
    table = np.column_stack([np.asarray(told[f"split{i}_test_{metric}"], dtype=object) for i in numbers])
    names = _candidate_names(told, len(table))
    return {who: _finite(row, f"{name}: candidate {who!r}") for who, row in zip(names, table, strict=True)}, metric


def _candidate_names(told: Mapping[str, Any], count: int) -> list[str]:
    keys = [key for key in told if str(key).startswith("param_")]
    if keys:
        names = [", ".join(f"{key[6:]}={told[key][i]}" for key in keys) for i in range(count)]
    else:
        names = [str(p) for p in told.get("params", [f"candidate {i}" for i in range(count)])]
    return [who if names.count(who) == 1 else f"{who} (#{i})" for i, who in enumerate(names)]


def _finite(values: Any, where: str) -> Floats:
    try:
        scores = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{where}: the test scores are not a list of numbers: {str(values)[:40]}") from None
    if scores.ndim != 1 or scores.size == 0:
        raise InputError(
            f"{where}: the test scores have shape {scores.shape}; give one list, in the order of the splits"
        )
    if not np.isfinite(scores).all():
        first = int(np.flatnonzero(~np.isfinite(scores))[0])
        raise InputError(f"{where}: the score of split {first} is {scores[first]}: that fit failed; repair it")
    return scores


def _scores(lists: Mapping[str, Floats], metric: str, name: str, given: Given, like: Any) -> Scores:
    if len(lists) < 2:
        raise InputError(f"{name} has one candidate or learner: a comparison takes two")
    if NONE in lists:
        raise InputError(f"{name}: {NONE!r} is the name of a learner and of a verdict; choose another")
    first = next(iter(lists))
    n = len(lists[first])
    for learner, values in lists.items():
        if len(values) != n:
            raise InputError(
                f"unpaired: {name}: {first!r} has {n} test scores and {learner!r} {len(values)}; cross-validate all of "
                "them on the same splits"
            )
    shape = _shape(name, n, given)
    scores = {learner: given.sign * values.reshape(shape) for learner, values in lists.items()}
    runs, folds = (shape[0], shape[1]) if len(shape) == 2 else (None, None)
    design = design_of(runs, folds, (given.n_train, given.n_test))
    notes = [
        "pairing_assumed: such a dump does not tell its splits; that all learners were given the same cv, with the "
        "same random_state, is taken on trust",
        design_note(design),
    ]
    return Scores(
        tables=(ScoreTable(dataset=None, scores=scores, design=design),),
        scoring=given.scoring or metric,
        greater_is_better=given.greater_is_better is not False,
        notes=tuple(notes),
        like=like,
    )


def _shape(name: str, n: int, given: Given) -> tuple[int, ...]:
    """Return runs x folds as given, or a flat list where only sizes were; such a dump does not tell."""
    if given.runs is None and given.folds is None:
        if given.n_train is None:
            raise InputError(
                f"{name} holds {n} scores per learner and not how the data were divided: give runs and folds (--runs 1 "
                f"--folds {n}, say), or n_train and n_test (--n-train --n-test) for random splits"
            )
        return (n,)
    runs = given.runs if given.runs is not None else n // (given.folds or 1)
    folds = given.folds if given.folds is not None else n // runs
    if runs * folds != n:
        raise InputError(f"{name} holds {n} scores per learner, which is not {runs} runs x {folds} folds; say how many")
    return (runs, folds)
