"""``replicability-table``: consistent, almost consistent and R of tests over datasets, a column for each setting."""

from __future__ import annotations

from foldproof.domain.errors import InputError
from foldproof.domain.study import Part, Row, StudyTable
from foldproof.workflows.studies.base import TABLE_MAKERS, Options, Workbench, pair_name
from foldproof.workflows.studies.counting import MEASURES, questions, summary_rows


@TABLE_MAKERS.register("replicability-table")
def replicability_table(part: Part, bench: Workbench) -> StudyTable:
    """Make Bouckaert & Frank's Tables 2 to 4. Options: ``test``, ``alpha``, ``columns``, ``measures``."""
    options = Options(part)
    asked = questions(part, options, bench.study.alpha)
    wanted = options.take("measures", list, list(MEASURES))
    options.done()
    if not set(wanted) <= set(MEASURES):
        raise InputError(f"{part.label}: measures are {', '.join(MEASURES)}; got {wanted}")
    rows: list[Row] = []
    having = bench.having(part)
    for pair in bench.study.pairs if having else ():
        names = [f"{pair_name(pair)}, {measure}" if measure in wanted else "" for measure in MEASURES]
        for question in asked:
            every = [question.rejections(e, pair, bench) for e in having.values()]
            rows += summary_rows(bench, part.name, names, question.column, every)
    return StudyTable(part.name, part.title, tuple(rows), "equality" if bench.how.exact else "deviation")
