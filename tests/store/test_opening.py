"""What cannot be opened or written says so in a sentence."""

import os
import sqlite3

import numpy as np
import pytest

from foldproof.domain.errors import InputError
from foldproof.store import StoreError, open_store
from foldproof.store.packing import pack_predictions, pack_scores, unpack_predictions
from foldproof.store.sql import SqlStore
from foldproof.testing.store_contract import IRIS, cell, series


def filled(path):
    with open_store(f"sqlite:///{path}") as store:
        store.add_dataset(IRIS)
        store.add_series(series())
        store.write([cell()])
    return f"sqlite:///{path}"


def test_a_path_alone_is_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with open_store("results.db") as store:
        assert store.url == "sqlite:///results.db"
    assert (tmp_path / "results.db").exists()


@pytest.mark.parametrize(
    ("url", "error", "message"),
    [
        ("", InputError, "the store has no name"),
        ("sqlit:///a.db", InputError, "unknown store 'sqlit': did you mean 'sqlite'?"),
        ("sqlite://", InputError, "names no file"),
        ("sqlite:///no/such/folder/a.db", StoreError, "there is no folder 'no/such/folder'"),
        ("postgresql://nobody@127.0.0.1:1/none", StoreError, "does not answer: is the database server running"),
    ],
)
def test_what_cannot_be_opened(url, error, message):
    with pytest.raises(error, match=message.replace("?", r"\?")):
        open_store(url)


def test_a_file_that_is_no_database(tmp_path):
    path = tmp_path / "notes.db"
    path.write_text("this is not a database, and long enough to be looked at " * 20)
    with pytest.raises(StoreError, match="is not a database of foldproof, or is damaged"):
        open_store(f"sqlite:///{path}")
    assert path.read_text().startswith("this is not")


def test_a_damaged_store(tmp_path):
    url = filled(tmp_path / "a.db")
    data = bytearray((tmp_path / "a.db").read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    (tmp_path / "a.db").write_bytes(data)
    with pytest.raises(StoreError, match="damaged"):
        list(open_store(url).cells())


def test_a_folder_is_no_store(tmp_path):
    with pytest.raises(StoreError, match="cannot be opened: is it a file"):
        open_store(f"sqlite:///{tmp_path}")


def test_a_locked_store_says_so_when_patience_ends(tmp_path):
    url = filled(tmp_path / "a.db")
    holder = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    store = SqlStore(url, patience=0.1)
    with pytest.raises(StoreError, match="is locked by another program for more than 0 s: let that program finish"):
        store.write([cell(1)])
    assert store.count() == 1  # reading goes on
    holder.execute("ROLLBACK")
    assert store.write([cell(1)]) == 1
    holder.close()
    store.close()


def test_a_full_store_keeps_what_it_has(tmp_path):
    url = filled(tmp_path / "a.db")
    store = SqlStore(url)
    store._connection.exec_driver_sql("PRAGMA max_page_count=1")  # the smallest it can be made: what it has now
    big = [cell(run, predictions=np.random.default_rng(run).normal(size=5000)) for run in range(1, 20)]
    with pytest.raises(StoreError, match="the disk of the store .* is full: what was finished before is kept"):
        store.write(big)
    assert store.count() == 1
    store._connection.exec_driver_sql("PRAGMA max_page_count=1000000")
    assert store.write(big) == 19
    store.close()


def test_a_closed_store_says_so(tmp_path):
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}")
    store.close()
    with pytest.raises(StoreError, match="was closed: open it again"):
        store.count()


def test_passwords_are_not_shown():
    with pytest.raises(StoreError) as caught:
        open_store("postgresql://me:hunter2@127.0.0.1:1/none")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("codes", "size"),
    [
        (np.zeros(150), 20),
        (np.random.default_rng(1).integers(0, 3, 150).astype(float), 151),
        (np.random.default_rng(1).integers(0, 300, 150).astype(float), 301),
        (np.random.default_rng(1).normal(size=150), 1201),
        (np.array([]), 1),
    ],
)
def test_predictions_are_packed_small_and_come_back(codes, size):
    packed = pack_predictions(codes)
    assert len(packed) <= size
    assert np.array_equal(unpack_predictions(packed), codes)


@pytest.mark.parametrize(
    "codes",
    [
        [1e-20, 1.0],  # whole but for what is lost when two is added
        [0.0, 65_534.0],
        [-1.0, 253.0, np.nan],
        [-1.0, 254.0],
        [np.nan, np.nan],
        [np.inf, 1.0],
        [-2.0, 1.0],
        [np.nan, 0.5],
        [np.nan, 1e-20],
    ],
)
def test_no_prediction_is_rounded(codes):
    packed = pack_predictions(np.array(codes))
    assert unpack_predictions(packed).tobytes() == np.array(codes).tobytes()


def test_every_not_a_number_is_packed_alike():
    other = np.frombuffer(b"\x01\x00\x00\x00\x00\x00\xf8\xff", dtype="<f8")
    assert pack_scores(other) == pack_scores(np.array([np.nan]))
