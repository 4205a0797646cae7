"""``tests-tried``: which test the printed numbers of five runs of two folds come from, tried out."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from foldproof.domain.differences import Differences
from foldproof.domain.errors import InputError
from foldproof.domain.result import AveragedTResult
from foldproof.domain.study import Part, Row, StudyTable
from foldproof.significance import averaged_t, five_by_two_cv_t_pooled_mean
from foldproof.workflows.studies.agreement import Cell
from foldproof.workflows.studies.base import TABLE_MAKERS, Options, Workbench
from foldproof.workflows.studies.partitioned import Comparison, Floats, comparisons, verdicts
from foldproof.workflows.studies.tables.averaged_significance import judged_as_t

Tried = Callable[[Floats], AveragedTResult]


def _five_by_two(tables: Floats) -> AveragedTResult:
    found: AveragedTResult = averaged_t(Differences(tables.reshape(-1, 2)), single="five-by-two-cv-t")
    return found


def _pooled(tables: Floats) -> AveragedTResult:
    t = [five_by_two_cv_t_pooled_mean(Differences(table)).statistic for table in tables]
    return replace(_five_by_two(tables), t_values=tuple(t), statistic=math.fsum(t) / len(t))


def _paired(tables: Floats) -> AveragedTResult:
    found: AveragedTResult = averaged_t(Differences(tables.reshape(len(tables), -1)))
    return found


def _paired_on_five(tables: Floats) -> AveragedTResult:
    return replace(_paired(tables), df=5.0)


TRIED: dict[str, Tried] = {
    "5x2cv t, 5 df": _five_by_two,
    "5x2cv t with one pooled mean, 5 df": _pooled,
    "paired t of ten differences, 5 df": _paired_on_five,
    "paired t of ten differences, 9 df": _paired,
}


@TABLE_MAKERS.register("tests-tried")
def tests_tried(part: Part, bench: Workbench) -> StudyTable:
    """Hold tests against two printed tables, of averaged t and of counts. Options: ``without`` datasets, ``notes``.

    For each test: on how many cells the printed p lies within three standard deviations of ours, how far it lies
    in the middle, the same where p is below 0.001 in print, and how many of 55 partitions conclude otherwise.
    """
    options = Options(part)
    without, notes = options.take("without", list, []), tuple(options.take("notes", list, []))
    options.done()
    if len(part.tables) != 2:
        raise InputError(f'{part.label}: name the tables of averaged t and of counts as tables = ["2", "3"]')
    averages, counts = part.tables
    rows: list[Row] = []
    for test, tell in TRIED.items():
        away, small, told = [], [], []
        for name, evidence in bench.having(part).items():
            for each in comparisons(part, bench) if name not in without else ():
                printed = bench.printed(averages, name, each.column)
                found = tell(evidence.differences(each.protocol.name, each.pair))
                if printed is None or not math.isfinite(found.statistic):
                    continue
                row = judged_as_t(Cell(name, each.column, 5), found, printed, bench)
                if row.deviation is not None:
                    away.append(abs(row.deviation))
                elif row.agrees is not None:
                    away.append(0.0 if row.agrees else math.inf)
                if away and abs(printed.value) < 0.001:
                    small.append(away[-1])
                told.append(_otherwise(bench, counts, name, each, found))
        for column, value, digits in (
            ("cells", float(len(away)), 0),
            ("within 3 sd", float(sum(d <= 3.0 for d in away)), 0),
            ("median distance, sd", float(np.median(away)) if away else None, 1),
            ("cells with p < 0.001", float(len(small)), 0),
            ("of these within 3 sd", float(sum(d <= 3.0 for d in small)), 0),
            ("partitions of 55 told otherwise", float(np.mean(told)) if told else None, 1),
        ):
            rows.append(Row(row=test, column=column, measured=value, digits=digits))
    return StudyTable(part.name, part.title, tuple(rows), "nothing", notes)


def _otherwise(bench: Workbench, table: str, name: str, each: Comparison, found: AveragedTResult) -> float:
    """Return how many of the printed partitions have another conclusion than ours have on the average."""
    told = verdicts(found, bench.study.alpha)
    off = 0.0
    for sign, who in ((1, each.pair[0]), (0, "none"), (-1, each.pair[1])):
        printed = bench.printed(table, name, f"{each.column}: {who}")
        if printed is not None:
            off += abs(bench.study.repetitions * float(np.mean(told == sign)) - printed.value) / 2.0
    return off
