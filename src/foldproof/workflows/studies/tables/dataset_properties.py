"""``dataset-properties``: instances, attributes and classes of every dataset, held against print."""

from __future__ import annotations

from foldproof.domain.study import Part, StudyTable
from foldproof.workflows.studies.agreement import Cell, equal
from foldproof.workflows.studies.base import TABLE_MAKERS, Options, Workbench

PROPERTIES = ("instances", "attributes", "classes")


@TABLE_MAKERS.register("dataset-properties")
def dataset_properties(part: Part, bench: Workbench) -> StudyTable:
    """Make the columns that describe the data; these hang on no seed, so they are judged by equality."""
    Options(part).done()
    rows = [
        equal(Cell(name, what, 0), float(getattr(evidence, what)), bench.printed(part.name, name, what))
        for name, evidence in bench.having(part).items()
        for what in PROPERTIES
    ]
    return StudyTable(part.name, part.title, tuple(rows), "equality")
