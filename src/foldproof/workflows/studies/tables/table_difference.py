"""``table-difference``: one table less another, column by column: two ways to spend the same number of fits."""

from __future__ import annotations

from foldproof.domain.errors import InputError
from foldproof.domain.study import Part, Printed, Row, StudyTable
from foldproof.workflows.studies.agreement import same_digits
from foldproof.workflows.studies.base import TABLE_MAKERS, Options, Workbench


@TABLE_MAKERS.register("table-difference")
def table_difference(part: Part, bench: Workbench) -> StudyTable:
    """Subtract the second of ``tables`` from the first. Option: ``columns``, pairs of their columns."""
    options = Options(part)
    columns = options.take("columns", list)
    options.done()
    if len(part.tables) != 2:
        raise InputError(f'{part.label}: a difference is of two tables; name them as tables = ["3", "2"]')
    first, second = (bench.table(name) for name in part.tables)
    rows: list[Row] = []
    for left, right in columns:
        for own in (row for row in first.rows if row.column == left):
            other = next((r for r in second.rows if (r.row, r.column) == (own.row, right)), None)
            if other is not None:
                name = left if left == right else f"{left} − {right}"
                rows.append(_difference(own, other, name, exact=bench.how.exact))
    return StudyTable(part.name, part.title, tuple(rows), "equality" if bench.how.exact else "nothing")


def _difference(own: Row, other: Row, column: str, *, exact: bool) -> Row:
    """Return a cell less another. By equality it is judged again; else both were judged where they stand."""
    digits = max(own.digits, other.digits)
    measured = None if own.measured is None or other.measured is None else own.measured - other.measured
    if exact and measured is not None:  # what is compared was rounded, as print is
        measured = round(own.measured or 0.0, digits) - round(other.measured or 0.0, digits)
    published = None if own.published is None or other.published is None else own.published - other.published
    agrees = None
    if exact and published is not None and measured is not None:
        agrees = same_digits(measured, Printed(f"{published:.{digits}f}"))
    return Row(
        row=own.row, column=column, measured=measured, published=published, agrees=agrees, digits=digits,
        references={
            name: own.references[name] - other.references[name]
            for name in own.references
            if name in other.references
        },
    )  # fmt: skip
