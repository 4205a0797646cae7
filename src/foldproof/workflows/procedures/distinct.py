"""Procedures that give learners or trials data of their own, so that nothing is used twice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from foldproof.domain.address import Address
from foldproof.domain.errors import InputError
from foldproof.domain.notices import FORECAST_UNAVAILABLE, declare
from foldproof.domain.outcomes import Outcomes
from foldproof.domain.partitions import ExplicitPartitions, Indices
from foldproof.partitions import Design, KFold
from foldproof.partitions.deal import deal_folds
from foldproof.partitions.resampling import part_of
from foldproof.workflows.experiment import Setting
from foldproof.workflows.procedures.base import (
    Conducted,
    Judged,
    Procedure,
    Request,
    conduct_partitions,
    judged,
    pair_differences,
    register,
)

FOLDS_SHARE = declare(
    "folds_share_training_data",
    "within each learner's sample the folds share training data, so that their scores are not as independent as F "
    "assumes",
)
# Fewer instances than this make no training set worth the name.
SMALLEST = 10


def _no_splits(procedure: Procedure, setting: Setting, request: Request) -> None:
    if request.splits is not None:
        raise InputError(f"the procedure {procedure.name!r} makes its own partitions: leave out cv")
    if setting.dataset.groups is not None:
        raise InputError(f"the procedure {procedure.name!r} knows no groups: leave them out or choose another")


def _within(design: Design, members: Indices) -> Design:
    strata = None if design.strata is None else np.unique(design.strata[members], return_inverse=True)[1]
    return Design(len(members), strata)


def conduct_samples(procedure: Procedure, setting: Setting, request: Request) -> Conducted:
    """Cut the data into one sample per learner, and cross-validate each learner within its own."""
    _no_splits(procedure, setting, request)
    design, learners = Design.of(setting.dataset), setting.learners
    if design.n < len(learners) * max(SMALLEST, procedure.folds):
        raise InputError(
            f"{design.n} instances are too few for {len(learners)} distinct samples of "
            f"{max(SMALLEST, procedure.folds)}: use a procedure that shares the data"
        )
    address = Address(setting.seed, setting.dataset.fingerprint, request.repetition)
    sample_of = deal_folds(design, len(learners), address.stream("samples"), stratified=True)
    every = []
    for sample in range(len(learners)):
        members = np.flatnonzero(sample_of == sample)
        fold_of = deal_folds(
            _within(design, members), procedure.folds, address.stream("partition", sample), stratified=True
        )
        every.append(tuple((members[fold_of != f], members[fold_of == f]) for f in range(procedure.folds)))
    partitions = ExplicitPartitions(tuple(every), n_instances=design.n, scheme="distinct samples")
    outcomes: dict[str, Outcomes] = {}
    for learner, splits in zip(learners, every, strict=True):
        own = ExplicitPartitions((splits,), n_instances=design.n)
        outcomes |= replace(setting, learners=(learner,)).run(
            own, repetition=request.repetition, n_jobs=request.n_jobs, on_event=request.on_event
        )
    return Conducted(setting, partitions, outcomes, 1, procedure.folds)


def judge_samples(procedure: Procedure, conducted: Conducted, a: str, b: str, scoring: str, alpha: float) -> Judged:
    """Compare the means of two learners' own samples."""
    first, second = (conducted.outcomes[name].scores[scoring].ravel() for name in (a, b))
    result = procedure.test_it([first, second])
    return Judged(
        result=result,
        mean_difference=float(first.mean() - second.mean()),
        warnings=(*result.warnings, FORECAST_UNAVAILABLE),
    )


def judge_training_sets(
    procedure: Procedure, conducted: Conducted, a: str, b: str, scoring: str, alpha: float
) -> Judged:
    """Hand the test differences that share no training data."""
    return judged(procedure, pair_differences(conducted, a, b, scoring, independent=True), alpha)


def conduct_training_sets(procedure: Procedure, setting: Setting, request: Request) -> Conducted:
    """Set one half aside as the test set, and cut the other into disjoint training sets (or use those given)."""
    if request.splits is not None:
        return conduct_partitions(procedure, setting, request)
    _no_splits(procedure, setting, request)
    design = Design.of(setting.dataset)
    n_test = part_of(0.5, design.n)
    if procedure.runs < 2 or design.n - n_test < SMALLEST * procedure.runs:
        raise InputError(
            f"{design.n} instances cannot be cut into a test set and {procedure.runs} disjoint training sets of at "
            f"least {SMALLEST}: use 2 to {(design.n - n_test) // SMALLEST} runs, or a procedure that shares the data"
        )
    address = Address(setting.seed, setting.dataset.fingerprint, request.repetition)
    half_of = deal_folds(design, 2, address.stream("test set"), stratified=True)
    test, rest = np.flatnonzero(half_of == 0), np.flatnonzero(half_of == 1)
    part: npt.NDArray[np.int32] = deal_folds(
        _within(design, rest), procedure.runs, address.stream("partition"), stratified=True
    )
    splits = tuple(((rest[part == i], test),) for i in range(procedure.runs))
    partitions = ExplicitPartitions(splits, n_instances=design.n, scheme="disjoint training sets")
    outcomes = setting.run(partitions, repetition=request.repetition, n_jobs=request.n_jobs, on_event=request.on_event)
    return Conducted(setting, partitions, outcomes, procedure.runs, 1)


register(
    Procedure(
        name="anova-distinct-samples",
        test="anova-oneway",
        runs=1,
        folds=10,
        scheme=lambda folds: KFold(folds),
        conduct=conduct_samples,
        judge=judge_samples,
        advice=(FOLDS_SHARE,),
        keeps_level=False,
        design="{folds}-fold cross-validation of each learner on a sample of its own, which no other learner saw",
        summary="each learner cross-validated on a sample of its own, one-way analysis of variance",
    )
)
register(
    Procedure(
        name="disjoint-training-sets",
        test="paired-t",
        runs=10,
        folds=1,
        scheme=lambda folds: KFold(folds),
        conduct=conduct_training_sets,
        judge=judge_training_sets,
        design="{runs} disjoint training sets and one test set, the same for all learners",
        fixed=False,
        summary="for plentiful data: runs disjoint training sets, one large test set, paired t-test",
    )
)
