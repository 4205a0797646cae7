"""``r3-against-fits``: how often procedures say the same, against what they cost."""

from __future__ import annotations

from foldproof.domain.study import Part, Series, StudyFigure
from foldproof.workflows.studies.base import FIGURE_MAKERS, Options, Workbench


@FIGURE_MAKERS.register("r3-against-fits")
def r3_against_fits(part: Part, bench: Workbench) -> StudyFigure:
    """Draw one point for each procedure of a ``procedures-compared`` table."""
    Options(part).done()
    table = bench.table(part.tables[0])
    points = []
    for name in dict.fromkeys(row.row for row in table.rows):
        fits, r3 = table.at(name, "fits").measured, table.at(name, "R3").measured
        assert fits is not None
        assert r3 is not None
        points.append(Series(name, (fits,), (r3,)))
    return StudyFigure(part.name, part.title, "named-points", {"": tuple(points)}, "fits of each learner", "R3")
