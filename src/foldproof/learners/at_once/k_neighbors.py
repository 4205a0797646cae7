"""scikit-learn's nearest neighbours: one list per instance serves all folds."""

from __future__ import annotations

import math
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from foldproof.domain.dataset import Dataset
from foldproof.learners.at_once._plain import Matrix, Plain, matrix_of, n_folds, plain
from foldproof.learners.recognised import AT_ONCE, AtOnce, Codes, Order, TestFold

KNOWN = ("n_neighbors", "weights", "algorithm", "leaf_size", "p", "metric", "metric_params", "n_jobs")

# The powers that metrics sum; 0 stands for the greatest difference.
POWERS = {
    "euclidean": 2.0, "l2": 2.0, "manhattan": 1.0, "cityblock": 1.0, "l1": 1.0, "chebyshev": 0.0, "infinity": 0.0,
}  # fmt: skip


@AT_ONCE.register("sklearn.neighbors._classification.KNeighborsClassifier")
def k_neighbors_classifier(estimator: Any, dataset: Dataset) -> AtOnce | None:
    """Recognise it with Minkowski's metrics, and votes that are equal or by inverse distance."""
    return _recognised(estimator, dataset, "classification")


@AT_ONCE.register("sklearn.neighbors._regression.KNeighborsRegressor")
def k_neighbors_regressor(estimator: Any, dataset: Dataset) -> AtOnce | None:
    """Recognise it with Minkowski's metrics, and weights that are equal or inverse distances."""
    return _recognised(estimator, dataset, "regression")


def _recognised(estimator: Any, dataset: Dataset, task: str) -> AtOnce | None:
    data = plain(estimator, dataset, KNOWN, task)
    if data is None or not data.X.shape[1]:
        return None
    options = data.parameters
    k, power = options["n_neighbors"], _power(options)
    if power is None or options["weights"] not in ("uniform", "distance", None):
        return None
    if options["algorithm"] not in ("auto", "ball_tree", "kd_tree", "brute"):
        return None
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or not 1 <= k < len(dataset):
        return None
    if np.abs(data.X).max() > (1e100 if power == 2.0 else 1e30):
        return None
    method = _Method(data, int(k), power, options["weights"] == "distance")
    return AtOnce("nearest-neighbours", method.predict, method.predict)


def _power(options: dict[str, Any]) -> float | None:
    if options["metric_params"] is not None:
        return None
    if options["metric"] != "minkowski":
        return POWERS.get(options["metric"]) if isinstance(options["metric"], str) else None
    p = options["p"]
    if isinstance(p, bool) or not isinstance(p, (int, float)) or not p >= 1.0:
        return None
    if math.isinf(p):
        return 0.0
    return float(p) if p <= 8.0 else None  # higher powers leave the range of numbers soon


class _Method:
    def __init__(self, data: Plain, k: int, power: float, weighted: bool) -> None:
        self._data, self._k, self._power, self._weighted = data, k, power, weighted
        X, unit = data.X, np.ones(data.X.shape[1])
        if data.standardised:  # a column of one value is no distance to anybody
            X = X[:, X.min(axis=0) < X.max(axis=0)]
            unit = np.maximum(X.std(axis=0), np.finfo(np.float64).tiny)
        # How far from zero the columns are: what rounding may do to a mean, in units of what is compared.
        self._magnitude = np.abs(X).max(axis=0, initial=0.0) / unit
        if data.standardised:
            X = (X - X.mean(axis=0)) / unit
        self._X = np.ascontiguousarray(X)
        self._columns = np.ascontiguousarray(X.T)
        classify = data.dataset.task == "classification"
        self._y = data.y if classify else np.zeros(len(X), np.int64)
        self._target = np.asarray(data.dataset.target_codes, dtype=np.float64)
        self._n_classes = data.n_classes if classify else 0
        self._lock = Lock()
        self._lists: tuple[npt.NDArray[np.int32], Matrix] | None = None

    def predict(self, test_fold: TestFold, order: Order | None = None) -> Codes:
        from foldproof.kernels.neighbours import neighbour_folds

        data, test_fold = self._data, matrix_of(test_fold)
        found = np.full(test_fold.shape, np.nan)
        doubtful = np.zeros((len(test_fold), n_folds(test_fold)), dtype=np.bool_)
        who, distance = self._near(test_fold)
        neighbour_folds(
            self._X, self._y, self._target, who, distance, who.shape[1] == len(who) - 1, test_fold, self._k,
            self._power, self._power == 2.0, self._weighted, self._n_classes, data.standardised, self._magnitude,
            found, doubtful,
        )  # fmt: skip
        return data.settle(test_fold, order, data.codes(found) if self._n_classes else found, doubtful)

    def _near(self, test_fold: TestFold) -> tuple[npt.NDArray[np.int32], Matrix]:
        """Return lists that are long enough for nearly every row, once the row's own fold is left out."""
        from foldproof.kernels.folds import most_tested

        n = len(self._X)
        share = most_tested(test_fold) / n
        wanted = 2 * self._k + 8 if self._data.standardised else self._k + 1
        length = (wanted + 4.0 * math.sqrt(wanted * share) + 4.0) / max(1.0 - share, 1.0 / n)
        with self._lock:
            if self._lists is None or self._lists[0].shape[1] < min(length, n - 1):
                self._lists = self._made(min(math.ceil(length), n - 1))
            return self._lists

    def _made(self, length: int) -> tuple[npt.NDArray[np.int32], Matrix]:
        from foldproof.kernels.neighbours import near_lists

        n = len(self._X)
        who, distance = np.empty((n, length), np.int32), np.empty((n, length))
        near_lists(self._columns, 0, n, self._power, who, distance)
        return who, distance
