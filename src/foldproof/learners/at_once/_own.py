"""What methods for the learners of this room have in common: data as the dataset declares them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset
from foldproof.learners._coded import CodedClassifier
from foldproof.learners.fitting import fitting
from foldproof.learners.learner import Learner
from foldproof.learners.recognised import Codes, Order, TestFold


def declares_nothing(estimator: CodedClassifier, dataset: Dataset) -> bool:
    """Return whether the data are classified and unweighted, and the learner knows of them what the dataset tells."""
    own = (estimator.categorical_features, estimator.categories, estimator.classes)
    if any(given is not None for given in own) or dataset.sample_weight is not None:
        return False
    return dataset.codes is not None and dataset.task == "classification" and dataset.classes is not None


def settle(
    estimator: CodedClassifier,
    dataset: Dataset,
    test_fold: TestFold,
    order: Order | None,
    found: Codes,
    doubtful: npt.NDArray[np.bool_],
) -> Codes:
    """Fit the folds that are doubtful, and write what they predict in the place of what was found."""
    places = np.argwhere(doubtful)
    if len(places):
        learner = Learner("", estimator, "")
        for run, fold in places.tolist():
            tested = test_fold[run] == fold
            handed = np.arange(len(tested)) if order is None else order[run].astype(np.intp)
            train, test = handed[~tested[handed]], handed[tested[handed]]
            fit = fitting(learner, dataset, Address(0, dataset.fingerprint, 0, run), fold)
            fit.fit(train)
            found[run, test] = fit.predicted(test)
    return found
