"""Salzberg's protocol: his example through the whole of it, the guard, Bonferroni, and what was not told."""

import json

import numpy as np
import pytest
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV, ParameterSampler
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.cli.main import run
from foldproof.domain.errors import InputError

SEEN = []


class Knows(ClassifierMixin, BaseEstimator):
    """Right on every instance but those whose number it is told to miss; with another depth wrong on all others too."""

    def __init__(self, misses=(), depth=1, watched=None):
        self.misses = misses
        self.depth = depth
        self.watched = watched

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self._note("fit", X)
        return self

    def predict(self, X):
        self._note("predict", X)
        wrong = np.isin(X[:, 0], self.misses) ^ (self.depth != 2)
        return self.classes_[(X[:, 0].astype(int) + wrong) % 2]

    def _note(self, what, X):
        if self.watched is not None:
            SEEN.append((self.watched, what, self.depth, frozenset(X[:, 0].astype(int))))


def numbered(n, start=0):
    return np.column_stack([start + np.arange(n), np.zeros(n)]), (start + np.arange(n)) % 2


GRID = {"depth": [1, 2, 3]}


@pytest.mark.parametrize(("wins", "one_sided", "two_sided"), [(35, 0.0033, 0.0066), (30, 0.1013, 0.2026)])
def test_the_example_of_the_paper_through_the_whole_protocol(wins, one_sided, two_sided):
    """Fifty instances on which exactly one learner is right; the settings that make it so must be found by tuning."""
    a = Knows(misses=tuple(range(wins, 50)))
    b = Knows(misses=tuple(range(wins)))
    found = fp.salzberg({"a": a, "b": b}, *numbered(200), tune={"a": GRID, "b": GRID}, most_similar="b", reason="so")
    pair = found.verdict("a", "b")
    assert (pair.table.a_only, pair.table.b_only, pair.table.both, pair.table.neither) == (wins, 50 - wins, 150, 0)
    assert round(pair.result.pvalue_greater, 4) == one_sided
    assert round(pair.pvalue, 4) == two_sided
    assert pair.result.pvalue_greater == pytest.approx(stats.binomtest(wins, 50, alternative="greater").pvalue)
    assert pair.pvalue == pair.pvalue_adjusted
    assert pair.verdict == ("a" if wins == 35 else "none")
    assert [t.counts for t in found.comparison.tuning] == [(("depth=2", 10),)] * 2
    assert found.not_told == ()


@pytest.mark.parametrize(
    "tuned",
    [
        lambda who: (Knows(watched=who), GRID),
        lambda who: (Knows(watched=who), ParameterSampler({"depth": [1, 2, 3, 4]}, 4, random_state=1)),
        lambda who: (GridSearchCV(Knows(watched=who), GRID, cv=3), None),
    ],
    ids=["grid", "sampler", "tunes itself"],
)
def test_on_two_datasets_tuning_never_sees_a_test_instance(tuned):
    """The guard: until a learner is trained again on the whole of T, it has met nothing outside T."""
    SEEN.clear()
    (first, grid), (second, other) = tuned("first"), (Knows(watched="second"), {"depth": [3, 2]})
    tune = {name: g for name, g in (("first", grid), ("second", other)) if g is not None}
    data = {"low": numbered(60), "high": numbered(90, start=1000)}
    found = fp.salzberg({"first": first, "second": second}, data, tune=tune, folds=5, n_jobs=1)
    assert not found.failures
    checked = 0
    looks = iter(SEEN)
    for name, (X, _) in data.items():
        numbers = X[:, 0].astype(int)
        for learner in ("first", "second"):
            for fold in range(5):
                train, test = (
                    frozenset(numbers[part]) for part in found.comparisons[name].partitions.train_test(0, fold)
                )
                tuning = []
                for who, what, depth, rows in looks:
                    assert who == learner
                    if what == "fit" and rows == train:
                        assert depth == 2
                        break
                    tuning.append((what, rows))
                assert {what for what, _ in tuning} == {"fit", "predict"}
                for _, rows in tuning:
                    assert rows < train
                    assert not rows & test
                    checked += 1
                assert next(looks) == (learner, "predict", 2, test)
    assert next(looks, None) is None
    assert checked >= 100


def test_bonferroni_over_pairs_and_datasets():
    learners = {"a": Knows(misses=tuple(range(15)), depth=2), "b": Knows(misses=tuple(range(15, 50)), depth=2)}
    third = {**learners, "c": Knows(misses=(60,), depth=2)}
    data = {"one": numbered(200), "two": numbered(200, start=100), "three": fp.dataset(*numbered(100))}
    for given, count in ((learners, 3), (third, 9)):
        found = fp.salzberg(given, data)
        assert found.to_dict()["comparisons"] == count
        for comparison in found.comparisons.values():
            for pair in comparison.pairs:
                assert pair.pvalue_adjusted == pytest.approx(min(1.0, count * pair.pvalue))
                assert (pair.verdict != "none") == (pair.pvalue_adjusted <= 0.05)
    assert found.verdict("a", "b", "one").pvalue < 0.05 / 3


def test_mcnemar_is_the_variant():
    learners = {"a": Knows(misses=tuple(range(15)), depth=2), "b": Knows(misses=tuple(range(15, 50)), depth=2)}
    pair = fp.salzberg(learners, *numbered(200), test="mcnemar").verdict("a", "b")
    assert (pair.statistic, pair.pvalue) == pytest.approx((19**2 / 50, stats.chi2.sf(19**2 / 50, 1)))


def test_means_and_variances_are_those_of_the_folds(toy):
    found = fp.salzberg({"tree": DecisionTreeClassifier(max_depth=1), "bayes": GaussianNB()}, *toy, folds=8)
    scores = found.comparison.outcomes["tree"].scores["accuracy"].ravel()
    told = found.to_dict()["datasets"][0]["accuracies"][0]
    assert len(scores) == 8
    assert (told["mean"], told["variance"]) == pytest.approx((scores.mean(), scores.var(ddof=1)))


def test_what_was_not_told_is_printed(toy):
    learners = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}
    bare = fp.salzberg(learners, *toy, tune={"tree": {"max_depth": [1, 2]}})
    text = " ".join(str(bare).split())
    assert "not told: It was not said which learner is most similar to the new one, tree" in text
    assert "not told: It was not said why data was chosen" in text
    assert "not told: No parameters are tuned for bayes" in text
    assert "no_similar_learner" in {advice.code for advice in bare.comparison.advice()}
    tune = {"tree": {"max_depth": [1, 2]}, "bayes": {"var_smoothing": [1e-9, 1e-3]}}
    told = fp.salzberg(learners, *toy, tune=tune, most_similar="bayes", reason="it has noise")
    assert told.not_told == ()
    assert "not told" not in str(told)
    assert "most similar to it is bayes" in " ".join(str(told).split())
    assert "no_similar_learner" not in {advice.code for advice in told.comparison.advice()}


def test_each_dataset_has_its_reason(toy):
    learners = {"tree": DecisionTreeClassifier(max_depth=1), "bayes": GaussianNB()}
    found = fp.salzberg(learners, {"x": toy, "y": toy}, most_similar="bayes", reason={"x": "small"})
    assert (found.reasons, found.not_told[0]) == (
        {"x": "small", "y": None},
        "It was not said why y was chosen: give a reason before looking at the results.",
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"most_similar": "tree"}, "most_similar is 'tree', the new learner itself: name one of the others"),
        ({"most_similar": "byes"}, "unknown learner that is most similar 'byes': did you mean 'bayes'"),
        ({"test": "t"}, "unknown test of this protocol 't'"),
        ({"reason": {"iris": "old"}}, "unknown dataset with a reason 'iris'"),
        ({"folds": 1}, "folds is 1: the data are divided into at least 2 subsets"),
    ],
)
def test_bad_usage(toy, options, sentence):
    with pytest.raises(InputError, match=sentence):
        fp.salzberg({"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}, *toy, **options)


def test_one_run_only(toy):
    learners = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}
    with pytest.raises(InputError, match="has one run and 10 were asked for: over repeated runs the same instances"):
        fp.compare(learners, *toy, procedure="salzberg", runs=10)
    with pytest.raises(InputError, match="counts right and wrong instances and cannot judge 'roc_auc'"):
        fp.compare(learners, *toy, procedure="salzberg", scoring="roc_auc")


def test_what_was_fitted_elsewhere_is_refused(toy):
    frozen = pytest.importorskip("sklearn.frozen").FrozenEstimator
    seen = GaussianNB().fit(*toy)
    for learner in (frozen(seen), CalibratedClassifierCV(frozen(seen))):
        with pytest.raises(InputError, match="'old' brings something that is fitted already .*may have seen the test"):
            fp.salzberg({"old": learner, "bayes": GaussianNB()}, *toy)


def test_looks_and_settings_are_entered_in_the_ledger(toy, tmp_path):
    store = f"sqlite:///{tmp_path}/s.db"
    learners = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}
    found = fp.salzberg(learners, *toy, tune={"tree": {"max_depth": [1, 2, 3]}}, store=store)
    view = fp.read_ledger(store)
    ((entry, _),) = view.looks(view.datasets[0])
    assert [x.settings for x in entry.look.learners] == [3, 1]
    assert found.comparison.to_dict()["ledger"]["look"] == 1


def test_several_datasets_are_well_formed(toy):
    learners = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}
    for data, sentence in (({}, "the mapping of datasets is empty"), ({"x": 3}, "the dataset 'x' is int: give")):
        with pytest.raises(InputError, match=sentence):
            fp.salzberg(learners, data)
    with pytest.raises(InputError, match="leave out y and name"):
        fp.salzberg(learners, {"x": toy}, toy[1])
    with pytest.raises(InputError, match="there are 2 datasets: ask comparisons"):
        fp.salzberg({"d": DummyClassifier(), "bayes": GaussianNB()}, {"x": toy, "y": toy}).verdict("d", "bayes")


def test_from_the_shell(capsys, tmp_path):
    learners = ["-l", "tree=sklearn.tree.DecisionTreeClassifier()", "-l", "bayes=sklearn.naive_bayes.GaussianNB()"]
    tune = ["--tune", "tree={'max_depth': [1, 2, 3]}"]
    page = tmp_path / "s.html"
    base = ["compare", "sklearn:wine", *learners, "--procedure", "salzberg", "--quiet"]
    assert run([*base, *tune, "--most-similar", "bayes", "--json", "--html", str(page)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["procedure"]["name"], told["procedure"]["runs"], told["adjust"]) == ("salzberg", 1, "bonferroni")
    assert told["protocol"]["most_similar"] == "bayes"
    assert len(told["protocol"]["not_told"]) == 2
    assert told["tuning"][0]["settings"] == 3
    assert sum(row["folds"] for row in told["tuning"][0]["counts"]) == 10
    for heading in ("Parameters chosen", "What the protocol was told", "Advice"):
        assert heading in page.read_text()
    assert run([*base, "--folds", "5"]) == 0
    assert "not told: It was not said which learner is most similar" in " ".join(capsys.readouterr().out.split())
    assert run([*base, "--most-similar", "tree"]) == 2
    assert run([*base[:-3], "--reason", "x"]) == 2
    assert "belong to --procedure salzberg" in capsys.readouterr().err
