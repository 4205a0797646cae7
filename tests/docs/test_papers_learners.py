"""What the how-to page on the papers' learners shows in a shell works; its Python is run with the other pages'."""

import re
import shlex
from pathlib import Path

import pytest

from foldproof.cli.main import run
from foldproof.learners.learner import LEARNERS

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "papers-learners.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ foldproof (.+)$", PAGE, flags=re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_runs(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    files = re.findall(r"Save this as `([\w.]+)`:\n\n```text\n(.*?)```", PAGE, flags=re.DOTALL)
    for name, text in files:
        Path(name).write_text(text, encoding="utf-8")
    assert run(shlex.split(command)) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "note: 1 of 13 instances are left out, because their 'ripe' is missing" in told


def test_every_learner_is_on_the_page():
    assert len(COMMANDS) == 2
    for name, learner in LEARNERS.items():
        assert f"`{name}`" in PAGE
        assert f"`{learner.__name__}`" in PAGE


def test_every_learner_is_listed(capsys):
    assert run(["list", "learners"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    six = ["c45", "discretised-naive-bayes", "naive-bayes", "nearest-neighbour", "tddt-1", "tddt-2"]
    assert listed[:-1] == six == list(LEARNERS)
