"""Progress goes to stderr: a bar on a terminal, a line now and then elsewhere, nothing when quiet."""

import os
import pty
import subprocess
import sys

from foldproof.cli import progress as module
from foldproof.engine.events import TaskFinished

EVENT = TaskFinished("tree", 0, 5, 20, 1)


def test_quiet_is_silent(capsys):
    with module.progress(quiet=True) as listener:
        assert listener is None
    assert capsys.readouterr().err == ""


def test_lines_come_now_and_then_with_an_estimate(capsys, monkeypatch):
    clock = iter([0.0, 1.0, 10.0, 11.0])
    monkeypatch.setattr(module.time, "monotonic", lambda: next(clock))
    with module.progress(quiet=False) as listener:
        for _ in range(3):
            listener(EVENT)
    assert capsys.readouterr().err == "5 of 20 runs of learners done, 1 folds failed, about 30 s left\n"


def test_a_terminal_gets_a_bar_and_stdout_stays_clean():
    code = (
        "from foldproof.cli.progress import progress\n"
        "from foldproof.engine.events import TaskFinished\n"
        "with progress(quiet=False) as listen:\n    listen(TaskFinished('tree', 0, 5, 20, 0))\nprint('done')"
    )
    ours, theirs = pty.openpty()
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=theirs, check=True)
    os.close(theirs)
    assert done.stdout == b"done\n"
    assert b"5/20" in os.read(ours, 100_000)
    os.close(ours)
