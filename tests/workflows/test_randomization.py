"""Randomization testing: the bias of a methodology, against the test on its own reference and known expectations."""

import json

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.cli.main import run
from foldproof.domain.errors import InputError


@pytest.fixture(scope="module")
def clear():
    rng = np.random.default_rng(12)
    y = np.arange(60) % 2
    return rng.normal(size=(60, 3)) + 1.5 * y[:, None], y


def test_the_numbers_are_those_of_the_test_on_the_reference(clear):
    found = fp.randomization(GaussianNB(), *clear, relabelings=25, folds=5)
    expected = fp.significance.randomization_test(found.observed, found.reference, chance=0.5)
    assert (found.pvalue, found.bias, found.adjusted) == (expected.pvalue, expected.bias, expected.adjusted)
    assert found.pvalue == pytest.approx(1 / 26)
    compared = fp.compare({"b": GaussianNB(), "d": DummyClassifier()}, *clear, procedure="k-fold-cv", runs=1, folds=5)
    assert found.observed == pytest.approx(compared.scored[0].learners[0].mean_score)
    assert "1 x 5 folds" in str(found)


def test_trying_many_and_reporting_the_best_is_biased_and_tuning_inside_is_not():
    """Many settings that guess: the best of them looks better than chance, the tuned one does not."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 8)), np.arange(40) % 2
    many = {f"k{k}": KNeighborsClassifier(k) for k in range(1, 12)}
    size = {"relabelings": 20, "folds": 3}
    best = fp.randomization(many, X, y, **size)
    tuned = fp.randomization(
        {"k": KNeighborsClassifier()}, X, y, tune={"k": {"n_neighbors": list(range(1, 12))}}, **size
    )
    error = np.std(best.reference, ddof=1) / 20**0.5
    assert best.bias > 5 * error
    assert abs(tuned.bias) < 4 * np.std(tuned.reference, ddof=1) / 20**0.5 + 0.03
    assert best.bias > tuned.bias + 0.05
    assert best.selected in many
    assert tuned.to_dict()["learners"][0]["settings"] == 11
    assert tuned.selected is None


def test_a_function_may_do_whatever_it_does(clear):
    seeds = []

    def resubstitution(X, y, seed):
        seeds.append(seed)
        return DecisionTreeClassifier(random_state=seed).fit(X, y).score(X, y)

    found = fp.randomization(resubstitution, *clear, relabelings=19, n_jobs=1)
    assert (found.observed, found.bias, found.adjusted, found.pvalue) == (1.0, 0.5, 0.5, 1.0)
    assert len(set(seeds)) == 20


def test_p_is_uniform_where_there_is_nothing():
    """Of twelve datasets without anything to learn, p at most 0.1 in about one."""
    rng = np.random.default_rng(3)
    ps = [
        fp.randomization(GaussianNB(), rng.normal(size=(40, 2)), np.arange(40) % 2, relabelings=9, folds=4).pvalue
        for _ in range(12)
    ]
    assert sum(p <= 0.1 for p in ps) <= 4
    assert max(ps) > 0.5


def test_chance_is_the_largest_class_unless_said(clear):
    X, _ = clear
    y = (np.arange(60) % 4 == 0).astype(int)
    dummy = DummyClassifier()
    found = fp.randomization(dummy, X, y, relabelings=5, folds=3)
    assert (found.chance, found.bias) == (0.75, pytest.approx(0.0))
    assert fp.randomization(dummy, X, y, relabelings=2, scoring="balanced_accuracy").chance == 0.5
    assert fp.randomization(dummy, X, y, relabelings=2, scoring="roc_auc").chance == 0.5
    assert fp.randomization(dummy, X, y, relabelings=2, scoring="f1", chance=0.3).chance == 0.3
    drawn = fp.randomization(dummy, X, y, relabelings=20, folds=3, labels="drawn")
    assert len(set(drawn.reference)) > 1  # the frequencies of the copies vary


def test_it_is_the_same_on_two_processes_and_goes_on(clear, tmp_path):
    size = {"folds": 3, "tune": {"t": {"max_depth": [1, 2]}}}
    learners = {"t": DecisionTreeClassifier()}
    one, two = (fp.randomization(learners, *clear, relabelings=6, n_jobs=jobs, **size) for jobs in (1, 2))
    assert one.to_dict() == two.to_dict()
    store = f"sqlite:///{tmp_path}/r.db"
    fp.randomization(learners, *clear, relabelings=3, store=store, **size)
    events = []
    again = fp.randomization(learners, *clear, relabelings=6, store=store, on_event=events.append, **size)
    assert [event.done for event in events] == [5, 6, 7]
    assert again.to_dict() == one.to_dict()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"labels": "shuffled"}, "unknown way to make random labels 'shuffled'"),
        ({"relabelings": 0}, "relabelings is 0: give a whole number of at least 1"),
        ({"folds": 1}, "folds is 1: give a whole number of at least 2"),
        ({"scoring": "f1"}, "what 'f1' of a guess is cannot be known: say it with chance="),
    ],
)
def test_bad_usage(clear, options, sentence):
    with pytest.raises(InputError, match=sentence):
        fp.randomization(GaussianNB(), *clear, **{"relabelings": 2, **options})


def test_more_bad_usage(clear):
    X, y = clear
    with pytest.raises(InputError, match="the target is a number"):
        fp.randomization(KNeighborsClassifier(), fp.dataset(X, X[:, 0] * 1.5))
    with pytest.raises(InputError, match="a function tunes for itself"):
        fp.randomization(lambda X, y, seed: 0.5, X, y, tune={"t": {}})
    with pytest.raises(InputError, match="no fold came out: 'KNeighborsClassifier' failed with"):
        fp.randomization(KNeighborsClassifier(n_neighbors=500), X, y, relabelings=2)
    with pytest.raises(InputError, match="there is no learner"):
        fp.randomization([], X, y)


def test_from_the_shell(capsys):
    base = [
        "randomize",
        "sklearn:iris",
        "-l",
        "t=sklearn.tree.DecisionTreeClassifier()",
        "--relabelings",
        "3",
        "--quiet",
    ]
    assert run([*base, "--folds", "3", "--tune", "t={'max_depth': [1, 2]}", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["schema"], told["relabelings"], told["learners"][0]["settings"]) == ("foldproof/randomize/1", 3, 2)
    assert run(base) == 0
    assert "fewer than 19 runs on random labels" in " ".join(capsys.readouterr().out.split())
