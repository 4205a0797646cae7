"""``incorrect-conclusions``: single partitions held against the averaged t, over all datasets."""

from __future__ import annotations

import numpy as np

from foldproof.domain.student import critical_value
from foldproof.domain.study import Part, Row, StudyTable
from foldproof.replicability import incorrect_conclusions as count_incorrect
from foldproof.workflows.studies.agreement import Cell
from foldproof.workflows.studies.base import TABLE_MAKERS, Options, Workbench
from foldproof.workflows.studies.partitioned import (
    Comparison,
    Floats,
    comparisons,
    judged,
    of_draws,
    redrawn,
    shown,
    verdict,
)

COLUMNS = ("correctly accepts", "correctly rejects", "Type I", "Type II")
RATE = "incorrect, percent"
ALL = "all"


@TABLE_MAKERS.register("incorrect-conclusions")
def incorrect_conclusions(part: Part, bench: Workbench) -> StudyTable:
    """Make Bradford & Brodley's Table 4, with the rate of incorrect conclusions. Option: ``notes``."""
    options = Options(part)
    notes = list(options.take("notes", list, []))
    options.done()
    having = bench.having(part)
    sums, draws = np.zeros(4), None
    rows: list[Row] = []
    for each in comparisons(part, bench):
        counts, references = [], []
        for evidence in having.values():
            found = each.averaged(evidence, shown(bench))
            told = found.counts(alpha=bench.study.alpha)
            counts.append((told.a, told.none, told.b))
            references.append(verdict(found, bench.study.alpha))
        told = count_incorrect(counts, references)
        numbers = np.array([told.correct_accept, told.correct_reject, told.type_1, told.type_2], dtype=np.float64)
        drawn = _drawn(each, bench)
        rows += _rows(part, bench, each.column, numbers, drawn)
        sums, draws = sums + numbers, drawn if draws is None else draws + drawn
    if draws is not None:
        rows += _rows(part, bench, ALL, sums, draws)
    if not bench.whole:
        notes.append(f"over {len(having)} of {len(bench.study.datasets)} datasets, so that nothing is judged")
    return StudyTable(part.name, part.title, tuple(rows), "deviation", tuple(notes))


def _drawn(each: Comparison, bench: Workbench) -> Floats:
    """Return the four counts of partitions drawn from all those seen, draws x 4."""
    alpha = bench.study.alpha
    results = [each.averaged(evidence) for evidence in bench.evidence.values()]

    def tell(t: Floats, df: float) -> Floats:
        threshold = float(critical_value(alpha / 2.0, df))
        with np.errstate(invalid="ignore"):
            reference = t.mean(axis=1)
        side = np.where(np.abs(reference) >= threshold, np.sign(reference), 0.0)[:, None]
        single = np.where(np.abs(t) >= threshold, np.sign(t), 0.0)
        accepts, same = side == 0.0, single == side
        return np.stack(
            [
                (accepts & same).sum(axis=1), (~accepts & same).sum(axis=1),
                ((single != 0.0) & ~same).sum(axis=1), ((single == 0.0) & ~accepts).sum(axis=1),
            ],
            axis=1,
        ).astype(np.float64)  # fmt: skip

    return redrawn(results, bench.study.repetitions, tell, bench.how.seed)


def _rows(part: Part, bench: Workbench, name: str, numbers: Floats, draws: Floats) -> list[Row]:
    total = numbers.sum()
    with_rate = [*numbers, 100.0 * numbers[2:].sum() / total]
    rates = 100.0 * draws[:, 2:].sum(axis=1) / draws.sum(axis=1)
    rows = []
    for place, column in enumerate((*COLUMNS, RATE)):
        values, reach = (rates, 100.0) if column == RATE else (draws[:, place], float(total))
        expected = of_draws(values, bench.study.repetitions, bench.how.repetitions, reach)
        printed = bench.printed(part.name, name, column) if bench.whole else None
        cell = Cell(name, column, 1 if column == RATE else 0)
        rows.append(judged(cell, float(with_rate[place]), expected, printed, bench.how.repetitions))
    return rows
