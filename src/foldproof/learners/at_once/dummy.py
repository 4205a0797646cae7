"""scikit-learn's dummies, as far as they do not draw: what they say hangs on the training targets alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from foldproof.domain.dataset import Dataset
from foldproof.learners.at_once._plain import Plain, n_folds, plain
from foldproof.learners.recognised import AT_ONCE, AtOnce, Codes, Order, TestFold

Target = npt.NDArray[Any]


@AT_ONCE.register("sklearn.dummy.DummyClassifier")
def dummy_classifier(estimator: Any, dataset: Dataset) -> AtOnce | None:
    """Recognise it where it says the most frequent class or a constant one."""
    data = _data(estimator, dataset, ("strategy", "random_state", "constant"), "classification")
    if data is None or dataset.classes is None:
        return None
    strategy, constant = data.parameters["strategy"], data.parameters["constant"]
    if strategy in ("most_frequent", "prior"):
        return AtOnce("dummy", lambda test_fold: _most_frequent(data, test_fold))
    if strategy == "constant" and isinstance(constant, (int, np.integer, str)) and constant in dataset.classes:
        code = float(dataset.classes.index(constant))
        return AtOnce("dummy", lambda test_fold: _constant_class(data, test_fold, code))
    return None


@AT_ONCE.register("sklearn.dummy.DummyRegressor")
def dummy_regressor(estimator: Any, dataset: Dataset) -> AtOnce | None:
    """Recognise it with any strategy; each training set's statistic is scikit-learn's, in the order of the rows."""
    data = _data(estimator, dataset, ("strategy", "constant", "quantile"), "regression")
    statistic = None if data is None else _statistic(data.parameters)
    if statistic is None:
        return None
    y = np.asarray(dataset.y)

    def ordered(test_fold: TestFold, order: Order | None) -> Codes:
        found = np.full(test_fold.shape, np.nan)
        for run, own in enumerate(test_fold):
            handed = y if order is None else y[order[run]]
            folds = own if order is None else own[order[run]]
            for fold in range(int(own.max(initial=-1)) + 1):
                found[run, own == fold] = statistic(handed[folds != fold].reshape(-1, 1))
        return found

    return AtOnce("dummy", lambda test_fold: ordered(test_fold, None), ordered)


def _data(estimator: Any, dataset: Dataset, known: tuple[str, ...], task: str) -> Plain | None:
    """Return the data; alone, a dummy takes any, and behind a scaler what the scaler takes."""
    if hasattr(estimator, "steps"):
        return plain(estimator, dataset, known, task)
    parameters = estimator.get_params(deep=False)
    if set(parameters) - set(known) or dataset.task != task or dataset.sample_weight is not None:
        return None
    return Plain(dataset, np.empty((len(dataset), 0)), estimator, False, parameters)


def _statistic(options: dict[str, Any]) -> Callable[[Target], Any] | None:
    """Return what a strategy makes of a column of targets."""
    strategy, constant, quantile = options["strategy"], options["constant"], options["quantile"]
    if strategy == "mean":
        return lambda y: np.average(y, axis=0)
    if strategy == "median":
        return lambda y: np.median(y, axis=0)
    if strategy == "quantile" and _number(quantile) and 0.0 <= quantile <= 1.0:
        return lambda y: np.percentile(y, axis=0, q=quantile * 100.0)
    if strategy == "constant" and _number(constant) and np.isfinite(constant):
        return lambda _: constant
    return None


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _trained(data: Plain, test_fold: TestFold) -> npt.NDArray[np.int64]:
    """Return how often each class occurs in each training set: runs by folds by classes."""
    folds, k = n_folds(test_fold), data.n_classes
    held = np.zeros((len(test_fold), folds, k), dtype=np.int64)
    for run, own in enumerate(test_fold):
        tested = own >= 0
        held[run] = np.bincount(own[tested] * k + data.y[tested], minlength=folds * k).reshape(folds, k)
    return np.asarray(np.bincount(data.y, minlength=k) - held)


def _spread(told: npt.NDArray[np.float64], test_fold: TestFold) -> Codes:
    """Return what each fold is told, at the instances that it tests."""
    at = np.take_along_axis(told, np.maximum(test_fold, 0).astype(np.int64), axis=1)
    return np.where(test_fold >= 0, at, np.nan)


def _most_frequent(data: Plain, test_fold: TestFold) -> Codes:
    told = np.argmax(_trained(data, test_fold), axis=2).astype(np.float64)
    return data.codes(_spread(told, test_fold))


def _constant_class(data: Plain, test_fold: TestFold, code: float) -> Codes:
    found = np.where(test_fold >= 0, code, np.nan)
    # A training set without the class is an error, which fitting tells.
    positions = data.codes(np.arange(float(data.n_classes)))
    lacking = _trained(data, test_fold)[:, :, positions == code].sum(axis=2) == 0
    return data.settle(test_fold, None, found, lacking)
