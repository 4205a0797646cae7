"""A full disk, a quota, a store that is read-only, locked or damaged: a sentence, an intact store, and a resume."""

import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import foldproof as fp
from foldproof.cli.main import run
from foldproof.store import StoreError, open_store
from foldproof.store.sql import SqlStore

# Predictions that do not pack small, so that a small disk is full soon.
PLAN = """
procedures = {name = "corrected-repeated-cv", runs = RUNS, folds = 3}
[datasets]
numbers = "numbers.csv"
[learners]
line = "sklearn.linear_model.LinearRegression()"
mean = "sklearn.linear_model.Ridge(alpha=50.0)"
"""


@pytest.fixture
def plan(tmp_path, rng):
    rows = rng.normal(size=(400, 3))
    text = "\n".join(",".join(repr(float(value)) for value in row) for row in rows)
    (tmp_path / "numbers.csv").write_text(f"a,b,y\n{text}\n")
    path = tmp_path / "plan.toml"
    path.write_text(PLAN.replace("RUNS", "30"))
    return path


@pytest.fixture(scope="module")
def disk(tmp_path_factory):
    """Make small disks; they are taken away in the end."""
    made = []

    def make(size):
        if sys.platform != "linux" or os.geteuid() != 0:
            pytest.skip("mounting a small disk takes root on Linux; the quota below needs neither")
        place = tmp_path_factory.mktemp("disk")
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)], capture_output=True, check=False
        )
        if done.returncode != 0:
            pytest.skip(f"a small disk cannot be mounted here: {done.stderr.decode().strip()}")
        made.append(place)
        return place

    yield make
    for place in made:
        subprocess.run(["umount", str(place)], check=True)


def again(place, options):
    subprocess.run(["mount", "-o", f"remount,{options}", str(place)], check=True)


def intact(path):
    """Return how many cells a store holds, after SQLite itself has looked it over."""
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        return database.execute("SELECT count(*) FROM foldproof_cell").fetchone()[0]


def rows(url):
    """Return all that a store holds but for times and worker names."""
    with open_store(url) as store:
        return [
            (c.series, c.run, c.division, c.scheme, c.predictions.tobytes(),
             {name: folds.tobytes() for name, folds in c.scores.items()}, c.remarks)
            for c in store.cells()
        ]  # fmt: skip


def test_a_full_disk(disk, plan, tmp_path, capsys):
    place = disk("250k")
    url = f"sqlite:///{place / 'kept.db'}"
    for _ in range(2):  # the second time there is no room from the start
        assert run(["run", str(plan), "--quiet", "--store", url]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"foldproof: the disk of the store {url} is full: what was finished before is kept; make")
        assert err.count("\n") == 1
    again(place, "size=20m")
    held = intact(place / "kept.db")
    assert held < 60
    done = fp.run_plan(plan, store=url)
    assert (done.tasks, done.fitted) == (60, 60 - held)
    other = f"sqlite:///{tmp_path / 'undisturbed.db'}"
    fp.run_plan(plan, store=other)
    assert rows(url) == rows(other)
    assert fp.verify_ledger(url).ok


def test_a_disk_that_fills_up_half_way_keeps_what_is_finished(disk, plan, capsys):
    place = disk("20m")
    url = f"sqlite:///{place / 'kept.db'}"
    fp.run_plan(plan, store=url)
    again(place, "size=400k")
    plan.write_text(PLAN.replace("RUNS", "300"))
    assert run(["run", str(plan), "--quiet", "--store", url]) == 2
    assert "is full: what was finished before is kept" in capsys.readouterr().err
    assert intact(place / "kept.db") >= 60
    assert run(["report", url, "--json"]) == 0
    again(place, "size=20m")
    held = intact(place / "kept.db")
    assert fp.run_plan(plan, store=url).fitted == 600 - held


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
from foldproof.cli.main import run
sys.exit(run(["run", sys.argv[1], "--quiet"]))
"""


@pytest.mark.slow
def test_a_quota(plan):
    url, path = f"sqlite:///{plan.with_suffix('.db')}", plan.with_suffix(".db")
    plan.write_text(PLAN.replace("RUNS", "100"))
    done = subprocess.run([sys.executable, "-c", LIMITED, str(plan)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.startswith("foldproof: the ") and f"store {url} " in done.stderr
    assert "what was finished before is kept; make room, and the same command goes on from there" in done.stderr
    assert done.stderr.count("\n") == 1
    held = intact(path)
    assert fp.run_plan(plan).fitted == 200 - held


def test_a_page_on_a_full_disk_is_refused_and_the_old_one_stays(disk, plan, capsys):
    place = disk("8k")
    page = place / "page.html"
    page.write_text("the old page")
    (place / "filler").write_bytes(bytes(4096))
    assert run(["run", str(plan), "--quiet", "--html", str(page)]) == 2
    assert f"cannot write '{page}': No space left on device; choose another place" in capsys.readouterr().err
    assert sorted(path.name for path in place.iterdir()) == ["filler", "page.html"]
    assert page.read_text() == "the old page"
    url = f"sqlite:///{plan.with_suffix('.db')}"
    for ending in ("csv", "parquet"):
        assert run(["export", url, "-o", str(place / f"cells.{ending}")]) == 2
        assert "cannot write" in capsys.readouterr().err
    assert sorted(path.name for path in place.iterdir()) == ["filler", "page.html"]


def test_a_read_only_disk_is_read_and_not_written(disk, plan, capsys):
    place = disk("20m")
    url = f"sqlite:///{place / 'kept.db'}"
    fp.run_plan(plan, store=url)
    again(place, "ro")
    done = fp.run_plan(plan, store=url)
    assert (done.tasks, done.fitted) == (60, 0)
    assert run(["report", url, "--json"]) == 0
    assert run(["audit", url, "--sample", "2", "--quiet"]) == 0
    assert run(["ledger", "verify", "--store", url]) == 0
    capsys.readouterr()
    plan.write_text(PLAN.replace("RUNS", "31"))
    assert run(["run", str(plan), "--quiet", "--store", url]) == 2
    err = capsys.readouterr().err
    assert (
        err
        == f"foldproof: the store {url} is read-only: change its permissions (and its folder's), or use another store\n"
    )
    again(place, "rw")
    assert fp.run_plan(plan, store=url).fitted == 2


def test_a_read_only_file_is_read_and_not_written(plan, capsys):
    if os.geteuid() == 0:
        pytest.skip("root may write any file; the read-only disk above has no such exception")
    folder = plan.parent / "kept"
    folder.mkdir()
    url = f"sqlite:///{folder / 'kept.db'}"
    fp.run_plan(plan, store=url)
    (folder / "kept.db").chmod(stat.S_IRUSR)
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert fp.run_plan(plan, store=url).fitted == 0
        plan.write_text(PLAN.replace("RUNS", "31"))
        assert run(["run", str(plan), "--quiet", "--store", url]) == 2
        assert "is read-only: change its permissions (and its folder's)" in capsys.readouterr().err
    finally:
        folder.chmod(stat.S_IRWXU)
    (folder / "kept.db").chmod(stat.S_IRUSR | stat.S_IWUSR)
    assert fp.run_plan(plan, store=url).fitted == 2


def test_a_locked_store(plan):
    path = plan.with_suffix(".db")
    plan.write_text(PLAN.replace("RUNS", "3"))
    fp.run_plan(plan)
    plan.write_text(PLAN.replace("RUNS", "5"))
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with SqlStore(f"sqlite:///{path}", patience=0.2) as store:
        with pytest.raises(StoreError) as caught:
            fp.run_plan(plan, store=store)
        assert str(caught.value) == (
            f"the store sqlite:///{path} is locked by another program for more than 0 s: let that program finish, or "
            "use another store"
        )
    holder.execute("ROLLBACK")
    holder.close()
    assert intact(path) == 6
    assert fp.run_plan(plan).fitted == 4


@pytest.mark.parametrize("where", ["beginning", "middle"])
def test_a_damaged_store(plan, where, capsys):
    path = plan.with_suffix(".db")
    fp.run_plan(plan)
    whole = path.read_bytes()
    spot = 0 if where == "beginning" else 4096
    path.write_bytes(whole[:spot] + os.urandom(len(whole) - spot if spot else 200) + (b"" if spot else whole[200:]))
    damaged = path.read_bytes()
    for command in (["run", str(plan), "--quiet"], ["report", str(path)], ["export", str(path)], ["audit", str(path)]):
        assert run(command) == 2, command
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"foldproof: the store sqlite:///{path} is ") and "damaged" in err
        assert "restore a copy" in err and err.count("\n") == 1
    assert path.read_bytes() == damaged  # nothing is made worse
    path.write_bytes(whole)
    for beside in ("wal", "shm"):
        Path(f"{path}-{beside}").unlink(missing_ok=True)
    assert fp.run_plan(plan).fitted == 0


def test_a_store_that_is_something_else_is_left_as_it_is(tmp_path, capsys):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE mine (a)")
    before = path.read_bytes()
    assert run(["report", str(tmp_path / "nothing.db")]) == 2
    assert "there is no store" in capsys.readouterr().err
    assert path.read_bytes() == before
