"""``combined-growth``: a table of combined p-values as lines against the number of partitions."""

from __future__ import annotations

from foldproof.domain.study import Part, Series, StudyFigure
from foldproof.workflows.studies.base import FIGURE_MAKERS, Options, Workbench


@FIGURE_MAKERS.register("combined-growth")
def combined_growth(part: Part, bench: Workbench) -> StudyFigure:
    """Draw what the table of ``combiner-growth`` has."""
    Options(part).done()
    rows = [row for name in part.tables for row in bench.table(name).rows if row.row.isdecimal()]
    lines = []
    for column in dict.fromkeys(row.column for row in rows):
        own = [(float(row.row), row.measured) for row in rows if row.column == column and row.measured is not None]
        lines.append(Series(column, tuple(x for x, _ in own), tuple(y for _, y in own)))
    return StudyFigure(part.name, part.title, "combined-growth", {"": tuple(lines)}, "partitions", "combined p")
