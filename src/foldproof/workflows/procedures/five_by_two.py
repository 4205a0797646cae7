"""Procedures on five runs of two folds."""

from __future__ import annotations

from foldproof.domain.notices import declare
from foldproof.partitions import FiveByTwo
from foldproof.workflows.procedures.base import Procedure, register

ONE_DIFFERENCE = declare(
    "one_difference",
    "the numerator is the difference in a single fold: the verdict depends strongly on the partition",
)

register(
    Procedure(
        name="5x2cv",
        advice=(ONE_DIFFERENCE,),
        test="five-by-two-cv-t",
        runs=5,
        folds=2,
        scheme=lambda folds: FiveByTwo(),
        summary="Dietterich's 5x2cv paired t-test: few Type I errors, little power, poorly replicable",
    )
)
register(
    Procedure(
        name="5x2cv-f",
        test="five-by-two-cv-f",
        runs=5,
        folds=2,
        scheme=lambda folds: FiveByTwo(),
        summary="the combined 5x2cv F-test, which uses all ten differences",
    )
)
