"""``sorted-significance``: the sorted heights P(T <= t) of one comparison's partitions, a slot for each dataset."""

from __future__ import annotations

import numpy as np

from foldproof.domain.errors import unknown_name
from foldproof.domain.study import Part, Series, StudyFigure
from foldproof.workflows.studies.base import FIGURE_MAKERS, Options, Workbench
from foldproof.workflows.studies.heights import OFF_SCALE, heights_of
from foldproof.workflows.studies.partitioned import Comparison, comparisons, shown


@FIGURE_MAKERS.register("sorted-significance")
def sorted_significance(part: Part, bench: Workbench) -> StudyFigure:
    """Make Bradford & Brodley's Figures 1 to 4. Options: ``comparison``, ``short`` names of datasets, ``notes``.

    Partitions beyond the scale are left out, and told in the notes; ranks count them.
    """
    options = Options(part)
    each = one_comparison(part, bench, options.take("comparison", str))
    short, notes = options.take("short", dict, {}), list(options.take("notes", list, []))
    options.done()
    series = []
    beyond: dict[str, list[str]] = {who: [] for who in each.pair}
    for name, evidence in bench.having(part).items():
        heights = np.sort(heights_of(each.averaged(evidence, shown(bench))))
        ranks = np.arange(1, len(heights) + 1)
        seen = (heights >= OFF_SCALE) & (heights <= 1.0 - OFF_SCALE)
        series.append(Series(short.get(name, name), tuple(map(float, ranks[seen])), tuple(heights[seen].tolist())))
        for who, off in ((each.pair[0], heights > 1.0 - OFF_SCALE), (each.pair[1], heights < OFF_SCALE)):
            if off.any():
                beyond[who].append(f"{name} {int(off.sum())}")
    for who, told in beyond.items():
        if told:
            notes.append(
                f"Off the scale, {who} more accurate with p < {OFF_SCALE:g}, partitions of {shown(bench)}: "
                f"{', '.join(told)}"
            )
    title = f"above the line {each.pair[0]} is more accurate, below it {each.pair[1]}"
    return StudyFigure(
        part.name, part.title, "sorted-significance", {title: tuple(series)}, "", "significance p", tuple(notes)
    )


def one_comparison(part: Part, bench: Workbench, column: str) -> Comparison:
    """Return the comparison that tables head so."""
    known = {each.column: each for each in comparisons(part, bench)}
    if column not in known:
        raise unknown_name(f"comparison of {part.label}", column, known)
    return known[column]
