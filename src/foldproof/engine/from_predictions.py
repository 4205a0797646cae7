"""Scores of predictions that are there already, equal to the last bit to what a fitted estimator would be given.

A scorer is scikit-learn's: it asks an estimator for predictions and compares them. Here the estimator is a stand-in
that knows them. The commonest metrics are computed without it, in the same order of operations, because a scorer costs
more than all that is done for a fold beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from foldproof.domain.dataset import Dataset
from foldproof.engine.plain_metrics import plain_metric
from foldproof.engine.plan import Plan
from foldproof.engine.remarks import Remarking

Floats = npt.NDArray[np.float64]


def scores_predictions(scorer: Any) -> bool:
    """Whether a scorer is scikit-learn's and asks for nothing but predictions.

    >>> from sklearn.metrics import get_scorer
    >>> scores_predictions(get_scorer("f1")), scores_predictions(get_scorer("roc_auc"))
    (True, False)
    """
    from sklearn.metrics._scorer import _Scorer

    return type(scorer) is _Scorer and getattr(scorer, "_response_method", None) == "predict"


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """The labels that codes stand for, as the target has them; a code whose label does not occur has none."""

    table: npt.NDArray[Any]
    occurs: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, dataset: Dataset) -> Labels | None:
        """Return a dataset's labels, None for numbers."""
        if dataset.task == "regression" or dataset.classes is None:
            return None
        codes, first = np.unique(dataset.target_codes.astype(np.intp), return_index=True)
        table = np.repeat(dataset.y[first[:1]], len(dataset.classes))
        table[codes] = dataset.y[first]
        occurs = np.zeros(len(dataset.classes), dtype=np.bool_)
        occurs[codes] = True
        return cls(table, occurs)

    def tell(self, codes: Floats) -> bool:
        """Whether every code has its label."""
        places = codes.astype(np.intp)
        return bool((codes >= 0).all()) and bool(self.occurs[places].all())


class _StandIn:
    """What a scorer takes for a fitted estimator: it knows its predictions of one test set."""

    def __init__(self, estimator: Any, classes: npt.NDArray[Any] | None, predictions: npt.NDArray[Any]) -> None:
        self._estimator = estimator
        self._predictions = predictions
        if classes is not None:
            self.classes_ = classes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._estimator, name)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the predictions, whatever is asked."""
        return self._predictions


def score_predictions(
    plan: Plan, learner: int, runs: Sequence[int], predictions: Floats, remarking: Sequence[Remarking]
) -> list[dict[str, Floats]]:
    """Return the scores of each run; ``predictions`` has a row for each, and what is odd goes to ``remarking``."""
    scores: list[dict[str, Floats]] = [{} for _ in runs]
    missing = _missing(plan, runs, predictions)
    for name, scorer in plan.scorers.items():
        plain = plain_metric(scorer)
        found = None if plain is None else plain(plan, runs, predictions)
        if found is None:
            table = _asked(plan, learner, runs, predictions, name, remarking)
        else:
            table = np.where(missing, np.nan, scorer._sign * found)
        for own, row in zip(scores, table, strict=True):
            own[name] = row
    return scores


def _missing(plan: Plan, runs: Sequence[int], predictions: Floats) -> npt.NDArray[np.bool_]:
    """Return which folds lack a prediction: their fits failed, which is told of the fits."""
    table = np.zeros((len(runs), plan.splits.folds), dtype=np.bool_)
    for place, run in enumerate(runs):
        if np.isnan(predictions[place]).any():
            for fold in range(plan.splits.folds):
                table[place, fold] = np.isnan(predictions[place, plan.splits.train_test(run, fold)[1]]).any()
    return table


def _asked(
    plan: Plan,
    learner: int,
    runs: Sequence[int],
    predictions: Floats,
    name: str,
    remarking: Sequence[Remarking],
) -> Floats:
    """Ask the scorer about every fold."""
    dataset, folds, scorer = plan.dataset, plan.splits.folds, plan.scorers[name]
    labels = Labels.of(dataset)
    known = plan.learners[learner]
    table = np.full((len(runs), folds), np.nan)
    every = None if labels is None or not known.native else labels.table[labels.occurs]
    for place, run in enumerate(runs):
        for fold in range(folds):
            train, test = plan.splits.train_test(run, fold)
            own = predictions[place, test]
            if np.isnan(own).any():  # the fit or its predictions failed, which is told of the fit
                continue
            given = own if labels is None else labels.table[own.astype(np.intp)]
            classes = None if labels is None else np.unique(dataset.y[train]) if every is None else every
            model, y_test = _StandIn(known.estimator, classes, given), dataset.y[test]
            with remarking[place].listening(name, fold):
                table[place, fold] = remarking[place].scored(name, fold, partial(scorer, model, test, y_test))
    return table
