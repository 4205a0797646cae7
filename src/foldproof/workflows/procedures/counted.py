"""Procedures on counts of single instances: who was right where the other was wrong."""

from __future__ import annotations

from foldproof.domain.errors import InputError
from foldproof.domain.notices import FORECAST_UNAVAILABLE, IDENTICAL, declare
from foldproof.partitions import HoldOut, KFold
from foldproof.workflows.experiment import Setting
from foldproof.workflows.procedures.base import (
    Conducted,
    Judged,
    Procedure,
    Request,
    cells_of,
    conduct_partitions,
    register,
)

ONE_PARTITION = declare(
    "one_partition",
    "one partition only: the choice of training and test sets is not taken into account, and another may say otherwise",
)


def conduct_counts(procedure: Procedure, setting: Setting, request: Request) -> Conducted:
    """Fit as usual, where right and wrong are what is asked."""
    for scoring in setting.scorings:
        if scoring.name != "accuracy":
            raise InputError(
                f"the procedure {procedure.name!r} counts right and wrong instances and cannot judge "
                f"{scoring.name!r}: use scoring='accuracy', or a procedure on differences"
            )
    return conduct_partitions(procedure, setting, request)


def judge_counts(procedure: Procedure, conducted: Conducted, a: str, b: str, scoring: str, alpha: float) -> Judged:
    """Pool the instances of the one run, each tested once, into four cells."""
    cells = cells_of(conducted, a, b)
    assert cells is not None
    result = procedure.test_it(cells.a_only, cells.b_only)
    warnings = [*result.warnings, FORECAST_UNAVAILABLE]
    if cells.a_only == cells.b_only == 0:
        warnings.append(IDENTICAL)
    return Judged(
        result=result,
        mean_difference=(cells.a_only - cells.b_only) / (cells.both + cells.a_only + cells.b_only + cells.neither),
        table=cells,
        warnings=tuple(warnings),
    )


register(
    Procedure(
        name="mcnemar-holdout",
        advice=(ONE_PARTITION,),
        # Of the two classifiers at hand it keeps its level, of the learners that made them it does not.
        keeps_level=False,
        test="mcnemar",
        runs=1,
        folds=1,
        scheme=lambda folds: HoldOut(),
        design="one random test set of three tenths of the data, the same for all learners",
        conduct=conduct_counts,
        judge=judge_counts,
        summary="one test set of three tenths, McNemar's test: blind to the choice of training set",
    )
)
register(
    Procedure(
        name="binomial-cv",
        advice=(ONE_PARTITION,),
        # Of the two classifiers at hand it keeps its level, of the learners that made them it does not.
        keeps_level=False,
        test="binomial-sign",
        runs=1,
        folds=10,
        scheme=lambda folds: KFold(folds),
        conduct=conduct_counts,
        judge=judge_counts,
        summary="one run of ten folds, every instance tested once, binomial test on those where one is right",
    )
)
