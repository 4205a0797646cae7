"""Cells go to csv and parquet and come back equal, and what was changed on the way is refused."""

import csv
import json

import numpy as np
import polars as pl
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB

import foldproof as fp
from foldproof.cli.main import run
from foldproof.domain.errors import InputError
from foldproof.engine.keys import series_key
from foldproof.store import Cell, DatasetRecord, Fault, Grumble, Remark, Series, open_store
from foldproof.testing.store_contract import same

SIZE = {"procedure": "corrected-repeated-cv", "runs": 2, "folds": 3}
DATA = DatasetRecord("d" * 64, 'odd "name",\nwith lines', 5, 4, None)
TEXT = 'a.B(c="x, y", d=\'"\', e=1e-300) [a 1] on array\r\n∞ ☃'


def odd_cells():
    """Cells with everything that a file might spoil."""
    key = series_key(DATA.fingerprint, TEXT, 2**70, 3, encode=False)
    series = Series(key, DATA.fingerprint, TEXT, "b,", None, 2**70, 3, False)
    values = np.array([0.1, 1 / 3, -0.0, 5e-324, np.nan])
    remarks = {
        "": Remark((Fault(1, "fit_raised", 'ValueError: "no", he said'),), (Grumble("W", "a;b", (0, 2)),), again=0.0),
        "f1": Remark((Fault(0, "score_not_finite", "f1 is nan"),)),
    }
    first = Cell(key, 0, bytes(range(16)), "k-fold", {"accuracy": values, "f1": values[::-1]}, values, remarks, 0.1 + 0.2,
                 1.7e9 + 1 / 3, "", '{"numpy": "2"}')  # fmt: skip
    second = Cell(key, 10**12, b"\xff" * 16, "listed", {"accuracy": np.array([1.0, 2.0**53 + 2])})
    third = Cell(key, 3, b"\x00" * 16, "x", {"accuracy": np.zeros(1)}, np.array([0.0, 2.0, np.nan, -1.0, 70_000.5]))
    return series, [first, second, third]


def filled(url):
    series, cells = odd_cells()
    with open_store(url) as store:
        store.add_dataset(DATA)
        store.add_series(series)
        store.write(cells)
    fp.compare({"bayes": GaussianNB(), "dummy": DummyClassifier()}, fp.dataset([[i, i % 3] for i in range(30)],
               ["ab"[i % 2] for i in range(30)], name="toy"), store=url, **SIZE)  # fmt: skip
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2))
    fp.compare({"line": LinearRegression(), "ridge": Ridge()}, X, X[:, 0] + rng.normal(size=30), store=url, **SIZE)
    return url


@pytest.fixture
def url(tmp_path):
    return filled(f"sqlite:///{tmp_path / 'kept.db'}")


def equal(one, other):
    with open_store(one) as a, open_store(other) as b:
        assert a.datasets() == b.datasets()
        assert a.series() == b.series()
        mine, theirs = list(a.cells()), list(b.cells())
        assert len(mine) == len(theirs)
        for c, d in zip(mine, theirs, strict=True):
            assert same(c, d)
            for name, folds in c.scores.items():
                assert folds.tobytes() == d.scores[name].tobytes()
            if c.predictions is not None:
                assert np.array_equal(np.signbit(c.predictions), np.signbit(d.predictions))


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_what_is_written_comes_back_equal(url, tmp_path, ending):
    file = tmp_path / f"cells.{ending}"
    out = fp.export_store(url, file)
    assert (out.cells, out.new) == (11, None)
    other = f"sqlite:///{tmp_path / 'other.db'}"
    found = fp.import_store(file, other)
    assert (found.cells, found.new) == (11, 11)
    equal(url, other)
    assert fp.import_store(file, other).new == 0
    again = tmp_path / f"again.{ending}"
    fp.export_store(other, again)
    if ending == "csv":
        assert again.read_bytes() == file.read_bytes()
    # A plan that is continued elsewhere finds the cells.
    assert fp.read_store(other).cells == 11


def test_a_score_is_a_column_of_its_own(url, tmp_path):
    fp.export_store(url, tmp_path / "cells.parquet")
    frame = pl.read_parquet(tmp_path / "cells.parquet")
    assert {"score:accuracy", "score:f1", "score:neg_root_mean_squared_error"} <= set(frame.columns)
    own = frame.filter(pl.col("learner") == "bayes")["score:accuracy"]
    assert own.dtype == pl.List(pl.Float64)
    assert own.list.len().to_list() == [3, 3]
    with (tmp_path / "cells.csv").open("w", newline="") as file:
        from foldproof.workflows.transfer import exported_csv

        file.write(exported_csv(url))
    with (tmp_path / "cells.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert json.loads(rows[0]["score:accuracy"] or "[]") is not None
    assert len(rows) == 11


def test_nothing_in_a_file_is_run(url, tmp_path):
    fp.export_store(url, tmp_path / "cells.csv")
    told = (tmp_path / "cells.csv").read_bytes()
    assert b"pickle" not in told and b"\x80\x04" not in told
    text = told.decode()
    evil = text.replace("sklearn.naive_bayes.GaussianNB(", "os.system('touch evil')(")
    (tmp_path / "cells.csv").write_bytes(evil.encode())
    with pytest.raises(InputError, match="its series is not that of its dataset"):
        fp.import_store(tmp_path / "cells.csv", "memory://")


def changed(path, column, value, row=0):
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        columns, rows = reader.fieldnames, list(reader)
    rows[row][column] = value
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        (
            "learner_text",
            "another()",
            "cell 1 is not as it was written: its series is not that of its dataset, learner",
        ),
        ("seed", "5", "cell 1 is not as it was written: its series is not that of"),
        ("fingerprint", "e" * 64, "cell 1 is not as it was written: its series is not that of"),
        ("encode", "maybe", "encode cannot be read: 'maybe'"),
        ("run", "three", "run cannot be read: 'three'"),
        ("run", "-3", "cell 1 is not as it was written: run -3"),
        ("seconds", "", "seconds cannot be read: ''"),
        ("division", "xyz", "cell 1 cannot be read: non-hexadecimal"),
        ("division", "00ff", "run 0 with a division of 2 bytes is none"),
        ("predictions", "[0,1]", "it has 2 predictions for"),
        ("predictions", "[0,1", "predictions cannot be read: '[0,1'"),
        ("remarks", '{"": 3}', "cell 1 cannot be read"),
        ("seed", "one", "cell 1 cannot be read: invalid literal"),
    ],
)
def test_what_was_changed_is_refused(url, tmp_path, column, value, said):
    file = tmp_path / "cells.csv"
    fp.export_store(url, file)
    with file.open(newline="", encoding="utf-8") as opened:
        first = next(i for i, row in enumerate(csv.DictReader(opened)) if row["learner"] == "bayes")
    changed(file, column, value, row=first)
    if first:  # the rows before it are whole
        said = said.replace("cell 1", f"cell {first + 1}").replace("run 0", "run ")
    with pytest.raises(InputError) as caught:
        fp.import_store(file, "memory://")
    assert str(caught.value).startswith(f"{file}, ")
    assert said.replace("run  with", "with") in str(caught.value)


def test_files_that_are_no_exports(url, tmp_path, capsys):
    cases = {
        "scores.csv": ("run,fold,learner,score\n0,0,a,0.5\n", "is no export of a store: it has no column 'dataset'"),
        "broken.parquet": ("not parquet", "is no parquet file that can be read"),
        "cells.json": ("{}", "unknown ending of a file of cells '.json'"),
    }
    for name, (text, said) in cases.items():
        (tmp_path / name).write_text(text)
        assert run(["import", str(tmp_path / name), str(tmp_path / "new.db")]) == 2
        err = capsys.readouterr().err
        assert said in err and err.count("\n") == 1
    assert not (tmp_path / "new.db").exists()
    assert run(["import", "nothing.csv", str(tmp_path / "new.db")]) == 2
    assert "there is no file 'nothing.csv'" in capsys.readouterr().err
    assert run(["export", url, "-o", str(tmp_path / "cells.xlsx")]) == 2
    assert "unknown ending of a file of cells '.xlsx' (known: .csv, .parquet)" in capsys.readouterr().err


def test_a_file_that_ends_too_soon_keeps_what_came_before(url, tmp_path):
    file = tmp_path / "cells.csv"
    fp.export_store(url, file)
    text = file.read_bytes()
    file.write_bytes(text[: text.rindex(b"k-fold")])
    with pytest.raises(InputError, match="the line ends before the column 'predictions': is the file whole"):
        fp.import_store(file, "memory://")


def test_the_commands(url, tmp_path, capsys):
    file = tmp_path / "cells.csv"
    assert run(["export", url, "-o", str(file)]) == 0
    assert "11 cells of sqlite:///" in capsys.readouterr().out
    assert run(["export", url]) == 0
    assert capsys.readouterr().out == file.read_bytes().decode()
    assert run(["export", url, "--json"]) == 2
    assert "--json tells of an export to a file: add -o FILE" in capsys.readouterr().err
    assert run(["import", str(file), str(tmp_path / "new.db"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["schema"], told["action"], told["cells"], told["new"]) == ("foldproof/transfer/1", "import", 11, 11)
    assert run(["import", str(file), str(tmp_path / "new.db")]) == 0
    assert "0 of them new" in " ".join(capsys.readouterr().out.split())
    assert run(["export", str(tmp_path / "nothing.db"), "-o", str(file)]) == 2


def test_an_empty_store_makes_an_empty_file(tmp_path):
    url = f"sqlite:///{tmp_path / 'a.db'}"
    open_store(url).close()
    for ending in ("csv", "parquet"):
        assert fp.export_store(url, tmp_path / f"cells.{ending}").cells == 0
        assert fp.import_store(tmp_path / f"cells.{ending}", "memory://").cells == 0
