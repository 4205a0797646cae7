"""``null-rejections``: how often procedures find a difference where there is none."""

from __future__ import annotations

import math

import numpy as np

from foldproof.domain.study import Part, Row, StudyTable
from foldproof.workflows.procedures import procedure
from foldproof.workflows.studies.base import TABLE_MAKERS, Options, Workbench
from foldproof.workflows.studies.forecasts import clustered


@TABLE_MAKERS.register("null-rejections")
def null_rejections(part: Part, bench: Workbench) -> StudyTable:
    """Count rejections over all trials of all datasets, a column for each protocol. Options: ``alpha``.

    Datasets are weighted alike; the interval is two standard errors over datasets. ``agrees`` tells whether the rate is
    at most alpha and two standard errors, and the note whether the procedure claims that.
    """
    options = Options(part)
    alpha = options.take("alpha", float, bench.study.alpha)
    options.done()
    having = bench.having(part)
    rows: list[Row] = []
    names = dict.fromkeys(p for protocol in part.protocols for p in bench.study.protocols[protocol].procedures)
    for name in names:
        for protocol in part.protocols:
            said = [e.verdicts(protocol).spoken[name] for e in having.values() if name in e.verdicts(protocol).spoken]
            if not said:
                continue
            rate, error = clustered(np.array([np.mean(one.codes != 0) for one in said]))
            trials = sum(len(one.codes) for one in said)
            # Rates of 0 on every dataset have no spread; the binomial error at alpha stands in where it is larger.
            allowed = alpha + 2.0 * max(0.0 if math.isnan(error) else error, math.sqrt(alpha * (1.0 - alpha) / trials))
            note = "" if procedure(name).keeps_level else "claims no level"
            interval = (max(0.0, rate - 2.0 * error), rate + 2.0 * error)
            rows.append(
                Row(row=name, column=protocol, measured=rate, interval=interval, agrees=rate <= allowed, note=note)
            )
            if not all(np.isnan(one.nonzero).all() for one in said):
                share = float(np.mean([np.nanmean(one.nonzero) for one in said]))
                rows.append(Row(row=name, column=f"{protocol}: scores that differ", measured=share, digits=2))
    return StudyTable(part.name, part.title, tuple(rows))
