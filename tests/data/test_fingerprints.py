"""A file is hashed again when it may have changed, and only then."""

import os
import time

import pytest

import foldproof as fp
from foldproof.data import fingerprints as module
from foldproof.data import in_memory
from foldproof.data.fingerprints import KnownFiles
from foldproof.data.sources import Wanted
from foldproof.domain.dataset import fingerprint_dataset

ARFF = "@relation r\n@attribute x numeric\n@attribute y {a,b}\n@data\n" + "".join(
    f"{i},{'ab'[i % 2]}\n" for i in range(9)
)
CSV = "x,y\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(9))


@pytest.fixture
def counted(monkeypatch):
    """Count how often something is hashed."""
    calls = []

    def hashed(*arguments):
        calls.append(1)
        return fingerprint_dataset(*arguments)

    monkeypatch.setattr(in_memory, "fingerprint_dataset", hashed)
    return calls


@pytest.fixture
def marks():
    return {}


@pytest.fixture
def files(marks):
    return KnownFiles(marks.get, marks.__setitem__)


def aged(path, text, seconds=100.0):
    """Write a file with an old time of modification; ``later`` lets its time of change be old too."""
    path.write_text(text)
    then = time.time() - seconds
    os.utime(path, (then, then))
    return path


@pytest.fixture
def later(monkeypatch):
    now = time.time
    monkeypatch.setattr(module.time, "time", lambda: now() + 60.0)


def read(files, path, **wanted):
    return files.read(str(path), Wanted(str(path), **wanted)).fingerprint


@pytest.mark.parametrize(("name", "text"), [("a.csv", CSV), ("a.arff", ARFF)])
def test_what_did_not_change_is_hashed_once(tmp_path, files, counted, later, name, text):
    path = aged(tmp_path / name, text)
    found = [read(files, path) for _ in range(3)]
    assert len(set(found)) == 1
    assert len(counted) == 1
    assert found[0] == fp.dataset([[float(i)] for i in range(9)], ["ab"[i % 2] for i in range(9)]).fingerprint


def test_another_content_of_the_same_size_and_time_is_seen(tmp_path, files, counted, later):
    path = aged(tmp_path / "a.csv", CSV)
    first = read(files, path)
    told = path.stat()
    path.write_text(CSV.replace("3,b", "4,b"))
    os.utime(path, ns=(told.st_atime_ns, told.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (told.st_size, told.st_mtime_ns)
    assert read(files, path) != first


def test_another_file_in_its_place_is_seen(tmp_path, files, later):
    path = aged(tmp_path / "a.csv", CSV)
    first, told = read(files, path), path.stat()
    other = aged(tmp_path / "b.csv", CSV.replace("3,b", "4,b"))
    os.utime(other, ns=(told.st_atime_ns, told.st_mtime_ns))
    other.replace(path)
    assert read(files, path) != first


def test_touching_a_file_costs_a_hash_and_gives_the_same(tmp_path, files, counted, later):
    path = aged(tmp_path / "a.csv", CSV)
    first = read(files, path)
    path.touch()
    assert read(files, path) == first
    assert len(counted) == 2


def test_a_file_that_was_just_written_is_not_remembered(tmp_path, files, marks, counted):
    path = tmp_path / "a.csv"
    path.write_text(CSV)
    read(files, path)
    assert marks == {}
    read(files, path)
    assert len(counted) == 2


def test_other_columns_and_other_versions_are_other_facts(tmp_path, files, counted, later, monkeypatch):
    path = aged(tmp_path / "a.csv", CSV)
    first = read(files, path)
    assert read(files, path, target="x") != first
    assert len(counted) == 2
    monkeypatch.setattr(module, "READER", 2)
    read(files, path)
    assert len(counted) == 3


@pytest.mark.parametrize("kept", ["", "no json", "[1]", '{"stamp": {}, "fingerprint": "0"}'])
def test_what_was_kept_wrongly_is_not_believed(tmp_path, counted, later, kept):
    path = aged(tmp_path / "a.csv", CSV)
    files = KnownFiles(lambda key: kept, lambda key, value: None)
    assert read(files, path) == fp.dataset([[float(i)] for i in range(9)], ["ab"[i % 2] for i in range(9)]).fingerprint
    assert len(counted) == 2


def test_a_file_that_changes_while_it_is_read_is_read_again(tmp_path, marks, later, monkeypatch):
    path = aged(tmp_path / "a.csv", CSV)
    real, done = module.read_source, []

    def reading(source, wanted):
        found = real(source, wanted)
        if not done:
            done.append(1)
            path.write_text(CSV + "10,a\n")
        return found

    monkeypatch.setattr(module, "read_source", reading)
    assert len(KnownFiles(marks.get, marks.__setitem__).read(str(path), Wanted(str(path)))) == 10


def test_a_plan_that_goes_on_hashes_nothing_that_it_knows(tmp_path, counted, later):
    aged(tmp_path / "own.csv", CSV)
    (tmp_path / "plan.toml").write_text(
        'procedures = {name = "corrected-repeated-cv", runs = 2, folds = 2}\n[datasets]\nown = "own.csv"\n'
        '[learners]\na = "sklearn.naive_bayes.GaussianNB()"\nb = "sklearn.dummy.DummyClassifier()"\n'
    )
    first = fp.run_plan(tmp_path / "plan.toml")
    assert len(counted) == 1
    again = fp.run_plan(tmp_path / "plan.toml")
    assert len(counted) == 1
    assert again.fitted == 0
    assert again.comparison("own").dataset.fingerprint == first.comparison("own").dataset.fingerprint
