"""Parameters as independent variables: levels are learners, on data made anew."""

import json

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.cli.main import run
from foldproof.domain.errors import InputError

SIZE = {"n_train": 150, "training_sets": 12, "n_test": 1500}


@pytest.fixture(scope="module")
def found():
    grid = {"max_depth": [1, 5], "min_samples_leaf": [1, 60]}
    return fp.sweep(("tree", DecisionTreeClassifier()), grid, ["source1", "source4"], **SIZE)


def test_levels_are_compared_like_learners(found):
    assert len(found.levels) == 4
    for comparison in found.comparisons.values():
        assert len(comparison.pairs) == 6
        assert comparison.adjust == "holm"
        assert comparison.conducted.runs == 12
    pair = found.comparisons["source4"].pair("max_depth=1, min_samples_leaf=1", "max_depth=5, min_samples_leaf=1")
    assert pair.verdict == "max_depth=5, min_samples_leaf=1"
    a, b = (found.comparisons["source4"].outcomes[name].scores["accuracy"].ravel() for name in (pair.a, pair.b))
    error = (a - b).std(ddof=1) / 12**0.5
    assert pair.statistic == pytest.approx((a - b).mean() / error)


def test_where_there_is_nothing_to_learn_no_level_is_best(found):
    assert len(found.best("source1")) == 4
    assert found.best("source4") == ("max_depth=5, min_samples_leaf=1",)


def test_effects_are_means_over_the_other_parameters(found):
    scores, effects = found.scores("source4"), found.effects("source4")
    for depth in ("1", "5"):
        expected = np.mean([score.rate for name, score in scores.items() if f"max_depth={depth}," in name])
        assert effects["max_depth"][depth].rate == pytest.approx(expected)
    assert set(effects) == {"max_depth", "min_samples_leaf"}


def test_training_sets_share_nothing(found):
    comparison = found.comparisons["source4"]
    seen = [set(comparison.partitions.train_test(run, 0)[0]) for run in range(12)]
    test = set(comparison.partitions.train_test(0, 0)[1])
    assert len(set.union(*seen)) == 12 * 150
    assert not set.union(*seen) & test


def test_a_random_search_and_another_source():
    from sklearn.model_selection import ParameterSampler

    def made(n, seed):
        rng = np.random.default_rng(seed)
        return rng.normal(size=(n, 2)), np.arange(n) % 2

    settings = ParameterSampler({"max_depth": range(1, 9)}, 3, random_state=0)
    found = fp.sweep(DecisionTreeClassifier(), settings, made, **SIZE)
    assert (len(found.levels), list(found.comparisons)) == (3, ["made"])
    assert "max_depth=" in str(found)


@pytest.mark.parametrize(
    ("settings", "sources", "sentence"),
    [
        ({"max_depth": [1]}, "source1", "a sweep compares at least two settings"),
        ({"depth": [1, 2]}, "source1", "unknown parameter of 'DecisionTreeClassifier' 'depth'"),
        ({"max_depth": [1, 2]}, ["source1", "source1"], "two sources are called 'source1'"),
        ({"max_depth": [1, 2]}, "iris", "unknown simulated source 'iris'"),
        ({"max_depth": [1, 2]}, fp.dataset([[0.0], [1.0]], [0, 1]), "is one dataset: parameters are studied where"),
    ],
)
def test_bad_usage(settings, sources, sentence):
    with pytest.raises(InputError, match=sentence):
        fp.sweep(DecisionTreeClassifier(), settings, sources, **SIZE)


def test_from_the_shell(capsys):
    base = [
        "sweep",
        "source2",
        "-l",
        "c45",
        "--settings",
        "{'min_instances': [2, 30]}",
        "--training-sets",
        "4",
        "--quiet",
    ]
    assert run([*base, "--n-train", "100", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["schema"], len(told["levels"])) == ("foldproof/sweep/1", 2)
    assert run([*base, "--n-train", "100"]) == 0
    assert "min_instances=30" in capsys.readouterr().out
