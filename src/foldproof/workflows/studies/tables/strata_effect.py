"""``strata-effect``: whether stratified folds move significance, or its spread over partitions, in one direction."""

from __future__ import annotations

import numpy as np

from foldproof.domain.errors import InputError
from foldproof.domain.result import AveragedTResult
from foldproof.domain.study import Part, Row, StudyTable
from foldproof.significance import sign_test
from foldproof.workflows.studies.base import TABLE_MAKERS, Options, Workbench
from foldproof.workflows.studies.heights import heights_of
from foldproof.workflows.studies.partitioned import comparisons, shown


@TABLE_MAKERS.register("strata-effect")
def strata_effect(part: Part, bench: Workbench) -> StudyTable:
    """Compare pairs of protocols, plain and stratified, over datasets. Options: ``protocols``, ``notes``."""
    options = Options(part)
    sides = options.take("protocols", list)
    notes = list(options.take("notes", list, []))
    options.done()
    if not all(isinstance(side, list) and len(side) == 2 and set(side) <= set(part.protocols) for side in sides):
        raise InputError(f'{part.label}: protocols are pairs of its protocols, [["1x10", "1x10 stratified"]]')
    known = {(each.pair, each.protocol.name): each for each in comparisons(part, bench)}
    rows: list[Row] = []
    for pair in bench.study.pairs:
        for plain, stratified in sides:
            first, second = known[pair, plain], known[pair, stratified]
            moved = {"mean p": [], "spread": []}  # type: dict[str, list[float]]
            for evidence in bench.having(part).values():
                count = min(shown(bench), *(len(e.averaged(evidence).t_values) for e in (first, second)))
                before, after = (_summary(e.averaged(evidence, count)) for e in (first, second))
                for place, what in enumerate(moved):
                    moved[what].append(after[place] - before[place])
            for what, differences in moved.items():
                told = sign_test(np.round(differences, 12))
                for word, value, digits in (
                    ("up", float(np.sum(np.array(differences) > 1e-12)), 0),
                    ("down", float(np.sum(np.array(differences) < -1e-12)), 0),
                    ("sign test", told.pvalue, 3),
                ):
                    rows.append(Row(row=first.column, column=f"{what}: {word}", measured=value, digits=digits))
            notes.append(f"{count} partitions of each kind on {len(bench.having(part))} datasets")
    return StudyTable(part.name, part.title, tuple(rows), "nothing", tuple(dict.fromkeys(notes)))


def _summary(found: AveragedTResult) -> tuple[float, float]:
    """Return the mean two-sided p of the partitions, and the standard deviation of P(T <= t)."""
    heights = heights_of(found)
    return float(np.mean(2.0 * np.minimum(heights, 1.0 - heights))), float(np.std(heights, ddof=1))
