"""One fit of one fold: the learner and the data as the fold is given them, and its predictions as codes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset
from foldproof.domain.partitions import Indices
from foldproof.learners.encoder import encoded
from foldproof.learners.learner import Learner, declared


@dataclass(frozen=True, slots=True, eq=False)
class Fitting:
    """An unfitted estimator for one fold, the instances as it takes them, and which step takes weights and groups."""

    dataset: Dataset
    estimator: Any
    X: Any
    step: str

    def fit(self, train: Indices) -> None:
        """Fit the estimator on some rows."""
        self.fit_on(take_rows(self.X, train), self.dataset.y[train], train)

    def fit_on(self, X: Any, y: npt.NDArray[Any], train: Indices) -> None:
        """Fit the estimator on rows that were taken already."""
        options: dict[str, npt.NDArray[Any]] = {}
        if self.dataset.sample_weight is not None:
            options[f"{self.step}sample_weight"] = self.dataset.sample_weight[train]
        if self.dataset.groups is not None and divides_by_groups(last_step(self.estimator)):
            options[f"{self.step}groups"] = self.dataset.groups[train]
        self.estimator.fit(X, y, **options)

    def predicted(self, test: Indices) -> npt.NDArray[np.float64]:
        """Return the fitted estimator's predictions of some rows as codes."""
        return predicted_codes(self.dataset, np.asarray(self.estimator.predict(take_rows(self.X, test))))


@dataclass(frozen=True, slots=True, eq=False)
class Handing:
    """How a learner is handed the instances of a dataset, which is the same in every fold."""

    learner: Learner
    dataset: Dataset
    X: Any
    dress: Callable[[Any], Any]

    def fitting(self, address: Address, fold: int) -> Fitting:
        """Return what is fitted in one fold: random states drawn, declarations told, values encoded if need be."""
        bare = self.learner.fresh(address, fold)
        estimator = self.dress(bare)
        step = f"{estimator.steps[-1][0]}__" if hasattr(estimator, "steps") else ""
        return Fitting(self.dataset, estimator, self.X, step)


def handing(learner: Learner, dataset: Dataset, *, encode: bool = True) -> Handing:
    """Return how a learner is handed the instances of a dataset."""
    if learner.native and dataset.codes is not None:
        return Handing(learner, dataset, dataset.codes, lambda estimator: declared(estimator, dataset))
    if encode and dataset.needs_encoding and not learner.composed:
        return Handing(learner, dataset, dataset.codes, lambda estimator: encoded(dataset, estimator))
    return Handing(learner, dataset, plain_instances(dataset), lambda estimator: estimator)


def fitting(learner: Learner, dataset: Dataset, address: Address, fold: int, *, encode: bool = True) -> Fitting:
    """Return what is fitted in one fold."""
    return handing(learner, dataset, encode=encode).fitting(address, fold)


def last_step(estimator: Any) -> Any:
    """Return what learns: the last step of a pipeline, or the estimator itself."""
    return estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator


def divides_by_groups(estimator: Any) -> bool:
    """Whether an estimator divides its training set again, to tune, and can keep groups whole in it."""
    from sklearn.model_selection._search import BaseSearchCV
    from sklearn.model_selection._split import GroupsConsumerMixin

    from foldproof.learners._tuned import Tuned

    if isinstance(estimator, BaseSearchCV):
        return isinstance(estimator.cv, GroupsConsumerMixin)
    return isinstance(estimator, Tuned)


def plain_instances(dataset: Dataset) -> Any:
    """Return the instances as a learner of scikit-learn's is handed them where nothing is encoded."""
    if isinstance(dataset.X, np.ndarray) and dataset.X.dtype.kind == "O" and not dataset.needs_encoding:
        return dataset.codes
    return dataset.X


def predicted_codes(dataset: Dataset, predicted: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return predictions as codes; a label that is no class of the dataset is -1."""
    if predicted.ndim != 1:
        raise ValueError(f"predict gave an array of shape {predicted.shape}; one value per instance is expected")
    if dataset.task == "regression":
        return predicted.astype(np.float64)
    assert dataset.classes is not None
    place = {label: float(i) for i, label in enumerate(dataset.classes)}
    return np.array([place.get(label, -1.0) for label in predicted.tolist()])


def take_rows(X: Any, rows: Indices) -> Any:
    """Return some rows of an array, a sparse matrix or a frame, as the same kind of thing."""
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    return X[rows]


def one_thread() -> Any:
    """Return a context in which numeric libraries are held to one thread, so that sums keep their order."""
    return _thread_pools().limit(limits=1)


@cache
def _thread_pools() -> Any:
    """Return the numeric libraries' thread pools, looked up once in a process."""
    import scipy.linalg  # noqa: F401  (loads the library whose threads are to be held)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
