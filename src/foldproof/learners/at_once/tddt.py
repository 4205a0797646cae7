"""TDDT-1 and TDDT-2 on all partitions at once: the folds share one sorting of the attributes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError
from foldproof.learners._tddt import TDDT1, TDDT2
from foldproof.learners._top_down_tree import Growth, TopDownTree
from foldproof.learners.at_once._one_copy import Flags, LearnAndTell, OneCopy, Places, needs_no_reading
from foldproof.learners.recognised import AT_ONCE, AtOnce


@AT_ONCE.register("foldproof.learners._tddt.TDDT1")
def tddt_1(estimator: TDDT1, dataset: Dataset) -> AtOnce | None:
    """Recognise TDDT-1 with any options; its inner folds are drawn as a fit of that fold draws them."""
    return _trees("tddt-1", estimator, dataset)


@AT_ONCE.register("foldproof.learners._tddt.TDDT2")
def tddt_2(estimator: TDDT2, dataset: Dataset) -> AtOnce | None:
    """Recognise TDDT-2 with any options."""
    return _trees("tddt-2", estimator, dataset)


def _trees(name: str, estimator: TopDownTree, dataset: Dataset) -> AtOnce | None:
    if not needs_no_reading(estimator, dataset):
        return None
    try:
        return _Trees(name, estimator, dataset).at_once()
    except InputError:  # of options, which a fit refuses too
        return None


class _Trees(OneCopy[TopDownTree]):
    def __init__(self, name: str, estimator: TopDownTree, dataset: Dataset) -> None:
        super().__init__(name, estimator, dataset)
        self._columns = np.ascontiguousarray(self.codes.T)
        learner = self.copy()
        learner.check_options()
        self._growth = self._sorted(learner, None)

    def run(self, learner: TopDownTree, order: npt.NDArray[np.int32] | None) -> LearnAndTell:
        growth = self._growth if order is None else self._sorted(learner, order)

        def learn_and_tell(tested: Flags) -> Places:
            learner.learn_rows(growth.without(tested if order is None else tested[order]))
            return learner.tell(np.ascontiguousarray(self._columns[:, tested]))

        return learn_and_tell

    def _sorted(self, learner: TopDownTree, order: npt.NDArray[np.int32] | None) -> Growth:
        columns, y = self._columns, self.y
        if order is not None:
            columns, y = np.ascontiguousarray(columns[:, order]), y[order]
        return learner.growth(columns, y, np.ones(len(y)), len(learner.classes_))
