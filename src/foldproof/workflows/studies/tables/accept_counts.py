"""``accept-counts``: how often a test does not reject, for each dataset and pair, with summary rows."""

from __future__ import annotations

from foldproof.domain.study import Part, Row, StudyTable
from foldproof.workflows.studies.base import TABLE_MAKERS, Options, Workbench, pair_name
from foldproof.workflows.studies.counting import MEASURES, Question, count_row, summary_rows


@TABLE_MAKERS.register("accept-counts")
def accept_counts(part: Part, bench: Workbench) -> StudyTable:
    """Make Bouckaert & Frank's Table 1. Options: ``test``, ``alpha``, ``runs``."""
    options = Options(part)
    test, alpha = options.take("test", str), options.take("alpha", float, bench.study.alpha)
    question = Question("", test, part.protocols[0], alpha, options.take("runs", int, 0) or None)
    options.done()
    rows: list[Row] = []
    having = bench.having(part)
    for name, evidence in having.items():
        for pair in bench.study.pairs:
            rejected = question.rejections(evidence, pair, bench)
            accepts = int((~rejected).sum())
            rows.append(count_row(bench, part.name, name, pair_name(pair), accepts, len(rejected)))
    for pair in bench.study.pairs:
        every = [question.rejections(e, pair, bench) for e in having.values()]
        if every:
            rows += summary_rows(bench, part.name, MEASURES, pair_name(pair), every)
    return StudyTable(part.name, part.title, tuple(rows), "equality" if bench.how.exact else "deviation")
