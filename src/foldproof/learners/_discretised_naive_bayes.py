"""Naive Bayes on intervals of least entropy, as Bradford & Brodley (2001) took it from MLC++."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from foldproof.domain.canonical import Label
from foldproof.domain.errors import InputError, unknown_name
from foldproof.learners._coded import CodedClassifier
from foldproof.learners.discretise import entropy_cuts, intervals
from foldproof.learners.learner import LEARNERS

__all__ = ["DiscretisedNaiveBayes"]

Matrix = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
SLACK = 1e-9
COUNTS = ("laplace", "laplace-1/n", "half-of-none", "plain")


@LEARNERS.register("discretised-naive-bayes")
class DiscretisedNaiveBayes(CodedClassifier):
    """Naive Bayes of nominal attributes and of intervals into which the training data divide numeric ones.

    Intervals: Fayyad & Irani's recursive minimisation of entropy, stopped by their description length, on the known
    values of the training data. Counts: with n_c instances of class c, n in all, K classes, and an attribute of V
    values (or intervals), ``P(c) = (n_c + 1) / (n + K)`` and ``P(v | c) = (n_cv + 1) / (n_c + V + u)``, where u is 1 if
    the attribute has unknown values in training. Here n_c counts all instances of the class, also where the value is
    unknown. Unknown values of the instance to be classified are passed over. Equal classes: the one with more training
    instances.

    Parameters
    ----------
    categorical_features, categories, classes
        Nominal columns that hold numbers, declared categories and declared classes, as in every learner here.
    min_interval
        The least weight of an interval.
    cut_ties
        Which of equally good cuts is taken: the one that divides most evenly, or the lowest.
    counts
        How counts become probabilities: Laplace's 1 for each value; the same with 1/n; a half of one instance in n for
        counts of 0; or the plain shares.
    prior_laplace
        Whether the classes' own probabilities have Laplace's 1 too.
    unknown
        What unknown values are: passed over, or a value of their own.

    Attributes
    ----------
    cut_points_
        The cut points of each attribute, ascending; None for a nominal one.

    References
    ----------
    Bradford & Brodley (2001), section 3. Kohavi (1996). Fayyad & Irani (1993).

    Examples
    --------
    Four values below 5 in one class, four above in the other: one cut, and 5/6 for the class on each side.

    >>> nb = DiscretisedNaiveBayes().fit([[1], [2], [3], [4], [6], [7], [8], [9]], list("aaaabbbb"))
    >>> nb.cut_points_[0].tolist()
    [5.0]
    >>> nb.predict_proba([[0], [5.5]]).round(6).tolist()
    [[0.833333, 0.166667], [0.166667, 0.833333]]
    """

    cut_points_: list[Matrix | None]

    def __init__(
        self,
        *,
        categorical_features: Sequence[int] | Sequence[str] | None = None,
        categories: Sequence[Sequence[Label] | None] | None = None,
        classes: Sequence[Label] | None = None,
        min_interval: float = 1,
        cut_ties: Literal["even", "lowest"] = "even",
        counts: Literal["laplace", "laplace-1/n", "half-of-none", "plain"] = "laplace",
        prior_laplace: bool = True,
        unknown: Literal["skip", "value"] = "skip",
    ) -> None:
        super().__init__(categorical_features=categorical_features, categories=categories, classes=classes)
        self.min_interval = min_interval
        self.cut_ties = cut_ties
        self.counts = counts
        self.prior_laplace = prior_laplace
        self.unknown = unknown

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the most probable class of each instance; of equal ones that with more training instances."""
        told = self.tell(self._codes(X))
        return np.asarray(self.classes_[told])

    def tell(self, codes: Matrix) -> Ints:
        """Return the places of the classes that ``predict`` tells for codes."""
        told = self._probabilities(codes)
        order = np.argsort(-self._class_weight, kind="stable")
        return np.asarray(order[np.argmax(told[:, order], axis=1)], dtype=np.int64)

    def _learn(self, codes: Matrix, y: Ints, weights: Matrix) -> None:
        self.check_options()
        k = len(self.classes_)
        self._class_weight = np.bincount(y, weights=weights, minlength=k)
        self.cut_points_ = []
        self._tables: list[Matrix] = []
        for j, attribute in enumerate(self.attributes_):
            column = codes[:, j]
            known = column == column
            if attribute.categories is not None:
                self.cut_points_.append(None)
                values = len(attribute.categories)
            else:
                cuts = entropy_cuts(
                    column[known],
                    y[known],
                    weights[known],
                    k,
                    slack=SLACK,
                    accept_slack=0.0,
                    prefer="even" if self.cut_ties == "even" else "first",
                    smallest=self.min_interval,
                )
                self.cut_points_.append(cuts)
                values = len(cuts) + 1
            self._tables.append(self._table(self._places(column, j, values), y, weights, values))

    def _probabilities(self, codes: Matrix) -> Matrix:
        n, k = self._class_weight.sum(), len(self.classes_)
        added = 1.0 if self.prior_laplace else 0.0
        joint = np.tile((self._class_weight + added) / (n + added * k), (len(codes), 1))
        for j, table in enumerate(self._tables):
            joint *= table[self._places(codes[:, j], j, len(table) - 1)]
            top = joint.max(axis=1, keepdims=True)
            np.divide(joint, top, out=joint, where=top > 0.0)
        total = joint.sum(axis=1, keepdims=True)
        prior = self._class_weight / n  # where plain counts leave no class possible
        return np.where(total > 0.0, joint / np.where(total > 0.0, total, 1.0), prior)

    def _places(self, column: Matrix, j: int, values: int) -> npt.NDArray[np.intp]:
        """Return the row of the attribute's table for each value; the last one, ``values``, is for unknown."""
        cuts = self.cut_points_[j]
        places = column if cuts is None else intervals(column, cuts)
        return np.where(np.isnan(places), values, places).astype(np.intp)

    def _table(self, places: npt.NDArray[np.intp], y: Ints, weights: Matrix, values: int) -> Matrix:
        """Return P(v | c), a row per value and one for unknown, which is 1 where unknown values are passed over."""
        k, n = len(self.classes_), self._class_weight.sum()
        count = np.zeros((values + 1, k))
        np.add.at(count, (places, y), weights)
        unknown = float(count[values].any())
        of_class = self._class_weight
        if self.counts in ("laplace", "laplace-1/n"):
            added = 1.0 if self.counts == "laplace" else 1.0 / n
            table = (count + added) / (of_class + added * (values + unknown))
        else:
            table = count / np.where(of_class > 0.0, of_class, 1.0)
            if self.counts == "half-of-none":
                table[count == 0.0] = 0.5 / n
        if self.unknown == "skip" or not unknown:
            table[values] = 1.0
        return np.asarray(table)

    def check_options(self) -> None:
        """Refuse options that make no sense."""
        if not self.min_interval > 0:
            raise InputError(f"min_interval is {self.min_interval!r}: give a positive number")
        if self.cut_ties not in ("even", "lowest"):
            raise unknown_name("cut_ties", str(self.cut_ties), ("even", "lowest"))
        if self.counts not in COUNTS:
            raise unknown_name("counts", str(self.counts), COUNTS)
        if self.unknown not in ("skip", "value"):
            raise unknown_name("unknown", str(self.unknown), ("skip", "value"))
