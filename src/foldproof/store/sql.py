"""A store in a database: SQLite in a file, or PostgreSQL for several machines."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from foldproof.domain.errors import InputError
from foldproof.store import schema as s
from foldproof.store.base import Store, scorings_of
from foldproof.store.errors import StoreError
from foldproof.store.packing import unpack_predictions, unpack_scores
from foldproof.store.records import Cell, CellKey, DatasetRecord, Floats, Remark, Series
from foldproof.store.sql_cells import Ids, read_remark, write_cells
from foldproof.store.sql_errors import sentence

# Seconds to wait for another program's transaction.
PATIENCE = 60.0
# Any number, the same for all who want to make the tables.
_MAKING = 20041018


class SqlStore(Store):
    """One connection, one transaction at a time, each begun by writing so that it cannot fail half-way for a lock."""

    def __init__(self, url: str, patience: float = PATIENCE, creator: Callable[[], Any] | None = None) -> None:
        address = sa.make_url(url)
        self._lite = address.get_backend_name() == "sqlite"
        self._insert: Callable[..., Any] = sqlite.insert if self._lite else postgresql.insert
        self.url = address.render_as_string(hide_password=True)
        self._patience = patience
        self._lock = RLock()
        self._ids: dict[tuple[str, str], int] = {}
        self._seen: int | None = None
        options: dict[str, Any] = (
            {"connect_args": {"check_same_thread": False, "timeout": patience}} if self._lite else {}
        )
        if creator is not None:
            options = {"creator": creator}
        try:
            # Transactions are begun and ended by statements of ours, so that it is plain where they are.
            engine = sa.create_engine(address, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool, **options)
        except ImportError:
            raise StoreError("a PostgreSQL store needs the driver psycopg: pip install 'foldproof[postgres]'") from None
        self._engine = engine
        with self._told():
            self._connection: sa.Connection | None = engine.connect()
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    # ---- opening ---------------------------------------------------------------------------------------------

    def _prepare(self) -> None:
        with self._told():
            connection = self._open()
            if self._lite:
                self._write_ahead(connection)
                connection.exec_driver_sql("PRAGMA synchronous=FULL")
                connection.exec_driver_sql("PRAGMA foreign_keys=ON")
            # A store that is as it should be is opened without writing, so that a read-only one can be read.
            if sa.inspect(connection).has_table(s.MARK.name) and self._version(connection) == s.VERSION:
                return
        with self._transaction() as connection:
            if not self._lite:
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MAKING})")
            if sa.inspect(connection).has_table(s.MARK.name):
                self._migrate(connection)
            else:
                s.METADATA.create_all(connection)
                connection.execute(s.MARK.insert(), {"key": s.VERSION_MARK, "value": str(s.VERSION)})

    def _write_ahead(self, connection: sa.Connection) -> None:
        """Ask for the write-ahead log; the change of mode does not wait for its turn by itself."""
        deadline = time.monotonic() + self._patience
        while True:
            try:
                connection.exec_driver_sql("PRAGMA journal_mode=WAL")
                return
            except sa.exc.OperationalError as error:
                if "readonly" in str(error.orig):
                    return
                if "locked" not in str(error.orig) or time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def _version(self, connection: sa.Connection) -> int:
        found = connection.execute(sa.select(s.MARK.c.value).where(s.MARK.c.key == s.VERSION_MARK)).scalar()
        return int(found) if found is not None and found.isdigit() else 0

    def _migrate(self, connection: sa.Connection) -> None:
        found = self._version(connection)
        if found > s.VERSION:
            raise StoreError(
                f"the store {self.url} has schema {found} and this version of foldproof knows {s.VERSION}: "
                "install a newer foldproof"
            )
        for version in range(found, s.VERSION):
            if version not in s.MIGRATIONS:
                raise StoreError(
                    f"the store {self.url} has schema {found}, which nothing leads from: it is no store of foldproof"
                )
            s.MIGRATIONS[version](connection)
        connection.execute(s.MARK.update().where(s.MARK.c.key == s.VERSION_MARK), {"value": str(s.VERSION)})

    # ---- connections and transactions ----------------------------------------------------------------------------

    def _open(self) -> sa.Connection:
        if self._connection is None:
            raise StoreError(f"the store {self.url} was closed: open it again")
        return self._connection

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn what the database says into a sentence."""
        try:
            yield
        except (sa.exc.DBAPIError, sqlite3.Error) as error:
            raise StoreError(sentence(self.url, error, self._patience)) from error

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        with self._lock, self._told():
            yield self._open()

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        with self._lock, self._told():
            connection = self._open()
            connection.exec_driver_sql("BEGIN IMMEDIATE" if self._lite else "BEGIN")
            try:
                yield connection
                connection.exec_driver_sql("COMMIT")
            except BaseException:
                self._ids.clear()
                self._roll_back(connection)
                raise

    def _roll_back(self, connection: sa.Connection) -> None:
        """End the transaction; a database that is gone, or has ended it by itself, has nothing to roll back."""
        try:
            connection.exec_driver_sql("ROLLBACK")
        except sa.exc.DBAPIError:
            connection.invalidate()
            if self._connection is not None:
                self._connection = None
                try:
                    self._connection = self._engine.connect()
                except sa.exc.DBAPIError:
                    return

    # ---- writing -----------------------------------------------------------------------------------------------

    def add_dataset(self, record: DatasetRecord) -> None:
        """Keep a dataset's record."""
        t = s.DATASET
        values = {column.name: getattr(record, column.name) for column in t.c}
        with self._transaction() as connection:
            connection.execute(self._insert(t).on_conflict_do_nothing(), values)
            if record.origin is not None:
                unknown = (t.c.fingerprint == record.fingerprint) & t.c.origin.is_(None)
                connection.execute(t.update().where(unknown), {"origin": record.origin})

    def add_series(self, series: Series) -> None:
        """Keep a series."""
        t = s.SERIES
        values = {column.name: getattr(series, column.name) for column in t.c if column.name != "id"}
        values["seed"] = str(series.seed)
        with self._transaction() as connection:
            known = connection.execute(sa.select(s.DATASET.c.name).where(s.DATASET.c.fingerprint == series.dataset))
            if known.first() is None:
                raise StoreError(
                    f"the series {series.key[:12]} is of a dataset that the store does not know: add it first"
                )
            connection.execute(self._insert(t).on_conflict_do_nothing(), values)

    def write(self, cells: Iterable[Cell]) -> int:
        """Keep cells."""
        given = list(cells)
        if not given:
            return 0
        with self._transaction() as connection:
            self._alone(connection, s.CELL)
            ids = Ids(
                {key: self._series_id(connection, key) for key in dict.fromkeys(c.series for c in given)},
                {name: self._id(connection, s.SCORING, "name", name) for name in scorings_of(given)},
                {text: self._id(connection, s.ENVIRONMENT, "told", text) for text in {c.environment for c in given}},
            )
            return write_cells(connection, given, ids)

    def _alone(self, connection: sa.Connection, table: sa.Table) -> None:
        """Be the only writer of a table until the transaction ends; in SQLite every transaction of ours is."""
        if not self._lite:
            connection.exec_driver_sql(f"LOCK TABLE {table.name} IN SHARE ROW EXCLUSIVE MODE")

    def _series_id(self, connection: sa.Connection, key: str) -> int:
        if ("series", key) not in self._ids:
            found = connection.execute(sa.select(s.SERIES.c.id).where(s.SERIES.c.key == key)).scalar()
            if found is None:
                raise StoreError(f"a cell is of the series {key[:12]}, which the store does not know: add it first")
            self._ids["series", key] = found
        return self._ids["series", key]

    def _id(self, connection: sa.Connection, table: sa.Table, column: str, text: str) -> int:
        if (table.name, text) not in self._ids:
            wanted = sa.select(table.c.id).where(table.c[column] == text)
            connection.execute(self._insert(table).on_conflict_do_nothing(), {column: text})
            self._ids[table.name, text] = connection.execute(wanted).scalar_one()
        return self._ids[table.name, text]

    # ---- reading -----------------------------------------------------------------------------------------------

    def datasets(self) -> list[DatasetRecord]:
        """Return every dataset."""
        with self._reading() as connection:
            rows = connection.execute(sa.select(s.DATASET)).mappings()
            return sorted((DatasetRecord(**row) for row in rows), key=lambda record: record.fingerprint)

    def series(self) -> list[Series]:
        """Return every series."""
        with self._reading() as connection:
            rows = connection.execute(sa.select(s.SERIES)).mappings()
            found = [{name: value for name, value in row.items() if name != "id"} for row in rows]
        return sorted((Series(**{**row, "seed": int(row["seed"])}) for row in found), key=lambda series: series.key)

    def keys(self, series: str) -> list[CellKey]:
        """Return the keys of a series' cells."""
        t = s.CELL
        with self._reading() as connection:
            wanted = sa.select(t.c.run, t.c.division).where(t.c.series == self._of(series))
            return [
                (run, bytes(division)) for run, division in connection.execute(wanted.order_by(t.c.run, t.c.division))
            ]

    def scores(self, series: str, scoring: str) -> dict[CellKey, bytes]:
        """Return the scores of each cell that has this scoring."""
        t = s.SCORE
        of_name = sa.select(s.SCORING.c.id).where(s.SCORING.c.name == scoring).scalar_subquery()
        wanted = sa.select(t.c.run, t.c.division, t.c.folds).where(
            t.c.series == self._of(series), t.c.scoring == of_name
        )
        with self._reading() as connection:
            rows = connection.execute(wanted.order_by(t.c.run, t.c.division))
            return {(run, bytes(division)): bytes(folds) for run, division, folds in rows}

    def remarks(self, series: str) -> dict[CellKey, dict[str, Remark]]:
        """Return what is odd about cells."""
        t = s.REMARK
        with self._reading() as connection:
            rows = connection.execute(sa.select(t).where(t.c.series == self._of(series)))
            found: dict[CellKey, dict[str, Remark]] = {}
            for row in rows:
                found.setdefault((row.run, bytes(row.division)), {})[row.scoring] = read_remark(row)
            return found

    def predictions(self, series: str) -> dict[CellKey, Floats]:
        """Return the predictions of each cell that has them."""
        t = s.CELL
        here = t.c.series == self._of(series)
        wanted = sa.select(t.c.run, t.c.division, t.c.predictions).where(here, t.c.predictions.is_not(None))
        with self._reading() as connection:
            return {(run, bytes(d)): unpack_predictions(bytes(packed)) for run, d, packed in connection.execute(wanted)}

    def environments(self, series: str) -> list[str]:
        """Return the environments that a series' cells were made in."""
        used = sa.select(s.CELL.c.environment).where(s.CELL.c.series == self._of(series)).distinct()
        with self._reading() as connection:
            told = connection.execute(sa.select(s.ENVIRONMENT.c.told).where(s.ENVIRONMENT.c.id.in_(used))).scalars()
            return sorted(told)

    @staticmethod
    def _of(series: str) -> Any:
        return sa.select(s.SERIES.c.id).where(s.SERIES.c.key == series).scalar_subquery()

    def cells(self, series: str | None = None) -> Iterator[Cell]:
        """Yield whole cells."""
        for key in [x.key for x in self.series()] if series is None else [series]:
            with self._reading() as connection:
                names = {row.id: row.name for row in connection.execute(sa.select(s.SCORING))}
                told = {row.id: row.told for row in connection.execute(sa.select(s.ENVIRONMENT))}
                rows = connection.execute(sa.select(s.CELL).where(s.CELL.c.series == self._of(key))).all()
                remarks = self.remarks(key)
                scores: dict[CellKey, dict[str, Floats]] = {}
                for row in connection.execute(sa.select(s.SCORE).where(s.SCORE.c.series == self._of(key))):
                    folds = unpack_scores(bytes(row.folds))
                    scores.setdefault((row.run, bytes(row.division)), {})[names[row.scoring]] = folds
            for row in sorted(rows, key=lambda row: (row.run, bytes(row.division))):
                place = (row.run, bytes(row.division))
                yield Cell(
                    series=key,
                    run=row.run,
                    division=place[1],
                    scheme=row.scheme,
                    scores=dict(sorted(scores.get(place, {}).items())),
                    predictions=None if row.predictions is None else unpack_predictions(bytes(row.predictions)),
                    remarks=dict(sorted(remarks.get(place, {}).items())),
                    seconds=row.seconds,
                    finished=row.finished,
                    worker=row.worker,
                    environment=told[row.environment],
                )

    def count(self) -> int:
        """Return the number of cells."""
        with self._reading() as connection:
            return int(connection.execute(sa.select(sa.func.count()).select_from(s.CELL)).scalar_one())

    def changed(self) -> bool:
        """Whether another program may have written since this was last asked."""
        if not self._lite:
            return True
        with self._reading() as connection:
            now = int(connection.exec_driver_sql("PRAGMA data_version").scalar_one())
        was, self._seen = self._seen, now
        return was is None or was != now

    # ---- the log -----------------------------------------------------------------------------------------------

    def append_line(
        self, log: str, build: Callable[[int, str | None], str], mark: str | None = None
    ) -> tuple[int, str]:
        """Append a line."""
        t = s.LOG_LINE
        with self._transaction() as connection:
            self._alone(connection, t)
            wanted = sa.select(t.c.number, t.c.line).where(t.c.log == log).order_by(t.c.number.desc()).limit(1)
            last = connection.execute(wanted).first()
            count = 0 if last is None else last.number
            line = build(count, None if last is None else last.line)
            connection.execute(t.insert(), {"log": log, "number": count + 1, "line": line})
            if mark is not None:
                self._keep_mark(connection, mark, line)
            return count + 1, line

    def lines(self, log: str) -> list[str]:
        """Return a log's lines."""
        t = s.LOG_LINE
        with self._reading() as connection:
            return list(connection.execute(sa.select(t.c.line).where(t.c.log == log).order_by(t.c.number)).scalars())

    def logs(self) -> list[str]:
        """Return the names of the logs that have lines."""
        with self._reading() as connection:
            return sorted(connection.execute(sa.select(s.LOG_LINE.c.log).distinct()).scalars())

    def set_mark(self, key: str, value: str) -> None:
        """Keep a small fact."""
        with self._transaction() as connection:
            self._keep_mark(connection, key, value)

    def _keep_mark(self, connection: sa.Connection, key: str, value: str) -> None:
        if key == s.VERSION_MARK:
            raise InputError(f"the mark {key!r} is the store's own: choose another key")
        kept = self._insert(s.MARK).values(key=key, value=value)
        connection.execute(kept.on_conflict_do_update(index_elements=["key"], set_={"value": value}))

    def mark(self, key: str) -> str | None:
        """Return a small fact."""
        with self._reading() as connection:
            found = connection.execute(sa.select(s.MARK.c.value).where(s.MARK.c.key == key)).scalar()
        return None if found is None else str(found)

    def close(self) -> None:
        """Let go of the database."""
        with self._lock:
            if self._connection is not None:
                try:
                    self._connection.close()
                except sa.exc.DBAPIError:
                    self._connection.invalidate()
                self._connection = None
            self._engine.dispose()
