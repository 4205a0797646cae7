"""Our naive Bayes: a training set's counts are those of all data, less what the fold holds back."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.domain.dataset import Dataset
from foldproof.learners._naive_bayes import NUMERIC, VARIANTS, NaiveBayes
from foldproof.learners.at_once._own import declares_nothing, settle
from foldproof.learners.at_once._plain import matrix_of, n_folds
from foldproof.learners.recognised import AT_ONCE, AtOnce, Codes, Order, TestFold


@AT_ONCE.register("foldproof.learners._naive_bayes.NaiveBayes")
def naive_bayes(estimator: NaiveBayes, dataset: Dataset) -> AtOnce | None:
    """Recognise it on unweighted data without declarations of its own, where numbers, if any, have normal densities."""
    if not declares_nothing(estimator, dataset) or not dataset.attributes or not len(dataset):
        return None
    if estimator.numeric not in NUMERIC or estimator.variant not in VARIANTS:
        return None
    if all(attribute.nominal for attribute in dataset.attributes):
        method = _Nominal(estimator, dataset)
        return AtOnce("naive-bayes", method.predict)
    return None


class _Nominal:
    def __init__(self, estimator: NaiveBayes, dataset: Dataset) -> None:
        from foldproof.kernels.bayes_tables import Tables

        assert dataset.codes is not None
        assert dataset.classes is not None
        self._estimator, self._dataset = estimator, dataset
        sizes = np.array([len(a.categories or ()) for a in dataset.attributes])
        first = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        n, k, rows = len(dataset), len(dataset.classes), int(first[-1])
        missing = np.isnan(dataset.codes)
        place = np.where(missing, rows, np.where(missing, 0.0, dataset.codes) + first[:-1]).astype(np.int32)
        y = dataset.target_codes.astype(np.int64)
        counts = np.bincount((place * np.int64(k) + y[:, None]).ravel(), minlength=(rows + 1) * k)
        self._tables = Tables(
            np.ascontiguousarray(place), first, counts.reshape(rows + 1, k).astype(np.int64),
            np.bincount(y, minlength=k).astype(np.int64), y,
        )  # fmt: skip
        self._logs: npt.NDArray[np.float64] = np.log(np.maximum(np.arange(n + int(sizes.max()) + k + 2.0), 1.0))

    def predict(self, test_fold: TestFold) -> Codes:
        from foldproof.kernels.bayes_tables import nominal_folds

        test_fold = matrix_of(test_fold)
        found = np.full(test_fold.shape, np.nan)
        doubtful = np.zeros((len(test_fold), n_folds(test_fold)), dtype=np.bool_)
        nominal_folds(self._tables, self._logs, test_fold, found, doubtful)
        order: Order | None = None  # counts are the same in any order
        return settle(self._estimator, self._dataset, test_fold, order, found, doubtful)
