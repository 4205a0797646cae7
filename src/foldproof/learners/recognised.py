"""Estimators that can be evaluated on all partitions at once, recognised by their exact class.

A recogniser is a function of an unfitted estimator and a dataset. It returns an :class:`AtOnce`, or None where the
estimator's parameters or the data are not what its method is exact for; then the estimator is fitted fold by fold, and
the predictions are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset
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
    ``drawn`` is there for estimators that draw: it takes the address of every run as well, and draws in each fold what
    a fit at that address would; ``predict`` then draws as from seed 0.
    ``name`` is told in the provenance.
    """

    name: str
    predict: Callable[[TestFold], Codes]
    ordered: Callable[[TestFold, Order], Codes] | None = None
    drawn: Callable[[TestFold, Order | None, Sequence[Address]], Codes] | None = None

    def answers(self, test_fold: TestFold, order: Order | None, addresses: Sequence[Address]) -> Codes:
        """Return the predictions for every run and instance, fitted where the addresses say."""
        if self.drawn is not None:
            return self.drawn(test_fold, order, addresses)
        if order is None or self.ordered is None:
            return self.predict(test_fold)
        return self.ordered(test_fold, order)


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
