"""Nested tuning: on the training set alone, re-trained on the whole of it, and no test instance ever seen."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold, ParameterGrid, ParameterSampler
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.domain.errors import InputError
from foldproof.learners import Tuned
from foldproof.learners.tuning import chosen_parameters, settings_tried

SEEN = []


class Spy(ClassifierMixin, BaseEstimator):
    """Notes the number of every instance it is shown (the first attribute), and for what."""

    def __init__(self, depth=1):
        self.depth = depth

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        SEEN.append(("fit", self.depth, frozenset(X[:, 0].astype(int))))
        return self

    def predict(self, X):
        SEEN.append(("predict", self.depth, frozenset(X[:, 0].astype(int))))
        # Only depth 2 is right, so that it must be chosen.
        return self.classes_[(X[:, 0].astype(int) + (self.depth != 2)) % 2]


def numbered(n):
    return np.column_stack([np.arange(n), np.zeros(n)]), np.arange(n) % 2


SCHEMES = {"procedure": "corrected-repeated-cv", "runs": 2, "folds": 5}
TUNERS = {
    "tuned": lambda: Tuned(Spy(), {"depth": [1, 2, 3]}),
    "grid search": lambda: GridSearchCV(Spy(), {"depth": [1, 2, 3]}, cv=3),
}


@pytest.mark.parametrize("tuner", TUNERS)
def test_tuning_never_sees_a_test_instance(tuner):
    X, y = numbered(60)
    SEEN.clear()
    found = fp.compare({"spy": TUNERS[tuner](), "dummy": DummyClassifier()}, X, y, n_jobs=1, **SCHEMES)
    assert not found.failures
    looks = iter(SEEN)
    for run in range(2):
        for fold in range(5):
            train, test = (set(part.tolist()) for part in found.partitions.train_test(run, fold))
            # Everything up to the fit on the whole training set is tuning; then the test fold is predicted, once.
            tuning = []
            for what, _, rows in looks:
                if what == "fit" and rows == train:
                    break
                tuning.append((what, rows))
            assert {what for what, _ in tuning} == {"fit", "predict"}
            for _, rows in tuning:
                assert rows < train
                assert not rows & test
            what, depth, rows = next(looks)
            assert (what, depth, rows) == ("predict", 2, test)
    assert next(looks, None) is None
    assert found.outcomes["spy"].chosen == (("depth=2",) * 5,) * 2


def test_the_two_parts_share_nothing_and_make_up_the_training_set():
    X, y = numbered(90)
    SEEN.clear()
    Tuned(Spy(), {"depth": [1, 2]}, random_state=4).fit(X, y)
    (_, _, t1), (_, _, t2), (_, _, again1), (_, _, again2), (_, depth, everything) = SEEN
    assert (t1, t2) == (again1, again2)
    assert not t1 & t2
    assert t1 | t2 == everything == set(range(90))
    assert (len(t2), depth) == (30, 2)
    assert sum(y[list(t2)]) == 15


def test_the_first_of_equals_is_chosen_and_all_scores_are_kept():
    X, y = numbered(30)
    model = Tuned(DummyClassifier(), {"strategy": ["most_frequent", "prior"]}).fit(X, y)
    assert model.best_params_ == {"strategy": "most_frequent"}
    assert model.scores_ == [model.best_score_] * 2


class Weighing(Spy):
    """Takes weights, and notes them by the number of the instance."""

    def fit(self, X, y, sample_weight=None):
        WEIGHTS.append(dict(zip(X[:, 0].astype(int).tolist(), sample_weight.tolist(), strict=True)))
        return super().fit(X, y)


WEIGHTS = []


@pytest.mark.parametrize("inner", [Weighing(), make_pipeline(FunctionTransformer(), Weighing())])
def test_weights_reach_what_learns(inner):
    X, y = numbered(60)
    WEIGHTS.clear()
    weights = np.arange(60) / 7.0
    name = "weighing__depth" if hasattr(inner, "steps") else "depth"
    found = fp.compare(
        {"spy": Tuned(inner, {name: [1, 2]}), "bayes": GaussianNB()}, X, y, sample_weight=weights, n_jobs=1, **SCHEMES
    )
    assert not found.failures
    assert len(WEIGHTS) == 10 * 3
    assert all(told == weights[row] for fit in WEIGHTS for row, told in fit.items())
    near = Tuned(KNeighborsClassifier(), {"n_neighbors": [1, 3]})
    with pytest.raises(InputError, match="'near' takes no sample weights"):
        fp.compare({"near": near, "bayes": GaussianNB()}, X, y, sample_weight=weights, **SCHEMES)


GROUPED = {
    "tuned": lambda: Tuned(Spy(), {"depth": [1, 2]}),
    "in a pipeline": lambda: make_pipeline(FunctionTransformer(), Tuned(Spy(), {"depth": [1, 2]})),
    "grid search": lambda: GridSearchCV(Spy(), {"depth": [1, 2]}, cv=GroupKFold(3)),
}


@pytest.mark.parametrize("tuner", GROUPED)
def test_tuning_tears_no_group_apart(tuner):
    X, y = numbered(120)
    groups = np.arange(120) // 5
    SEEN.clear()
    found = fp.compare({"spy": GROUPED[tuner](), "dummy": DummyClassifier()}, X, y, groups=groups, n_jobs=1, **SCHEMES)
    assert not found.failures
    looks = iter(SEEN)
    pairs = 0
    for (what, _, fitted), (then, _, told) in zip(looks, looks, strict=True):
        assert (what, then) == ("fit", "predict")
        assert not set(groups[list(fitted)]) & set(groups[list(told)])
        pairs += 1
    assert pairs == 10 * (3 if "grid" not in tuner else 7)


def test_groups_are_dealt_evenly_and_one_is_too_few():
    X, y = numbered(90)
    groups = np.repeat(np.arange(20), [1] * 5 + [2] * 5 + [5] * 5 + [10] * 5)
    SEEN.clear()
    Tuned(Spy(), {"depth": [1]}, random_state=1).fit(X, y, groups=groups)
    sizes = [len(rows) for _, _, rows in SEEN]
    assert sizes[2] == 90
    assert sizes[0] + sizes[1] == 90
    assert 20 <= sizes[1] <= 40
    with pytest.raises(InputError, match="all instances are of one group, so there is no other to tune on"):
        Tuned(Spy(), {"depth": [1]}).fit(X, y, groups=np.zeros(90))


def test_every_way_to_give_settings():
    depths = [{"max_depth": 1}, {"max_depth": 3}]
    for settings in ({"max_depth": [1, 3]}, ParameterGrid({"max_depth": [1, 3]}), depths, [{"max_depth": [1, 3]}]):
        assert settings_tried(Tuned(DecisionTreeClassifier(), settings)) == 2
    sampler = ParameterSampler({"max_depth": range(1, 100)}, 7)
    X, y = numbered(40)
    twice = [Tuned(DecisionTreeClassifier(), sampler, random_state=5).fit(X, y).scores_ for _ in range(2)]
    assert len(twice[0]) == 7
    assert twice[0] == twice[1]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ([], "settings is empty: give at least one"),
        ("max_depth", "give a mapping of parameters to lists of values"),
        ({"max_depth": 3}, "give a list of values for each parameter"),
        ([3], "a list holds mappings"),
    ],
)
def test_bad_settings(settings, sentence):
    X, y = numbered(30)
    with pytest.raises(InputError, match=sentence):
        Tuned(DecisionTreeClassifier(), settings).fit(X, y)


@pytest.mark.parametrize("size", [0.0, 0.6, -1])
def test_a_tuning_set_of_an_odd_size_is_refused(size):
    with pytest.raises(InputError, match="give the share of T2, above 0 and at most a half"):
        Tuned(DecisionTreeClassifier(), {"max_depth": [1]}, tune_size=size).fit(*numbered(30))


def test_regressors_and_pipelines_tune_too():
    X, y = numbered(60)
    found = Tuned(make_pipeline(StandardScaler(), Ridge()), {"ridge__alpha": [1e-3, 1e3]}).fit(X, X[:, 0] * 2.0)
    assert found.best_params_ == {"ridge__alpha": 1e-3}
    inside = make_pipeline(StandardScaler(), Tuned(DecisionTreeClassifier(), {"max_depth": [1, 2]}, random_state=0))
    assert chosen_parameters(inside.fit(X, y)).startswith("max_depth=")
    assert settings_tried(inside) == 2
    assert settings_tried(BaggingClassifier()) == 1


def test_a_native_learner_is_told_what_the_data_declare(shared):
    from foldproof.data.sources import Wanted, read_source

    path = str(shared("datasets", "labor.arff"))
    data = read_source(path, Wanted(path))
    found = fp.compare(["c45", "naive-bayes"], data, tune={"C45": {"min_instances": [2, 4]}}, n_jobs=1, **SCHEMES)
    assert not found.failures
    assert {text for row in found.outcomes["C45"].chosen for text in row} <= {"min_instances=2", "min_instances=4"}


def test_tune_names_learners_and_parameters_that_are_there(toy):
    learners = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}
    for tune, sentence in [
        ({"tee": {"max_depth": [1]}}, "unknown learner to tune 'tee': did you mean 'tree'"),
        ({"tree": {"depth": [1]}}, "unknown parameter of 'tree' 'depth'"),
        (["tree"], "give a mapping of learners' names to their settings"),
    ]:
        with pytest.raises(InputError, match=sentence):
            fp.compare(learners, *toy, tune=tune, **SCHEMES)


def test_tuning_is_the_same_on_two_processes(toy):
    learners = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}
    first, second = (
        fp.compare(learners, *toy, tune={"tree": {"max_depth": [1, 2, 3]}}, n_jobs=jobs, **SCHEMES) for jobs in (1, 2)
    )
    assert first.to_dict() == second.to_dict()
    assert first.outcomes["tree"].chosen == second.outcomes["tree"].chosen
    assert first.outcomes["bayes"].chosen is None
