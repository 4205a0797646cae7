"""Folds that a method leaves to be fitted, because rounding or the order of the instances decides there."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset
from foldproof.learners.fitting import fitting, one_thread
from foldproof.learners.learner import Learner
from foldproof.learners.recognised import Codes, Order, TestFold


def settle(
    estimator: Any,
    dataset: Dataset,
    test_fold: TestFold,
    order: Order | None,
    found: Codes,
    doubtful: npt.NDArray[np.bool_],
) -> Codes:
    """Fit the folds that are doubtful, on instances in the order given, and write their predictions over those found.

    ``doubtful``: a row per run, a column per fold.
    """
    places = np.argwhere(doubtful)
    if not len(places):
        return found
    learner = Learner("", estimator, "")
    with one_thread():
        for run, fold in places.tolist():
            tested = test_fold[run] == fold
            handed = np.arange(len(tested)) if order is None else order[run].astype(np.intp)
            train, test = handed[~tested[handed]], handed[tested[handed]]
            if len(test):
                fit = fitting(learner, dataset, Address(0, dataset.fingerprint, 0, run), fold)
                fit.fit(train)
                found[run, test] = fit.predicted(test)
    return found
