"""A study's folder: what it may hold, where it is found, and what is said of one that is wrong."""

import shutil
from pathlib import Path

import pytest

from foldproof.cli.main import run
from foldproof.domain.errors import InputError
from foldproof.studies import finding
from foldproof.studies.finding import find_study, study_folders
from foldproof.workflows.studies.base import FIGURE_MAKERS, TABLE_MAKERS

SETTINGS = """title = "A small study"
summary = "one table"
reference = "nobody, never"
pairs = [["a", "b"]]

[learners]
a = "naive-bayes"
b = "c45"

[datasets]
iris = "Iris plants"

[variants.as-printed]

[protocols.cv]
runs = 1
seeds = { scheme = "k-fold", folds = 2 }

[[tables]]
name = "1"
title = "Something"
maker = "replicability-table"
protocols = ["cv"]
options = { test = "paired-t", columns = [{ name = "one run" }] }
"""
PUBLISHED = 'table,row,column,printed,note\n1,"a vs b, R",one run,0.737,from nowhere\n'


def folder(place: Path, settings: str = SETTINGS, published: str = PUBLISHED) -> Path:
    made = place / "small-study"
    made.mkdir(parents=True)
    (made / "study.toml").write_text(settings)
    (made / "published.csv").write_text(published)
    return made


def test_a_study_outside_the_package(tmp_path, monkeypatch, capsys, shared):
    path = folder(tmp_path)
    study = find_study(path)
    assert (study.name, study.alpha, study.repetitions, study.judged_repetitions) == ("small-study", 0.05, 10, 100)
    printed = study.published["1", "a vs b, R", "one run"]
    assert (printed.value, printed.digits, printed.note) == (0.737, 3, "from nowhere")
    monkeypatch.setenv(finding.VARIABLE, str(tmp_path))
    assert find_study("small-study").title == "A small study"
    assert run(["study", "list"]) == 0
    assert "small-study" in capsys.readouterr().out
    data = ["--data-dir", str(shared("datasets"))]
    assert run(["study", "run", str(path), *data, "--repetitions", "3", "--quiet"]) == 0
    shown = capsys.readouterr().out
    assert "A small study" in shown and "[0.737]" in shown


def test_two_of_one_name(tmp_path, monkeypatch):
    original = study_folders()["bouckaert-frank-2004"]
    shutil.copytree(original, tmp_path / original.name)
    monkeypatch.setenv(finding.VARIABLE, str(tmp_path))
    with pytest.raises(InputError, match="two studies are called 'bouckaert-frank-2004'"):
        study_folders()
    monkeypatch.setenv(finding.VARIABLE, str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="FOLDPROOF_STUDIES names .* which is no folder"):
        study_folders()


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('title = "A small study"\n', "", "'title' is missing; add it"),
        ('title = "A small study"', "title = 3", "'title' is 3; give a text"),
        ("pairs =", "pears =", "unknown key of a study 'pears': did you mean 'pairs'?"),
        ('[["a", "b"]]', '[["a", "c"]]', "unknown learner 'c'"),
        ('[["a", "b"]]', '[["a"]]', "'pairs' holds ['a']; give two names"),
        ('protocols = ["cv"]', 'protocols = ["cw"]', "unknown protocol, named by table 1 'cw' (known: cv)"),
        ("seeds = {", "seads = {", "unknown key of [protocols.cv] 'seads': did you mean 'seeds'?"),
        ('scheme = "k-fold", ', "", "'protocols.cv.seeds.scheme' is missing"),
        ("[variants.as-printed]", "[variants.as-printed]\nformulas = 'guessed'", "unknown formulas 'guessed'"),
        ("[variants.as-printed]", "[variants.as-printed]\nfolds = ['mine']", "unknown folds 'mine'"),
        ('maker = "replicability-table"\n', "", "'tables[1].maker' is missing"),
        ('iris = "Iris plants"', "iris = 1", "'datasets.iris' is 1; give text"),
        ("[learners]", "[learners", "cannot be read: "),
    ],
)
def test_settings_that_are_wrong(tmp_path, old, new, sentence):
    assert old in SETTINGS
    with pytest.raises(InputError) as caught:
        find_study(folder(tmp_path, SETTINGS.replace(old, new)))
    assert sentence in str(caught.value)
    assert "study.toml" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("row,table\n", "the columns are row, table; they must begin with table, row, column, printed, note"),
        (PUBLISHED.replace("0.737", "many"), "line 2: 'many' is no number; write it as it was printed"),
        (PUBLISHED.replace("\n1,", "\n2,"), "line 2: unknown table '2'"),
        (PUBLISHED + PUBLISHED.splitlines()[1] + "\n", "line 3: 1, a vs b, R, one run stands there twice"),
        (
            PUBLISHED.replace("note\n", "note,more\n"),
            "unknown column 'more'; further columns are called reference:NAME",
        ),
    ],
)
def test_numbers_that_are_wrong(tmp_path, text, sentence):
    with pytest.raises(InputError) as caught:
        find_study(folder(tmp_path, published=text))
    assert sentence in str(caught.value)


def test_no_study(tmp_path, capsys):
    with pytest.raises(InputError, match=r"is no study: there is no study\.toml in it"):
        find_study(tmp_path)
    assert run(["study", "run", "bouckaert-frank"]) == 2
    assert "unknown study 'bouckaert-frank': did you mean 'bouckaert-frank-2004'?" in capsys.readouterr().err
    assert run(["study", "run"]) == 2
    assert "study run needs a name: foldproof study list tells which there are" in capsys.readouterr().err
    assert run(["study", "walk", "x"]) == 2
    assert "unknown thing to do with studies 'walk'" in capsys.readouterr().err


def test_options_that_are_wrong(tmp_path, shared):
    import foldproof as fp

    wrong = folder(tmp_path, SETTINGS.replace("test = ", "tests = "))
    with pytest.raises(InputError, match="table 1 \\(replicability-table\\) lacks the option 'test'"):
        fp.run_study(wrong, data_dir=shared("datasets"), repetitions=2)


@pytest.mark.parametrize("name", study_folders())
def test_every_study_of_ours_names_what_there_is(name):
    study = find_study(name)
    assert all(part.maker in TABLE_MAKERS for part in study.tables.values())
    assert all(part.maker in FIGURE_MAKERS for part in study.figures.values())
    code = [p for p in study_folders()[name].rglob("*") if p.suffix not in (".toml", ".csv")]
    assert code == [], "a study's folder holds no algorithm"
