"""The runner of reference predictions: what it counts, what it refuses, and the project's references."""

import csv
import json
import subprocess
import sys

import pytest

from foldproof.testing.reference import COLUMNS, main

QUICK = ("iris", "labor", "hepatitis", "breast-cancer")
LONG = ("glass", "heart-statlog", "vote", "balance-scale")  # long without the compiler, at least
DATASETS = [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in LONG)]
TINY = """@relation tiny
@attribute a numeric
@attribute b {p,q,r}
@attribute class {x,y,z}
@data
1,p,x
3,q,y
5,p,y
?,r,z
3,p,z
2,q,x
"""
# One repetition of two folds.
ROWS = ["0,0,0,x,{}", "1,0,0,y,{}", "2,0,1,y,{}", "3,0,1,z,{}", "4,0,0,z,{}", "5,0,1,x,{}"]


@pytest.fixture
def files(tmp_path):
    """Write a dataset and a reference, and return their names."""

    def write(reference, dataset=TINY):
        (tmp_path / "tiny.arff").write_text(dataset, encoding="utf-8")
        data = reference if isinstance(reference, bytes) else reference.encode()
        (tmp_path / "tiny.csv").write_bytes(data)
        return [str(tmp_path / "tiny.arff"), str(tmp_path / "tiny.csv")]

    return write


def labels_that_do_not_differ(files, capsys):
    """Return the one label for each row with which nothing differs, found by trying them all, one cell at a time."""
    right = []
    for i in range(len(ROWS)):
        for label in "xyz":
            cells = [label if i == j else "" for j in range(len(ROWS))]
            body = "\n".join(row.format(cell) for row, cell in zip(ROWS, cells, strict=True))
            if main([*files(f"index,rep,fold,actual,nb\n{body}\n"), "--json"]) == 0:
                right.append(label)
            told = json.loads(capsys.readouterr().out)["columns"]["nb"]
            assert told["compared"] == 1
    return right


@pytest.mark.parametrize("name", DATASETS)
def test_no_prediction_of_the_reference_differs(shared, capsys, name):
    dataset, reference = shared("datasets", f"{name}.arff"), shared("reference", "weka", f"{name}.csv")
    with reference.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert main([str(dataset), str(reference), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"columns": {column: {"compared": len(rows), "differing": 0} for column in rows[0].keys() & COLUMNS}}
    assert list(told["columns"]) == [c for c in rows[0] if c in COLUMNS]
    assert set(COLUMNS) == set(rows[0]) - {"index", "rep", "fold", "actual"}


def test_a_planted_difference_is_found(shared, capsys, tmp_path):
    lines = shared("reference", "weka", "labor.csv").read_text().splitlines()
    header = lines[0].split(",")
    cells = lines[17].split(",")
    at = header.index("ib1")
    cells[at] = {"good": "bad", "bad": "good"}[cells[at]]
    planted = tmp_path / "planted.csv"
    planted.write_text("\n".join([*lines[:17], ",".join(cells), *lines[18:]]) + "\n")
    arguments = [str(shared("datasets", "labor.arff")), str(planted)]
    assert main([*arguments, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)["columns"]
    assert {c: told[c]["differing"] for c in told} == {c: int(c == "ib1") for c in COLUMNS}
    assert main(arguments) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(COLUMNS)
    assert "ib1                 1 of 114 predictions differ" in lines
    assert "j48                 0 of 114 predictions differ" in lines


def test_it_is_a_program(files):
    arguments = files("index,rep,fold,actual,ib1\n0,0,0,x,x\n2,0,1,y,z\n")
    done = subprocess.run(
        [sys.executable, "-m", "foldproof.testing.reference", *arguments, "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    # Each is the other's only neighbour, so instance 0 is called y and instance 2 is called x.
    assert json.loads(done.stdout) == {"columns": {"ib1": {"compared": 2, "differing": 2}}}
    assert (done.returncode, done.stderr) == (1, "")


def test_rows_in_any_order_and_cells_without_a_label(files, capsys):
    right = labels_that_do_not_differ(files, capsys)
    assert len(right) == len(ROWS)
    body = [row.format(label) for row, label in zip(ROWS, right, strict=True)]
    assert main(files("\n".join(["index,rep,fold,actual,nb", *body[::-1]]))) == 0
    assert capsys.readouterr().out == "nb  0 of 6 predictions differ\n"


def test_a_column_that_nobody_stands_behind_is_left_out_and_told(files, capsys):
    assert main([*files("index,rep,fold,actual,oner,ib1\n0,0,0,x,x,y\n2,0,1,y,y,x\n"), "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out) == {"columns": {"ib1": {"compared": 2, "differing": 0}}}
    assert said.err == "column 'oner' is left out: no learner stands behind it\n"


@pytest.mark.parametrize(
    ("reference", "text"),
    [
        ("", "there is no column 'index'"),
        ("index,rep,fold,actual,nb\n", "there are no rows"),
        ("index,rep,fold,nb\n0,0,0,x\n", "there is no column 'actual'"),
        ("index,rep,fold,actual,nb,nb\n0,0,0,x,x,x\n", "two columns are called 'nb'"),
        ("index,rep,fold,actual,nb\n0,0,0,x,x\n1,0,1\n", "row 2 has fewer values than there are columns"),
        ("index,rep,fold,actual,nb\n0,0,0,x,x,x\n", "row 1 has more values than there are columns"),
        ("index,rep,fold,actual,nb\none,0,0,x,x\n", "needs a whole number in column 'index' of every row"),
        ("index,rep,fold,actual,nb\n0,0,0.5,x,x\n", "needs a whole number in column 'fold' of every row"),
        (
            "index,rep,fold,actual,nb\n6,0,0,x,x\n",
            "the reference names instance 6, and those of the dataset are 0 to 5",
        ),
        ("index,rep,fold,actual,nb\n-1,0,0,x,x\n", "the reference names instance -1"),
        ("index,rep,fold,actual,nb\n0,0,0,x,x\n0,0,1,x,x\n", "instance 0 stands 2 times in repetition 0"),
        ("index,rep,fold,actual,nb\n0,0,0,x,x\n1,0,0,y,x\n", "repetition 0 of the reference has a single fold"),
        ("index,rep,fold,actual,nb\n0,0,0,x,x\n1,0,1,z,x\n", "instance 1 is of another class in the dataset"),
        ("index,rep,fold,actual,oner\n0,0,0,x,x\n", "none of its columns is one of j48, j48_33, nb"),
        (b"index,rep,fold,actual,nb\n0,0,0,x,\xff\n", "cannot be read: 'utf-8' codec can't decode"),
    ],
)
def test_a_malformed_reference_is_refused_in_one_sentence(files, capsys, reference, text):
    assert main(files(reference)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert text in said.err
    assert said.err.count("\n") <= 2


def test_datasets_that_cannot_be_used(files, capsys, tmp_path):
    reference = "index,rep,fold,actual,nb\n0,0,0,1.5,1.5\n1,0,1,2.5,2.5\n"
    numeric = "@relation n\n@attribute a numeric\n@attribute c numeric\n@data\n1,1.5\n2,2.5\n"
    assert main(files(reference, numeric)) == 2
    assert "the target is numeric, and these learners predict classes" in capsys.readouterr().err
    assert main(files(reference, "@relation n\n@attribute a\n@data\n")) == 2
    assert capsys.readouterr().err.count("\n") == 1
    for missing in ("nosuch.arff", "tiny.csv"), ("tiny.arff", "nosuch.csv"):
        assert main([str(tmp_path / name) for name in missing]) == 2
        assert capsys.readouterr().err
    with pytest.raises(SystemExit) as stopped:
        main([])
    assert stopped.value.code == 2
