"""Estimators that can be evaluated on all partitions at once, recognised by their exact class.

A recogniser is a function of an unfitted estimator and a dataset. It returns an :class:`AtOnce`, or None where the
estimator's parameters or the data are not what its method is exact for; then the estimator is fitted fold by fold, and
the predictions are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from foldproof.domain.dataset import Dataset
from foldproof.domain.partitions import Partitions
from foldproof.domain.registry import Registry

TestFold = npt.NDArray[np.int32]
Order = npt.NDArray[np.int32]
Codes = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class AtOnce:
    """What a recogniser brings back.

    ``predict`` takes a matrix ``test_fold[run, instance]`` and returns as many predictions: the position of the
    predicted class in ``dataset.classes`` (for regression the value), NaN where a run never tests the instance. It
    holds whatever all partitions share, may be called any number of times, and from several threads.
    ``ordered`` is there where predictions hang on the order of the instances; it takes that too.
    ``name`` is told in the provenance.
    """

    name: str
    predict: Callable[[TestFold], Codes]
    ordered: Callable[[TestFold, Order], Codes] | None = None

    def answers(self, partitions: Partitions) -> Codes:
        """Return the predictions for every run and instance of some partitions."""
        if partitions.order is None or self.ordered is None:
            return self.predict(partitions.test_fold)
        return self.ordered(partitions.test_fold, partitions.order)


Recogniser = Callable[[Any, Dataset], AtOnce | None]

# By the qualified name of the estimator's exact class: a subclass may do anything, so it is not recognised.
AT_ONCE: Registry[Recogniser] = Registry("at-once method", "foldproof.learners.at_once")


def at_once(estimator: Any, dataset: Dataset) -> AtOnce | None:
    """Return the method by which this estimator learns from all partitions of the dataset at once, if there is one."""
    name = qualified_name(estimator)
    return AT_ONCE[name](estimator, dataset) if name in AT_ONCE else None


def qualified_name(estimator: Any) -> str:
    """Return the module and the name of an estimator's class."""
    return f"{type(estimator).__module__}.{type(estimator).__qualname__}"
