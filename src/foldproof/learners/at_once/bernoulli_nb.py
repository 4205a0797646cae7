"""scikit-learn's BernoulliNB: a fold's counts are subtracted from the total's."""

from __future__ import annotations

from typing import Any

import numpy as np

from foldproof.domain.dataset import Dataset
from foldproof.learners.at_once._plain import Plain, matrix_of, n_folds, plain
from foldproof.learners.recognised import AT_ONCE, AtOnce, Codes, Order, TestFold

KNOWN = ("alpha", "force_alpha", "binarize", "fit_prior", "class_prior")

# With less than this added to counts, scikit-learn's own numbers lose too many digits to be foretold.
LEAST_ALPHA = 1e-3


@AT_ONCE.register("sklearn.naive_bayes.BernoulliNB")
def bernoulli_nb(estimator: Any, dataset: Dataset) -> AtOnce | None:
    """Recognise it with one alpha and without given priors; behind a scaler with a threshold of 0."""
    data = plain(estimator, dataset, KNOWN, "classification")
    if data is None or data.parameters["class_prior"] is not None or not data.X.shape[1]:
        return None
    alpha, threshold = data.parameters["alpha"], data.parameters["binarize"]
    if not _number(alpha) or not LEAST_ALPHA <= alpha <= 1e6 or not isinstance(data.parameters["fit_prior"], bool):
        return None
    if data.parameters["force_alpha"] not in (True, False) or np.abs(data.X).max(initial=0.0) > 1e100:
        return None
    by_mean = False
    if hasattr(estimator, "steps"):
        if not _number(threshold) or threshold != 0.0:
            return None
        by_mean = bool(estimator.steps[0][1].with_mean)
    elif threshold is None:
        if not np.isin(data.X, (0.0, 1.0)).all():
            return None
        threshold = 0.5
    elif not _number(threshold) or not 0.0 <= threshold < np.inf:
        return None
    method = _Method(data, float(alpha), float(threshold), by_mean)
    return AtOnce("bernoulli-naive-bayes", method.predict, method.predict)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class _Method:
    def __init__(self, data: Plain, alpha: float, threshold: float, by_mean: bool) -> None:
        from foldproof.kernels.bernoulli import counts_below

        self._data, self._alpha, self._threshold, self._by_mean = data, alpha, threshold, by_mean
        self._ascending, self._before = counts_below(np.ascontiguousarray(data.X.T), data.y, data.n_classes)

    def predict(self, test_fold: TestFold, order: Order | None = None) -> Codes:
        from foldproof.kernels.bernoulli import bernoulli_folds

        data, test_fold = self._data, matrix_of(test_fold)
        found = np.full(test_fold.shape, np.nan)
        doubtful = np.zeros((len(test_fold), n_folds(test_fold)), dtype=np.bool_)
        bernoulli_folds(
            data.X, data.y, self._ascending, self._before, self._threshold, self._by_mean, self._alpha,
            data.parameters["fit_prior"], test_fold, found, doubtful,
        )  # fmt: skip
        return data.settle(test_fold, order, data.codes(found), doubtful)
