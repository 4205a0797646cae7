"""Writing cells inside a transaction that nobody else writes beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from foldproof.store import schema as s
from foldproof.store.packing import (
    pack_faults,
    pack_grumbles,
    pack_predictions,
    pack_scores,
    unpack_faults,
    unpack_grumbles,
)
from foldproof.store.records import Cell, Remark

# Runs that one question asks about: databases limit the number of values in it.
_ASKED = 500

# How drivers write a value by its name.
_NAMED = {"sqlite": "named", "postgresql": "pyformat"}

Place = tuple[int, int, bytes]


@dataclass(frozen=True, slots=True)
class Ids:
    """The numbers of series, scorings and environments."""

    series: Mapping[str, int]
    scorings: Mapping[str, int]
    environments: Mapping[str, int]


def write_cells(connection: sa.Connection, given: Sequence[Cell], ids: Ids) -> int:
    """Insert what is not held; return how many cells were not held before."""
    places = [(ids.series[cell.series], cell.run, bytes(cell.division)) for cell in given]
    held = _held(connection, s.CELL, places)
    gone = _give_way(connection, held & set(places)) if held else set()
    held_scores = _held_scores(connection, places, ids) if held - gone else set()
    rows, scores, remarks = [], [], []
    new: set[Place] = set()
    for cell, place in zip(given, places, strict=True):
        key = {"series": place[0], "run": place[1], "division": place[2]}
        fresh = place not in new and (place not in held or place in gone)
        if fresh:
            new.add(place)
            rows.append({**key, **_cell_row(cell, ids)})
        for name, values in cell.scores.items():
            score = (*place, ids.scorings[name])
            if score not in held_scores:
                held_scores.add(score)
                scores.append({**key, "scoring": score[3], "folds": pack_scores(values)})
                if remark := cell.remarks.get(name):
                    remarks.append({**key, "scoring": name, **_remark_row(remark)})
        if fresh and (remark := cell.remarks.get("")):
            remarks.append({**key, "scoring": "", **_remark_row(remark)})
    for table, wanted in ((s.CELL, rows), (s.SCORE, scores), (s.REMARK, remarks)):
        if wanted:
            connection.exec_driver_sql(_insert(table, connection.dialect.name), wanted)
    return len(new - held)


@cache
def _insert(table: sa.Table, database: str) -> str:
    """Return the statement as the driver takes it, with named values.

    What SQLAlchemy does to each value costs more than SQLite does, and is not needed: they are numbers, text, bytes.
    """
    dialects: dict[str, Any] = {"sqlite": sqlite.dialect, "postgresql": postgresql.psycopg.dialect}
    return str(table.insert().compile(dialect=dialects[database](paramstyle=_NAMED[database])))


def _by_series(places: Sequence[Place]) -> list[tuple[int, list[int]]]:
    """Return the runs of each series, in portions."""
    runs: dict[int, set[int]] = {}
    for series, run, _ in places:
        runs.setdefault(series, set()).add(run)
    portions = []
    for series, wanted in runs.items():
        ordered = sorted(wanted)
        portions += [(series, ordered[i : i + _ASKED]) for i in range(0, len(ordered), _ASKED)]
    return portions


def _held(connection: sa.Connection, t: sa.Table, places: Sequence[Place]) -> set[Place]:
    """Return the places among these, or of the same runs, that have a row."""
    found: set[Place] = set()
    for series, runs in _by_series(places):
        wanted = sa.select(t.c.run, t.c.division).where(t.c.series == series, t.c.run.in_(runs))
        found.update((series, run, bytes(division)) for run, division in connection.execute(wanted))
    return found


def _held_scores(connection: sa.Connection, places: Sequence[Place], ids: Ids) -> set[tuple[int, int, bytes, int]]:
    t = s.SCORE
    found: set[tuple[int, int, bytes, int]] = set()
    for series, runs in _by_series(places):
        scorings = t.c.scoring.in_(list(ids.scorings.values()))
        wanted = sa.select(t.c.run, t.c.division, t.c.scoring).where(t.c.series == series, scorings, t.c.run.in_(runs))
        found.update((series, run, bytes(d), scoring) for run, d, scoring in connection.execute(wanted))
    return found


def _give_way(connection: sa.Connection, places: set[Place]) -> set[Place]:
    """Delete the cells among these that failed for want of time or memory."""
    t = s.REMARK
    gone: set[Place] = set()
    for series, runs in _by_series(list(places)):
        wanted = sa.select(t.c.run, t.c.division).where(t.c.series == series, t.c.again.is_not(None), t.c.run.in_(runs))
        gone.update((series, run, bytes(division)) for run, division in connection.execute(wanted))
    gone &= places
    for series, run, division in gone:
        for table in (s.SCORE, s.REMARK, s.CELL):
            here = (table.c.series == series) & (table.c.run == run) & (table.c.division == division)
            connection.execute(table.delete().where(here))
    return gone


def _cell_row(cell: Cell, ids: Ids) -> dict[str, Any]:
    return {
        "scheme": cell.scheme,
        "predictions": None if cell.predictions is None else pack_predictions(cell.predictions),
        "seconds": cell.seconds,
        "finished": cell.finished,
        "worker": cell.worker,
        "environment": ids.environments[cell.environment],
    }


def _remark_row(remark: Remark) -> dict[str, Any]:
    return {
        "faults": pack_faults(remark.faults),
        "grumbles": pack_grumbles(remark.grumbles),
        "again": remark.again,
    }


def read_remark(row: Any) -> Remark:
    """Return the remark of a row."""
    return Remark(unpack_faults(row.faults), unpack_grumbles(row.grumbles), row.again)
