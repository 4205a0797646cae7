"""Results of tasks as a store keeps them, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from foldproof.engine.task import TaskResult
from foldproof.store.records import Cell, Grumble, Remark

# What a tuned learner chose is kept beside the warnings of the fit: one entry for each setting, with its folds.
CHOSEN = "chosen"


def cell_of(result: TaskResult, series: str, run: int, division: bytes, scheme: str) -> Cell:
    """Return a result as a cell of its series, where runs have absolute numbers."""
    return Cell(
        series=series,
        run=run,
        division=division,
        scheme=scheme,
        scores=result.scores,
        predictions=result.predictions,
        remarks=_with_chosen(result),
        seconds=result.seconds,
        finished=result.finished,
        worker=result.worker,
        environment=result.environment,
    )


def _with_chosen(result: TaskResult) -> Mapping[str, Remark]:
    if result.chosen is None:
        return result.remarks
    folds: dict[str, list[int]] = {}
    for fold, setting in enumerate(result.chosen):
        if setting is not None:
            folds.setdefault(setting, []).append(fold)
    fit = result.remarks.get("", Remark())
    chosen = tuple(Grumble(CHOSEN, setting, tuple(where)) for setting, where in folds.items())
    return {**result.remarks, "": replace(fit, grumbles=(*fit.grumbles, *chosen))}


def chosen_in(remark: Remark | None, folds: int) -> tuple[str | None, ...] | None:
    """Return what a learner chose in each fold, from the remark on its fit."""
    told = [] if remark is None else [g for g in remark.grumbles if g.kind == CHOSEN]
    if not told:
        return None
    found: list[str | None] = [None] * folds
    for grumble in told:
        for fold in grumble.folds:
            found[fold] = grumble.text
    return tuple(found)
