"""Worker processes: the same results, and nobody suffers for a fit that hangs, dies or prints."""

import signal
import sys
import time

import numpy as np
import pytest
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import get_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from engine.bad import Bad, Unreadable
from engine.rows import rows
from foldproof.domain.errors import InputError
from foldproof.engine import pool
from foldproof.engine.execute import execute
from foldproof.engine.local import Local
from foldproof.engine.payload import Payload
from foldproof.engine.plan import Plan
from foldproof.learners import Tuned
from foldproof.learners.learner import gather
from foldproof.partitions import KFold, partition
from foldproof.store import open_store


@pytest.fixture
def data(rng):
    y = np.arange(40) % 2
    return fp.dataset(np.column_stack([rng.normal(size=(40, 2)) + y[:, None], np.arange(40)]), y)


def plan(data, learners, runs=1, folds=4, **options):
    return Plan(
        dataset=data,
        splits=partition(KFold(folds), data, runs=runs, seed=0),
        learners=gather(learners),
        scorers={name: get_scorer(name) for name in ("accuracy", "f1")},
        seed=0,
        **options,
    )


def test_one_process_and_two_give_the_same_rows(data, tmp_path):
    learners = {
        "bayes": GaussianNB(),
        "sgd": SGDClassifier(max_iter=2, tol=1e-9),
        "bad": Bad("none"),
        "tuned": Tuned(DecisionTreeClassifier(), {"max_depth": [1, 3]}),
    }
    urls = [f"sqlite:///{tmp_path / name}.db" for name in ("one", "two")]
    for jobs, url in enumerate(urls, 1):
        with open_store(url) as store:
            execute(plan(data, learners, runs=6), store=store, executor=Local(jobs))
    assert len(rows(urls[0])) == 24
    assert rows(urls[0]) == rows(urls[1])


@pytest.mark.parametrize(("how", "jobs"), [("sleep", 1), ("never", 2)])
def test_a_fit_that_hangs_is_stopped_and_its_run_failed(data, how, jobs, tmp_path):
    begin = time.monotonic()
    with open_store(f"sqlite:///{tmp_path / 'results.db'}") as store:
        made = plan(data, {"bad": Bad(how), "bayes": GaussianNB()}, time_limit=0.5)
        found = execute(made, store=store, executor=Local(jobs))
        assert time.monotonic() - begin < 60
        assert {(f.kind, f.message) for f in found["bad"].failures} == {
            ("time_limit", "a fit took longer than the limit of 0.5 s, and was stopped")
        }
        assert len(found["bad"].failures) == 4
        assert np.isnan(found["bad"].scores["accuracy"]).all()
        assert found["bayes"].complete("accuracy")
        assert store.count() == 2
        assert [cell.again for cell in store.cells()].count(0.5) == 1
        # With the same limit it is left as it is; with a higher one it is tried again.
        again = plan(data, {"bad": Bad(how), "bayes": GaussianNB()}, time_limit=0.4)
        execute(again, store=store, executor=None)
        if how == "sleep":
            more = plan(data, {"bad": Bad(how), "bayes": GaussianNB()}, time_limit=0.6)
            execute(more, store=store, executor=Local(1))
            assert [cell.again for cell in store.cells()].count(0.6) == 1
            assert store.count() == 2


@pytest.mark.parametrize(("how", "said"), [("die", "signal SIGKILL"), ("exit", "exit code 7")])
def test_a_fit_that_kills_its_process_fails_alone(data, how, said, tmp_path):
    with open_store(f"sqlite:///{tmp_path / 'results.db'}") as store:
        learners = {"bayes": GaussianNB(), "bad": Bad(how), "tree": DecisionTreeClassifier()}
        found = execute(plan(data, learners), store=store, executor=Local(2))
        assert {f.kind for f in found["bad"].failures} == {"worker_died"}
        assert f"({said}) each of 3 times" in found["bad"].failures[0].message
        assert found["bayes"].complete("accuracy")
        assert found["tree"].complete("f1")
        assert sorted(cell.again for cell in store.cells() if cell.again is not None) == [0.0]
        # The next program tries it again, and though it is the only task left, not within itself.
        if how == "die":
            again = execute(plan(data, learners), store=store, executor=Local(2))
            assert again["bad"].failures == found["bad"].failures
            assert store.count() == 3


def test_memory_that_is_refused_is_a_failure_of_the_fold(data):
    found = execute(plan(data, {"bad": Bad("memory"), "bayes": GaussianNB()}, time_limit=60.0), executor=Local(1))
    assert [f.kind for f in found["bad"].failures] == ["fit_raised"]
    assert "MemoryError" in found["bad"].failures[0].message
    assert found["bayes"].complete("accuracy")


def test_workers_stay_for_the_next_plan_and_see_its_data(data, rng):
    execute(plan(data, {"a": DecisionTreeClassifier(), "b": DecisionTreeClassifier()}, runs=3), executor=Local(2))
    before = {worker._process.pid for pool_ in pool._idle for worker in pool_._workers}
    other = fp.dataset(rng.normal(size=(40, 3)), np.arange(40) % 2)
    made = plan(other, {"a": DecisionTreeClassifier(), "b": GaussianNB()}, runs=3)
    found = execute(made, executor=Local(2))
    after = {worker._process.pid for pool_ in pool._idle for worker in pool_._workers}
    assert before
    assert before <= after
    alone = execute(made, executor=Local(1))
    for name in alone:
        assert np.array_equal(alone[name].predictions, found[name].predictions)


def test_workers_that_ended_between_two_plans_are_let_go(data):
    pool.close_all()
    made = plan(data, {"a": DecisionTreeClassifier(), "b": GaussianNB()}, runs=3)
    first = execute(made, executor=Local(2))
    ended = [worker for pool_ in pool._idle for worker in pool_._workers]
    assert ended
    for worker in ended:
        worker._process.kill()
        worker.wait()
    again = execute(made, executor=Local(2))
    for name in first:
        assert np.array_equal(first[name].predictions, again[name].predictions)
    # Nothing of them stays open, about which Python would warn when it is collected.
    assert all(worker._process.stdin.closed for worker in ended)


def test_work_that_is_left_ends_its_workers(data):
    results = Local(2).run(plan(data, {"bad": Bad("sleep"), "b": GaussianNB()}, fast=False), [(1, 0), (0, 0)])
    next(results)
    busy = [worker for worker in results.gi_frame.f_locals["pool"]._workers if worker.batches]
    assert busy
    begin = time.monotonic()
    results.close()
    assert time.monotonic() - begin < 1.0
    assert {worker._process.wait(timeout=5) for worker in busy} == {-signal.SIGKILL}
    # What they had said before they were ended is not taken for an answer to the next question.
    made = plan(data, {"a": DecisionTreeClassifier(), "b": GaussianNB()}, runs=2)
    found, alone = execute(made, executor=Local(2)), execute(made, executor=Local(1))
    for name in alone:
        assert np.array_equal(alone[name].predictions, found[name].predictions)


def test_what_cannot_travel_is_told_in_a_sentence(data):
    class Locked(GaussianNB):
        def __init__(self, var_smoothing=1e-9):
            super().__init__(var_smoothing=var_smoothing)
            self.stream = sys.stderr

    held = gather({"a": GaussianNB(), "b": GaussianNB()})
    object.__setattr__(held[0], "estimator", Locked())
    made = Plan(data, partition(KFold(2), data, runs=1, seed=0), held, {"accuracy": get_scorer("accuracy")}, 0)
    with pytest.raises(InputError, match="cannot be sent to other processes .*: use one process without a time limit"):
        list(Local(2).run(made, made.tasks()))


def test_what_cannot_be_read_elsewhere_is_told_in_a_sentence(data):
    made = plan(data, {"a": Unreadable(), "b": GaussianNB()}, fast=False)
    with pytest.raises(InputError, match="cannot be read in another process .*not here"):
        list(Local(2).run(made, made.tasks()))


def test_large_arrays_are_shared_and_not_sent(rng):
    X = rng.normal(size=(3000, 60))
    data = fp.dataset(X, np.arange(3000) % 2)
    made = plan(data, {"a": GaussianNB(), "b": DecisionTreeClassifier(max_depth=1)}, folds=2, fast=False)
    payload = Payload.of(made, share=True)
    if payload.shared is None:
        pytest.skip("this system has no anonymous files")
    assert len(payload.body) < 2**19 < X.nbytes
    read = payload.plan()
    assert np.array_equal(read.dataset.X, X)
    assert not read.dataset.X.flags.writeable
    payload.close()
    alone, both = execute(made, executor=Local(1)), execute(made, executor=Local(2))
    for name in alone:
        assert np.array_equal(alone[name].predictions, both[name].predictions)


class Starts:
    """Worker processes of which only some come up; the others end with code 3."""

    def __init__(self, monkeypatch, works):
        self._monkeypatch, self._works, self.count = monkeypatch, works, 0
        self._start, self._whole = pool._START, pool._Worker
        monkeypatch.setattr(pool, "_Worker", self)
        monkeypatch.setattr(pool, "_idle", [])

    def __call__(self, answers):
        self.count += 1
        self._monkeypatch.setattr(pool, "_START", self._start if self._works(self.count) else "import os; os._exit(3)")
        return self._whole(answers)


def test_where_no_worker_comes_up_it_is_told_in_a_sentence(data, monkeypatch):
    starts = Starts(monkeypatch, lambda number: False)
    made = plan(data, {"a": DecisionTreeClassifier(), "b": GaussianNB()}, runs=2)
    with pytest.raises(pool.WorkerError, match=r"end before they have done anything \(exit code 3\): see above what"):
        execute(made, executor=Local(2))
    assert starts.count <= 4


@pytest.mark.parametrize("works", [(1,), (1, 3)])
def test_what_cannot_be_started_is_left_and_the_others_go_on(data, monkeypatch, works):
    """A worker that never came up had begun nothing: its tasks are not blamed."""
    starts = Starts(monkeypatch, works.__contains__)
    made = plan(data, {"a": Bad("none"), "b": DecisionTreeClassifier()}, runs=100)
    found = execute(made, executor=Local(2))
    assert [outcome.failures for outcome in found.values()] == [(), ()]
    # Three starts may fail before the first worker is up, and three more after it was.
    assert 2 <= starts.count <= 7
