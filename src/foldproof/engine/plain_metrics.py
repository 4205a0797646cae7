"""The commonest metrics for all folds of many runs, with the operations that scikit-learn's do, in their order.

Each returns runs x folds, or None where scikit-learn's own might raise, warn or compute in other numbers.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from foldproof.domain.partitions import Partitions
from foldproof.engine.plan import Plan

Floats = npt.NDArray[np.float64]
Plain = Callable[[Plan, Sequence[int], Floats], Floats | None]


def plain_metric(scorer: Any) -> Plain | None:
    """Return the way round scikit-learn's scorer, if there is one: what it scores with, before its sign."""
    function = scorer._score_func
    if scorer._kwargs or not getattr(function, "__module__", "").startswith("sklearn.metrics."):
        return None
    return _PLAIN.get(function.__name__)


def _accuracy(plan: Plan, runs: Sequence[int], predictions: Floats) -> Floats | None:
    dataset, splits = plan.dataset, plan.splits
    if dataset.task != "classification" or not isinstance(splits, Partitions) or not _known_labels(dataset.y):
        return None
    fold_of, _ = splits.matrices(list(runs))
    place = np.arange(len(fold_of))[:, None] * splits.folds + fold_of
    tested = fold_of >= 0
    size = np.bincount(place[tested], minlength=len(fold_of) * splits.folds)
    classes = len(np.unique(dataset.target_codes))
    many = size if _small_folds_warn() else size[size > 20]
    if (classes > np.round(0.5 * many)).any():  # scikit-learn warns that there are too many classes
        return None
    right = np.bincount(place[tested & (predictions == dataset.target_codes)], minlength=len(size))
    return (right / size).reshape(-1, splits.folds)


def _known_labels(y: npt.NDArray[Any]) -> bool:
    """Whether no metric doubts that these are labels."""
    if y.dtype.kind == "O":
        return all(type(label) is str for label in y.tolist())
    return y.dtype.kind in "iubU" or (y.dtype.kind == "f" and bool((y == np.rint(y)).all()))


@cache
def _small_folds_warn() -> bool:
    """Whether this scikit-learn warns of many classes in a handful of instances too."""
    from sklearn.metrics import accuracy_score

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        accuracy_score([0, 1, 2], [0, 1, 2])
    return bool(caught)


def _by_fold(error: Callable[[Floats, Floats], Any]) -> Plain:
    def metric(plan: Plan, runs: Sequence[int], predictions: Floats) -> Floats | None:
        dataset, splits = plan.dataset, plan.splits
        if dataset.task != "regression" or not (dataset.y.dtype == np.float64 or dataset.y.dtype.kind in "iu"):
            return None
        truth = np.asarray(dataset.y, dtype=np.float64)
        table = np.empty((len(runs), splits.folds))
        for place, run in enumerate(runs):
            for fold in range(splits.folds):
                test = splits.train_test(run, fold)[1]
                table[place, fold] = error(truth[test].reshape(-1, 1), predictions[place, test].reshape(-1, 1))
        return table if np.isfinite(table[~np.isnan(table)]).all() else None

    def quietly(plan: Plan, runs: Sequence[int], predictions: Floats) -> Floats | None:
        if np.isinf(predictions).any():
            return None
        with np.errstate(all="ignore"):
            return metric(plan, runs, predictions)

    return quietly


def _mean_squared(truth: Floats, found: Floats) -> Any:
    return np.average(np.average((truth - found) ** 2, axis=0))


def _root_mean_squared(truth: Floats, found: Floats) -> Any:
    return np.average(np.sqrt(np.average((truth - found) ** 2, axis=0)))


def _mean_absolute(truth: Floats, found: Floats) -> Any:
    return np.average(np.average(np.abs(found - truth), axis=0))


_PLAIN: dict[str, Plain] = {
    "accuracy_score": _accuracy,
    "mean_squared_error": _by_fold(_mean_squared),
    "root_mean_squared_error": _by_fold(_root_mean_squared),
    "mean_absolute_error": _by_fold(_mean_absolute),
}
