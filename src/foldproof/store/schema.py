"""The tables, their version, and how an older database becomes one of this version."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa

VERSION = 1

METADATA = sa.MetaData()


def _table(name: str, *columns: sa.Column[object] | sa.UniqueConstraint) -> sa.Table:
    """Return a table that SQLite keeps in the order of its primary key."""
    return sa.Table(f"foldproof_{name}", METADATA, *columns, sqlite_with_rowid=False)


# Numbers that are handed out by the database need SQLite's own row numbers.
def _numbered(name: str, *columns: sa.Column[object] | sa.UniqueConstraint) -> sa.Table:
    number: sa.Column[object] = sa.Column("id", sa.Integer, primary_key=True)
    return sa.Table(f"foldproof_{name}", METADATA, number, *columns)


MARK = _table(
    "mark",
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
DATASET = _table(
    "dataset",
    sa.Column("fingerprint", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("instances", sa.BigInteger, nullable=False),
    sa.Column("attributes", sa.Integer, nullable=False),
    sa.Column("classes", sa.Integer),
    sa.Column("origin", sa.Text),
)
SERIES = _numbered(
    "series",
    sa.Column("key", sa.Text, nullable=False, unique=True),
    sa.Column("dataset", sa.Text, sa.ForeignKey("foldproof_dataset.fingerprint"), nullable=False),
    sa.Column("learner", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("recipe", sa.Text),
    # A seed is any whole number, and databases stop at 64 bits.
    sa.Column("seed", sa.Text, nullable=False),
    sa.Column("repetition", sa.Integer, nullable=False),
    sa.Column("encode", sa.Boolean, nullable=False),
)
SCORING = _numbered("scoring", sa.Column("name", sa.Text, nullable=False, unique=True))
ENVIRONMENT = _numbered("environment", sa.Column("told", sa.Text, nullable=False, unique=True))
CELL = _table(
    "cell",
    sa.Column("series", sa.ForeignKey("foldproof_series.id"), primary_key=True),
    sa.Column("run", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("division", sa.LargeBinary(16), primary_key=True),
    sa.Column("scheme", sa.Text, nullable=False),
    sa.Column("predictions", sa.LargeBinary),
    sa.Column("seconds", sa.Double, nullable=False),
    sa.Column("finished", sa.Double, nullable=False),
    sa.Column("worker", sa.Text, nullable=False),
    sa.Column("environment", sa.ForeignKey("foldproof_environment.id"), nullable=False),
)
SCORE = _table(
    "score",
    sa.Column("series", sa.ForeignKey("foldproof_series.id"), primary_key=True),
    sa.Column("scoring", sa.ForeignKey("foldproof_scoring.id"), primary_key=True),
    sa.Column("run", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("division", sa.LargeBinary(16), primary_key=True),
    sa.Column("folds", sa.LargeBinary, nullable=False),
)
# A row only where something was odd: about the fit where the scoring is "", else about that score.
REMARK = _table(
    "remark",
    sa.Column("series", sa.ForeignKey("foldproof_series.id"), primary_key=True),
    sa.Column("run", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("division", sa.LargeBinary(16), primary_key=True),
    sa.Column("scoring", sa.Text, primary_key=True),
    sa.Column("faults", sa.Text, nullable=False),
    sa.Column("grumbles", sa.Text, nullable=False),
    sa.Column("again", sa.Double),
)
LOG_LINE = _table(
    "log_line",
    sa.Column("log", sa.Text, primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("line", sa.Text, nullable=False),
)

VERSION_MARK = "schema"

# From a version to the next: statements that are run in one transaction. A released version is never edited.
Migration = Callable[[sa.Connection], None]
MIGRATIONS: dict[int, Migration] = {}
