"""``single-conclusions``: how many partitions alone say the first learner, neither, the second."""

from __future__ import annotations

import numpy as np

from foldproof.domain.study import Part, Row, StudyTable
from foldproof.workflows.studies.agreement import Cell, count_of, of_distribution, subsets_of
from foldproof.workflows.studies.base import TABLE_MAKERS, Options, Workbench
from foldproof.workflows.studies.partitioned import comparisons, judged, shown, verdict, verdicts

NEITHER = "none"


@TABLE_MAKERS.register("single-conclusions")
def single_conclusions(part: Part, bench: Workbench) -> StudyTable:
    """Make Bradford & Brodley's Table 3; the conclusion of the averaged t is noted. Option: ``notes``."""
    options = Options(part)
    notes = tuple(options.take("notes", list, []))
    options.done()
    rows: list[Row] = []
    drawn, alpha = bench.study.repetitions, bench.study.alpha
    for name, evidence in bench.having(part).items():
        for each in comparisons(part, bench):
            found, every = each.averaged(evidence, shown(bench)), each.averaged(evidence)
            conclusion = {"A": 1, "none": 0, "B": -1}[verdict(found, alpha)]
            for sign, who in ((1, each.pair[0]), (0, NEITHER), (-1, each.pair[1])):
                column = f"{each.column}: {who}"
                count = int((verdicts(found, alpha) == sign).sum())
                seen = int((verdicts(every, alpha) == sign).sum())
                chances, shares = (of(seen, len(every.t_values), drawn) for of in (count_of, subsets_of))
                expected = of_distribution(np.arange(drawn + 1.0), chances, shares, float(drawn))
                cell = Cell(name, column, 0, note="the averaged t says so" if sign == conclusion else "")
                rows.append(
                    judged(cell, float(count), expected, bench.printed(part.name, name, column), len(every.t_values))
                )
    return StudyTable(part.name, part.title, tuple(rows), "deviation", notes)
