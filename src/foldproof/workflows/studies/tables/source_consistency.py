"""``source-consistency``: on what share of a source's training sets every repetition of a test agrees (Table 5).

The published networks are not printed, so no cell is judged against print: other networks with the same difference of
accuracy move a cell by tens of points. What can be judged is judged by two further makers: orderings, and
the reference values of an independent simulation of the very networks used here.
"""

from __future__ import annotations

import itertools
import math

from foldproof.domain.errors import unknown_name
from foldproof.domain.study import Part, Row, StudyTable
from foldproof.workflows.simulation import Simulation
from foldproof.workflows.studies.base import TABLE_MAKERS, Options, Workbench
from foldproof.workflows.studies.sources import design_of, simulated, standard_error_of_share

MINIMUM, DIFFERENCE = "minimum", "accuracy difference"


@TABLE_MAKERS.register("source-consistency")
def source_consistency(part: Part, bench: Workbench) -> StudyTable:
    """Make Table 5. Options: ``sources``, ``sets``, ``instances``, ``tests`` (names in the paper to tests)."""
    options = Options(part)
    design, tests = design_of(options), options.take("tests", dict)
    options.done()
    found = simulated(part, bench, design)
    rows: list[Row] = []
    for number, simulation in enumerate(found, start=1):
        away = simulation.difference
        rows.append(_row(bench, part, DIFFERENCE, str(number), abs(away.rate), away.standard_error, 2))
    for name, test in tests.items():
        shares = [simulation.consistency(test) for simulation in found]
        for number, share in enumerate(shares, start=1):
            rows.append(_row(bench, part, name, str(number), share.rate, share.standard_error, 1))
        least = min(shares, key=lambda share: share.rate)
        rows.append(_row(bench, part, name, MINIMUM, least.rate, least.standard_error, 1))
    return StudyTable(part.name, part.title, tuple(rows), "nothing", _notes(found))


def _row(bench: Workbench, part: Part, row: str, column: str, value: float, error: float | None, digits: int) -> Row:
    printed = bench.printed(part.name, row, column)
    half = 1.959964 * (error or 0.0)
    return Row(
        row=row, column=column, measured=value, published=None if printed is None else printed.value,
        interval=(value - half, value + half), references=bench.references(part.name, row, column),
        note="" if printed is None else printed.note, digits=digits,
    )  # fmt: skip


def _notes(found: list[Simulation]) -> tuple[str, ...]:
    sets = found[0].sets
    return (
        f"{sets} training sets of {found[0].instances} instances from each source, {found[0].repetitions} repetitions; "
        "accuracies are exact, from the joint distribution",
        "The networks of the paper are not printed: these are others with the same differences of accuracy.",
    )


def _cells(bench: Workbench, part: Part) -> StudyTable:
    return bench.table(part.tables[0])


@TABLE_MAKERS.register("source-reference")
def source_reference(part: Part, bench: Workbench) -> StudyTable:
    """Hold Table 5 against reference values of the same networks, made by another program.

    Options: ``reference`` (its name), ``sets``: how many training sets it stands on, by source.
    """
    options = Options(part)
    name, sets = options.take("reference", str), options.take("sets", dict)
    options.done()
    rows = []
    for cell in _cells(bench, part).rows:
        if cell.column not in sets or name not in cell.references or cell.row == DIFFERENCE or cell.measured is None:
            continue
        known = cell.references[name]
        error = math.hypot(_error(cell), standard_error_of_share(known, sets[cell.column]))
        away = (cell.measured - known) / error
        rows.append(
            Row(
                row=cell.row,
                column=cell.column,
                measured=cell.measured,
                interval=cell.interval,
                references={name: known},
                deviation=away,
                agrees=abs(away) <= 3.0,
                digits=1,
            )
        )
    return StudyTable(part.name, part.title, tuple(rows), "reference")


@TABLE_MAKERS.register("source-orderings")
def source_orderings(part: Part, bench: Workbench) -> StudyTable:
    """Hold what a table orders against print. Option: ``orders``, lists of a column and rows from least to most."""
    options = Options(part)
    orders = options.take("orders", list)
    options.done()
    cells = {(cell.row, cell.column): cell for cell in _cells(bench, part).rows}
    rows = []
    for order in orders:
        column, *names = order
        for name in names:
            if (name, column) not in cells:
                raise unknown_name(
                    f"cell of table {part.tables[0]}", f"{name}, {column}", [f"{r}, {c}" for r, c in cells]
                )
        for lower, upper in itertools.pairwise(names):
            less, more = cells[lower, column], cells[upper, column]
            gap, printed = _gap(less.measured, more.measured), _gap(less.published, more.published)
            errors = [_error(cell) for cell in (less, more)]
            half = 1.959964 * math.hypot(*errors)
            rows.append(
                Row(
                    row=f"{upper} above {lower}",
                    column=f"source {column}" if column != MINIMUM else MINIMUM,
                    measured=gap,
                    published=printed,
                    interval=(gap - half, gap + half),
                    agrees=(gap > 0) == (printed > 0),
                    digits=1,
                )
            )
    return StudyTable(part.name, part.title, tuple(rows), "order")


def _gap(less: float | None, more: float | None) -> float:
    return (more or 0.0) - (less or 0.0)


def _error(cell: Row) -> float:
    """Return the standard error behind a cell's interval."""
    return ((cell.interval[1] or 0.0) - (cell.measured or 0.0)) / 1.959964
