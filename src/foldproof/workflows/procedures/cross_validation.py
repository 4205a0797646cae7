"""Procedures on r runs of k folds."""

from __future__ import annotations

from dataclasses import replace

from foldproof.domain.notices import declare
from foldproof.partitions import KFold, Scheme
from foldproof.workflows.procedures.base import DEFAULT, Procedure, register

INFLATED = declare(
    "inflated_type_one",
    "the folds of one run share training data: Type I errors are more frequent than the level says (up to about "
    "twice), and another partition may well say otherwise",
)


def stratified(folds: int) -> Scheme:
    """Return stratified k-fold cross-validation."""
    return KFold(folds)


def _single_or_repeated(procedure: Procedure) -> Procedure:
    """One run has the paired t-test; more than one has its uncorrected repetition, which warns of itself."""
    if procedure.runs == 1:
        return replace(procedure, test="paired-t", advice=(INFLATED,))
    return replace(procedure, test="repeated-kfold-t", advice=())


register(
    Procedure(
        name=DEFAULT,
        test="corrected-repeated-kfold-t",
        runs=10,
        folds=10,
        scheme=stratified,
        summary="ten runs of stratified ten-fold cross-validation, corrected t-test: the recommended default",
    )
)
register(
    Procedure(
        name="corrected-repeated-cv",
        test="corrected-repeated-kfold-t",
        runs=10,
        folds=10,
        scheme=stratified,
        fixed=False,
        summary="runs x folds of your choice, corrected t-test",
    )
)
register(
    Procedure(
        name="10-fold-cv",
        advice=(INFLATED,),
        keeps_level=False,
        test="paired-t",
        runs=1,
        folds=10,
        scheme=stratified,
        summary="one run of stratified ten-fold cross-validation, paired t-test: Type I error above its level",
    )
)
register(
    Procedure(
        name="k-fold-cv",
        keeps_level=False,
        test="paired-t",
        runs=1,
        folds=10,
        scheme=stratified,
        fixed=False,
        resize=_single_or_repeated,
        summary="runs x folds of your choice, paired t-test without correction: to see what it does, not to publish",
    )
)
