"""One copy of a learner that learns fold after fold, told once what the dataset declares.

What it computes in a fold is what a fit computes. Saved are cloning, reading and checking the data in every fold, and
what the folds of a run can share.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError
from foldproof.learners._coded import CodedClassifier
from foldproof.learners.at_once._own import declares_nothing
from foldproof.learners.recognised import AtOnce, Codes, Order, TestFold

L = TypeVar("L", bound=CodedClassifier)
Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]
# Learns from all instances but those marked, and returns the places of the classes that it tells for these.
LearnAndTell = Callable[[Flags], Places]


def needs_no_reading(estimator: CodedClassifier, dataset: Dataset) -> bool:
    """Return whether the dataset declares all that a fit would read from it, and a fit would refuse nothing."""
    if not declares_nothing(estimator, dataset) or not dataset.attributes or not len(dataset):
        return False
    state = getattr(estimator, "random_state", None)
    if not (state is None or isinstance(state, int)):  # each fit would get a copy of the generator
        return False
    return dataset.codes is not None and not np.isinf(dataset.codes).any()


class OneCopy(ABC, Generic[L]):
    """Predictions of a learner on all folds of all runs, one fold after another."""

    def __init__(self, name: str, estimator: L, dataset: Dataset) -> None:
        assert dataset.codes is not None
        self._name, self._estimator, self._fingerprint = name, estimator, dataset.fingerprint
        self.codes = np.ascontiguousarray(dataset.codes)
        self.y = dataset.target_codes.astype(np.int64)
        self._attributes, self._classes = tuple(dataset.attributes), np.arange(len(dataset.classes or ()))
        self._draws = getattr(estimator, "random_state", 0) is None

    @abstractmethod
    def run(self, learner: L, order: npt.NDArray[np.int32] | None) -> LearnAndTell:
        """Return what learns in the folds of a run, which hands its instances over in this order, if any."""

    def at_once(self) -> AtOnce:
        """Return the method."""
        return AtOnce(self._name, self._predict, drawn=self._drawn)

    def copy(self) -> L:
        """Return an unfitted copy that was told of the data."""
        copy: L = clone(self._estimator)
        copy.attributes_, copy.classes_ = self._attributes, self._classes
        return copy

    def _predict(self, test_fold: TestFold) -> Codes:
        addresses = [Address(0, self._fingerprint, 0, run) for run in range(len(test_fold))]
        return self._drawn(test_fold, None, addresses)

    def _drawn(self, test_fold: TestFold, order: Order | None, addresses: Sequence[Address]) -> Codes:
        found = np.full(test_fold.shape, np.nan)
        learner = self.copy()
        for run, (fold_of, address) in enumerate(zip(test_fold, addresses, strict=True)):
            learn_and_tell = self.run(learner, None if order is None else order[run])
            for fold in range(int(fold_of.max()) + 1):
                tested = fold_of == fold
                if tested.all():
                    raise InputError(f"run {run} leaves nothing to train on")
                if tested.any():
                    if self._draws:
                        learner.set_params(random_state=address.integer("fit", fold, "random_state"))
                    found[run, tested] = learn_and_tell(tested)
        return found
