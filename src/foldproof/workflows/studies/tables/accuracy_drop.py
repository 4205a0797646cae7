"""``accuracy-drop``: in how many cells of a table of accuracies half of the data do better, as well, or worse."""

from __future__ import annotations

from foldproof.domain.errors import InputError
from foldproof.domain.study import Part, Row, StudyTable
from foldproof.workflows.studies.base import TABLE_MAKERS, Options, Workbench

CASES = (("higher with half of the data", 1), ("equal", 0), ("lower with half of the data", -1))


@TABLE_MAKERS.register("accuracy-drop")
def accuracy_drop(part: Part, bench: Workbench) -> StudyTable:
    """Count signs of differences between two columns of a table, rounded as printed. Option: ``columns``."""
    options = Options(part)
    columns = options.take("columns", list)
    options.done()
    if len(part.tables) != 1:
        raise InputError(f'{part.label}: name the table of accuracies as tables = ["1"]')
    cells = {(row.row, row.column): row for row in bench.table(part.tables[0]).rows}
    measured, printed = [], []
    for (row, column), large in cells.items():
        for whole, half in columns:
            if column == whole and (row, half) in cells:
                small = cells[row, half]
                measured.append(_sign(large.measured, small.measured, large.digits))
                if large.published is not None and small.published is not None:
                    printed.append(_sign(large.published, small.published, large.digits))
    rows = tuple(
        Row(
            row=name, column="cells", measured=float(measured.count(sign)), digits=0,
            published=float(printed.count(sign)) if bench.whole else None,
        )
        for name, sign in CASES
    )  # fmt: skip
    return StudyTable(part.name, part.title, rows, "nothing", (f"{len(measured)} cells, compared as they are printed",))


def _sign(whole: float | None, half: float | None, digits: int) -> int:
    assert whole is not None
    assert half is not None
    first, second = round(whole, digits), round(half, digits)
    return (second > first) - (second < first)
