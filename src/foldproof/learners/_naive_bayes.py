"""Naive Bayes as the papers' experiments had it: counts, normals on rounded values, kernels, intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from foldproof.domain.canonical import Label
from foldproof.domain.errors import InputError
from foldproof.learners._coded import CodedClassifier
from foldproof.learners._likelihoods import Binned, Kernel, Likelihood, Nominal, Normal
from foldproof.learners.discretise import entropy_cuts, intervals
from foldproof.learners.learner import LEARNERS

__all__ = ["NaiveBayes"]

NUMERIC = ("normal", "kernel", "discretised")
VARIANTS = ("classic", "current", "3.3.6")

# No factor is smaller than this, and products that fall below it are scaled up: both are part of the result.
FLOOR = 1e-75


@LEARNERS.register("naive-bayes")
class NaiveBayes(CodedClassifier):
    """Naive Bayes for numeric and nominal attributes with missing values.

    Class shares and shares of categories are counted from one, over all that is declared; a missing value is left out,
    in learning and in classifying. Numbers are rounded to multiples of the attribute's mean gap between neighbouring
    values, and a normal density is integrated over the cell [1]_ [2]_. Weights count as repetitions.

    Parameters
    ----------
    numeric
        "normal": a normal density per class. "kernel": one density per training value. "discretised": intervals
        by entropy and description length, learnt from the training data, then counted as categories.
    variant
        Which release of Weka is followed where they differ. "classic" (to 3.6): kernels do not round the value
        asked about; cuts lie in the middle. "current" (3.9): they do round it. "3.3.6" (and 3.4): cuts lie on
        the left value and entropies are compared with a slack of 1e-6; the rest as classic.
    categorical_features, categories, classes
        What the columns and the class declare; see :class:`~foldproof.learners._coded.CodedClassifier`.

    Attributes
    ----------
    class_prior_
        The share of each class, counted from one.
    likelihoods_
        What is known of each attribute: tables, normals (``precision``, ``means``, ``deviations``), kernels, intervals.

    References
    ----------
    .. [1] G. H. John and P. Langley, "Estimating continuous distributions in Bayesian classifiers", UAI 1995.
    .. [2] R. R. Bouckaert and E. Frank, "Evaluating the replicability of significance tests for comparing learning
       algorithms", PAKDD 2004.

    Examples
    --------
    Values are rounded, so means are not quite the plain ones (1.464, 4.26, 5.552):

    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> X[34, 3], X[37] = 0.1, [4.9, 3.1, 1.5, 0.1]  # two rows, as they are in the file of the repository
    >>> petal_length = NaiveBayes().fit(X, y).likelihoods_[2]
    >>> round(petal_length.precision, 4), petal_length.means.round(4).tolist()
    (0.1405, [1.4694, 4.2452, 5.5516])
    >>> petal_length.deviations.round(4).tolist()
    [0.1782, 0.4712, 0.5529]

    Five instances with missing values; a class and a category that are declared count, whether they occur or not:

    >>> X = [[1, "p", 10], [3, "q", None], [5, "p", 20], [None, "r", 10], [3, "p", 20]]
    >>> model = NaiveBayes(categories=[["p", "q", "r"]], classes=["x", "y", "z"]).fit(X, ["x", "y", "y", "z", "z"])
    >>> asked = [[4, "p", 20], [2, None, 15], [None, "p", 30], [9, "r", None]]
    >>> model.predict(asked).tolist()
    ['y', 'y', 'z', 'z']
    >>> for row in model.predict_proba(asked): print(*[f"{p:.9f}" if p > 0.001 else f"{p:.5e}" for p in row])
    7.64952e-79 0.676342040 0.323657960
    6.09937e-04 0.675929514 0.323460549
    3.46236e-74 0.056086003 0.943913997
    0.217391304 0.260869565 0.521739130
    """

    def __init__(
        self,
        *,
        numeric: Literal["normal", "kernel", "discretised"] = "normal",
        variant: Literal["classic", "current", "3.3.6"] = "classic",
        categorical_features: Sequence[int] | Sequence[str] | None = None,
        categories: Sequence[Sequence[Label] | None] | None = None,
        classes: Sequence[Label] | None = None,
    ) -> None:
        super().__init__(categorical_features=categorical_features, categories=categories, classes=classes)
        self.numeric = numeric
        self.variant = variant

    def _learn(
        self, codes: npt.NDArray[np.float64], y: npt.NDArray[np.int64], weights: npt.NDArray[np.float64]
    ) -> None:
        for what, given, known in (("numeric", self.numeric, NUMERIC), ("variant", self.variant, VARIANTS)):
            if given not in known:
                raise InputError(f"{what} is {given!r}: use one of {', '.join(map(repr, known))}")
        k = len(self.classes_)
        counts = np.bincount(y, weights, k)
        self.class_prior_ = (counts + 1.0) / (weights.sum() + k)
        self.likelihoods_ = tuple(self._likelihood(j, codes[:, j], y, weights) for j in range(codes.shape[1]))

    def _likelihood(
        self, j: int, x: npt.NDArray[np.float64], y: npt.NDArray[np.int64], w: npt.NDArray[np.float64]
    ) -> Likelihood:
        attribute, k = self.attributes_[j], len(self.classes_)
        known = ~np.isnan(x)
        x, y, w = x[known], y[known], w[known]
        if attribute.categories is not None:
            return Nominal.learnt(x, y, w, k, len(attribute.categories))
        if self.numeric == "discretised":
            old = self.variant == "3.3.6"
            cuts = entropy_cuts(x, y, w, k, point="left" if old else "midpoint", slack=1e-6 if old else 0.0)
            return Binned(cuts, Nominal.learnt(intervals(x, cuts), y, w, k, len(cuts) + 1))
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            if self.numeric == "kernel":
                kernel = Kernel.learnt(x, y, w, k, rounds_query=self.variant == "current")
                sane = np.isfinite(kernel.bandwidths).all() and all(np.isfinite(v).all() for v in kernel.values)
                found: Likelihood = kernel
            else:
                normal = Normal.learnt(x, y, w, k)
                sane = np.isfinite(normal.means).all() and np.isfinite(normal.deviations).all()
                sane = bool(sane and (normal.deviations > 0.0).all())
                found = normal
        if not sane:
            raise InputError(
                f"column {attribute.name!r} spans from {x.min():g} to {x.max():g}, and its squares or its steps are "
                "beyond what a number can hold: rescale it"
            )
        return found

    def _probabilities(self, codes: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        product = np.tile(self.class_prior_, (len(codes), 1))
        for j, likelihood in enumerate(self.likelihoods_):
            known = np.flatnonzero(~np.isnan(codes[:, j]))
            if not len(known):
                continue
            with np.errstate(over="ignore"):
                factors = likelihood.of(codes[known, j])
            product[known] *= np.maximum(FLOOR, factors)
            greatest = product.max(axis=1)
            product[(greatest > 0.0) & (greatest < FLOOR)] *= 1e75
        return np.asarray(product / product.sum(axis=1, keepdims=True))
