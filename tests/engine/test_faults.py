"""Faults: whatever is killed and whenever, the store ends as if nothing had been."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from engine.rows import count, rows

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="needs signals")]

PROGRAM = Path(__file__).with_name("program.py")
# How often something is killed: FOLDPROOF_KILLS=50 for a long evening.
KILLS = int(os.environ.get("FOLDPROOF_KILLS", "5"))
# The store is written every quarter of a second, some forty rows; a program that is killed so often must not be done
# before. The next kill comes after so many more rows at the most.
RUNS = max(100, 30 * KILLS)
STEP = 30
# Seconds without a new row after which something hangs.
HANGS = 120


def start(path, *how, runs=RUNS):
    command = [sys.executable, str(PROGRAM), f"sqlite:///{path}", str(runs), *map(str, how)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finished(path):
    """Return how many rows there are, without disturbing anybody."""
    if not path.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT count(*) FROM foldproof_cell").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def children(pid):
    """Return the processes that a process has started."""
    found = []
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        found += [int(child) for child in listed.read_text().split()]
    return found


def ended(pids):
    """Whether processes have ended, or do soon."""

    def runs(pid):
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except OSError:
            return False

    deadline = time.monotonic() + 20
    while any(map(runs, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not any(map(runs, pids))


def wait_for_rows(process, path, wanted):
    """Wait until there are so many rows; whether there are before the process ends."""
    seen, since = 0, time.monotonic()
    while process.poll() is None:
        there = finished(path)
        if there >= wanted:
            return True
        if there > seen:
            seen, since = there, time.monotonic()
        if time.monotonic() - since > HANGS:
            process.kill()
            pytest.fail(f"no new row in {HANGS} seconds: {there} of {wanted} are there")
        time.sleep(0.02)
    return False


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    path = tmp_path_factory.mktemp("undisturbed") / "results.db"
    process = start(path, 1)
    assert process.communicate(timeout=600)[1].count("Traceback") == 0
    found = rows(f"sqlite:///{path}")
    assert len(found) == 3 * RUNS
    return found


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_random_kills_leave_no_trace(undisturbed, tmp_path, record_property):
    path, chance = tmp_path / "results.db", random.Random(20041)
    killed = {"program": 0, "worker": 0}
    begin = time.monotonic()
    while True:
        process = start(path, 2)
        while sum(killed.values()) < KILLS:
            wanted = finished(path) + chance.randint(1, STEP)
            if not wait_for_rows(process, path, wanted):
                break
            workers = children(process.pid)
            if workers and chance.random() < 0.5:
                with suppress(ProcessLookupError):  # it has ended since
                    os.kill(chance.choice(workers), signal.SIGKILL)
                killed["worker"] += 1
            else:
                process.kill()
                killed["program"] += 1
                break
        _, err = process.communicate(timeout=600)
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL, err
    assert sum(killed.values()) == KILLS, "the program was done before all kills"
    assert rows(f"sqlite:///{path}") == undisturbed
    record_property(
        "reported",
        f"{killed['program']} kills of the program and {killed['worker']} of workers in {time.monotonic() - begin:.0f} s: "
        f"{len(undisturbed)} rows, all equal to those of an undisturbed run",
    )


def test_workers_end_with_their_program(tmp_path):
    path = tmp_path / "results.db"
    process = start(path, 2)
    assert wait_for_rows(process, path, 5)
    workers = children(process.pid)
    process.kill()
    process.communicate()
    assert ended(workers)


def test_two_programs_at_once_share_the_work_and_write_nothing_twice(undisturbed, tmp_path):
    path = tmp_path / "results.db"
    both = [start(path, 1), start(path, 2)]
    told = [process.communicate(timeout=600) for process in both]
    assert [process.returncode for process in both] == [0, 0], told
    assert told[0][0] == told[1][0]
    assert rows(f"sqlite:///{path}") == undisturbed


@pytest.mark.parametrize(("how", "jobs", "presses"), [("sleep", 1, 1), ("busy", 1, 2), ("sleep", 2, 2)])
def test_ctrl_c_stops_at_once_keeps_what_is_finished_and_says_how_to_go_on(how, jobs, presses, tmp_path):
    data, path = tmp_path / "data.csv", tmp_path / "results.db"
    data.write_text("x,i,y\n" + "".join(f"{(i * 7) % 11},{i},{'ab'[i % 2]}\n" for i in range(40)))
    store = f"sqlite:///{path}"
    command = [sys.executable, "-m", "foldproof", "compare", str(data), "-l", "sklearn.naive_bayes.GaussianNB()"]
    command += ["-l", f"engine.bad.Bad(how='{how}')", "--procedure", "corrected-repeated-cv", "--runs", "2"]
    command += ["--folds", "4", "--jobs", str(jobs), "--store", store, "--quiet"]
    paths = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])])
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": paths}
    )
    assert wait_for_rows(process, path, 2), process.communicate()
    time.sleep(0.5)
    workers = children(process.pid)
    begin = time.monotonic()
    for _ in range(presses):
        process.send_signal(signal.SIGINT)
        time.sleep(0.05)
    out, err = process.communicate(timeout=60)
    assert time.monotonic() - begin < 10  # a second, on a machine with nothing else to do
    assert process.returncode == 130, err
    assert out.replace("fitted\n", "") == ""
    assert "interrupted: what was finished is kept in the store; the same command goes on from here" in err
    assert "Traceback" not in err
    assert count(store) == 2
    assert ended(workers)
