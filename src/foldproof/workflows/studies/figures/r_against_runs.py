"""``r-against-runs``: a measure of a table's columns as lines, measured and printed, a panel for each pair."""

from __future__ import annotations

from foldproof.domain.study import Part, Series, StudyFigure
from foldproof.workflows.studies.base import FIGURE_MAKERS, Options, Workbench, pair_name
from foldproof.workflows.studies.counting import R


@FIGURE_MAKERS.register("r-against-runs")
def r_against_runs(part: Part, bench: Workbench) -> StudyFigure:
    """Draw the figure version of a table. Options: ``x_label``, ``measure``."""
    options = Options(part)
    measure, label = options.take("measure", str, R), options.take("x_label", str, "runs")
    options.done()
    panels = {}
    for pair in bench.study.pairs:
        lines = []
        for name in part.tables:
            rows = [r for r in bench.table(name).rows if r.row == f"{pair_name(pair)}, {measure}"]
            prefix = f"table {name}, " if len(part.tables) > 1 else ""
            lines += _lines(prefix, rows)
        panels[pair_name(pair)] = tuple(lines)
    return StudyFigure(part.name, part.title, "lines", panels, label, measure)


def _lines(prefix: str, rows: list) -> list[Series]:  # type: ignore[type-arg]
    known = [(float(r.column.rstrip(" %")), r) for r in rows if r.measured is not None]
    low = tuple(r.measured if r.interval[0] is None else r.interval[0] for _, r in known)
    high = tuple(r.measured if r.interval[1] is None else r.interval[1] for _, r in known)
    found = [Series(f"{prefix}measured", tuple(x for x, _ in known), tuple(r.measured for _, r in known), low, high)]
    printed = [(x, r.published) for x, r in known if r.published is not None]
    if printed:
        found.append(Series(f"{prefix}printed", tuple(x for x, _ in printed), tuple(y for _, y in printed)))
    return found
