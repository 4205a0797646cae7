"""The engine: fits once, shares, isolates failures, and gives the same on any number of workers."""

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import get_scorer
from sklearn.model_selection import ParameterGrid, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.domain.errors import InputError
from foldproof.domain.partitions import Partitions
from foldproof.engine.events import TaskFinished
from foldproof.engine.execute import execute as execute_plan
from foldproof.engine.local import Local, workers
from foldproof.engine.plan import Plan
from foldproof.learners.learner import gather
from foldproof.partitions import KFold, partition


def execute(plan, n_jobs=None, on_event=None):
    return execute_plan(plan, executor=Local(n_jobs), on_event=on_event)


class Counting(ClassifierMixin, BaseEstimator):
    """Counts its fits and predictions, over all copies."""

    fits = 0
    predictions = 0

    def fit(self, X, y):
        type(self).fits += 1
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        type(self).predictions += 1
        return np.full(len(X), self.classes_[0])


class Moody(ClassifierMixin, BaseEstimator):
    """Raises in the fold that tests a certain instance."""

    def __init__(self, how="fit"):
        self.how = how

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if self.how == "fit" and not (X[:, -1] == 5).any():
            raise RuntimeError("not today\nand not tomorrow")
        return self

    def predict(self, X):
        if self.how == "predict" and (X[:, -1] == 5).any():
            raise ValueError("no idea")
        if self.how == "shape" and (X[:, -1] == 5).any():
            return np.zeros((len(X), 2))
        return np.full(len(X), self.classes_[0])


@pytest.fixture
def data(rng):
    X = np.column_stack([rng.normal(size=(30, 2)), np.arange(30)])
    return fp.dataset(X, np.arange(30) % 2)


def plan(data, learners, scorings=("accuracy",), runs=2, folds=3, seed=0):
    return Plan(
        dataset=data,
        splits=partition(KFold(folds), data, runs=runs, seed=seed),
        learners=gather(learners),
        scorers={name: get_scorer(name) for name in scorings},
        seed=seed,
    )


def test_one_fit_and_one_prediction_a_fold_whatever_is_scored(data):
    Counting.fits = Counting.predictions = 0
    execute(plan(data, {"a": Counting(), "b": GaussianNB()}, ("accuracy", "f1", "balanced_accuracy")), n_jobs=1)
    assert (Counting.fits, Counting.predictions) == (6, 6)


def test_scores_are_those_of_cross_validate(data):
    scorings = ("accuracy", "roc_auc", "neg_log_loss", "average_precision")
    made = plan(data, {"a": GaussianNB(), "b": DecisionTreeClassifier(random_state=3, max_depth=2)}, scorings)
    outcomes = execute(made)
    for learner in made.learners:
        theirs = cross_validate(learner.estimator, data.X, data.y, cv=made.splits, scoring=list(scorings))
        for name in scorings:
            assert outcomes[learner.name].scores[name].ravel().tolist() == theirs[f"test_{name}"].tolist()


def test_predictions_are_kept_as_codes_for_each_run(data):
    made = plan(data, {"a": GaussianNB(), "b": GaussianNB()})
    outcome = execute(made)["a"]
    for run in range(2):
        for fold in range(3):
            train, test = made.splits.train_test(run, fold)
            expected = GaussianNB().fit(data.X[train], data.y[train]).predict(data.X[test])
            assert outcome.predictions[run, test].tolist() == expected.tolist()


def test_instances_that_are_not_tested_have_no_prediction(data):
    made = plan(data, {"a": GaussianNB(), "b": GaussianNB()})
    partitions = Partitions(np.where(made.splits.test_fold == 0, 0, -1))
    outcome = execute(Plan(data, partitions, made.learners, made.scorers, 0))["a"]
    assert np.array_equal(np.isnan(outcome.predictions), partitions.test_fold == -1)


@pytest.mark.parametrize("jobs", [2, "threads", "config"])
def test_any_way_of_running_gives_the_same(data, jobs):
    made = plan(data, {"sgd": SGDClassifier(max_iter=1000), "tree": DecisionTreeClassifier()}, runs=3)
    alone = execute(made, n_jobs=1)
    if jobs == "threads":
        with parallel_config(backend="threading", n_jobs=2):
            other = execute(made)
    elif jobs == "config":
        with parallel_config(backend="loky", n_jobs=2):
            other = execute(made)
    else:
        other = execute(made, n_jobs=jobs)
    for name, outcome in alone.items():
        assert np.array_equal(outcome.scores["accuracy"], other[name].scores["accuracy"])
        assert np.array_equal(outcome.predictions, other[name].predictions)


@pytest.mark.parametrize(
    ("how", "kind", "message"),
    [
        ("fit", "fit_raised", "RuntimeError: not today"),
        ("predict", "predict_raised", "ValueError: no idea"),
        ("shape", "predict_raised", "ValueError: predict gave an array of shape (10, 2); one value per instance"),
    ],
)
def test_a_learner_that_fails_in_some_folds_is_told_and_spares_the_others(data, how, kind, message):
    outcomes = execute(plan(data, {"moody": Moody(how), "bayes": GaussianNB()}))
    failures = outcomes["moody"].failures
    assert [(f.learner, f.run, f.kind) for f in failures] == [("moody", 0, kind), ("moody", 1, kind)]
    assert all(f.message.startswith(message) for f in failures)
    scores = outcomes["moody"].scores["accuracy"]
    assert np.isnan(scores).sum() == 2
    assert all(np.isnan(scores[f.run, f.fold]) for f in failures)
    assert not outcomes["moody"].complete("accuracy")
    assert outcomes["bayes"].complete("accuracy")


def test_a_score_that_is_not_a_number_is_a_failure(data):
    def silly(estimator, X, y):
        return float("nan")

    made = plan(data, {"a": GaussianNB(), "b": GaussianNB()})
    outcome = execute(Plan(data, made.splits, made.learners, {"silly": silly}, 0))["a"]
    assert len(outcome.failures) == 6
    assert {(f.kind, f.message) for f in outcome.failures} == {("score_not_finite", "silly is nan")}


def test_a_learner_that_does_not_converge_is_a_note(data):
    outcome = execute(plan(data, {"sgd": SGDClassifier(max_iter=1, tol=1e-9), "nb": GaussianNB()}))["sgd"]
    assert len(outcome.notes) == 1
    assert outcome.notes[0].startswith("not_converged: 'sgd' in 6 of 6 fits: ConvergenceWarning: Maximum number")


def test_progress_is_told_run_by_run(data):
    told = []
    execute(plan(data, {"a": GaussianNB(), "m": Moody()}), n_jobs=1, on_event=told.append)
    assert all(isinstance(event, TaskFinished) for event in told)
    assert [event.done for event in told] == [1, 2, 3, 4]
    assert {event.total for event in told} == {4}
    assert told[-1].failures == 2


def test_open_random_states_come_from_the_address_and_given_ones_stay(data):
    from sklearn.ensemble import BaggingClassifier

    learner = gather({"bag": BaggingClassifier(DecisionTreeClassifier(random_state=5)), "b": GaussianNB()})[0]
    address = plan(data, {"a": GaussianNB(), "b": GaussianNB()}).address
    first, again, other = (learner.fresh(address(r), f) for r, f in [(0, 0), (0, 0), (0, 1)])
    assert first.random_state == again.random_state != other.random_state
    assert first.estimator.random_state == 5
    assert learner.estimator.random_state is None
    assert learner.given_random_states == ("estimator__random_state",)


def test_random_states_inside_grids_and_splitters_come_from_the_address_too(data):
    from sklearn.model_selection import GridSearchCV, KFold, ShuffleSplit
    from sklearn.pipeline import Pipeline

    from foldproof.learners import Tuned

    tree, fixed = DecisionTreeClassifier(), DecisionTreeClassifier(random_state=5)
    grid = {"c": [tree, fixed], "c__max_depth": [1, 2]}
    pipe = Pipeline([("c", GaussianNB())])
    given = {
        "search": GridSearchCV(pipe, [grid], cv=ShuffleSplit(3)),
        "tuned": Tuned(pipe, ParameterGrid(grid)),
        "plain": GridSearchCV(pipe, grid, cv=KFold(3)),
    }
    address = plan(data, {"a": GaussianNB(), "b": GaussianNB()}).address
    search, tuned, plain = gather(given)
    drawn = []
    for run, fold in [(0, 0), (0, 0), (0, 1), (1, 0)]:
        copy = search.fresh(address(run), fold)
        (inner, kept) = copy.param_grid[0]["c"]
        drawn.append((copy.cv.random_state, inner.random_state))
        assert kept.random_state == 5
    assert drawn[0] == drawn[1]
    assert len({state for pair in drawn for state in pair}) == 6
    inner, kept = tuned.fresh(address(0), 0).settings.param_grid[0]["c"]
    assert (isinstance(inner.random_state, int), kept.random_state) == (True, 5)
    assert plain.fresh(address(0), 0).cv.random_state is None
    assert (tree.random_state, given["search"].cv.random_state) == (None, None)


def test_a_frozen_estimator_is_nobody_s_to_change(data):
    frozen = pytest.importorskip("sklearn.frozen").FrozenEstimator
    fitted = DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1])
    address = plan(data, {"a": GaussianNB(), "b": GaussianNB()}).address
    gather({"f": frozen(fitted), "b": GaussianNB()})[0].fresh(address(0), 0)
    assert fitted.random_state is None


def test_a_learner_with_a_grid_of_estimators_is_the_same_twice(data):
    from sklearn.model_selection import GridSearchCV, KFold
    from sklearn.pipeline import Pipeline
    from sklearn.tree import ExtraTreeClassifier

    depths = {"c": [ExtraTreeClassifier(max_depth=d) for d in (1, 2, 3)]}
    search = GridSearchCV(Pipeline([("c", GaussianNB())]), depths, cv=KFold(3, shuffle=True))
    first, again = (execute(plan(data, {"s": search, "b": GaussianNB()}), n_jobs=1)["s"] for _ in range(2))
    assert first.scores["accuracy"].tolist() == again.scores["accuracy"].tolist()


def test_estimators_are_never_fitted_in_place(data):
    tree = DecisionTreeClassifier()
    execute(plan(data, {"a": tree, "b": GaussianNB()}))
    assert not hasattr(tree, "tree_")
    assert tree.random_state is None


@pytest.mark.parametrize("n_jobs", [0, 2.5, "2", True])
def test_what_is_no_number_of_processes_is_refused(n_jobs):
    with pytest.raises(InputError, match=r"n_jobs is .*: give a number of processes, or -1 for one per processor"):
        workers(n_jobs, 3)
    with pytest.raises(InputError, match="n_jobs is"):
        fp.compare(
            [GaussianNB(), DecisionTreeClassifier()], [[0.0], [1.0]] * 5, [0, 1] * 5, procedure="5x2cv", n_jobs=n_jobs
        )


def test_there_are_no_more_processes_than_jobs():
    assert [workers(n, 3).n_jobs for n in (1, 2, 1000)] == [1, 2, 3]
    with parallel_config(n_jobs=2):
        assert workers(None, 3).n_jobs == 2


class Leaving(Counting):
    def fit(self, X, y):
        raise SystemExit(3)


def test_a_learner_that_would_leave_the_program_is_a_failure(data):
    found = fp.compare([Leaving(), GaussianNB()], data.X, data.y, procedure="5x2cv")
    assert {failure["message"] for failure in found.failures} == {"SystemExit: 3"}
