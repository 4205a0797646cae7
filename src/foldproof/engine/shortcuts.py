"""What fits of one plan share in one process: rows cut once, checks made once, and whether a learner bears that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from foldproof.domain.dataset import Dataset
from foldproof.domain.partitions import Indices, Splits
from foldproof.learners.fitting import Handing, handing, take_rows
from foldproof.learners.learner import Learner

if TYPE_CHECKING:
    from foldproof.engine.plan import Plan

# The cut rows of one run are kept as long as they take no more than so many bytes.
ROOM = 64 * 2**20


class Rows:
    """The rows of one fold. What several learners are handed is read-only, so that none sees what another did."""

    def __init__(self, dataset: Dataset, train: Indices, test: Indices) -> None:
        self.train, self.test = train, test
        self.y_train, self.y_test = _read_only(dataset.y[train]), _read_only(dataset.y[test])
        self._cut: dict[int, tuple[Any, Any]] = {}

    def of(self, X: Any) -> tuple[Any, Any]:
        """Return the training and the test rows of an array; of anything else, rows for one learner alone."""
        if not isinstance(X, np.ndarray):
            return take_rows(X, self.train), take_rows(X, self.test)
        if id(X) not in self._cut:
            self._cut[id(X)] = _read_only(X[self.train]), _read_only(X[self.test])
        return self._cut[id(X)]


class Way:
    """How one learner is fitted here: the first fold by the book; later ones with less to check, if it went well.

    Left out is what cannot come out otherwise: the check of parameters that were found valid, for scikit-learn's own
    estimators as long as they try no settings; and the search for missing and infinite values in data that have none,
    for those that hold no other estimator. Any exception is thrown again by a fit by the book, so texts stay the same.
    """

    def __init__(self, learner: Learner, dataset: Dataset, *, encode: bool) -> None:
        self.learner, self.dataset = learner, dataset
        self.handing: Handing = handing(learner, dataset, encode=encode)
        self.tried = self.by_the_book = False
        self.unchecked: dict[str, bool] = {}

    def learn(self, estimator: Any, *, faulty: bool) -> None:
        """Take note of how a fit by the book went."""
        if faulty:
            self.by_the_book = True
        elif not self.tried:
            parts = [p for p in estimator.get_params(deep=True).values() if hasattr(p, "get_params")]
            if all(_checks_constants([estimator, *parts])):
                self.unchecked["skip_parameter_validation"] = True
                if not parts and _complete(self.handing.X):
                    self.unchecked["assume_finite"] = True
        self.tried = True

    @property
    def shared(self) -> bool:
        """Whether the next fit may share rows and leave out checks."""
        return self.tried and not self.by_the_book


def _checks_constants(parts: list[Any]) -> list[bool]:
    """Return which estimators check the same parameters in every fold."""
    from sklearn.model_selection._search import BaseSearchCV

    return [
        type(part).__module__.startswith("sklearn.")
        and not isinstance(part, BaseSearchCV)
        and not type(part).__name__.endswith("CV")
        for part in parts
    ]


def _complete(X: Any) -> bool:
    return isinstance(X, np.ndarray) and X.dtype.kind in "iufb" and bool(np.isfinite(X).all())


def _read_only(taken: npt.NDArray[Any]) -> npt.NDArray[Any]:
    taken.flags.writeable = False
    return taken


class Shortcuts:
    """Kept with a plan in one process; in another it begins anew."""

    def __init__(self) -> None:
        self._ways: dict[int, Way] = {}
        self._run: tuple[Splits, int, dict[int, Rows]] | None = None

    def __reduce__(self) -> tuple[type[Shortcuts], tuple[()]]:
        return (Shortcuts, ())

    def way(self, plan: Plan, learner: int) -> Way:
        """Return how a learner of the plan is fitted."""
        own = plan.learners[learner]
        found = self._ways.get(id(own))
        if found is None or found.dataset is not plan.dataset:
            found = self._ways[id(own)] = Way(own, plan.dataset, encode=plan.encode)
        return found

    def rows(self, plan: Plan, run: int, fold: int) -> Rows:
        """Return the rows of a fold; those of the run that was asked for last are kept where there is room."""
        X = plan.dataset.X
        if not isinstance(X, np.ndarray) or (X.nbytes + plan.dataset.y.nbytes) * plan.splits.folds > ROOM:
            return Rows(plan.dataset, *plan.splits.train_test(run, fold))
        kept = self._run
        if kept is None or kept[0] is not plan.splits or kept[1] != run:
            kept = self._run = (plan.splits, run, {})
        if fold not in kept[2]:
            kept[2][fold] = Rows(plan.dataset, *plan.splits.train_test(run, fold))
        return kept[2][fold]
