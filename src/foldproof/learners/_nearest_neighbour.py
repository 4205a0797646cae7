"""Nearest neighbour as the papers' experiments had it: IB1's first of equals, or IBk's vote among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from foldproof.domain.canonical import Label
from foldproof.domain.errors import InputError
from foldproof.kernels.jit import writable
from foldproof.learners._coded import CodedClassifier
from foldproof.learners.learner import LEARNERS

__all__ = ["NearestNeighbour"]


@LEARNERS.register("nearest-neighbour")
class NearestNeighbour(CodedClassifier):
    """The nearest training instances vote.

    The distance is Euclidean [1]_: a numeric difference counts in shares of the attribute's range, two categories
    differ by 1 unless they are equal, and a missing value is as far away as it can be (1 from another missing one). The
    range includes the instance that is classified.

    Parameters
    ----------
    k
        How many neighbours vote.
    ties
        "first" (IB1): of equally near instances those that come first in the training data; probabilities are shares of
        the votes. "vote" (IBk): all who are as near as the k-th vote, and each class starts with 1/n of a vote.
        Where votes are equal the first class is predicted. Weights are weights of votes; they do not change
        who is near, so that for k > 1 a weight of 2 is not quite the same as two rows.
    ranges
        "single": training data and the one instance that is classified, so that no prediction depends on the
        rows beside it. "cumulative": as in Weka, instances classified earlier widen the ranges, too, in the order of
        the rows of one call of ``predict``; each call begins anew.
    categorical_features, categories, classes
        What the columns and the class declare; see :class:`~foldproof.learners._coded.CodedClassifier`.

    References
    ----------
    .. [1] D. W. Aha, D. Kibler and M. K. Albert, "Instance-based learning algorithms", Machine Learning 6, 1991.

    Examples
    --------
    The third instance asked about widens the range of the last column, which changes the fourth's neighbour:

    >>> X = [[1, "p", 10], [3, "q", None], [5, "p", 20], [None, "r", 10], [3, "p", 20]]
    >>> asked = [[4, "p", 20], [2, None, 15], [None, "p", 30], [9, "r", None]]
    >>> declared = dict(categories=[["p", "q", "r"]], classes=["x", "y", "z"])
    >>> for ranges in ("cumulative", "single"):
    ...     first = NearestNeighbour(ranges=ranges, **declared).fit(X, list("xyyzz"))
    ...     vote = NearestNeighbour(ties="vote", ranges=ranges, **declared).fit(X, list("xyyzz"))
    ...     print(*first.predict(asked), "|", *vote.predict(asked), "|", *vote.predict_proba(asked)[3].round(4))
    y x z y | y x z y | 0.125 0.75 0.125
    y x z z | y x z z | 0.125 0.125 0.75
    >>> for row in vote.predict_proba(asked)[:3]: print(*row.round(4))
    0.0769 0.4615 0.4615
    0.3333 0.3333 0.3333
    0.125 0.125 0.75
    """

    def __init__(
        self,
        k: int = 1,
        *,
        ties: Literal["first", "vote"] = "first",
        ranges: Literal["single", "cumulative"] = "single",
        categorical_features: Sequence[int] | Sequence[str] | None = None,
        categories: Sequence[Sequence[Label] | None] | None = None,
        classes: Sequence[Label] | None = None,
    ) -> None:
        super().__init__(categorical_features=categorical_features, categories=categories, classes=classes)
        self.k = k
        self.ties = ties
        self.ranges = ranges

    def _learn(
        self, codes: npt.NDArray[np.float64], y: npt.NDArray[np.int64], weights: npt.NDArray[np.float64]
    ) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, (int, np.integer)) or self.k < 1:
            raise InputError(f"k is {self.k!r}: give a whole number of at least 1")
        for what, given, known in (
            ("ties", self.ties, ("first", "vote")),
            ("ranges", self.ranges, ("single", "cumulative")),
        ):
            if given not in known:
                raise InputError(f"{what} is {given!r}: use one of {', '.join(map(repr, known))}")
        self._instances, self._y, self._weights = np.ascontiguousarray(codes), y, weights
        self._check_ranges(codes)

    def _check_ranges(self, codes: npt.NDArray[np.float64]) -> None:
        """Refuse values so far apart that their difference is no number; ``single`` ranges know one row at a time."""
        # Of each row, or of all of them: what the ranges of the training data are widened by.
        asked = (codes, codes) if self.ranges == "single" else (np.fmin.reduce(codes), np.fmax.reduce(codes))
        with np.errstate(over="ignore"):
            low = np.atleast_2d(np.fmin(np.fmin.reduce(self._instances, axis=0), asked[0]))
            high = np.atleast_2d(np.fmax(np.fmax.reduce(self._instances, axis=0), asked[1]))
            wide = np.argwhere(np.isinf(high - low))
        if len(wide):
            i, j = (int(at) for at in wide[0])
            raise InputError(
                f"column {self.attributes_[j].name!r} spans from {low[i, j]:g} to {high[i, j]:g}, and the difference "
                "is beyond what a number can hold: rescale it"
            )

    def _probabilities(self, codes: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        from foldproof.kernels.nearest import votes

        self._check_ranges(codes)
        first = self.ties == "first"
        found = votes(
            writable(self._instances),
            writable(self._y),
            writable(self._weights),
            len(self.classes_),
            np.array([attribute.nominal for attribute in self.attributes_]),
            codes,
            int(self.k),
            not first,
            1e-6 if first else 0.0,
            self.ranges == "cumulative",
        )
        if not first:
            found = found + 1.0 / self._weights.sum()
        return np.asarray(found / found.sum(axis=1, keepdims=True))
