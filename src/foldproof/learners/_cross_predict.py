"""``cross_predict``: predictions for all partitions, at once where a learner knows how, otherwise fold by fold."""

from __future__ import annotations

from typing import Any

import numpy as np

from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError
from foldproof.domain.partitions import Partitions
from foldproof.learners.fitting import fitting, one_thread
from foldproof.learners.learner import Learner, gather_one
from foldproof.learners.recognised import Codes, at_once

__all__ = ["cross_predict"]


def cross_predict(
    estimator: Any, data: Dataset, partitions: Partitions, fast: bool = True, *, seed: int = 0, encode: bool = True
) -> Codes:
    """Return what an estimator predicts for every instance in every run.

    The estimator is fitted on what each fold leaves, as :func:`foldproof.compare` fits it, or evaluated on all folds at
    once where there is a method for its class that gives the same predictions.

    Parameters
    ----------
    estimator
        A scikit-learn estimator, one of ours, or a spec such as ``"naive-bayes"``. It is not fitted itself.
    data
        A :class:`~foldproof.domain.dataset.Dataset`.
    partitions
        The matrix of runs and folds.
    fast
        Whether methods for all folds at once may be used.
    seed
        The root of the random states that the estimator leaves open.
    encode
        Whether nominal and missing values are encoded inside each training fold for plain estimators.

    Returns
    -------
    ndarray
        One row per run, one column per instance: the position of the predicted class in ``data.classes``, for
        regression the predicted value; NaN where a run does not test the instance.

    Examples
    --------
    >>> import numpy as np
    >>> from foldproof.data.in_memory import dataset
    >>> data = dataset([[1.0], [1.5], [7.0], [8.0]], ["a", "a", "b", "b"])
    >>> cross_predict("nearest-neighbour", data, Partitions(np.array([[0, 1, 0, 1]])))
    array([[0., 0., 1., 1.]])
    """
    if not isinstance(data, Dataset):
        raise InputError(
            f"data is a {type(data).__name__}: give a Dataset, as foldproof.data.in_memory.dataset(X, y) makes it"
        )
    if not isinstance(partitions, Partitions):
        raise InputError(
            f"partitions is a {type(partitions).__name__}: give Partitions, in which each fold trains on what it "
            "does not test"
        )
    if partitions.n_instances != len(data):
        raise InputError(
            f"these partitions divide {partitions.n_instances} instances and the data have {len(data)}: make "
            "partitions for this dataset"
        )
    if isinstance(estimator, str):
        estimator = gather_one(estimator)
    with one_thread():
        if fast:
            method = at_once(estimator.estimator if isinstance(estimator, Learner) else estimator, data)
            if method is not None:
                drawing = range(partitions.runs if method.drawn is not None else 0)
                addresses = [Address(seed, data.fingerprint, 0, run) for run in drawing]
                return method.answers(*partitions.matrices(), addresses)
        return _fold_by_fold(gather_one(estimator), data, partitions, seed, encode)


def _fold_by_fold(learner: Learner, data: Dataset, partitions: Partitions, seed: int, encode: bool) -> Codes:
    predictions = np.full(partitions.test_fold.shape, np.nan)
    for run in range(partitions.runs):
        address = Address(seed, data.fingerprint, 0, run)
        for fold in range(partitions.folds):
            train, test = partitions.train_test(run, fold)
            fit = fitting(learner, data, address, fold, encode=encode)
            fit.fit(train)
            predictions[run, test] = fit.predicted(test)
    return predictions
