"""One task: fit and score one learner on every fold of one run."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import dataclass
from functools import wraps
from typing import Any

import numpy as np
import numpy.typing as npt

from foldproof.domain.outcomes import Failure
from foldproof.engine.plan import Plan
from foldproof.learners.fitting import fitting, one_thread, predicted_codes, take_rows
from foldproof.learners.learner import Learner
from foldproof.learners.tuning import chosen_parameters

# Responses that several scorers share; the first to ask computes it.
_RESPONSES = ("predict", "predict_proba", "decision_function", "predict_log_proba")


@dataclass(slots=True)
class TaskResult:
    """Scores per scoring and fold, predictions per instance, and what went wrong, was grumbled about or was chosen.

    ``chosen`` holds the setting that the learner chose for itself in each fold, None where it tunes nothing.
    """

    learner: str
    run: int
    scores: dict[str, npt.NDArray[np.float64]]
    predictions: npt.NDArray[np.float64] | None
    failures: list[Failure]
    grumbles: Counter[str]
    examples: dict[str, str]
    chosen: list[str | None]


class _Once:
    """A fitted estimator that answers each question about the same test set once."""

    def __init__(self, estimator: Any) -> None:
        self._estimator = estimator
        self._answers: dict[tuple[str, int], Any] = {}

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._estimator, name)
        if name not in _RESPONSES:
            return found

        @wraps(found)  # scikit-learn asks a response method for its name
        def answer(X: Any, **options: Any) -> Any:
            if options:
                return found(X, **options)
            key = (name, id(X))
            if key not in self._answers:
                self._answers[key] = found(X)
            return self._answers[key]

        return answer


def run_task(plan: Plan, learner: Learner, run: int) -> TaskResult:
    """Return the result of one task. Whatever a learner raises becomes a failure of that fold.

    Numeric libraries are held to one thread, so that sums are formed in the same order whatever runs beside.
    """
    folds = plan.partitions.folds
    result = TaskResult(
        learner=learner.name,
        run=run,
        scores={name: np.full(folds, np.nan) for name in plan.scorers},
        predictions=np.full(len(plan.dataset), np.nan) if plan.partitions.complementary else None,
        failures=[],
        grumbles=Counter(),
        examples={},
        chosen=[None] * folds,
    )
    with one_thread():
        for fold in range(folds):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                _run_fold(plan, learner, run, fold, result)
            # A kind of warning counts once a fit, however often it was given.
            result.grumbles.update({w.category.__name__ for w in caught})
            for w in caught:
                result.examples.setdefault(w.category.__name__, _first_line(w.message))
    return result


def _run_fold(plan: Plan, learner: Learner, run: int, fold: int, result: TaskResult) -> None:
    dataset = plan.dataset
    train, test = plan.partitions.train_test(run, fold)
    fit = fitting(learner, dataset, plan.address(run), fold, encode=plan.encode)
    X_test, y_test = take_rows(fit.X, test), dataset.y[test]
    try:
        fit.fit(train)
    except Exception as error:
        result.failures.append(_failure(learner, run, fold, "fit_raised", error))
        return
    result.chosen[fold] = chosen_parameters(fit.estimator)
    model = _Once(fit.estimator)
    if result.predictions is not None:
        try:
            result.predictions[test] = predicted_codes(dataset, np.asarray(model.predict(X_test)))
        except Exception as error:
            result.failures.append(_failure(learner, run, fold, "predict_raised", error))
            return
    for name, scorer in plan.scorers.items():
        try:
            score = float(scorer(model, X_test, y_test))
        except Exception as error:
            result.failures.append(_failure(learner, run, fold, "score_raised", error, f"{name}: "))
            continue
        if np.isfinite(score):
            result.scores[name][fold] = score
        else:
            message = f"{name} is {score}"
            result.failures.append(Failure(learner.name, run, fold, "score_not_finite", message))


def _failure(learner: Learner, run: int, fold: int, kind: str, error: Exception, where: str = "") -> Failure:
    return Failure(learner.name, run, fold, kind, f"{where}{type(error).__name__}: {_first_line(error)}")


def _first_line(message: Any) -> str:
    lines = str(message).strip().splitlines()
    return lines[0].rstrip(" :") if lines else ""
