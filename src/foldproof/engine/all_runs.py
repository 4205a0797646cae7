"""All runs of a recognised learner at once, scored as scikit-learn would score them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from foldproof.domain.partitions import Partitions
from foldproof.engine.from_predictions import Labels, score_predictions, scores_predictions
from foldproof.engine.plan import Plan
from foldproof.engine.remarks import Remarking
from foldproof.learners.fitting import one_thread
from foldproof.learners.recognised import AtOnce
from foldproof.store.records import Remark

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What one method found, run by run."""

    method: str
    scores: list[dict[str, Floats]]
    predictions: list[Floats]
    remarks: list[dict[str, Remark]]


def method_of(plan: Plan, learner: int) -> AtOnce | None:
    """Return the method by which a learner's runs are predicted at once, or None where they are fitted."""
    if not plan.fast or not isinstance(plan.splits, Partitions):
        return None
    if not all(scores_predictions(scorer) for scorer in plan.scorers.values()):
        return None
    return plan.methods.of(plan.learners[learner].estimator, plan.dataset)


def scored_at_once(plan: Plan, learner: int, runs: Sequence[int]) -> Found | None:
    """Return scores and predictions of all these runs, or None where they have to be fitted fold by fold.

    That is where no method is known, and where it raised or warned: a fit may raise or warn in one fold of many, and
    fold by fold it is told in which.
    """
    method = method_of(plan, learner)
    if method is None or not len(runs):
        return None
    assert isinstance(plan.splits, Partitions)
    chosen = list(runs)
    fold_of, order = plan.splits.matrices(chosen)
    if _too_many_classes(plan, fold_of):
        return None
    with one_thread(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            predictions = method.answers(fold_of, order, [plan.address(run) for run in chosen])
        except Exception:
            return None
        if caught:
            return None
        labels = Labels.of(plan.dataset)
        if labels is not None and not labels.tell(predictions[fold_of >= 0]):
            return None
    remarking = [Remarking() for _ in chosen]
    scores = score_predictions(plan, learner, chosen, predictions, remarking)
    return Found(method.name, scores, list(predictions), [r.remarks() for r in remarking])


def _too_many_classes(plan: Plan, fold_of: npt.NDArray[np.int32]) -> bool:
    """Whether classes are so many, for so few instances, that scikit-learn warns of it when it fits."""
    if plan.dataset.task == "regression":
        return False
    largest = max(int(np.bincount(row[row >= 0]).max()) for row in fold_of)
    return len(np.unique(plan.dataset.target_codes)) > 0.5 * (len(plan.dataset) - largest) - 1.0
