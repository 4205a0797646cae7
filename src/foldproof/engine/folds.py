"""One learner on one run, fitted fold by fold."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial, wraps
from typing import Any

import numpy as np
import numpy.typing as npt

from foldproof.engine.from_predictions import Labels, scores_predictions
from foldproof.engine.plain_metrics import plain_metric
from foldproof.engine.plan import Plan
from foldproof.engine.remarks import Remarking, failure
from foldproof.engine.shortcuts import Rows, Way
from foldproof.learners.fitting import Fitting, predicted_codes, take_rows
from foldproof.learners.tuning import chosen_parameters

Floats = npt.NDArray[np.float64]

# Responses that several scorers share; the first to ask computes it.
_RESPONSES = ("predict", "predict_proba", "decision_function", "predict_log_proba")


class _Once:
    """A fitted estimator that answers each question about the same test set once.

    ``renew`` takes the test rows anew for each question where they can be written to, because some estimators work on
    what they are handed, and the next question is not about that.
    """

    def __init__(self, estimator: Any, test: Any, renew: Callable[[], Any] | None) -> None:
        self._estimator, self._test, self._renew = estimator, test, renew
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
                given = self._renew() if self._renew is not None and X is self._test else X
                self._answers[key] = found(given)
            return self._answers[key]

        return answer


class FoldByFold:
    """The scores, predictions and remarks of one run of a learner, as they come together.

    ``begin`` is called when a fit begins.
    """

    def __init__(self, plan: Plan, learner: int, run: int, begin: Callable[[], None] | None = None) -> None:
        folds = plan.splits.folds
        self._plan, self._run = plan, run
        self._begin = begin
        self._way: Way = plan.shortcuts.way(plan, learner)
        self.scores = {name: np.full(folds, np.nan) for name in plan.scorers}
        self.predictions = np.full(len(plan.dataset), np.nan) if plan.splits.complementary else None
        self.remarking = Remarking()
        # Scorings that are computed for all folds at the end, and the folds that wait for it.
        self._plain = self._plain_metrics()
        self._waiting = np.zeros(folds, dtype=np.bool_)
        self._labels = Labels.of(plan.dataset) if self._plain else None
        self.chosen = [self._fold(fold) for fold in range(folds)]
        self._score_waiting()

    def _plain_metrics(self) -> dict[str, Any]:
        """Return scorings whose scores follow from predictions the quick way, if the truth's own do."""
        plan, dataset = self._plan, self._plan.dataset
        if self.predictions is None:
            return {}
        truth = dataset.target_codes if dataset.task == "classification" else np.asarray(dataset.y)
        if dataset.task != "classification" and dataset.y.dtype != np.float64:
            return {}
        found = {}
        for name, scorer in plan.scorers.items():
            plain = plain_metric(scorer) if scores_predictions(scorer) else None
            if plain is not None and plain(plan, [self._run], truth[None, :]) is not None:
                found[name] = partial(plain, plan, [self._run])
        return found

    def _fold(self, fold: int) -> str | None:
        """Fit and score one fold: with shared rows where the learner bears it, by the book where it does not."""
        plan, way = self._plan, self._way
        if way.shared:
            attempt = Remarking()
            fit, chosen = self._attempt(fold, plan.shortcuts.rows(plan, self._run, fold), way.unchecked, attempt)
            if not attempt.faulty:
                self.remarking.absorb(attempt)
                return chosen
            self._waiting[fold] = False
        attempt = Remarking()
        fit, chosen = self._attempt(fold, None, {}, attempt)
        way.learn(fit.estimator, faulty=attempt.faulty)
        self.remarking.absorb(attempt)
        return chosen

    def _attempt(
        self, fold: int, rows: Rows | None, unchecked: dict[str, bool], remarking: Remarking
    ) -> tuple[Fitting, str | None]:
        plan, dataset = self._plan, self._plan.dataset
        fit = self._way.handing.fitting(plan.address(self._run), fold)
        for scores in self.scores.values():
            scores[fold] = np.nan
        if rows is None:
            train, test = plan.splits.train_test(self._run, fold)
            X_train, y_train = take_rows(fit.X, train), dataset.y[train]
            X_test, y_test = take_rows(fit.X, test), dataset.y[test]
        else:
            train, test, y_train, y_test = rows.train, rows.test, rows.y_train, rows.y_test
            X_train, X_test = rows.of(fit.X)
        if self.predictions is not None:
            self.predictions[test] = np.nan
        if self._begin is not None:
            self._begin()
        model = _Once(fit.estimator, X_test, partial(take_rows, fit.X, test) if rows is None else None)
        chosen = None
        with remarking.listening("", fold), _configured(unchecked):
            try:
                fit.fit_on(X_train, y_train, train)
            except (Exception, SystemExit) as error:
                remarking.fault("", failure(fold, "fit_raised", error))
                return fit, None
            chosen = chosen_parameters(fit.estimator)
            if self.predictions is not None:
                try:
                    predicted = np.asarray(model.predict(X_test))
                    self.predictions[test] = _one_for_each(predicted_codes(dataset, predicted), len(test))
                except (Exception, SystemExit) as error:
                    remarking.fault("", failure(fold, "predict_raised", error))
                    return fit, chosen
                self._waiting[fold] = bool(self._plain) and self._is_plain(predicted, self.predictions[test])
        for name, scorer in plan.scorers.items():
            if not (self._waiting[fold] and name in self._plain):
                with remarking.listening(name, fold):
                    score = partial(scorer, model, X_test, y_test)
                    self.scores[name][fold] = remarking.scored(name, fold, score)
        return fit, chosen

    def _is_plain(self, predicted: npt.NDArray[Any], codes: Floats) -> bool:
        """Whether a scorer would find nothing odd about predictions: labels, or finite numbers, of the usual type."""
        if self._labels is None:
            return predicted.dtype == np.float64 and bool(np.isfinite(codes).all())
        return predicted.dtype.kind == self._plan.dataset.y.dtype.kind and self._labels.tell(codes)

    def _score_waiting(self) -> None:
        """Compute the scores that were put off; where that is not possible after all, fit again and ask scorers."""
        if not self._waiting.any():
            return
        assert self.predictions is not None
        tables = {name: plain(self.predictions[None, :]) for name, plain in self._plain.items()}
        if any(table is None for table in tables.values()):
            self._plain, self.remarking = {}, Remarking()
            self._waiting[:] = False
            self.chosen = [self._fold(fold) for fold in range(self._plan.splits.folds)]
            return
        for name, table in tables.items():
            sign = self._plan.scorers[name]._sign
            self.scores[name][self._waiting] = sign * table[0][self._waiting]


def _one_for_each(codes: Floats, rows: int) -> Floats:
    if len(codes) != rows:
        raise ValueError(f"predict gave {len(codes)} values for {rows} instances; one value per instance is expected")
    return codes


def _configured(unchecked: dict[str, bool]) -> AbstractContextManager[Any]:
    """Return a context in which scikit-learn leaves out some of its checks."""
    if not unchecked:
        return nullcontext()
    from sklearn import config_context

    context: AbstractContextManager[Any] = config_context(**unchecked)
    return context
