"""From scores that exist already to what a test takes, and what it makes of one pair or of all learners."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from foldproof.domain.errors import InputError, unknown_name
from foldproof.domain.notices import FORECAST_UNAVAILABLE, IDENTICAL, declare
from foldproof.domain.result import SidelessResult
from foldproof.domain.scores import Bools, ScoreTable
from foldproof.partitions import KFold
from foldproof.significance import METHODS, Method
from foldproof.significance._mcnemar import four_cells
from foldproof.workflows.procedures.base import Judged, Procedure, judged

NO_PVALUE = declare(
    "no_pvalue", "a Bayesian test gives probabilities and no p-value: it has no verdict here, read the probabilities"
)
SHARED_FOLDS = declare(
    "shared_folds",
    "this test asks for random samples of each learner's own, and scores on shared folds are none: use anova-repeated",
)
ONE_TEST_SET = declare(
    "one_test_set",
    "one pass over the instances: the choice of training sets is not taken into account, and another may say otherwise",
)
# What goes into the tests that scores on one dataset can be given to.
WITHIN = ("differences", "counts", "answers", "scores", "proportions")
# And of one score on each of many datasets.
OVER = ("values", "datasets")


def method_of(test: str, options: Mapping[str, Any]) -> Method:
    """Return a test by name, refusing one that scores cannot be given to and options it does not have."""
    known = [name for name, method in METHODS.items() if usable(method)]
    if test not in METHODS:
        raise unknown_name("test", test, known)
    method = METHODS[test]
    if method.kind == "margin":
        raise InputError(f"the test {test!r} is about a margin: use foldproof gate, or fp.significance with the margin")
    if not usable(method):
        takes = "what" if method.takes == "other" else f"{method.takes}, which"
        raise InputError(f"the test {test!r} takes {takes} no file of scores holds: use one of {', '.join(known)}")
    parameters = inspect.signature(method.function).parameters
    own = [n for n, p in parameters.items() if p.kind is inspect.Parameter.KEYWORD_ONLY and n != "independent"]
    for name in options:
        if name not in own:
            raise unknown_name(f"option of {test}", name, own)
    return method


def usable(method: Method) -> bool:
    """Whether the test takes what scores from elsewhere hold."""
    return method.kind != "margin" and method.takes in (*WITHIN, *OVER)


def judge_pair(
    table: ScoreTable, method: Method, a: str, b: str, *, alpha: float, options: Mapping[str, Any]
) -> Judged:
    """Test one pair on one dataset."""
    if method.takes == "differences":
        found = judged(_as_procedure(table, method, options), partial(table.differences, a, b), alpha)
        if method.kind != "bayesian":
            return found
        return _with(found, NO_PVALUE)
    if method.takes == "scores":
        lists = _lists(table, (a, b), method)
        result = method.function(lists, **options)
        return _judged(result, float(lists[0].mean() - lists[1].mean()), _about_folds(method))
    right = [_answers(table, method)[name] for name in (a, b)]
    cells = four_cells(*right)
    difference = (cells.a_only - cells.b_only) / right[0].size
    if method.takes == "counts":
        result = method.function(cells.a_only, cells.b_only, **options)
    elif method.takes == "answers":
        result = method.function(np.column_stack(right), **options)
    else:
        n = right[0].size
        result = method.function(int(right[0].sum()), int(right[1].sum()), n_a=n, n_b=n, **{"paired": True, **options})
    found = _judged(result, difference, ONE_TEST_SET, IDENTICAL if cells.a_only == cells.b_only == 0 else None)
    return Judged(result=found.result, mean_difference=difference, table=cells, warnings=found.warnings)


def judge_all(
    table: ScoreTable, method: Method, learners: Sequence[str], options: Mapping[str, Any]
) -> SidelessResult | None:
    """Test all learners at once, where the test can and there are more than two."""
    if len(learners) < 3 or method.takes not in ("scores", "answers"):
        return None
    if method.takes == "scores":
        found: SidelessResult = method.function(_lists(table, learners, method), **options)
        return found
    answers = _answers(table, method)
    result: SidelessResult = method.function(np.column_stack([answers[name] for name in learners]), **options)
    return result


def _as_procedure(table: ScoreTable, method: Method, options: Mapping[str, Any]) -> Procedure:
    return Procedure(
        name="scores",
        test=method.name,
        runs=table.design.runs or 1,
        folds=table.design.folds or 1,
        summary="scores that exist already",
        scheme=lambda folds: KFold(folds),
        options=tuple(options.items()),
    )


def _judged(result: Any, difference: float, *warnings: str | None) -> Judged:
    told = [*result.warnings, FORECAST_UNAVAILABLE, *(w for w in warnings if w is not None)]
    return Judged(result=result, mean_difference=difference, warnings=tuple(told))


def _with(found: Judged, warning: str) -> Judged:
    return Judged(
        result=found.result,
        mean_difference=found.mean_difference,
        evidence=found.evidence,
        warnings=(*found.warnings, warning),
    )


def _about_folds(method: Method) -> str | None:
    return SHARED_FOLDS if method.name == "anova-oneway" else None


def _lists(table: ScoreTable, names: Sequence[str], method: Method) -> list[Any]:
    if (table.design.runs or 1) > 1 and (table.design.folds or 1) > 1:
        raise InputError(
            f"{method.name} takes the folds of one run, and there are {table.design.runs} runs, which share their "
            "instances: give one run, or use a corrected test on pairs"
        )
    return [table.scores[name].ravel() for name in names]


def _answers(table: ScoreTable, method: Method) -> dict[str, Bools]:
    """Return who was right on which instance of the one run."""
    if table.right is None:
        raise InputError(
            f"{method.name} counts single instances, and these are scores of folds: give predictions, "
            "run,fold,instance,learner,y_true,y_pred, or use a test on differences"
        )
    first = next(iter(table.right.values()))
    if first.shape[0] > 1:
        raise InputError(
            f"{method.name} counts every instance once, and the predictions are those of {first.shape[0]} runs over "
            "the same instances: give one run, or use a test on differences"
        )
    return {name: right[0] for name, right in table.right.items()}
