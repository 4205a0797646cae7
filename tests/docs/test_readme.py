"""What the README shows is what happens."""

import re
from pathlib import Path

import pytest

from foldproof.cli.main import run

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def blocks(kind):
    return re.findall(rf"```{kind}\n(.*?)```", README, flags=re.DOTALL)


def test_the_first_screen_shows_what_the_demo_prints(capsys):
    makefile = (ROOT / "Makefile").read_text()
    learners = re.findall(r'-l "([^"]+)"', makefile)
    assert len(learners) == 2
    arguments = ["compare", "sklearn:breast_cancer"] + [part for spec in learners for part in ("-l", spec)]
    assert run(arguments) == 0
    shown = blocks("text")[0].replace("The page is in report.html\n", "")
    assert capsys.readouterr().out == shown


def test_the_two_commands_stand_at_the_top():
    assert re.findall(r"\$ (make \w+)", README) == ["make demo", "make test"]
    assert README.index("make test") < 1000


def test_the_python_block_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    namespace = {}
    exec(compile(blocks("python")[0], "README.md", "exec"), namespace)
    assert capsys.readouterr().out.startswith(("bayes ", "tree ", "none "))
    assert (tmp_path / "report.html").exists()


@pytest.mark.parametrize("command", re.findall(r"\$ foldproof (.+)", README))
def test_every_command_runs(command, tmp_path, monkeypatch, capsys):
    import shlex

    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{'ab'[i % 2]},{i},{i * 2.5 + i % 3}\n" for i in range(40))
    (tmp_path / "people.csv").write_text("city,age,income\n" + rows)
    scores = "".join(
        f"{run},{fold},{name},{0.1 * (run + fold + len(name))}\n"
        for run in (0, 1)
        for fold in (0, 1)
        for name in ("a", "bb")
    )
    (tmp_path / "scores.csv").write_text("run,fold,learner,score\n" + scores)
    assert run(shlex.split(command)) == 0
    assert capsys.readouterr().out


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target


def test_your_own_csv_is_the_same_three_lines(tmp_path, monkeypatch):
    import polars as pl
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB

    import foldproof as fp

    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{'ab'[i % 2]},{i % 7},{'yes' if (i * i) % 5 < 2 else 'no'}\n" for i in range(60))
    (tmp_path / "mine.csv").write_text("colour,size,label\n" + rows)
    table = pl.read_csv("mine.csv")
    assert 'X = table.drop("label")' in README and 'y = table["label"]' in README
    X, y = table.drop("label"), table["label"]
    found = fp.compare({"mine": LogisticRegression(), "other": GaussianNB()}, X, y, procedure="5x2cv")
    assert found.pairs[0].verdict in ("mine", "other", "none")
