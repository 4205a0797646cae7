"""``combiner-growth`` and ``combined-anyway``: what rejected combiners make of the same evidence seen again."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from foldproof.domain.study import Part, Row, StudyTable
from foldproof.significance import combiner_growth, fisher_combine, signed_p_wilcoxon_ranks
from foldproof.significance._combiner_growth import GrowthRow
from foldproof.workflows.studies.agreement import Cell, equal
from foldproof.workflows.studies.base import TABLE_MAKERS, Options, Workbench
from foldproof.workflows.studies.heights import signed_p
from foldproof.workflows.studies.partitioned import comparisons, shown, verdict

FISHER, WILCOXON, AVERAGED = "Fisher", "Wilcoxon", "averaged t"


@TABLE_MAKERS.register("combiner-growth")
def growth(part: Part, bench: Workbench) -> StudyTable:
    """Combine equal p-values of more partitions. Options: ``partitions``, ``pvalue``, ``levels``, ``notes``."""
    options = Options(part)
    counts, pvalue = options.take("partitions", list), options.take("pvalue", float, 0.25)
    levels, notes = options.take("levels", list, [bench.study.alpha]), tuple(options.take("notes", list, []))
    options.done()
    rows: list[Row] = []
    for each in combiner_growth(counts, pvalue=pvalue):
        row = f"{each.partitions}"
        for column, value in ((FISHER, each.fisher), (WILCOXON, each.wilcoxon), (AVERAGED, each.averaged)):
            rows.append(equal(Cell(row, column, 4), value, bench.printed(part.name, row, column)))
    for level in levels:
        row = f"first at {level:g}"
        for column, tell in _GROWING.items():
            first = float(_first(level, pvalue, tell))
            rows.append(equal(Cell(row, column, 0), first, bench.printed(part.name, row, column)))
    return StudyTable(part.name, part.title, tuple(rows), "equality", notes)


_GROWING: dict[str, Callable[[GrowthRow], float]] = {FISHER: lambda g: g.fisher, WILCOXON: lambda g: g.wilcoxon}


def _first(level: float, pvalue: float, tell: Callable[[GrowthRow], float]) -> int:
    """Return the least number of partitions with which a combiner is significant."""
    return next(n for n in range(1, 1000) if tell(combiner_growth((n,), pvalue=pvalue)[0]) <= level)


@TABLE_MAKERS.register("combined-anyway")
def combined_anyway(part: Part, bench: Workbench) -> StudyTable:
    """Combine the partitions' own p-values, and count datasets on which each way finds a difference.

    Fisher's statistic is not symmetric; it is asked on both sides, each at half the level. Options: ``partitions``,
    ``notes``.
    """
    options = Options(part)
    counts, notes = options.take("partitions", list), tuple(options.take("notes", list, []))
    options.done()
    alpha = bench.study.alpha
    rows: list[Row] = []
    for each in comparisons(part, bench):
        for count in (n for n in counts if n <= shown(bench)):
            found = {FISHER: 0, WILCOXON: 0, AVERAGED: 0}
            for evidence in bench.having(part).values():
                averaged = each.averaged(evidence, count)
                p = np.array([signed_p(t, averaged.df) for t in averaged.t_values])
                tails = np.where(p > 0.0, p, 1.0 + p)  # P(T >= t)
                sides = (np.clip(tails, 1e-300, 1.0), np.clip(1.0 - tails, 1e-300, 1.0))
                found[FISHER] += min(fisher_combine(side).pvalue for side in sides) <= alpha / 2.0
                found[WILCOXON] += signed_p_wilcoxon_ranks(np.clip(np.abs(p), 1e-300, 0.5) * np.sign(p)).pvalue <= alpha
                found[AVERAGED] += verdict(averaged, alpha) != "none"
            for how, datasets in found.items():
                column = f"{how}, {count}"
                rows.append(Row(row=each.column, column=column, measured=float(datasets), digits=0))
    return StudyTable(part.name, part.title, tuple(rows), "nothing", notes)
