"""``forecast-calibration``: are forecasts as often right as they say, by folds, runs, size of data and pair?"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from foldproof.domain.errors import InputError
from foldproof.domain.study import Part, Row, StudyTable
from foldproof.workflows.studies.base import TABLE_MAKERS, Options, Workbench, pair_name
from foldproof.workflows.studies.evidence import Evidence
from foldproof.workflows.studies.forecasts import Forecasts, clustered, forecasts_of

# A mean forecast may be off by so much, and by two standard errors over datasets.
ALLOWED = 0.02
SHOWN = ("off by", "forecast", "agreement")


@TABLE_MAKERS.register("forecast-calibration")
def forecast_calibration(part: Part, bench: Workbench) -> StudyTable:
    """Hold mean forecasts against the share of agreeing pairs of experiments. Options: ``runs``, ``alpha``, ``show``.

    Every protocol of the part is a pool of runs with its own number of folds. Datasets are also taken apart by size
    and by pair of learners.
    """
    options = Options(part)
    sizes = [int(r) for r in options.take("runs", list, [1, 2, 3, 5, 10])]
    alpha = options.take("alpha", float, bench.study.alpha)
    shown = options.take("show", list, list(SHOWN))
    options.done()
    if not set(shown) <= set(SHOWN):
        raise InputError(f"{part.label}: show holds {', '.join(SHOWN)}; got {shown}")
    having = bench.having(part)
    rows: list[Row] = []
    for protocol in part.protocols if having else ():
        folds = int(next(iter(having.values())).scored(protocol).scores[bench.study.pairs[0][0]].shape[-1])
        for runs in sizes:
            found = {
                (name, pair): forecasts_of(evidence.differences(protocol, pair), runs, alpha)
                for name, evidence in having.items()
                for pair in bench.study.pairs
            }
            for group, members in _groups(having, bench).items():
                own = [[found[key] for key in keys] for keys in members]
                column = f"{runs} run{'s' * (runs > 1)}"
                rows += [row for what, row in _rows(f"{folds} folds, {group}", column, own).items() if what in shown]
    return StudyTable(part.name, part.title, tuple(rows))


def _groups(having: Mapping[str, Evidence], bench: Workbench) -> dict[str, list[list[tuple[str, tuple[str, str]]]]]:
    """Return groups of (dataset, pair), gathered by dataset: all, each pair, and three classes of size."""
    pairs = bench.study.pairs
    groups = {"all": [[(name, pair) for pair in pairs] for name in having]}
    groups |= {pair_name(pair): [[(name, pair)] for name in having] for pair in pairs}
    by_size = sorted(having, key=lambda name: having[name].instances)
    for label, names in zip(("small", "middle", "large"), np.array_split(by_size, 3), strict=True):
        if len(names):
            first, last = having[str(names[0])].instances, having[str(names[-1])].instances
            groups[f"{label} data ({first} to {last})"] = [[(str(n), pair) for pair in pairs] for n in names]
    return groups


def _rows(name: str, column: str, by_dataset: list[list[Forecasts]]) -> dict[str, Row]:
    forecast, _ = clustered(np.array([np.mean([f.forecast.mean() for f in own]) for own in by_dataset]))
    agreement, _ = clustered(np.array([np.mean([f.agreement.mean() for f in own]) for own in by_dataset]))
    off, error = clustered(np.array([np.mean([f.off for f in own]) for own in by_dataset]))
    limit = ALLOWED + 2.0 * error
    kept = None if np.isnan(limit) else abs(off) <= limit
    interval = (off - 2.0 * error, off + 2.0 * error)
    note = "" if kept is not False else "off by more than 0.02 and two standard errors"
    return {
        "off by": Row(row=name, column=f"{column}: off by", measured=off, interval=interval, agrees=kept, note=note),
        "forecast": Row(row=name, column=f"{column}: forecast", measured=forecast),
        "agreement": Row(row=name, column=f"{column}: agreement", measured=agreement),
    }
