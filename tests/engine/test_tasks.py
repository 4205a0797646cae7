"""Tasks: at once or fold by fold, the scores are the same to the last bit."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer, get_scorer_names, make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.engine.from_predictions import scores_predictions
from foldproof.engine.plan import Plan
from foldproof.engine.task import failed_task, run_task, run_tasks
from foldproof.learners.learner import gather
from foldproof.partitions import KFold, partition

PREDICTING = [name for name in get_scorer_names() if scores_predictions(get_scorer(name))]
COMMON = ["accuracy", "balanced_accuracy", "f1_macro", "matthews_corrcoef"]
ERRORS = ["neg_mean_squared_error", "neg_root_mean_squared_error", "neg_mean_absolute_error", "r2", "neg_max_error"]


def plan(data, learners, scorings=("accuracy",), runs=3, folds=4, **options):
    return Plan(
        dataset=data,
        splits=partition(KFold(folds), data, runs=runs, seed=1),
        learners=gather(learners),
        scorers={name: get_scorer(name) for name in scorings},
        seed=1,
        **options,
    )


def same(one, other):
    assert (one.learner, one.run) == (other.learner, other.run)
    assert list(one.scores) == list(other.scores)
    for name in one.scores:
        assert one.scores[name].tobytes() == other.scores[name].tobytes(), name
    assert np.array_equal(one.predictions, other.predictions, equal_nan=True)
    assert dict(one.remarks) == dict(other.remarks)
    assert one.chosen == other.chosen


def check(made, method):
    """Compare every learner's runs, at once and fold by fold."""
    for learner in range(len(made.learners)):
        runs = list(range(made.splits.runs))
        found = run_tasks(made, learner, runs)
        assert {r.method for r in found} == {method}
        for run, result in zip(runs, found, strict=True):
            same(result, run_task(made, learner, run))


@pytest.fixture
def two(rng):
    y = np.arange(50) % 2
    return fp.dataset(rng.normal(size=(50, 3)) + y[:, None], y)


LABELS = {
    "numbers": [3, 7, 9],
    "words": ["no", "perhaps", "yes"],
    "objects": np.array(["b", "a", "c"], dtype=object),
    "halves": [1.0, 2.0, 5.0],
}


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("scoring", [["accuracy"], COMMON])
def test_scores_at_once_are_those_of_fitting_fold_by_fold(kind, scoring, rng):
    place = np.arange(60) % 3
    data = fp.dataset(rng.normal(size=(60, 2)) + place[:, None] / 2, np.asarray(LABELS[kind])[place])
    for learner, method in [
        (GaussianNB(), "gaussian-naive-bayes"),
        (KNeighborsClassifier(3), "nearest-neighbours"),
        (make_pipeline(StandardScaler(), GaussianNB()), "standardised-gaussian-naive-bayes"),
        ("c45", "c45"),
    ]:
        check(plan(data, [learner, learner], scoring), method)


@pytest.mark.parametrize("scoring", PREDICTING)
def test_every_scorer_of_predictions_is_answered_as_by_a_fitted_estimator(scoring, two):
    check(plan(two, [GaussianNB(), GaussianNB()], [scoring], runs=2), "gaussian-naive-bayes")


def test_errors_of_regressors(rng):
    X = rng.normal(size=(83, 3))
    for target in (X[:, 0] * 1e3 + rng.normal(size=83), np.rint(10 * X[:, 0]).astype(int)):
        data = fp.dataset(X, target, task="regression")
        check(
            plan(data, [KNeighborsRegressor(2), KNeighborsRegressor(5, weights="distance")], ERRORS),
            "nearest-neighbours",
        )


def test_many_classes_are_warned_of_in_the_same_folds(rng):
    data = fp.dataset(rng.normal(size=(75, 2)), np.arange(75) % 37)
    made = plan(data, [KNeighborsClassifier(), KNeighborsClassifier()], runs=1, folds=3)
    check(made, None)
    assert run_tasks(made, 0, [0])[0].remarks[""].grumbles[0].folds == (0, 1, 2)


def test_what_needs_more_than_predictions_is_fitted(two):
    for scoring in (["roc_auc"], ["accuracy", "neg_log_loss"]):
        check(plan(two, [GaussianNB(), KNeighborsClassifier()], scoring), None)
    made = plan(two, [GaussianNB(), GaussianNB()])
    own = Plan(two, made.splits, made.learners, {"mine": lambda estimator, X, y: estimator.theta_[0, 0]}, 1)
    check(own, None)
    sized = Plan(two, made.splits, made.learners, {"half": make_scorer(lambda y, p: 0.5 * np.mean(y == p))}, 1)
    check(sized, "gaussian-naive-bayes")


def test_fast_false_fits(two):
    check(plan(two, [GaussianNB(), GaussianNB()], fast=False), None)


def test_a_fold_in_which_a_fit_would_fail_fails_alone(rng):
    X = rng.normal(size=(12, 2))
    data = fp.dataset(X, np.arange(12) % 2)
    # Nine instances are left to train on, and ten neighbours are asked for.
    made = plan(data, [KNeighborsClassifier(10), GaussianNB()])
    found = run_tasks(made, 0, [0, 1])
    assert [r.failures for r in found] == [4, 4]
    assert found[0].remarks[""].faults[0].kind == "predict_raised"
    for result in found:
        same(result, run_task(made, 0, result.run))


class Warns(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        warnings.warn("careful", UserWarning, stacklevel=1)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        warnings.warn("again", UserWarning, stacklevel=1)
        return np.full(len(X), self.classes_[0])


def test_warnings_are_remarked_under_what_gave_them(two):
    made = plan(two, {"w": Warns(), "b": GaussianNB()}, ["accuracy", "f1", "precision"], runs=1, folds=2)
    remarks = run_task(made, 0, 0).remarks
    assert [(g.kind, g.text, g.folds) for g in remarks[""].grumbles] == [("UserWarning", "careful", (0, 1))]
    assert set(remarks) == {"", "precision"}
    assert remarks["precision"].grumbles[0].kind == "UndefinedMetricWarning"


def test_a_plan_travels_without_its_methods(two):
    made = plan(two, [GaussianNB(), DecisionTreeClassifier()])
    first = run_tasks(made, 0, [0, 2])
    assert made.methods.of(made.learners[0].estimator, two) is made.methods.of(made.learners[0].estimator, two)
    travelled = pickle.loads(pickle.dumps(made))
    for mine, theirs in zip(first, run_tasks(travelled, 0, [0, 2]), strict=True):
        same(mine, theirs)


def test_a_task_of_which_nothing_came_back(two):
    made = plan(two, [GaussianNB(), LogisticRegression()])
    lost = failed_task(made, 1, 2, "time_limit", "longer than 1 s", again=1.0)
    assert (lost.learner, lost.run, lost.failures, lost.again) == (1, 2, 4, 1.0)
    assert np.isnan(lost.scores["accuracy"]).all()
