"""What methods for scikit-learn's estimators have in common: numbers alone, and folds that are left to be fitted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from foldproof.domain.dataset import Dataset
from foldproof.learners.at_once._settle import settle
from foldproof.learners.fitting import plain_instances
from foldproof.learners.recognised import Codes, Order, TestFold

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Plain:
    """Complete numbers and a target, as an estimator of scikit-learn's is handed them.

    ``standardised``: whether a StandardScaler stands before the estimator; ``whole`` is what is fitted where a method
    cannot tell, the pipeline if there is one.
    """

    dataset: Dataset
    X: Matrix
    whole: Any
    standardised: bool = False
    parameters: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def _sorted(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        labels, y = np.unique(self.dataset.y, return_inverse=True)
        return labels, y.astype(np.int64)

    @property
    def y(self) -> npt.NDArray[np.int64]:
        """Positions among the sorted labels that occur, which is the order in which scikit-learn has classes."""
        return self._sorted[1]

    @property
    def n_classes(self) -> int:
        """How many labels occur."""
        return len(self._sorted[0])

    def codes(self, positions: Matrix) -> Codes:
        """Return positions among the sorted labels as positions in the dataset's classes; NaN stays."""
        assert self.dataset.classes is not None
        place = {label: float(i) for i, label in enumerate(self.dataset.classes)}
        table = np.array([*(place[label] for label in self._sorted[0].tolist()), np.nan])
        if np.array_equal(table[:-1], np.arange(len(table) - 1)):
            return positions
        return np.asarray(table[np.where(np.isnan(positions), len(table) - 1, positions).astype(np.intp)])

    def settle(self, test_fold: TestFold, order: Order | None, found: Codes, doubtful: npt.NDArray[np.bool_]) -> Codes:
        """Fit the folds that are doubtful, and write what they predict in the place of what was found."""
        return settle(self.whole, self.dataset, test_fold, order, found, doubtful)


def plain(estimator: Any, dataset: Dataset, known: Iterable[str], task: str) -> Plain | None:
    """Return the data for a method, or None where the estimator, its parameters or the data are not what it is for.

    ``known``: the parameters that the method knows of. A later scikit-learn may add one, which may mean anything.
    """
    whole, standardised = estimator, False
    if hasattr(estimator, "steps"):
        standardised, estimator = unscaled(estimator)
    parameters = estimator.get_params(deep=False)
    if set(parameters) - set(known) or dataset.task != task:
        return None
    X = numbers(dataset)
    return None if X is None else Plain(dataset, X, whole, standardised, parameters)


def unscaled(pipeline: Any) -> tuple[bool, Any]:
    """Return whether a recognised pipeline divides by deviations, and its last step."""
    return bool(pipeline.steps[0][1].with_std), pipeline.steps[-1][1]


def numbers(dataset: Dataset) -> Matrix | None:
    """Return the instances as doubles where that is what scikit-learn computes with."""
    if dataset.codes is None or dataset.needs_encoding or dataset.sample_weight is not None:
        return None
    X = plain_instances(dataset)
    dtype = X.dtype if isinstance(X, np.ndarray) else np.asarray(X).dtype
    if dtype != np.float64 and dtype.kind not in "iu":
        return None
    if dtype.kind in "iu" and np.abs(dataset.codes).max(initial=0.0) > 2.0**52:
        return None
    return np.ascontiguousarray(dataset.codes)


def matrix_of(test_fold: TestFold) -> TestFold:
    """Return the partitions as kernels take them: 32 bits, row after row, not read-only."""
    return np.require(test_fold, dtype=np.int32, requirements=("C", "W"))


def n_folds(test_fold: TestFold) -> int:
    """Return how many folds there are."""
    return int(test_fold.max(initial=-1)) + 1
