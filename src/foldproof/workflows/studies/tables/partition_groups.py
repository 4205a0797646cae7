"""``partition-groups``: what the choice of partition changes on each dataset; and how many datasets of each kind."""

from __future__ import annotations

import numpy as np

from foldproof.domain.student import critical_value
from foldproof.domain.study import Part, Row, StudyTable
from foldproof.replicability import classify_group
from foldproof.workflows.studies.agreement import Cell, equal
from foldproof.workflows.studies.base import TABLE_MAKERS, Options, Workbench
from foldproof.workflows.studies.heights import height
from foldproof.workflows.studies.partitioned import Floats, comparisons, judged, of_draws, redrawn, shown

GROUPS = (1, 2, 3, 4)
# As in classify_group: a range of P(T <= t) below this is no range.
CONSTANT = 1e-12


@TABLE_MAKERS.register("partition-groups")
def partition_groups(part: Part, bench: Workbench) -> StudyTable:
    """Make the four groups of section 3, dataset by dataset; a group hangs on single partitions. Option: ``notes``."""
    options = Options(part)
    notes = tuple(options.take("notes", list, []))
    options.done()
    rows = []
    for name, evidence in bench.having(part).items():
        for each in comparisons(part, bench):
            found = each.averaged(evidence, shown(bench))
            group = classify_group(found.t_values, df=found.df, alpha=bench.study.alpha)
            rows.append(equal(Cell(name, each.column, 0), float(group), bench.printed(part.name, name, each.column)))
    return StudyTable(part.name, part.title, tuple(rows), "equality", notes)


@TABLE_MAKERS.register("partition-group-sizes")
def partition_group_sizes(part: Part, bench: Workbench) -> StudyTable:
    """Count the datasets of each group, judged by partitions drawn anew from all those seen. Option: ``notes``."""
    options = Options(part)
    notes = list(options.take("notes", list, []))
    options.done()
    having = bench.having(part)
    alpha = bench.study.alpha

    def tell(t: Floats, df: float) -> Floats:
        threshold = float(critical_value(alpha / 2.0, df))
        a, b = (t >= threshold).any(axis=1), (t <= -threshold).any(axis=1)
        none = (np.abs(t) < threshold).any(axis=1)
        range_of = height(t.max(axis=1), df) - height(t.min(axis=1), df)
        group = np.where(a & b, 1, np.where(none & (a | b), 2, np.where(range_of <= CONSTANT, 4, 3)))
        return np.asarray(group[:, None] == np.array(GROUPS), dtype=np.float64)

    rows: list[Row] = []
    for each in comparisons(part, bench):
        groups = []
        for evidence in having.values():
            found = each.averaged(evidence, shown(bench))
            groups.append(classify_group(found.t_values, df=found.df, alpha=alpha))
        draws = redrawn([each.averaged(e) for e in having.values()], bench.study.repetitions, tell, bench.how.seed)
        for place, group in enumerate(GROUPS):
            name = f"group {group}"
            expected = of_draws(draws[:, place], bench.study.repetitions, bench.how.repetitions, float(len(having)))
            printed = bench.printed(part.name, name, each.column) if bench.whole else None
            rows.append(
                judged(Cell(name, each.column, 0), float(groups.count(group)), expected, printed, bench.how.repetitions)
            )
    if not bench.whole:
        notes.append(f"over {len(having)} of {len(bench.study.datasets)} datasets, so that nothing is judged")
    return StudyTable(part.name, part.title, tuple(rows), "deviation", tuple(notes))
