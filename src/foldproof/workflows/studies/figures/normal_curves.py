"""``normal-curves``: sorted partitions of some datasets with the normal curves of their t-values and p-values."""

from __future__ import annotations

import numpy as np
from scipy import special

from foldproof.domain.result import AveragedTResult
from foldproof.domain.study import NotAvailableError, Part, Series, StudyFigure
from foldproof.workflows.studies.base import FIGURE_MAKERS, Options, Workbench
from foldproof.workflows.studies.figures.sorted_significance import one_comparison
from foldproof.workflows.studies.heights import Floats, height, heights_of
from foldproof.workflows.studies.partitioned import shown


@FIGURE_MAKERS.register("normal-curves")
def normal_curves(part: Part, bench: Workbench) -> StudyFigure:
    """Make Bradford & Brodley's Figure 5. Options: ``comparison``, ``datasets``, ``notes``."""
    options = Options(part)
    each = one_comparison(part, bench, options.take("comparison", str))
    wanted, notes = options.take("datasets", list), tuple(options.take("notes", list, []))
    options.done()
    panels = {
        name: _lines(each.averaged(evidence, shown(bench)))
        for name, evidence in bench.having(part).items()
        if name in wanted
    }
    if not panels:
        raise NotAvailableError(part.label, f"none of {', '.join(wanted)} was run", "run it with one of them")
    return StudyFigure(part.name, part.title, "normal-curves", panels, "rank of the partition", "significance p", notes)


def _lines(found: AveragedTResult) -> tuple[Series, ...]:
    """Return the sorted heights, and what a normal t and a normal height would have in each rank."""
    t, heights = np.array(found.t_values), np.sort(heights_of(found))
    ranks = tuple(float(i) for i in range(1, len(t) + 1))
    quantiles = special.ndtri((np.array(ranks) - 0.5) / len(t))
    of_t = height(_normal(t, quantiles), found.df)
    of_p = _normal(heights, quantiles)
    return (
        Series("partitions", ranks, tuple(heights.tolist())),
        Series("normal curve of t", ranks, tuple(of_t.tolist())),
        Series("normal curve of p", ranks, tuple(of_p.tolist())),
    )


def _normal(values: Floats, quantiles: Floats) -> Floats:
    return np.asarray(values.mean() + values.std(ddof=1) * quantiles)
