"""Write the small database that is kept for each released schema: ``python scripts/keep_schema.py``.

Run once when a schema is released; the file is never written again, and the suite opens it for ever.
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import numpy as np

from foldproof.store import Fault, Remark, open_store
from foldproof.store.schema import VERSION
from foldproof.testing.store_contract import IRIS, cell, series

ROOT = Path(__file__).parents[1]


def keep(path: Path) -> None:
    """Fill a new database with a little of everything."""
    failed = Remark((Fault(0, "fit_raised", "ValueError: no"), Fault(1, "time_limit", "longer than 1 s")), again=1.0)
    with open_store(f"sqlite:///{path}") as store:
        store.add_dataset(IRIS)
        store.add_series(series("a", recipe="a.B(c=1)"))
        store.add_series(series("b", name="other", repetition=3))
        lost = cell(0, key="b", scores={"f1": np.array([np.nan, np.nan])}, remarks={"": failed})
        store.write([cell(0), cell(1), lost])
        store.append_line("looks", lambda count, last: "the first look")
        store.append_line("looks", lambda count, last: f"after {last}", mark="head")
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA journal_mode=DELETE")


if __name__ == "__main__":
    target = ROOT / "tests" / "store" / "schemas" / f"schema-{VERSION}.db"
    if target.exists():
        sys.exit(f"{target} is kept already: a released schema does not change")
    keep(target)
