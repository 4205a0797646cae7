"""scikit-learn's GaussianNB: a fold's sums are subtracted from the total's."""

from __future__ import annotations

from typing import Any

import numpy as np

from foldproof.domain.dataset import Dataset
from foldproof.learners.at_once._plain import Plain, matrix_of, n_folds, plain
from foldproof.learners.recognised import AT_ONCE, AtOnce, Codes, Order, TestFold

KNOWN = ("priors", "var_smoothing")


@AT_ONCE.register("sklearn.naive_bayes.GaussianNB")
def gaussian_nb(estimator: Any, dataset: Dataset) -> AtOnce | None:
    """Recognise it unless priors were given."""
    data = plain(estimator, dataset, KNOWN, "classification")
    if data is None or data.parameters["priors"] is not None:
        return None
    smoothing = data.parameters["var_smoothing"]
    if isinstance(smoothing, bool) or not isinstance(smoothing, (int, float)) or not 0.0 <= smoothing < np.inf:
        return None
    if np.abs(data.X).max(initial=0.0) > 1e100:
        return None
    method = _Method(data, float(smoothing))
    return AtOnce("gaussian-naive-bayes", method.predict, method.predict)


class _Method:
    def __init__(self, data: Plain, smoothing: float) -> None:
        self._data, self._smoothing = data, smoothing
        X, y = data.X, data.y
        if data.standardised:  # a column of one value is the same for all classes
            X = X[:, X.min(axis=0) < X.max(axis=0)]
        middle = X.mean(axis=0)
        self._z = np.ascontiguousarray(X - middle)
        self._centres = np.stack([self._z[y == c].mean(axis=0) for c in range(data.n_classes)])
        self._magnitude = np.abs(X).max(axis=0, initial=0.0)

    def predict(self, test_fold: TestFold, order: Order | None = None) -> Codes:
        from foldproof.kernels.gaussian import gaussian_folds

        data, test_fold = self._data, matrix_of(test_fold)
        found = np.full(test_fold.shape, np.nan)
        doubtful = np.zeros((len(test_fold), n_folds(test_fold)), dtype=np.bool_)
        gaussian_folds(
            self._z, data.y, self._centres, self._magnitude, test_fold, self._smoothing, data.standardised, found,
            doubtful,
        )  # fmt: skip
        return data.settle(test_fold, order, data.codes(found), doubtful)
