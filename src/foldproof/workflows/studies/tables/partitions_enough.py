"""``partitions-enough``: how many partitions would settle each averaged verdict."""

from __future__ import annotations

from foldproof.domain.study import Part, Row, StudyTable
from foldproof.replicability import enough_partitions
from foldproof.workflows.studies.base import TABLE_MAKERS, Options, Workbench
from foldproof.workflows.studies.partitioned import comparisons, shown


@TABLE_MAKERS.register("partitions-enough")
def partitions_enough(part: Part, bench: Workbench) -> StudyTable:
    """Put the test of section 4 to every comparison. Options: ``alpha2``, ``notes``."""
    options = Options(part)
    alpha2, notes = options.take("alpha2", float, 0.05), list(options.take("notes", list, []))
    options.done()
    rows: list[Row] = []
    for each in comparisons(part, bench):
        enough = 0
        for name, evidence in bench.having(part).items():
            found = each.averaged(evidence, shown(bench))
            told = enough_partitions(found.t_values, df=found.df, alpha=bench.study.alpha, alpha2=alpha2)
            enough += told.enough
            needed = None if told.how_many is None else float(told.how_many)
            said = f"{told.verdict}, {'settled' if told.enough else 'open'} with {told.partitions}"
            rows.append(Row(row=name, column=each.column, measured=needed, digits=0, note=said))
        notes.append(f"{each.column}: {shown(bench)} partitions settle {enough} of {len(bench.having(part))} verdicts")
    by_dataset = sorted(rows, key=lambda row: list(bench.evidence).index(row.row))
    return StudyTable(part.name, part.title, tuple(by_dataset), "nothing", tuple(notes))
