"""``averaged-significance``: the averaged t of every comparison as a signed p, judged as t."""

from __future__ import annotations

import math
from dataclasses import replace

from foldproof.domain.result import AveragedTResult
from foldproof.domain.student import critical_value
from foldproof.domain.study import Part, Printed, Row, StudyTable
from foldproof.workflows.studies.agreement import FEWEST, Cell, Expected, deviation
from foldproof.workflows.studies.base import TABLE_MAKERS, Options, Workbench
from foldproof.workflows.studies.heights import signed_p
from foldproof.workflows.studies.partitioned import comparisons, mean_of, shown, verdict

#: A t that is shown no more exactly than this is beyond what any table prints.
_REACH = 20.0


@TABLE_MAKERS.register("averaged-significance")
def averaged_significance(part: Part, bench: Workbench) -> StudyTable:
    """Make Bradford & Brodley's Table 2. Option: ``notes``.

    A signed p says nothing of how far two numbers are apart, so the printed one is turned into the t that it stands
    for and held against the mean of our t-values. One that was printed as 0 is a bound.
    """
    options = Options(part)
    notes = tuple(options.take("notes", list, []))
    options.done()
    rows: list[Row] = []
    for name, evidence in bench.having(part).items():
        for each in comparisons(part, bench):
            printed = bench.printed(part.name, name, each.column)
            found, every = each.averaged(evidence, shown(bench)), each.averaged(evidence)
            significant = "" if verdict(found, bench.study.alpha) == "none" else "significant"
            cell = Cell(name, each.column, 5 if printed is None else printed.digits, note=significant)
            rows.append(replace(judged_as_t(cell, every, printed, bench), measured=found.pvalue_signed))
    return StudyTable(part.name, part.title, tuple(rows), "deviation", notes)


def judged_as_t(cell: Cell, every: AveragedTResult, printed: Printed | None, bench: Workbench) -> Row:
    """Return a cell whose printed p is judged by the mean and the spread of t over all partitions."""
    if not math.isfinite(every.statistic):
        return replace(_with_print(cell.row(None), printed), note="some partition has an infinite t")
    expected = mean_of(every.t_values, bench.study.repetitions, None, _REACH)
    interval = tuple(signed_p(t, every.df) for t in (expected.low, expected.high))
    row = replace(_with_print(cell.row(None), printed), interval=(interval[0], interval[1]))
    if printed is None:
        return row
    if printed.value == 0.0:
        return _beside_a_bound(row, expected, printed, every.df, len(every.t_values))
    t, half = _t_of(printed, every.df)
    wide = replace(expected, sd=math.hypot(expected.sd, half / math.sqrt(3.0)))
    away, agrees, word = deviation(t, wide, len(every.t_values))
    return replace(row, deviation=away, agrees=agrees, note="; ".join(filter(None, (row.note, word))))


def _with_print(row: Row, printed: Printed | None) -> Row:
    if printed is None:
        return row
    return replace(row, published=printed.value, note="; ".join(filter(None, (printed.note, row.note))))


def _beside_a_bound(row: Row, expected: Expected, printed: Printed, df: float, repetitions: int) -> Row:
    """Return the cell of a p that was printed as 0: t lies beyond a bound, on the side of the sign."""
    if repetitions < FEWEST:
        return replace(row, note="; ".join(filter(None, (row.note, f"judged from {FEWEST} repetitions only"))))
    bound = float(critical_value(0.5 * 10.0**-printed.digits, df))
    side = -1.0 if printed.text.startswith("-") else 1.0
    short = bound - side * expected.mean
    if short <= 0.0:
        return replace(row, agrees=True, note="; ".join(filter(None, (row.note, "printed as 0"))))
    away = side * short / expected.sd if expected.sd > 0.0 else None
    return replace(row, deviation=away, agrees=away is not None and abs(away) <= 3.0)


def _t_of(printed: Printed, df: float) -> tuple[float, float]:
    """Return the t of a printed signed p, and half the range of t that is rounded to it."""
    half, size = 0.5 * 10.0**-printed.digits, abs(printed.value)
    low, middle, high = (float(critical_value(min(p, 0.5), df)) for p in (size + half, size, max(size - half, 1e-12)))
    return math.copysign(middle, printed.value), 0.5 * (high - low)
