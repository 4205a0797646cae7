"""``direction-flips``: where the seed decides which learner wins, and how often the test rejects there."""

from __future__ import annotations

import numpy as np

from foldproof.domain.study import Part, Row, StudyTable
from foldproof.workflows.studies.base import TABLE_MAKERS, Options, Workbench, pair_name


@TABLE_MAKERS.register("direction-flips")
def direction_flips(part: Part, bench: Workbench) -> StudyTable:
    """Count, for each pair, datasets on which both learners won. Options: ``test``, ``alpha``, ``runs``."""
    options = Options(part)
    test, alpha = options.take("test", str), options.take("alpha", float, bench.study.alpha)
    runs = options.take("runs", int, 0) or None
    options.done()
    rows: list[Row] = []
    notes: list[str] = []
    for pair in bench.study.pairs:
        most = flipped = 0
        for name, evidence in bench.having(part).items():
            pvalues, statistic = evidence.pvalues(
                test, part.protocols[0], pair, runs=runs, formulas=bench.how.variant.formulas
            )
            rejects = np.asarray(pvalues <= alpha)
            a = int((rejects & (statistic > 0)).sum())
            b = int((rejects & (statistic < 0)).sum())
            if a and b:
                flipped, most = flipped + 1, max(most, a + b)
                notes.append(
                    f"{name}: {pair[0]} wins {a} and {pair[1]} wins {b} of {len(rejects)} repetitions, "
                    f"{len(rejects) - a - b} find nothing"
                )
        rows.append(Row(row=pair_name(pair), column="datasets", measured=float(flipped), digits=0))
        rows.append(Row(row=pair_name(pair), column="most rejections there", measured=float(most), digits=0))
    return StudyTable(part.name, part.title, tuple(rows), "nothing", tuple(notes))
