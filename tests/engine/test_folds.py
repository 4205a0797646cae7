"""Fitting fold by fold with less to do comes out as by the book: scores, predictions, warnings and texts of errors."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer
from sklearn.decomposition import PCA
from sklearn.ensemble import BaggingClassifier, GradientBoostingClassifier, RandomForestClassifier, VotingClassifier
from sklearn.linear_model import Lasso, LogisticRegression, Ridge, SGDClassifier
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.engine.plan import Plan
from foldproof.engine.shortcuts import Way
from foldproof.engine.task import run_task
from foldproof.learners.copies import Copies
from foldproof.learners.learner import gather
from foldproof.partitions import KFold, partition


class Changes(ClassifierMixin, BaseEstimator):
    """Works on what it was handed, and not on a copy."""

    def fit(self, X, y):
        X -= X.mean(axis=0)
        self.scale_ = float(X.std())
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        X *= 2.0
        return (X[:, 0] > self.scale_).astype(int)


class Returns(ClassifierMixin, BaseEstimator):
    """Predicts something odd."""

    def __init__(self, what="short"):
        self.what = what

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        n = len(X)
        return {
            "short": np.zeros(n - 1, dtype=int),
            "one": np.zeros(1, dtype=int),
            "nan": np.full(n, np.nan),
            "texts": np.full(n, "yes"),
            "objects": np.array([0] * n, dtype=object),
            "unknown": np.full(n, 7),
            "floats": np.ones(n),
            "none": None,
        }[self.what]


class Reads(ClassifierMixin, BaseEstimator):
    """Keeps a count of its copies, so that its constructor does more than assign."""

    made = 0

    def __init__(self, depth=1, random_state=None):
        self.depth, self.random_state = depth, random_state
        type(self).made += 1
        self.number = type(self).made

    def fit(self, X, y):
        self.tree_ = DecisionTreeClassifier(max_depth=self.depth, random_state=self.random_state).fit(X, y)
        self.classes_ = self.tree_.classes_
        return self

    def predict(self, X):
        return self.tree_.predict(X)


LEARNERS = {
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(),
    "forest": RandomForestClassifier(n_estimators=3),
    "sgd": SGDClassifier(max_iter=3),
    "network": MLPClassifier(hidden_layer_sizes=(3,), max_iter=3),
    "near": KNeighborsClassifier(200),
    "svc": SVC(probability=False),
    "logistic": LogisticRegression(max_iter=2),
    "boosted": GradientBoostingClassifier(n_estimators=2),
    "bagged": BaggingClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=3),
    "vote": VotingClassifier([("a", GaussianNB()), ("b", DecisionTreeClassifier(max_depth=1))]),
    "pipe": make_pipeline(StandardScaler(copy=False), PCA(2, random_state=np.random.RandomState(3)), GaussianNB()),
    "infinite": make_pipeline(FunctionTransformer(lambda X: X / (X[:, :1] - X.max())), GaussianNB()),
    "invalid": DecisionTreeClassifier(max_depth=-3),
    "invalid inside": make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=-3)),
    "grid": GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [-5, 2]}, cv=2),
    "random": RandomizedSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2, 3]}, n_iter=2, cv=2),
    "changes": Changes(),
    "reads": Reads(),
    **{
        f"returns {what}": Returns(what)
        for what in ["short", "one", "nan", "texts", "objects", "unknown", "floats", "none"]
    },
}
SCORINGS = ["accuracy", "f1", "roc_auc"]


def told(result):
    return (
        {name: values.tobytes() for name, values in result.scores.items()},
        None if result.predictions is None else result.predictions.tobytes(),
        dict(result.remarks),
        result.chosen,
    )


def plan(learners, scorings=SCORINGS, data=None, folds=4):
    if data is None:
        X, y = load_breast_cancer(return_X_y=True)
        data = fp.dataset(X[:240], y[:240])
    return Plan(
        dataset=data,
        splits=partition(KFold(folds), data, runs=2, seed=3),
        learners=gather(learners),
        scorers={name: get_scorer(name) for name in scorings},
        seed=3,
        fast=False,
    )


def by_the_book(made, monkeypatch):
    """Return the results of fits that share nothing and leave nothing out."""
    with monkeypatch.context() as patch:
        patch.setattr(Way, "shared", property(lambda self: False))
        patch.setattr("foldproof.engine.folds.plain_metric", lambda scorer: None)
        patch.setattr("foldproof.learners.copies._maker", lambda *given: None)
        return [told(run_task(made, learner, run)) for run in range(2) for learner in range(len(made.learners))]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("scorings", [["accuracy"], SCORINGS], ids=["accuracy", "several"])
def test_the_same_comes_out_as_by_the_book(name, scorings, monkeypatch):
    both = {name: LEARNERS[name], "beside": GaussianNB()}
    expected = by_the_book(plan(both, scorings), monkeypatch)
    made = plan(both, scorings)
    found = [told(run_task(made, learner, run)) for run in range(2) for learner in range(2)]
    assert found == expected


@pytest.mark.parametrize("scorings", [["r2"], ["neg_root_mean_squared_error", "neg_mean_absolute_error", "r2"]])
def test_regressors_too(scorings, rng, monkeypatch):
    X = rng.normal(size=(90, 3))
    for y in (X[:, 0] + rng.normal(size=90), np.rint(9 * X[:, 0]).astype(int), (1e200 * X[:, 0]) ** 1):
        data = fp.dataset(X, y, task="regression")
        learners = {"ridge": Ridge(copy_X=False), "lasso": Lasso(0.1, copy_X=False)}
        expected = by_the_book(plan(learners, scorings, data), monkeypatch)
        made = plan(learners, scorings, data)
        assert [told(run_task(made, learner, run)) for run in range(2) for learner in range(2)] == expected


def test_a_wrong_number_of_predictions_is_told():
    made = plan({"short": Returns("short"), "one": Returns("one")})
    texts = {fault.message for learner in (0, 1) for fault in run_task(made, learner, 0).remarks[""].faults}
    assert texts == {
        "ValueError: predict gave 59 values for 60 instances; one value per instance is expected",
        "ValueError: predict gave 1 values for 60 instances; one value per instance is expected",
    }


def test_rows_are_cut_once_for_all_learners_and_nobody_can_change_them(monkeypatch):
    made = plan({"a": GaussianNB(), "b": DecisionTreeClassifier(), "c": KNeighborsClassifier()})
    cut = []
    divide = type(made.splits).train_test
    monkeypatch.setattr(type(made.splits), "train_test", lambda *given: cut.append(given[1:]) or divide(*given))
    for learner in range(3):
        run_task(made, learner, 0)  # the first fold of each is fitted by the book
    assert sorted(cut) == sorted([(0, 0)] * 3 + [(0, 1), (0, 2), (0, 3)])
    rows = made.shortcuts.rows(made, 0, 1)
    for array in (*rows.of(made.dataset.X), rows.y_train, rows.y_test):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_large_data_are_not_kept_cut(monkeypatch):
    monkeypatch.setattr("foldproof.engine.shortcuts.ROOM", 10)
    made = plan({"a": GaussianNB(), "b": GaussianNB()})
    assert made.shortcuts.rows(made, 0, 1) is not made.shortcuts.rows(made, 0, 1)


@pytest.mark.parametrize("name", LEARNERS)
def test_copies_are_those_of_clone(name):
    from sklearn.base import clone

    copies, estimator = Copies(), LEARNERS[name]
    made = [copies.fresh(estimator, lambda key: 5) for _ in range(3)]
    wanted = clone(estimator)
    wanted.set_params(
        **{k: 5 for k, v in wanted.get_params(deep=True).items() if k.endswith("random_state") and v is None}
    )
    for one in made:
        assert type(one) is type(wanted)
        assert repr(one.get_params()) == repr(wanted.get_params()) or "RandomState" in repr(one.get_params())
        for key, value in one.get_params(deep=True).items():
            if hasattr(value, "get_params"):
                assert value is not estimator.get_params(deep=True)[key]
