"""A real scheduler and real workers, in processes that talk TCP on this machine, and that are killed."""

import os
import random
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import get_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from engine.bad import Bad, Unreadable
from engine.rows import rows
from engine.test_faults import KILLS, PROGRAM, RUNS, STEP, finished, wait_for_rows
from foldproof.domain.errors import InputError
from foldproof.engine.dask_executor import Dask
from foldproof.engine.execute import execute
from foldproof.engine.local import Local
from foldproof.engine.plan import Plan
from foldproof.learners.learner import gather
from foldproof.partitions import KFold, partition
from foldproof.store import open_store

pytest.importorskip("distributed", reason="needs foldproof[dask]")
HERE = Path(__file__)
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join([str(HERE.parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]),
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
}


class Cluster:
    """A scheduler and workers of one thread each."""

    def __init__(self, workers):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self.scheduler = self._start("dask_scheduler", "--port", str(port))
        self.workers = []
        for _ in range(workers):
            self.join()

    def _start(self, program, *options):
        command = [sys.executable, "-m", f"distributed.cli.{program}", "--host", "127.0.0.1", "--no-dashboard"]
        return subprocess.Popen(
            [*command, *options], env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def join(self):
        """Start another worker."""
        self.workers.append(
            self._start("dask_worker", "--nthreads", "1", "--no-nanny", "--death-timeout", "60", self.address)
        )

    def kill(self, chance):
        """Kill a worker, and start another."""
        worker = self.workers.pop(chance.randrange(len(self.workers)))
        worker.kill()
        worker.wait()
        self.join()

    def close(self):
        """End all."""
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster():
    found = Cluster(1)
    yield found
    found.close()


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


@pytest.mark.slow
def test_one_worker_and_three_give_the_rows_of_this_machine(cluster, data, tmp_path):
    learners = {"bayes": GaussianNB(), "sgd": SGDClassifier(max_iter=2, tol=1e-9), "bad": Bad("none")}
    executors = {
        "one": Local(1),
        "two": Local(2),
        "dask-one": Dask(cluster.address, patience=60),
        "dask-three": Dask(cluster.address, patience=60),
    }
    found = {}
    for name, executor in executors.items():
        if name == "dask-three":
            cluster.join()
            cluster.join()
        url = f"sqlite:///{tmp_path / name}.db"
        with open_store(url) as store:
            execute(plan(data, learners, runs=8), store=store, executor=executor)
        found[name] = rows(url)
    assert len(found["one"]) == 24
    for name in executors:
        assert found[name] == found["one"], name


@pytest.mark.slow
def test_limits_and_deaths_mean_the_same_on_a_cluster(cluster, data):
    learners = {"bad": Bad("sleep"), "bayes": GaussianNB(), "died": Bad("die")}
    made = plan(data, learners, time_limit=1.0)
    found = execute(made, executor=Dask(cluster.address, patience=60))
    assert {f.kind for f in found["bad"].failures} == {"time_limit"}
    assert {f.kind for f in found["died"].failures} == {"worker_died"}
    assert len(found["bad"].failures) == len(found["died"].failures) == 4
    assert found["bayes"].complete("accuracy")


@pytest.mark.slow
def test_what_cannot_be_read_on_the_cluster_is_told(cluster, data):
    made = plan(data, {"a": Unreadable(), "b": GaussianNB()}, fast=False)
    with pytest.raises(InputError, match="cannot be read in another process .*not here"):
        execute(made, executor=Dask(cluster.address, patience=60))


@pytest.mark.slow
def test_all_workers_may_die_and_others_join(data):
    found = Cluster(1)
    made = plan(data, {"a": DecisionTreeClassifier(), "b": GaussianNB()}, runs=60, fast=False)
    alone = execute(made, executor=Local(1))
    try:
        results = Dask(found.address, patience=60).run(made, made.tasks())
        first = next(results)
        found.kill(random.Random(0))
        rest = list(results)
    finally:
        found.close()
    assert {(r.learner, r.run) for r in [first, *rest]} == set(made.tasks())
    assert len(rest) == 119
    for result in rest:
        name = made.learners[result.learner].name
        assert np.array_equal(result.scores["f1"], alone[name].scores["f1"][result.run])


@pytest.mark.slow
def test_from_the_front_door(cluster, toy):
    learners = {"tree": DecisionTreeClassifier(max_depth=2), "bayes": GaussianNB()}
    size = {"procedure": "corrected-repeated-cv", "runs": 3, "folds": 4}
    there = fp.compare(learners, *toy, executor="dask", scheduler=cluster.address, **size)
    assert there.pair("tree", "bayes").pvalue == fp.compare(learners, *toy, **size).pair("tree", "bayes").pvalue


@pytest.mark.slow
def test_trials_and_copies_have_their_fits_made_there(cluster, toy):
    """Several are under way at once, each with a process of its own here."""
    where = {"executor": "dask", "scheduler": cluster.address, "n_jobs": 2}
    learners = {"tree": DecisionTreeClassifier(max_depth=2), "bayes": GaussianNB()}
    trials = {"way": "permuted-labels", "procedure": "5x2cv", "trials": 3, "repetitions": 1}
    there, here = (fp.calibrate(learners, *toy, **trials, **how) for how in (where, {"n_jobs": 1}))
    assert there.to_dict() == here.to_dict()
    copies = {"relabelings": 3, "folds": 3}
    there, here = (fp.randomization(learners, *toy, **copies, **how) for how in (where, {"n_jobs": 1}))
    assert there.to_dict() == here.to_dict()


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_finished_and_the_same_program_goes_on(cluster, tmp_path):
    path = tmp_path / "results.db"
    command = [sys.executable, str(PROGRAM), f"sqlite:///{path}", "80", "0", cluster.address]
    process = subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and finished(path) < 5:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode != 0
    assert err.rstrip().endswith("KeyboardInterrupt")
    assert 5 <= finished(path) < 240
    subprocess.run(command, env=ENVIRONMENT, check=True, timeout=300)
    assert len(rows(f"sqlite:///{path}")) == 240


@pytest.mark.slow
def test_random_kills_of_workers_leave_no_trace(tmp_path, record_property):
    chance = random.Random(20042)
    begin, found = time.monotonic(), Cluster(2)
    paths = {name: tmp_path / f"{name}.db" for name in ("here", "there")}
    said = tmp_path / "said.txt"
    command = [sys.executable, str(PROGRAM), f"sqlite:///{paths['there']}", str(RUNS), "0", found.address]
    with said.open("w") as out:  # a pipe that nobody reads would be full some time
        process = subprocess.Popen(command, env=ENVIRONMENT, stderr=out)
    try:
        for _ in range(KILLS):
            wanted = finished(paths["there"]) + chance.randint(1, STEP)
            assert wait_for_rows(process, paths["there"], wanted), said.read_text()
            found.kill(chance)
        wait_for_rows(process, paths["there"], 3 * RUNS)
        assert process.wait(timeout=60) == 0, said.read_text()
    finally:
        process.kill()
        found.close()
    seconds = time.monotonic() - begin
    subprocess.run([sys.executable, str(PROGRAM), f"sqlite:///{paths['here']}", str(RUNS), "1"], check=True)
    here, there = (rows(f"sqlite:///{path}") for path in paths.values())
    assert here == there
    record_property(
        "reported",
        f"{KILLS} kills of cluster workers in {seconds:.0f} s: {len(there)} rows, all equal to those of an undisturbed "
        "run",
    )


def test_a_scheduler_that_is_not_there_is_told_in_a_sentence(data):
    made = plan(data, {"a": GaussianNB(), "b": GaussianNB()})
    with pytest.raises(InputError, match="the scheduler tcp://127.0.0.1:9 does not answer .*is the address right"):
        execute(made, executor=Dask("tcp://127.0.0.1:9", patience=0.5))
    with pytest.raises(InputError, match="the scheduler nonsense://x does not answer"):
        execute(made, executor=Dask("nonsense://x", patience=0.5))


def test_without_the_package_it_is_told_how_to_get_it(data, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    made = plan(data, {"a": GaussianNB(), "b": GaussianNB()})
    with pytest.raises(InputError, match="needs the package distributed: pip install 'foldproof\\[dask\\]'"):
        execute(made, executor=Dask("tcp://127.0.0.1:9"))
