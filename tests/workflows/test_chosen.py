"""What tuning chose, told: stability by hand, in text, page and JSON, in every front door, from the shell."""

import json
from itertools import combinations

import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.cli.main import run
from foldproof.cli.options import grids
from foldproof.domain.errors import InputError
from foldproof.workflows.chosen import Tuning

TREE, BAYES = "sklearn.tree.DecisionTreeClassifier()", "sklearn.naive_bayes.GaussianNB()"
SHORT = ["--procedure", "corrected-repeated-cv", "--runs", "2", "--folds", "5", "--quiet"]


def test_stability_is_the_share_of_pairs_of_folds_that_agree():
    chosen = (("a", "b", "a", None), ("c", "a", "b", "a"))
    found = Tuning("x", 3, chosen)
    flat = [text for row in chosen for text in row if text is not None]
    pairs = list(combinations(flat, 2))
    assert found.stability == pytest.approx(sum(first == second for first, second in pairs) / len(pairs))
    assert found.counts == (("a", 4), ("b", 2), ("c", 1))
    assert Tuning("x", 3, (("a", "a", "a"),)).stability == 1.0
    assert Tuning("x", 3, (("a",),)).stability is None


def test_it_is_told_everywhere(toy):
    learners = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}
    size = {"procedure": "corrected-repeated-cv", "runs": 2, "folds": 5, "tune": {"tree": {"max_depth": [1, 2]}}}
    found = fp.compare(learners, *toy, **size)
    (tuning,) = found.tuning
    assert tuning.chosen == found.outcomes["tree"].chosen
    assert found.to_dict()["tuning"] == [tuning.to_dict()]
    sentence = "tree chose among 2 settings: max_depth="
    assert sentence in " ".join(str(found).split())
    assert sentence in found.to_html()
    again = fp.replicate(learners, *toy, repetitions=3, **size)
    assert sum(count for _, count in again.tuning[0].counts) == 30
    assert again.tuning[0].chosen[:2] == tuning.chosen
    assert sentence in " ".join(str(again).split())
    gate = fp.gate(("bayes", GaussianNB()), ("tree", DecisionTreeClassifier()), *toy, min_effect=0.1, **size)
    assert gate.to_dict()["tuning"][0]["learner"] == "tree"
    assert sentence in " ".join(str(gate).split())
    assert "tree chose among 2 settings: max\\_depth=" in gate.to_markdown()
    size.pop("tune")
    bare = fp.compare(learners, *toy, **size)
    assert "tuning" not in bare.to_dict()
    assert "chose among" not in str(bare) + bare.to_html()


@pytest.mark.parametrize(
    ("command", "schema"),
    [
        (["compare", "sklearn:iris", "-l", f"tree={TREE}", "-l", BAYES], "foldproof/compare/1"),
        (["replicate", "sklearn:iris", "-l", f"tree={TREE}", "-l", BAYES, "--repetitions", "2"], "foldproof/replicate/1"),
        (["gate", "sklearn:iris", "--baseline", BAYES, "--candidate", f"tree={TREE}", "--min-effect", "0.1"],
         "foldproof/gate/1"),
    ],
    ids=["compare", "replicate", "gate"],
)  # fmt: skip
def test_from_the_shell(command, schema, capsys):
    code = run([*command, *SHORT, "--tune", "tree=[{'max_depth': [1, 2]}, {'min_samples_leaf': [5]}]", "--json"])
    assert code in (0, 1, 4)
    told = json.loads(capsys.readouterr().out)
    assert told["schema"] == schema
    assert told["tuning"][0]["settings"] == 3
    runs = 4 if command[0] == "replicate" else 2
    assert [len(row) for row in told["tuning"][0]["chosen"]] == [5] * runs


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["tree={'max_depth': range(3)}"], "write a mapping of parameters to lists of literals"),
        (["tree=__import__('os').system('echo')"], "nothing is evaluated"),
        (["tree=3"], "the grid of 'tree' is 3: write a mapping"),
        (["{'max_depth': [1]}"], "names no learner: write NAME=GRID"),
        (["tree={'a': [1]}", "tree={'b': [1]}"], "--tune names 'tree' twice: give it a list of grids"),
    ],
)
def test_grids_are_literals(given, sentence):
    with pytest.raises(InputError, match=sentence.replace("(", "\\(")):
        grids(given)


def test_bad_grids_are_exit_code_two(capsys):
    base = ["compare", "sklearn:iris", "-l", f"tree={TREE}", "-l", BAYES, *SHORT]
    assert run([*base, "--tune", "tee={'max_depth': [1]}"]) == 2
    assert "unknown learner to tune 'tee': did you mean 'tree'?" in capsys.readouterr().err
    assert run([*base, "--tune", "tree={'depth': [1]}"]) == 2
    assert "unknown parameter of 'tree' 'depth'" in capsys.readouterr().err
    gate = ["gate", "--baseline", "a.csv", "--candidate", "b.csv", "--min-effect", "0.1", "--tune", "a={'x': [1]}"]
    assert run(gate) == 2
    assert "--tune is for learners: name a SOURCE" in capsys.readouterr().err
