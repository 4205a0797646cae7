"""All partitions at once: the predictions are those of fitting fold by fold."""

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from foldproof.data.in_memory import dataset
from foldproof.domain.errors import InputError
from foldproof.domain.partitions import Partitions
from foldproof.learners import cross_predict
from foldproof.learners.at_once import _settle
from foldproof.learners.recognised import at_once

CLASSIFIERS = {
    "bayes": GaussianNB(),
    "smooth-bayes": GaussianNB(var_smoothing=0.1),
    "5-nearest": KNeighborsClassifier(),
    "1-nearest": KNeighborsClassifier(1, algorithm="brute"),
    "manhattan": KNeighborsClassifier(4, p=1),
    "chebyshev": KNeighborsClassifier(3, metric="chebyshev"),
    "weighted": KNeighborsClassifier(6, weights="distance"),
    "bernoulli": BernoulliNB(),
    "bernoulli-uniform": BernoulliNB(alpha=0.1, fit_prior=False),
    "most-frequent": DummyClassifier(),
}
REGRESSORS = {
    "5-nearest": KNeighborsRegressor(),
    "1-nearest": KNeighborsRegressor(1, metric="manhattan"),
    "weighted": KNeighborsRegressor(4, weights="distance"),
    "mean": DummyRegressor(),
    "median": DummyRegressor(strategy="median"),
    "quantile": DummyRegressor(strategy="quantile", quantile=0.3),
    "constant": DummyRegressor(strategy="constant", constant=3),
}
KINDS = ("normal", "coarse", "copies", "far", "constant", "wide", "whole")


def numbers(kind, seed, n=24):
    """Return a table of complete numbers."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    y = rng.integers(0, int(rng.integers(2, 5)), n)
    X = rng.normal(size=(n, 25 if kind == "wide" else 4)) * 2.0 + y[:, None]
    if kind in ("coarse", "whole"):
        X = np.rint(X)
    if kind == "copies":
        X, y = np.repeat(X[: n // 3], 3, axis=0), np.repeat(y[: n // 3], 3)
    if kind == "far":
        X = X + 1e8
    if kind == "constant":
        X[:, 1], X[:-1, 2] = 0.1, 7.0
    return (X.astype(np.int64) if kind == "whole" else X), y, rng


def divided(rng, n):
    """Return k-fold, two-fold and resampled runs, and one that leaves one out."""
    ten = rng.permutation(np.arange(n) % 10)[None, :]
    half = rng.permutation(np.arange(n) % 2)[None, :]
    sampled = np.where(np.stack([rng.permutation(n) for _ in range(3)]) < n // 5, 0, -1)
    one_out = np.arange(n)[None, :]
    return Partitions(ten), Partitions(half), Partitions(sampled), Partitions(one_out)


def behind(estimator, scaled):
    return make_pipeline(StandardScaler(), estimator) if scaled else estimator


@pytest.mark.parametrize("scaled", [False, True], ids=["plain", "scaled"])
@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.parametrize("kind", KINDS)
def test_classifiers_of_scikit_learn(kind, name, scaled):
    estimator = behind(CLASSIFIERS[name], scaled)
    X, y, rng = numbers(kind, 1)
    data = dataset(X, np.array(["b", "a", "d", "c"])[y])
    assert at_once(estimator, data) is not None
    for partitions in divided(rng, len(y)):
        fast = cross_predict(estimator, data, partitions)
        np.testing.assert_array_equal(fast, cross_predict(estimator, data, partitions, fast=False))


@pytest.mark.parametrize("scaled", [False, True], ids=["plain", "scaled"])
@pytest.mark.parametrize("name", REGRESSORS)
@pytest.mark.parametrize("kind", KINDS)
def test_regressors_of_scikit_learn(kind, name, scaled):
    estimator = behind(REGRESSORS[name], scaled)
    X, y, rng = numbers(kind, 2)
    data = dataset(X, y + rng.normal(size=len(y)), task="regression")
    assert at_once(estimator, data) is not None
    for partitions in divided(rng, len(y)):
        fast = cross_predict(estimator, data, partitions)
        np.testing.assert_allclose(fast, cross_predict(estimator, data, partitions, fast=False), rtol=1e-9)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_hardly_any_fold_is_fitted_on_ordinary_data(name, monkeypatch):
    fitted = []
    monkeypatch.setattr(_settle, "fitting", lambda *a, **k: fitted.append(a) or fitting(*a, **k))
    from foldproof.learners.fitting import fitting

    X, y, rng = numbers("normal", 3, n=100)
    partitions, *_ = divided(rng, 100)
    cross_predict(CLASSIFIERS[name], dataset(X, y), partitions)
    assert not fitted


class OwnBayes(GaussianNB):
    """May do anything."""


def test_what_is_not_known_is_fitted_fold_by_fold():
    X, y, _ = numbers("normal", 4)
    data = dataset(X, y)
    strangers = [
        OwnBayes(),
        GaussianNB(priors=[0.5, 0.5]),
        KNeighborsClassifier(weights=lambda d: d),
        KNeighborsClassifier(metric="cosine"),
        KNeighborsClassifier(p=0.5),
        KNeighborsClassifier(metric="minkowski", metric_params={"w": [1, 2, 3, 4]}),
        KNeighborsClassifier(100),
        make_pipeline(MinMaxScaler(), GaussianNB()),
        make_pipeline(StandardScaler(), StandardScaler(), GaussianNB()),
        make_pipeline(StandardScaler(), OwnBayes()),
        make_pipeline(StandardScaler(), GaussianNB(), memory="here"),
        DummyClassifier(strategy="uniform"),
        DummyClassifier(strategy="constant", constant=17),
        DummyRegressor(),
        KNeighborsRegressor(),
        BernoulliNB(alpha=1e-9),
        BernoulliNB(alpha=[1, 2, 1, 1]),
        BernoulliNB(class_prior=[0.2, 0.3, 0.5]),
        BernoulliNB(binarize=None),
        make_pipeline(StandardScaler(), BernoulliNB(binarize=0.5)),
    ]
    assert [at_once(estimator, data) for estimator in strangers] == [None] * len(strangers)
    assert at_once(GaussianNB(), dataset(X.astype(np.float32), y)) is None
    assert at_once(GaussianNB(), dataset(X, y, sample_weight=np.ones(len(y)))) is None
    X[3, 2] = np.nan
    assert at_once(GaussianNB(), dataset(X, y)) is None
    frame = pd.DataFrame({"a": ["u", "v"] * 12, "b": np.arange(24.0)})
    assert at_once(GaussianNB(), dataset(frame, y)) is None


@pytest.mark.parametrize("kind", ["coarse", "whole"])
def test_bernoulli_with_other_thresholds(kind):
    X, y, rng = numbers(kind, 8, n=50)
    zero_or_one = (X > 1).astype(float)
    for table, estimator in (
        (X, BernoulliNB(binarize=2.0)),
        (X, make_pipeline(StandardScaler(with_mean=False), BernoulliNB())),
        (X, make_pipeline(StandardScaler(with_std=False), BernoulliNB(alpha=2))),
        (zero_or_one, BernoulliNB(binarize=None)),
    ):
        data = dataset(table, y)
        assert at_once(estimator, data) is not None
        for partitions in divided(rng, 50):
            fast = cross_predict(estimator, data, partitions)
            np.testing.assert_array_equal(fast, cross_predict(estimator, data, partitions, fast=False))


def test_a_constant_class_and_a_training_set_without_it():
    frame = pd.DataFrame({"a": ["u", "v"] * 12, "b": [None, 1.0] * 12})
    y = np.array(["no"] * 20 + ["yes"] * 4)
    data = dataset(frame, y)
    estimator = DummyClassifier(strategy="constant", constant="yes")
    even = Partitions(np.arange(24)[None, :] % 2)
    np.testing.assert_array_equal(cross_predict(estimator, data, even), np.full((1, 24), 1.0))
    np.testing.assert_array_equal(cross_predict(estimator, data, even, fast=False), np.full((1, 24), 1.0))
    without = Partitions(np.where(y == "yes", 0, -1)[None, :])
    for fast in (True, False):
        with pytest.raises(ValueError, match="constant target value must be present"):
            cross_predict(estimator, data, without, fast=fast)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_ties_fall_as_the_order_of_the_run_makes_them(name):
    X, y, rng = numbers("coarse", 10, n=40)
    data = dataset(X, y)
    matrix = np.stack([rng.permutation(np.arange(40) % 4) for _ in range(3)])
    partitions = Partitions(matrix, order=np.stack([rng.permutation(40) for _ in range(3)]))
    for estimator in (CLASSIFIERS[name], behind(CLASSIFIERS[name], True)):
        slow = cross_predict(estimator, data, partitions, fast=False)
        np.testing.assert_array_equal(cross_predict(estimator, data, partitions), slow)


def test_dummies_with_an_order():
    X, y, rng = numbers("normal", 9)
    data = dataset(X, rng.normal(size=len(y)) * 10.0 ** rng.integers(-8, 8, len(y)), task="regression")
    matrix = rng.permutation(np.arange(24) % 3)[None, :]
    partitions = Partitions(matrix, order=rng.permutation(24)[None, :])
    slow = cross_predict(DummyRegressor(), data, partitions, fast=False)
    np.testing.assert_array_equal(cross_predict(DummyRegressor(), data, partitions), slow)


def test_a_parameter_that_a_later_version_adds_is_not_known(monkeypatch):
    monkeypatch.setattr(
        GaussianNB, "get_params", lambda self, deep=True: {"priors": None, "var_smoothing": 1, "new": 2}
    )
    X, y, _ = numbers("normal", 4)
    assert at_once(GaussianNB(), dataset(X, y)) is None


def test_frames_of_numbers_are_recognised():
    X, y, rng = numbers("normal", 5)
    data = dataset(pd.DataFrame(X, columns=list("abcd")), y)
    assert at_once(GaussianNB(), data).name == "gaussian-naive-bayes"
    assert at_once(behind(KNeighborsClassifier(), True), data).name == "standardised-nearest-neighbours"
    partitions, *_ = divided(rng, len(y))
    slow = cross_predict(GaussianNB(), data, partitions, fast=False)
    np.testing.assert_array_equal(cross_predict(GaussianNB(), data, partitions), slow)


def test_a_class_that_a_fold_does_not_train_on():
    X, y, _ = numbers("normal", 6)
    y[:] = y > 1
    y[:2] = 2
    matrix = np.full((1, 24), -1)
    matrix[0, :4] = 0
    for estimator in CLASSIFIERS.values():
        data = dataset(X, y)
        fast = cross_predict(estimator, data, Partitions(matrix))
        np.testing.assert_array_equal(fast, cross_predict(estimator, data, Partitions(matrix), fast=False))


def test_what_cross_predict_refuses():
    X, y, _ = numbers("normal", 7)
    data = dataset(X, y)
    with pytest.raises(InputError, match="these partitions divide 4 instances and the data have 24: make partitions"):
        cross_predict(GaussianNB(), data, Partitions(np.array([[0, 1, 0, 1]])))
    with pytest.raises(InputError, match="partitions is a ndarray: give Partitions"):
        cross_predict(GaussianNB(), data, np.zeros((1, 24)))
    with pytest.raises(InputError, match="data is a ndarray: give a Dataset"):
        cross_predict(GaussianNB(), X, Partitions(np.arange(24)[None, :]))
