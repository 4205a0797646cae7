"""``procedures-compared``: what whole procedures cost, how often they reject, and how often they say the same."""

from __future__ import annotations

import numpy as np

from foldproof.domain.study import Part, Row, StudyTable
from foldproof.replicability._agreement import verdict_summary
from foldproof.workflows.studies.base import TABLE_MAKERS, Options, Workbench
from foldproof.workflows.studies.forecasts import clustered
from foldproof.workflows.studies.verdicts import Spoken


@TABLE_MAKERS.register("procedures-compared")
def procedures_compared(part: Part, bench: Workbench) -> StudyTable:
    """Compare the procedures of a protocol over all datasets and pairs, with two standard errors over datasets.

    R is over outcomes (rejects or not), R3 over verdicts. Consistent is, as in Bouckaert & Frank, that the first ten
    repetitions have one outcome.
    """
    Options(part).done()
    having = bench.having(part)
    said = [evidence.verdicts(part.protocols[0]) for evidence in having.values()]
    rows: list[Row] = []
    notes: list[str] = []
    for name in bench.study.protocols[part.protocols[0]].procedures:
        spoken = [own.spoken[name] for own in said if name in own.spoken]
        without = [d for d, own in zip(having, said, strict=True) if name in own.refused]
        if without:
            notes.append(f"{name} is not for {', '.join(without)}")
        if spoken:
            rows += _rows(name, spoken)
    return StudyTable(part.name, part.title, tuple(rows), notes=tuple(notes))


def _rows(name: str, spoken: list[Spoken]) -> list[Row]:
    each: dict[str, list[float]] = {"fits": [], "rejects %": [], "consistent %": [], "R": [], "R3": []}
    forecasts = []
    for one in spoken:
        columns = one.codes.T
        summaries = [verdict_summary([int((c == v).sum()) for v in (1, 0, -1)]) for c in columns]
        each["fits"].append(float(one.fits.mean()))
        each["rejects %"].append(100.0 * float(np.mean(one.codes != 0)))
        each["consistent %"].append(100.0 * float(np.mean([len(set(c[:10] != 0)) == 1 for c in columns])))
        each["R"].append(float(np.mean([s.r_outcome for s in summaries])))
        each["R3"].append(float(np.mean([s.r for s in summaries])))
        if not np.isnan(one.forecasts).any():
            forecasts.append(float(one.forecasts.mean()))
    rows = []
    for column, values in each.items():
        mean, error = clustered(np.array(values))
        interval = (None, None) if column == "fits" or np.isnan(error) else (mean - 2.0 * error, mean + 2.0 * error)
        digits = 1 if column in ("fits", "rejects %", "consistent %") else 3
        rows.append(Row(row=name, column=column, measured=mean, interval=interval, digits=digits))
    measured = clustered(np.array(forecasts))[0] if len(forecasts) == len(spoken) else None
    return [*rows, Row(row=name, column="mean forecast", measured=measured)]
