"""Databases of every released schema are read, and moved on where they are old."""

import shutil
from pathlib import Path

import pytest
import sqlalchemy as sa

from foldproof.store import StoreError, open_store, schema
from foldproof.testing.store_contract import IRIS, cell, same

KEPT = sorted((Path(__file__).parent / "schemas").glob("schema-*.db"))


def test_every_released_schema_has_its_file():
    assert [path.stem for path in KEPT] == [f"schema-{version}" for version in range(1, schema.VERSION + 1)]
    assert set(schema.MIGRATIONS) == set(range(1, schema.VERSION))


@pytest.fixture(params=KEPT, ids=lambda path: path.stem)
def old(request, tmp_path):
    return shutil.copy(request.param, tmp_path / "old.db")


def test_what_an_old_store_holds_is_read(old):
    with open_store(f"sqlite:///{old}") as store:
        assert store.datasets() == [IRIS]
        assert [(s.key[0], s.name, s.recipe, s.seed, s.repetition) for s in store.series()] == [
            ("a", "b", "a.B(c=1)", 2**70, 0),
            ("b", "other", None, 2**70, 3),
        ]
        first, second, failed = store.cells()
        assert same(first, cell(0)) and same(second, cell(1))
        assert failed.again == 1.0
        assert [(f.fold, f.kind) for f in failed.remarks[""].faults] == [(0, "fit_raised"), (1, "time_limit")]
        assert store.lines("looks") == ["the first look", "after the first look"]
        assert store.mark("head") == "after the first look"
        assert store.write([cell(0), cell(7)]) == 1


def test_an_old_store_has_the_tables_of_a_new_one(old, tmp_path):
    def tables(path):
        open_store(f"sqlite:///{path}").close()
        engine = sa.create_engine(f"sqlite:///{path}", poolclass=sa.NullPool)
        inspector = sa.inspect(engine)
        return {t: [(c["name"], str(c["type"])) for c in inspector.get_columns(t)] for t in inspector.get_table_names()}

    assert tables(old) == tables(tmp_path / "new.db")


def test_a_migration_is_done_once_and_as_a_whole(tmp_path, monkeypatch):
    url = f"sqlite:///{tmp_path / 'old.db'}"
    open_store(url).close()
    done = []

    def move(connection):
        done.append(1)
        connection.exec_driver_sql("CREATE TABLE foldproof_new (a INTEGER)")
        if len(done) == 1:
            raise RuntimeError("power cut")

    monkeypatch.setattr(schema, "VERSION", 2)
    monkeypatch.setitem(schema.MIGRATIONS, 1, move)
    with pytest.raises(RuntimeError, match="power cut"):
        open_store(url)
    for _ in range(2):
        with open_store(url) as store:
            assert store.mark("schema") == "2"
    assert len(done) == 2


def test_a_newer_store_is_left_alone(tmp_path, monkeypatch):
    url = f"sqlite:///{tmp_path / 'new.db'}"
    monkeypatch.setattr(schema, "VERSION", 7)
    open_store(url).close()
    monkeypatch.setattr(schema, "VERSION", 1)
    with pytest.raises(
        StoreError, match=r"has schema 7 and this version of foldproof knows 1: install a newer foldproof"
    ):
        open_store(url)
