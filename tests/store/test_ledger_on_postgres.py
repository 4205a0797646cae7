"""The ledger in a database that several machines share: looks entered at once, and lines changed with SQL."""

import subprocess
import sys
import uuid
from pathlib import Path

import pytest
import sqlalchemy as sa

from foldproof.ledger import LedgerError, enter, read, verify
from foldproof.store import open_store
from ledger.looks import look

WRITER = """
import sys
sys.path.insert(0, {tests!r})
from foldproof.ledger import enter
from foldproof.store import open_store
from ledger.looks import look
with open_store({url!r}) as store:
    for seed in range(int(sys.argv[1]), int(sys.argv[1]) + 15):
        enter(store, look(seed=seed))
"""


@pytest.fixture
def database(postgres):
    """Return a schema of the test's own: its URL, and a connection beside the store."""
    engine = sa.create_engine(sa.make_url(postgres).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    schema = f"foldproof_{uuid.uuid4().hex}"
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE SCHEMA {schema}")
        connection.exec_driver_sql(f"SET search_path TO {schema}")
        yield f"{postgres}?options=-csearch_path%3D{schema}", connection
        connection.exec_driver_sql(f"DROP SCHEMA {schema} CASCADE")
    engine.dispose()


def test_two_processes_at_once_lose_no_look(database):
    url, connection = database
    code = WRITER.format(tests=str(Path(__file__).parents[1]), url=url)
    running = [subprocess.Popen([sys.executable, "-c", code, first]) for first in ("0", "10")]
    assert [process.wait(timeout=120) for process in running] == [0, 0]
    with open_store(url) as store:
        assert verify(store).ok
        entries = read(store).entries
        # Fifteen each, of which five are the same looks.
        assert sorted(entry.look.seed for entry in entries) == list(range(25))
        assert [entry.look_number for entry in entries] == list(range(1, 26))
        connection.exec_driver_sql("DELETE FROM foldproof_log_line WHERE number > 20")
        found = verify(store)
        assert (found.ok, found.line) == (False, 21)
        with pytest.raises(LedgerError):
            enter(store, look(seed=99))
