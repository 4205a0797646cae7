"""A learner that tunes itself inside its training set (Salzberg 1997, section 3.5, steps 4B and 4C)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import ParameterGrid, ParameterSampler
from sklearn.utils.metaestimators import available_if

from foldproof.domain.address import Stream
from foldproof.domain.errors import InputError
from foldproof.learners.fitting import take_rows

__all__ = ["Tuned"]


def _inner_has(name: str) -> Any:
    return available_if(lambda self: hasattr(getattr(self, "best_estimator_", self.estimator), name))


class Tuned(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """An estimator whose parameters are chosen on a part of its own training set, and nowhere else.

    The training set T is divided into T1 and T2 (classes alike; where there are groups, by whole groups). Every setting
    is fitted on T1 and scored on T2; the best one, the first among equals, is fitted again on the whole of T. Whoever
    fits a ``Tuned`` on a training fold has tuned without having seen the test fold.

    Parameters
    ----------
    estimator
        What is tuned. Its own parameters hold where a setting names none.
    settings
        A mapping of parameters to lists of values, a list of such mappings or of settings, scikit-learn's
        ``ParameterGrid`` or ``ParameterSampler``.
    tune_size
        The share of the training set that is T2.
    scoring
        A scikit-learn scoring for T2; the estimator's own score by default.
    random_state
        Decides who is in T2, and what a sampler without a random state draws.

    Attributes
    ----------
    best_params_, best_score_, best_estimator_
        The setting chosen, its score on T2, and the estimator fitted on T.
    scores_
        The score of every setting on T2.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> Tuned(KNeighborsClassifier(), {"n_neighbors": [1, 81]}, random_state=0).fit(X, y).best_params_
    {'n_neighbors': 1}
    """

    def __init__(
        self,
        estimator: Any,
        settings: Any,
        *,
        tune_size: float = 1 / 3,
        scoring: Any = None,
        random_state: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.settings = settings
        self.tune_size = tune_size
        self.scoring = scoring
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Choose the setting on T2, and fit it on the whole of T.

        Weights are those of the instances in fitting; T2 is scored without. Groups are not torn apart.
        """
        X = X if hasattr(X, "shape") else np.asarray(X)
        target = np.asarray(y)
        weights = None if sample_weight is None else np.asarray(sample_weight)
        train, tune = self._divide(target, None if groups is None else np.asarray(groups))
        tried = listed_settings(self.settings, self.random_state)
        scorer = check_scoring(self.estimator, scoring=self.scoring)
        self.scores_ = []
        for setting in tried:
            model = self._fitted(
                setting, take_rows(X, train), target[train], None if weights is None else weights[train]
            )
            self.scores_.append(float(scorer(model, take_rows(X, tune), target[tune])))
        known = np.array([score if np.isfinite(score) else -np.inf for score in self.scores_])
        if not np.isfinite(known).any():
            raise InputError(f"none of the {len(tried)} settings has a finite score on the tuning set")
        best = int(np.argmax(known))
        self.best_params_, self.best_score_ = tried[best], self.scores_[best]
        self.best_estimator_ = self._fitted(tried[best], X, target, weights)
        if hasattr(self.best_estimator_, "classes_"):
            self.classes_ = self.best_estimator_.classes_
        return self

    def predict(self, X: Any) -> Any:
        """Return the chosen estimator's predictions."""
        return self.best_estimator_.predict(X)

    @_inner_has("predict_proba")  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        """Return the chosen estimator's probabilities."""
        return self.best_estimator_.predict_proba(X)

    @_inner_has("decision_function")  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Any:
        """Return the chosen estimator's decision function."""
        return self.best_estimator_.decision_function(X)

    @_inner_has("with_declared")  # type: ignore[untyped-decorator]
    def with_declared(self, attributes: Any, classes: Any) -> Self:
        """Return an unfitted copy whose estimator is told what the dataset declares."""
        copy: Self = clone(self).set_params(estimator=self.estimator.with_declared(attributes, classes))
        return copy

    def __sklearn_tags__(self) -> Any:
        """Be what the estimator is."""
        from sklearn.utils import get_tags

        return get_tags(self.estimator)

    def _divide(
        self, y: npt.NDArray[Any], groups: npt.NDArray[Any] | None
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        if not 0.0 < self.tune_size <= 0.5:
            raise InputError(f"tune_size is {self.tune_size!r}: give the share of T2, above 0 and at most a half")
        parts = round(1.0 / self.tune_size)
        if len(y) < 2 * parts:
            raise InputError(f"{len(y)} instances are too few to divide into a part to train and a part to tune on")
        stream = Stream(self.random_state or 0)
        if groups is not None:
            return _whole_groups(groups, parts, stream)
        order = stream.permutation(len(y))
        if is_classifier(self.estimator):
            order = order[np.argsort(np.unique(y, return_inverse=True)[1][order], kind="stable")]
        part = np.empty(len(y), dtype=np.intp)
        part[order] = np.arange(len(y)) % parts
        return np.flatnonzero(part != 0), np.flatnonzero(part == 0)

    def _fitted(self, setting: Mapping[str, Any], X: Any, y: Any, weights: Any) -> Any:
        steps = getattr(self.estimator, "steps", None)
        key = "sample_weight" if steps is None else f"{steps[-1][0]}__sample_weight"
        options = {} if weights is None else {key: weights}
        # A parameter that is itself an estimator is cloned, so that no fit meets what another has fitted.
        own = {key: clone(value, safe=False) for key, value in setting.items()}
        return clone(self.estimator).set_params(**own).fit(X, y, **options)


def _whole_groups(
    groups: npt.NDArray[Any], parts: int, stream: Stream
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the rows of T1 and T2: groups in random order, each dealt to the part that is smallest so far."""
    kinds, place, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    if len(kinds) < 2:
        raise InputError("all instances are of one group, so there is no other to tune on: use more groups")
    filled, part = np.zeros(min(parts, len(kinds)), dtype=np.intp), np.empty(len(kinds), dtype=np.intp)
    for kind in stream.permutation(len(kinds)):
        part[kind] = int(np.argmin(filled))
        filled[part[kind]] += sizes[kind]
    tuning = part[place.ravel()] == 0
    return np.flatnonzero(~tuning), np.flatnonzero(tuning)


def listed_settings(settings: Any, random_state: int | None = None) -> list[dict[str, Any]]:
    """Return every setting, in order.

    >>> listed_settings({"depth": [1, 2], "leaf": [5]})
    [{'depth': 1, 'leaf': 5}, {'depth': 2, 'leaf': 5}]
    >>> listed_settings([{"depth": 1}, {"depth": 2, "leaf": 5}])
    [{'depth': 1}, {'depth': 2, 'leaf': 5}]
    """
    if isinstance(settings, ParameterSampler):
        if settings.random_state is None:
            state = np.random.RandomState(random_state)
            settings = ParameterSampler(settings.param_distributions, settings.n_iter, random_state=state)
        found = [dict(setting) for setting in settings]
    elif isinstance(settings, ParameterGrid):
        found = [dict(setting) for setting in settings]
    elif isinstance(settings, Mapping):
        found = _grid(settings)
    elif isinstance(settings, Iterable) and not isinstance(settings, (str, bytes)):
        parts = list(settings)
        if not all(isinstance(part, Mapping) for part in parts):
            raise InputError(f"settings is {settings!r}: a list holds mappings of parameters to values")
        found = [setting for part in parts for setting in (_grid(part) if _is_grid(part) else [dict(part)])]
    else:
        raise InputError(f"settings is {settings!r}: give a mapping of parameters to lists of values")
    if not found:
        raise InputError("settings is empty: give at least one")
    return found


def _is_grid(part: Mapping[str, Any]) -> bool:
    return all(isinstance(values, (Sequence, np.ndarray)) and not isinstance(values, str) for values in part.values())


def _grid(part: Mapping[str, Any]) -> list[dict[str, Any]]:
    try:
        return [dict(setting) for setting in ParameterGrid(dict(part))]
    except (TypeError, ValueError) as error:
        raise InputError(f"settings is {dict(part)!r}: give a list of values for each parameter ({error})") from None
