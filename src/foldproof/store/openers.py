"""Opening databases by their URL: a file of SQLite's, or a PostgreSQL server."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from urllib.parse import quote

from foldproof.domain.errors import InputError
from foldproof.store.base import STORES, Store
from foldproof.store.errors import StoreError


@STORES.register("sqlite")
def open_sqlite(url: str) -> Store:
    """Open a file, or make it."""
    from foldproof.store.sql import SqlStore

    path = url.partition(":///")[2].partition("?")[0]
    if not path:
        raise InputError(f"the store {url!r} names no file: sqlite:/// and a path, such as sqlite:///results.db")
    parent = Path(path).parent
    if path != ":memory:" and not parent.is_dir():
        raise StoreError(f"the store {url} cannot be made: there is no folder {str(parent)!r}")
    if _out_of_reach(Path(path)):
        address = f"file:{quote(str(Path(path).resolve()))}?immutable=1"
        return SqlStore(url, creator=lambda: sqlite3.connect(address, uri=True, check_same_thread=False))
    return SqlStore(url)


def _out_of_reach(path: Path) -> bool:
    """Whether nobody has the file open and we may not write beside it: then it is read as it lies there.

    SQLite wants to put two files beside a database that has a write-ahead log, even to read it. Where they are there
    already, somebody is at work, and SQLite reads what they wrote.
    """
    if not path.is_file() or os.access(path.parent, os.W_OK):
        return False
    return not any(path.with_name(f"{path.name}-{beside}").exists() for beside in ("wal", "shm"))


@STORES.register("postgresql")
def open_postgresql(url: str) -> Store:
    """Open a database, and make the tables where there are none."""
    from foldproof.store.sql import SqlStore

    return SqlStore("postgresql+psycopg://" + url.partition("://")[2])
