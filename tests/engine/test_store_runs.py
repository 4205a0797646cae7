"""With a store: nothing is fitted twice, whoever fitted it, and the outcomes are the same wherever they come from."""

import subprocess
import sys
import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import get_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.domain.partitions import Partitions
from foldproof.engine.execute import execute
from foldproof.engine.plan import Plan
from foldproof.engine.task import failed_task, run_tasks
from foldproof.learners import Tuned
from foldproof.learners.learner import gather
from foldproof.partitions import KFold, partition
from foldproof.store import open_store
from foldproof.store.memory import MemoryStore


class Serial:
    """Counts what it was asked to run."""

    def __init__(self):
        self.tasks = []

    def run(self, plan, tasks):
        for learner, run in tasks:
            self.tasks.append((plan.learners[learner].name, plan.first_run + run, tuple(plan.scorers)))
            yield from run_tasks(plan, learner, [run])


class Odd(ClassifierMixin, BaseEstimator):
    """Warns always, and fails where a certain instance is missing."""

    def fit(self, X, y):
        warnings.warn(f"careful with {len(X)}", UserWarning, stacklevel=1)
        self.classes_ = np.unique(y)
        if not (X[:, -1] == 5).any():
            raise RuntimeError("not today")
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


@pytest.fixture
def data(rng):
    y = np.arange(40) % 2
    return fp.dataset(np.column_stack([rng.normal(size=(40, 2)) + y[:, None], np.arange(40)]), y)


ALL = {
    "bayes": GaussianNB(),
    "sgd": SGDClassifier(max_iter=2, tol=1e-9),
    "odd": Odd(),
    "tuned": Tuned(DecisionTreeClassifier(), {"max_depth": [1, 3]}),
}


def plan(data, learners=None, scorings=("accuracy", "f1"), runs=3, folds=4, **options):
    return Plan(
        dataset=data,
        splits=partition(KFold(folds), data, runs=runs, seed=0),
        learners=gather(learners or ALL),
        scorers={name: get_scorer(name) for name in scorings},
        seed=0,
        **options,
    )


def same(one, other):
    assert list(one) == list(other)
    for name in one:
        a, b = one[name], other[name]
        assert list(a.scores) == list(b.scores)
        for scoring in a.scores:
            assert a.scores[scoring].tobytes() == b.scores[scoring].tobytes()
        assert np.array_equal(a.predictions, b.predictions, equal_nan=True)
        assert (a.failures, a.notes, a.chosen, a.fast_paths) == (b.failures, b.notes, b.chosen, b.fast_paths)
        assert (a.learner, a.dataset, a.partitions) == (b.learner, b.dataset, b.partitions)


@pytest.fixture(params=["memory", "sqlite"])
def store(request, tmp_path):
    url = "memory://" if request.param == "memory" else f"sqlite:///{tmp_path / 'results.db'}"
    with open_store(url) as found:
        yield found


def test_outcomes_are_the_same_without_a_store_with_one_and_from_one(data, store):
    serial = Serial()
    without = execute(plan(data), executor=Serial())
    same(without, execute(plan(data), store=store, executor=serial))
    assert len(serial.tasks) == 12 == store.count()
    same(without, execute(plan(data), store=store, executor=serial))
    assert len(serial.tasks) == 12
    assert without["bayes"].fast_paths == ("bayes: gaussian-naive-bayes",)
    assert len(without["odd"].failures) == 3
    assert without["tuned"].chosen is not None
    assert without["sgd"].notes


def test_what_is_added_costs_what_is_new(data, store):
    serial = Serial()
    execute(plan(data, {"a": GaussianNB(), "b": Odd()}, runs=2), store=store, executor=serial)
    serial.tasks.clear()
    more = plan(data, {"renamed": GaussianNB(), "b": Odd(), "c": DecisionTreeClassifier()}, runs=3)
    found = execute(more, store=store, executor=serial)
    wanted = [("c", 0), ("c", 1), ("renamed", 2), ("b", 2), ("c", 2)]
    assert [task[:2] for task in serial.tasks] == wanted
    same(found, execute(more, executor=Serial()))


def test_runs_are_absolute(data, store):
    whole = plan(data, runs=3)
    execute(whole, store=store, executor=Serial())
    part = Partitions(whole.splits.test_fold[1:], scheme="k-fold")
    later = Plan(data, part, whole.learners, whole.scorers, 0, first_run=1)
    serial = Serial()
    same(execute(later, executor=Serial()), execute(later, store=store, executor=serial))
    assert serial.tasks == []
    elsewhere = Plan(data, part, whole.learners, whole.scorers, 0, first_run=2)
    execute(elsewhere, store=store, executor=serial)
    assert {task[1] for task in serial.tasks} == {2, 3}


def test_a_new_metric_is_computed_from_stored_predictions(data, store):
    execute(plan(data, scorings=["accuracy"]), store=store, executor=Serial())
    serial = Serial()
    more = plan(data, scorings=["accuracy", "f1", "balanced_accuracy", "precision"])
    found = execute(more, store=store, executor=serial)
    assert serial.tasks == []
    same(found, execute(more, executor=Serial()))
    same(found, execute(more, store=store, executor=serial))
    assert {name for cell in store.cells() for name in cell.scores} == {
        "accuracy",
        "f1",
        "balanced_accuracy",
        "precision",
    }


def test_a_metric_that_needs_more_is_fitted_alone(data, store):
    learners = {"tree": DecisionTreeClassifier(max_depth=2), "stump": DecisionTreeClassifier(max_depth=1)}
    execute(plan(data, learners, ["accuracy"]), store=store, executor=Serial())
    serial = Serial()
    more = plan(data, learners, ["accuracy", "neg_log_loss"])
    same(execute(more, store=store, executor=serial), execute(more, executor=Serial()))
    assert {task[2] for task in serial.tasks} == {("neg_log_loss",)}
    assert len(serial.tasks) == 6


def test_errors_of_regressors_from_predictions(rng, store):
    from sklearn.linear_model import Ridge
    from sklearn.neighbors import KNeighborsRegressor

    X = rng.normal(size=(40, 2))
    data = fp.dataset(X, X[:, 0] + rng.normal(size=40))
    learners = {"near": KNeighborsRegressor(), "ridge": Ridge()}
    execute(plan(data, learners, ["r2"]), store=store, executor=Serial())
    serial, more = Serial(), plan(data, learners, ["r2", "neg_root_mean_squared_error", "neg_max_error"])
    same(execute(more, store=store, executor=serial), execute(more, executor=Serial()))
    assert serial.tasks == []


def test_what_failed_for_want_of_time_is_run_again_where_there_is_more(data, store):
    class Slow(Serial):
        def run(self, plan, tasks):
            for learner, run in tasks:
                if plan.learners[learner].name == "odd" and run == 1:
                    yield failed_task(plan, learner, run, "time_limit", "longer than 1 s", again=1.0)
                else:
                    yield from super().run(plan, [(learner, run)])

    first = execute(plan(data, time_limit=1.0), store=store, executor=Slow())
    assert len(first["odd"].failures) == 2 + 4
    serial = Serial()
    same(first, execute(plan(data, time_limit=0.5), store=store, executor=serial))
    assert serial.tasks == []
    same(execute(plan(data), executor=Serial()), execute(plan(data), store=store, executor=serial))
    assert [task[:2] for task in serial.tasks] == [("odd", 1)]
    assert store.count() == 12


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_what_was_finished_is_kept_whatever_ends_the_work(data, store, error):
    class Ends(Serial):
        def run(self, plan, tasks):
            yield from super().run(plan, tasks[:5])
            raise error

    with pytest.raises(error):
        execute(plan(data), store=store, executor=Ends())
    assert store.count() == 5
    serial = Serial()
    same(execute(plan(data), store=store, executor=serial), execute(plan(data), executor=Serial()))
    assert len(serial.tasks) == 7


def test_a_store_that_cannot_be_written_ends_the_work_with_its_sentence(data):
    from foldproof.store import StoreError

    class Full(MemoryStore):
        def write(self, cells):
            raise StoreError("the disk is full")

    with pytest.raises(StoreError, match="the disk is full"):
        execute(plan(data), store=Full(), executor=Serial())


def test_a_finished_plan_is_read_without_writing(data, tmp_path):
    class Closed(MemoryStore):
        closed = False

        def _refuse(self, *given):
            assert not self.closed

        def add_dataset(self, record):
            self._refuse()
            super().add_dataset(record)

        def add_series(self, series):
            self._refuse()
            super().add_series(series)

        def write(self, cells):
            self._refuse()
            return super().write(cells)

    store = Closed()
    first = execute(plan(data), store=store, executor=Serial())
    store.closed = True
    same(first, execute(plan(data), store=store, executor=Serial()))


WORK = """
import sys, time
from pathlib import Path
import numpy as np
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
import foldproof as fp

folder = Path(sys.argv[1])
(folder / f"ready-{sys.argv[2]}").touch()
while not all((folder / f"ready-{i}").exists() for i in "01"):
    time.sleep(0.01)
found = fp.compare(
    {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()},
    np.random.default_rng(1).normal(size=(60, 3)), np.arange(60) % 2,
    procedure="corrected-repeated-cv", runs=12, folds=5, store=f"sqlite:///{folder}/shared.db", n_jobs=1,
)
print(found.pair("tree", "bayes").pvalue)
"""


@pytest.mark.slow
def test_two_programs_with_one_plan_both_finish_and_nothing_is_there_twice(tmp_path):
    both = [
        subprocess.Popen(
            [sys.executable, "-c", WORK, str(tmp_path), str(number)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for number in range(2)
    ]
    told = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0], told
    assert told[0][0] == told[1][0]
    with open_store(f"sqlite:///{tmp_path}/shared.db") as store:
        assert store.count() == 24
        assert len(store.series()) == 2


def test_an_estimator_without_a_text_runs_and_is_told_of(toy):
    X, y = toy
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer

    learners = {"bayes": GaussianNB(), "odd": make_pipeline(FunctionTransformer(lambda X: X), GaussianNB())}
    store = MemoryStore()
    size = {"procedure": "corrected-repeated-cv", "runs": 2, "folds": 3}
    found = fp.compare(learners, X, y, store=store, **size)
    assert [w for w in found.warnings if w.startswith("not_found_again: 'odd' holds ")]
    assert store.count() == 4
    fp.compare(learners, X, y, store=store, **size)
    assert store.count() == 4
    assert not [w for w in fp.compare(learners, X, y, **size).warnings if w.startswith("not_found_again")]


def test_stored_predictions_are_read_only_where_they_may_save_a_fit(data, store, monkeypatch):
    learners = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier()}
    execute(plan(data, learners, scorings=["accuracy"]), store=store, executor=Serial())
    read, whole = [], type(store).predictions
    monkeypatch.setattr(type(store), "predictions", lambda self, series: read.append(series) or whole(self, series))
    execute(plan(data, learners, scorings=["accuracy"], runs=5), store=store, executor=Serial())
    assert read == []
    execute(plan(data, learners, scorings=["accuracy", "f1"]), store=store, executor=Serial())
    assert len(read) == 2
