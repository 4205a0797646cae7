"""``normal-fit``: whether the t-values of partitions are normal, and whether their p-values are."""

from __future__ import annotations

import numpy as np

from foldproof.domain.study import Part, Row, StudyTable
from foldproof.workflows.studies.base import TABLE_MAKERS, Options, Workbench
from foldproof.workflows.studies.heights import heights_of
from foldproof.workflows.studies.partitioned import Floats, comparisons

LEVEL = 0.05


@TABLE_MAKERS.register("normal-fit")
def normal_fit(part: Part, bench: Workbench) -> StudyTable:
    """Put Shapiro and Wilk's test to t-values and to P(T <= t), over all partitions there are. Option: ``notes``."""
    options = Options(part)
    notes = list(options.take("notes", list, []))
    options.done()
    rows: list[Row] = []
    for each in comparisons(part, bench):
        of_t, of_p, closer = [], [], 0
        for evidence in bench.having(part).values():
            found = each.averaged(evidence)
            t = np.array(found.t_values)
            if not np.isfinite(t).all() or np.ptp(t) == 0.0:
                continue
            of_t.append(_shapiro(t))
            of_p.append(_shapiro(heights_of(found)))
            closer += of_t[-1][0] > of_p[-1][0]
        for column, value, digits in (
            ("datasets with a spread", float(len(of_t)), 0),
            ("t not normal", float(sum(p <= LEVEL for _, p in of_t)), 0),
            ("p not normal", float(sum(p <= LEVEL for _, p in of_p)), 0),
            ("t nearer to normal", float(closer), 0),
            ("mean W of t", float(np.mean([w for w, _ in of_t])) if of_t else None, 3),
            ("mean W of p", float(np.mean([w for w, _ in of_p])) if of_p else None, 3),
        ):
            rows.append(Row(row=each.column, column=column, measured=value, digits=digits))
    notes.append(f"Shapiro and Wilk's test at {LEVEL:g}, over {bench.how.repetitions} partitions; W is 1 for a normal")
    return StudyTable(part.name, part.title, tuple(rows), "nothing", tuple(notes))


def _shapiro(values: Floats) -> tuple[float, float]:
    from scipy.stats import shapiro

    w, p = shapiro(values)
    return float(w), float(p)
