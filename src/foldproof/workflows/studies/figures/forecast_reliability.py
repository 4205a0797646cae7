"""``forecast-reliability``: the share of agreeing experiments against what they forecast, a point for each dataset."""

from __future__ import annotations

from foldproof.domain.study import Part, Series, StudyFigure
from foldproof.workflows.studies.base import FIGURE_MAKERS, Options, Workbench, pair_name
from foldproof.workflows.studies.forecasts import forecasts_of


@FIGURE_MAKERS.register("forecast-reliability")
def forecast_reliability(part: Part, bench: Workbench) -> StudyFigure:
    """Draw a panel for each protocol. Options: ``runs`` of each experiment, ``alpha``."""
    options = Options(part)
    runs, alpha = options.take("runs", int, 10), options.take("alpha", float, bench.study.alpha)
    options.done()
    panels = {}
    for protocol in part.protocols:
        lines = []
        for pair in bench.study.pairs:
            found = [forecasts_of(e.differences(protocol, pair), runs, alpha) for e in bench.having(part).values()]
            x = tuple(float(f.forecast.mean()) for f in found)
            lines.append(Series(pair_name(pair), x, tuple(float(f.agreement.mean()) for f in found)))
        panels[protocol] = tuple(lines)
    return StudyFigure(
        part.name, part.title, "reliability", panels, f"mean forecast of {runs} runs", "share that agrees"
    )
