"""``mean-accuracies``: every learner's accuracy on every protocol in percent, averaged over partitions."""

from __future__ import annotations

from foldproof.domain.study import Part, Row, StudyTable
from foldproof.workflows.studies.agreement import Cell
from foldproof.workflows.studies.base import TABLE_MAKERS, Options, Workbench
from foldproof.workflows.studies.partitioned import judged, mean_of, shown


@TABLE_MAKERS.register("mean-accuracies")
def mean_accuracies(part: Part, bench: Workbench) -> StudyTable:
    """Make Bradford & Brodley's Table 1. Option: ``notes``."""
    options = Options(part)
    notes = tuple(options.take("notes", list, []))
    options.done()
    rows: list[Row] = []
    for name, evidence in bench.having(part).items():
        for learner in bench.study.learners:
            for protocol in part.protocols:
                column = f"{learner}, {protocol}"
                percent = 100.0 * evidence.scored(protocol).scores[learner].mean(axis=(1, 2))
                printed = bench.printed(part.name, name, column)
                expected = mean_of(percent, bench.study.repetitions, printed, 100.0)
                at = Cell(name, column, 1, bench.references(part.name, name, column))
                rows.append(judged(at, float(percent[: shown(bench)].mean()), expected, printed, len(percent)))
    return StudyTable(part.name, part.title, tuple(rows), "deviation", notes)
