"""Every front door that fits takes the same limits and executors, and answers the same wherever fits are made."""

import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from engine.bad import Bad
from foldproof.cli.main import run
from foldproof.domain.errors import InputError
from foldproof.engine.task import run_tasks

LEARNERS = {"tree": DecisionTreeClassifier(max_depth=2), "bayes": GaussianNB()}


def data():
    from sklearn.datasets import load_iris

    return load_iris(return_X_y=True)


DOORS = {
    "salzberg": lambda **how: fp.salzberg(LEARNERS, *data(), folds=3, **how),
    "sweep": lambda **how: fp.sweep(
        DecisionTreeClassifier(), {"max_depth": [1, 3]}, n_train=40, training_sets=3, n_test=100, **how
    ),
    "calibrate": lambda **how: fp.calibrate(
        LEARNERS, *data(), way="permuted-labels", procedure="10-fold-cv", trials=2, repetitions=1, **how
    ),
    "calibrate-source": lambda **how: fp.calibrate(
        ["c45", "naive-bayes"], "source2", procedure="mcnemar-holdout", trials=2, repetitions=1, n=60, truth=2, **how
    ),
    "randomization": lambda **how: fp.randomization(LEARNERS, *data(), relabelings=2, folds=3, **how),
}
COMMANDS = {
    "sweep": ["source1", "-l", "c45", "--settings", "{'min_instances': [2, 9]}", "--training-sets", "3"],
    "calibrate": ["source1", "--procedure", "mcnemar-holdout", "--trials", "2", "-n", "60"],
    "randomize": ["sklearn:iris", "-l", "sklearn.naive_bayes.GaussianNB()", "--relabelings", "2", "--folds", "3"],
}


class Elsewhere:
    """Runs tasks, and remembers of which plans."""

    def __init__(self):
        self.limits = []

    def run(self, plan, tasks):
        self.limits.append(plan.time_limit)
        for learner, number in tasks:
            yield from run_tasks(plan, learner, [number])


@pytest.mark.parametrize("door", DOORS)
def test_fits_are_made_where_it_is_said_and_come_out_the_same(door):
    executor = Elsewhere()
    there = DOORS[door](executor=executor, time_limit=60, n_jobs=1)
    assert executor.limits
    assert set(executor.limits) == {60.0}
    assert there.to_dict() == DOORS[door](n_jobs=1).to_dict()


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"time_limit": 0}, "the time limit of a fit is 0: give a number of seconds above 0"),
        ({"executor": "dask"}, "the executor dask needs the address of a scheduler"),
        ({"scheduler": "tcp://127.0.0.1:1"}, "is for the executor dask"),
        ({"executor": "dusk"}, "unknown executor 'dusk': did you mean 'dask'"),
    ],
)
def test_what_is_no_limit_and_no_executor_is_refused_before_anything_is_fitted(door, how, sentence):
    with pytest.raises(InputError, match=sentence):
        DOORS[door](**how)


@pytest.mark.parametrize("command", COMMANDS)
def test_from_the_shell(command, capsys):
    base = [command, *COMMANDS[command], "--quiet"]
    assert run([*base, "--json"]) == 0
    told = capsys.readouterr().out
    assert run([*base, "--json", "--time-limit", "60", "--executor", "local"]) == 0
    assert capsys.readouterr().out == told
    assert run([*base, "--executor", "dask"]) == 2
    assert "the executor dask needs the address of a scheduler" in capsys.readouterr().err


@pytest.mark.slow
def test_a_fit_that_hangs_is_a_failure_of_its_trial(toy, tmp_path):
    X, y = toy
    X[:, -1] = range(len(X))
    size = {"way": "permuted-labels", "procedure": "mcnemar-holdout", "trials": 2, "repetitions": 1}
    store = f"sqlite:///{tmp_path}/c.db"
    learners = {"bad": Bad("sleep"), "bayes": GaussianNB()}
    trials = {}
    for limit in (0.5, 0.6):
        trials[limit] = []
        found = fp.calibrate(
            learners, X, y, **size, time_limit=limit, store=store, n_jobs=1, on_event=trials[limit].append
        )
        assert found.failures
    # Another limit is another question: what was kept under the first does not answer it.
    assert [len(events) for events in trials.values()] == [2, 2]


def test_a_function_keeps_its_own_time():
    for how in ({"time_limit": 1.0}, {"executor": Elsewhere()}):
        with pytest.raises(InputError, match="are about fits of learners, and a function makes its own"):
            fp.randomization(lambda X, y, seed: 0.5, *data(), relabelings=2, **how)
