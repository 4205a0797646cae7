"""Progress goes to stderr: bars on a terminal, a line now and then elsewhere, nothing when quiet."""

import os
import pty
import subprocess
import sys

import pytest

from foldproof.cli import progress as module
from foldproof.engine.events import DatasetFinished, DatasetStarted, TaskFinished


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is set."""
    now = [0.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    return now


def task(done, total=20, score=None, learner="tree", faults=(), failures=0, dataset="iris"):
    return TaskFinished(learner, done - 1, done, total, failures, dataset, "accuracy", score, faults)


def test_quiet_is_silent(capsys):
    with module.progress(quiet=True) as listener:
        assert listener is None
    assert capsys.readouterr().err == ""


def test_lines_come_now_and_then_with_rate_and_estimate(capsys, clock):
    with module.progress(quiet=False) as listener:
        for second, done in ((1.0, 1), (10.0, 5), (11.0, 6)):
            clock[0] = second
            listener(task(done))
    # Two runs in ten seconds, and fifteen are left: the three that were held before tell nothing of the pace.
    assert capsys.readouterr().err == "5 of 20 runs of learners done, 12.0/min, about 75 s left\n"


def test_lines_of_many_datasets_count_all_of_them(capsys, clock):
    with module.progress(quiet=False) as listener:
        listener(DatasetStarted("iris", "5x2cv", 2, 3, 40, 100))
        clock[0] = 10.0
        listener(task(20))
        listener(DatasetFinished("iris", "5x2cv", 2, 3, 20, 20))
    assert capsys.readouterr().err == ("iris (2 of 3): 60 of 100 runs of learners done, 6.0/min, about 7 min left\n")


def test_failures_are_told_as_they_happen_and_counted_when_there_are_many(capsys, clock):
    with module.progress(quiet=False) as listener:
        listener(DatasetStarted("iris", "5x2cv", 1, 1, 0, 20))
        for run in range(1, 8):
            listener(task(run, faults=((0, "ValueError: no"),), failures=run))
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "iris: tree, run 0, fold 0 failed: ValueError: no"
    assert len(told) == 6
    assert told[-1] == "more folds failed; they are counted here and listed at the end"


def test_running_means_are_of_one_dataset(clock):
    tally = module.Tally()
    tally.hear(DatasetStarted("iris", "5x2cv", 1, 2, 0, 20))
    for done, score in ((1, 0.5), (2, 0.7), (3, None)):
        tally.hear(task(done, score=score))
    tally.hear(task(4, score=0.9, learner="bayes"))
    assert tally.means == {"tree": pytest.approx(0.6), "bayes": 0.9}
    tally.hear(DatasetStarted("wine", "5x2cv", 2, 2, 10, 20))
    assert tally.means == {}
    assert tally.overall == (10, 20)


CODE = """
from foldproof.cli.progress import progress
from foldproof.engine.events import DatasetStarted, TaskFinished
import time
with progress(quiet=False) as listen:
    listen(DatasetStarted('iris', '5x2cv', 1, 2, 0, 40))
    listen(TaskFinished('tree', 0, 5, 20, 1, 'iris', 'accuracy', 0.75, ((3, 'no'),)))
    time.sleep(0.5)
print('done')
"""


def test_a_terminal_gets_bars_and_stdout_stays_clean():
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": "150", "TERM": "xterm"}
    done = subprocess.run(
        [sys.executable, "-c", CODE], stdout=subprocess.PIPE, stderr=theirs, check=True, env=environment
    )
    os.close(theirs)
    assert done.stdout == b"done\n"
    drawn = os.read(ours, 100_000).decode()
    os.close(ours)
    for part in ("all: 1 of 2", "5/40", "iris, 5x2cv", "5/20", "/s", "left", "accuracy: tree 0.7500"):
        assert part in drawn, part
    assert "iris: tree, run 0, fold 3 failed: no" in drawn
