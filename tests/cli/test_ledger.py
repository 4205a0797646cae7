"""``foldproof ledger``: what it shows, exports and finds, and how it answers."""

import csv
import hashlib
import io
import json
import sqlite3

import pytest

import foldproof as fp
from foldproof.cli.main import run
from foldproof.ledger import enter
from foldproof.store import open_store
from ledger.looks import IRIS, look, three


@pytest.fixture
def url(tmp_path):
    found = f"sqlite:///{tmp_path / 'results.db'}"
    with open_store(found) as store:
        for n, seen in enumerate(
            [look(), look(0.2, seed=1), three([0.001, 0.02, 0.7]), look(dataset="2" * 64, dataset_name="vote")]
        ):
            enter(store, seen, clock=lambda n=n: f"2026-03-0{n + 1}T10:00:00+00:00")
    return found


def test_show_tells_every_look_and_what_is_left(url, capsys):
    assert run(["ledger", "show", "--store", url]) == 0
    told = capsys.readouterr().out
    assert (
        f"iris ({IRIS[:12]}): 3 looks, their number is open; the next may use 0.0025, and 0.0125 of 0.05 is left in all"
        in told.replace("\n", " ")
    )
    first = next(line for line in told.splitlines() if "2026-03-01" in line)
    assert " ".join(first.split()) == (
        "1 2026-03-01 10:00 compare corrected-10x10-cv 10 x 10 accuracy 0 forest – bayes 0.010 forest 0.025 forest"
    )
    assert "note: of forest and bayes, look 1 (seed 0) said forest and this one (seed 1) none" in told.replace(
        "\n", " "
    )
    assert told.count("the seed decides") == 1
    assert "note: look 1: bayes was tuned over 3 settings" in told
    assert "vote" in told
    assert f"Head of the ledger: {fp.read_ledger(url).head}" in told


def test_show_of_one_dataset_by_name_or_fingerprint(url, capsys):
    for wanted in ("vote", "222222"):
        assert run(["ledger", "show", "--store", url, "--dataset", wanted, "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert [data["name"] for data in told["datasets"]] == ["vote"]
    assert run(["ledger", "show", "--store", url, "--dataset", "votes"]) == 2
    assert "unknown dataset of this ledger 'votes': did you mean 'vote'?" in capsys.readouterr().err


def test_the_json_of_show(url, capsys):
    assert run(["ledger", "show", "--store", url, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["schema"] == "foldproof/ledger/1"
    iris = told["datasets"][0]
    assert [x["look"] for x in iris["looks"]] == [1, 2, 3]
    assert [x["level"] for x in iris["looks"]] == pytest.approx([0.05 / 2, 0.05 / 6, 0.05 / 12])
    assert (iris["level_left"], iris["next_level"]) == pytest.approx((0.05 / 4, 0.05 / 20))
    several = iris["looks"][2]["pairs"]
    assert [pair["pvalue_holm"] for pair in several] == pytest.approx([0.003, 0.04, 0.7])
    assert [pair["verdict_at_level"] for pair in several] == ["x", "none", "none"]


def test_export_as_csv_has_a_row_for_every_pair(url, capsys):
    assert run(["ledger", "export", "--store", url]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["look"], row["a"], row["b"]) for row in rows] == [
        ("1", "forest", "bayes"), ("2", "forest", "bayes"), ("3", "x", "y"), ("3", "x", "z"), ("3", "y", "z"), ("1", "forest", "bayes"),
    ]  # fmt: skip
    assert rows[0] == {
        "number": "1", "time": "2026-03-01T10:00:00+00:00", "look": "1", "again": "False", "kind": "compare",
        "dataset": IRIS, "dataset_name": "iris", "procedure": "corrected-10x10-cv 10 x 10", "scoring": "accuracy",
        "seed": "0", "splits": "", "alpha": "0.05", "planned": "", "level": "0.025", "a": "forest", "b": "bayes",
        "a_learner": "a.Forest()", "b_learner": "b.Bayes()", "a_settings": "1", "b_settings": "3", "pvalue": "0.01",
        "favours": "forest", "verdict": "forest", "verdict_at_level": "forest", "key": look().key,
        "previous": "0" * 64, "hash": rows[1]["previous"],
    }  # fmt: skip


def test_export_as_json_and_as_bare_lines(url, tmp_path, capsys):
    for arguments in (["--json"], ["--format", "json"]):
        assert run(["ledger", "export", "--store", url, *arguments]) == 0
        told = json.loads(capsys.readouterr().out)
        assert [line["number"] for line in told["lines"]] == [1, 2, 3, 4]
    target = tmp_path / "looks.txt"
    assert run(["ledger", "export", "--store", url, "--format", "lines", "-o", str(target)]) == 0
    assert capsys.readouterr().out == ""
    lines = target.read_text().splitlines()
    hashes = [hashlib.sha256(line.encode()).hexdigest() for line in lines]
    assert [line["hash"] for line in told["lines"]] == hashes
    assert [json.loads(line)["previous"] for line in lines] == ["0" * 64, *hashes[:-1]]
    assert told["head"] == {"count": 4, "hash": hashes[-1]}


def test_verify_answers_by_exit_code(url, capsys):
    head = str(fp.read_ledger(url).head)
    assert run(["ledger", "verify", "--store", url]) == 0
    assert capsys.readouterr().out == f"The ledger is as it was written: 4 lines, head {head}.\n"
    assert run(["ledger", "verify", "--store", url, "--head", head, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["ok"], told["lines"], told["line"], told["problem"], told["given_head"]) == (True, 4, None, None, head)


def test_verify_names_the_first_bad_line(url, tmp_path, capsys):
    with sqlite3.connect(tmp_path / "results.db") as database:
        database.execute(
            "UPDATE foldproof_log_line SET line = replace(line, '\"seed\":1', '\"seed\":7') WHERE number = 2"
        )
    assert run(["ledger", "verify", "--store", url]) == 1
    told = capsys.readouterr()
    assert " ".join(told.out.split()) == (
        "Line 2 of the ledger is not as it was written: its text is not what the ledger writes for its fields."
    )
    assert told.err == ""
    assert run(["ledger", "verify", "--store", url, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["line"] == 2
    # Nothing else is told from a ledger that was changed.
    for action in ("show", "export"):
        assert run(["ledger", action, "--store", url]) == 2
        assert "line 2 of the ledger is not as it was written" in capsys.readouterr().err


def test_an_empty_store_has_an_empty_ledger(tmp_path, capsys):
    url = f"sqlite:///{tmp_path / 'new.db'}"
    open_store(url).close()
    assert run(["ledger", "show", "--store", url]) == 0
    assert capsys.readouterr().out.startswith(f"{url}: no look has been entered.\nHead of the ledger: 0:0000")
    assert run(["ledger", "verify", "--store", url]) == 0
    assert run(["ledger", "export", "--store", url]) == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["look"], "unknown thing to do with a ledger 'look'"),
        (["export", "--format", "xml"], "unknown format 'xml'"),
        (["verify", "--head", "5"], "the head is '5': give it as a report prints it"),
        (["verify", "--dataset", "iris"], "foldproof ledger verify takes no --dataset: it takes --head"),
        (["show", "--format", "json"], "foldproof ledger show takes no --format: it takes --dataset"),
        (["show", "--head", "5:0123456789abcdef"], "foldproof ledger show takes no --head"),
    ],
)
def test_bad_usage_is_one_sentence(arguments, said, url, capsys):
    assert run(["ledger", *arguments, "--store", url]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert said in told.err


def test_a_store_that_is_not_there_is_not_made(tmp_path, capsys):
    path = tmp_path / "typo.db"
    for store in (f"sqlite:///{path}", str(path)):
        assert run(["ledger", "verify", "--store", store]) == 2
        assert "there is no store" in capsys.readouterr().err
        assert not path.exists()


def test_from_python(url):
    view = fp.read_ledger(url, "iris")
    assert [entry.look.seed for entry, _ in view.looks(IRIS)] == [0, 1, 0]
    assert "vote" not in repr(view)
    with open_store(url) as store:
        assert fp.verify_ledger(store).ok
    assert len(view.exported()["lines"]) == 3


BAYES, TREE = "sklearn.naive_bayes.GaussianNB()", "tree=sklearn.tree.DecisionTreeClassifier(max_depth=2)"


def test_looks_of_the_commands(tmp_path, capsys):
    url = f"sqlite:///{tmp_path / 'results.db'}"
    common = ["-l", BAYES, "-l", TREE, "--procedure", "5x2cv", "--quiet", "--store", url]

    def told(*arguments):
        assert run([*arguments]) == 0
        return capsys.readouterr().out

    assert "This is your 1st look of 3 planned at this dataset" in told(
        "compare", "sklearn:iris", *common, "--looks", "3"
    )
    quiet = json.loads(told("compare", "sklearn:iris", *common, "--seed", "1", "--no-ledger", "--json"))
    assert quiet["ledger"] is None
    assert [w for w in quiet["warnings"] if w.startswith("ledger_off: ")]
    repeated = json.loads(told("replicate", "sklearn:iris", *common, "--repetitions", "2", "--json"))
    assert (repeated["ledger"]["look"], repeated["ledger"]["planned"]) == (2, 3)
    # The same call gives the same output, from what is stored and what is entered.
    assert json.loads(told("replicate", "sklearn:iris", *common, "--repetitions", "2", "--json")) == repeated
    kinds = [
        look["kind"] for look in json.loads(told("ledger", "show", "--store", url, "--json"))["datasets"][0]["looks"]
    ]
    assert kinds == ["compare", "replicate"]
    assert run(["compare", "sklearn:iris", *common[:-2], "--looks", "3"]) == 2
    assert "looks= plans the looks in a ledger, and there is none" in capsys.readouterr().err
