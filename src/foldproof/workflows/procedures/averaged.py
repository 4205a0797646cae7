"""Bradford & Brodley's averaged t over many partitions of a single-partition test."""

from __future__ import annotations

from foldproof.partitions import FiveByTwo, KFold
from foldproof.workflows.procedures.base import Procedure, register

register(
    Procedure(
        name="averaged-10-fold-cv",
        test="averaged-t",
        runs=10,
        folds=10,
        scheme=lambda folds: KFold(folds),
        options=(("single", "paired-t"),),
        summary="the mean t of ten ten-fold partitions, on the degrees of freedom of one",
    )
)
register(
    Procedure(
        name="averaged-5x2cv",
        test="averaged-t",
        runs=50,
        folds=2,
        scheme=lambda folds: FiveByTwo(),
        options=(("single", "five-by-two-cv-t"),),
        summary="the mean t of ten 5x2 partitions, on the degrees of freedom of one",
    )
)
