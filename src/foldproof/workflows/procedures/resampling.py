"""Procedures on random subsampling."""

from __future__ import annotations

from foldproof.domain.errors import InputError
from foldproof.partitions import RandomSubsampling, Scheme
from foldproof.workflows.procedures.base import Procedure, register


def one_in(parts: int) -> Scheme:
    """Return random subsampling that tests one part in so many, not stratified."""
    if parts < 2:
        raise InputError(f"folds is {parts}: a test set is one part in folds of the data, so give at least 2")
    return RandomSubsampling(test_fraction=1.0 / parts)


register(
    Procedure(
        name="corrected-resampling-100",
        test="corrected-resampled-t",
        runs=100,
        folds=1,
        scheme=lambda folds: RandomSubsampling(),
        design="{runs} random test sets of a tenth of the data, the same for all learners",
        summary="a hundred random test sets of a tenth, corrected resampled t-test",
    )
)
register(
    Procedure(
        name="corrected-resampling",
        test="corrected-resampled-t",
        runs=100,
        folds=10,
        scheme=one_in,
        design="{runs} random test sets of one part in {folds} of the data, the same for all learners",
        fixed=False,
        summary="runs random test sets of one part in folds, corrected resampled t-test",
    )
)
