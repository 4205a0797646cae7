"""TDDT-1 and TDDT-2, the top-down decision trees of Bradford & Brodley (2001)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_random_state

from foldproof.domain.canonical import Label
from foldproof.domain.errors import InputError
from foldproof.kernels import tddt_pruning as pruning
from foldproof.kernels.tddt import Flags, Floats, Ints, Tree
from foldproof.learners._top_down_tree import Criterion, Growth, TopDownTree, at_least, known
from foldproof.learners.learner import LEARNERS
from foldproof.learners.pessimistic import c45_added_errors

__all__ = ["TDDT1", "TDDT2"]

PENALTIES = {
    "sqrt(weight*leaves)": pruning.WEIGHT_AND_LEAVES,
    "sqrt(weight)*(sqrt(leaves)-1)": pruning.WEIGHT_AND_MORE_LEAVES,
    "leaves-1": pruning.MORE_LEAVES,
    "sqrt(leaves)": pruning.LEAVES,
}
BETWEEN = {"itself": 0, "geometric-mean": 1}
CORRECTIONS = {"wilson": 0, "c45": 1}
# C4.5's table of confidences and normal deviates, between which it interpolates.
CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00)
DEVIATES = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00)

Penalty = Literal["sqrt(weight*leaves)", "sqrt(weight)*(sqrt(leaves)-1)", "leaves-1", "sqrt(leaves)"]


@LEARNERS.register("tddt-1")
class TDDT1(TopDownTree):
    """Top-down decision tree with Mansour's pruning penalty, its factor chosen by cross-validation.

    A subtree with L leaves gives way to a leaf where the leaf makes at most ``factor * sqrt(weight * L)`` more training
    errors. Candidate factors are the critical ones of the tree of all training data; an inner cross-validation
    over their geometric means finds the strongest pruning within one standard error of the best, as CART does. The tree
    itself: normalised mutual information, a branch for each declared value and one for unknown values, no
    fractional instances; a leaf tells its majority class with probability 1.

    What the paper leaves open is a parameter; the defaults agree best with the accuracies it prints.

    Parameters
    ----------
    categorical_features, categories, classes
        Nominal columns that hold numbers, declared categories and declared classes, as in every learner here.
    criterion
        What a test is scored by. The normalised one divides a nominal attribute's information by the log of its number
        of declared values.
    min_split
        At least two branches of a test need this many instances (weight): at least ``min_split``, at most
        ``min_split_limit``, and between them ``min_split_fraction`` of the node's instances per class.
    min_split_limit, min_split_fraction
        See ``min_split``. The MLC++ tree with settings like C4.5's has 2, 25 and 0.1.
    zero_gain
        Whether a test without gain is taken where it is the best.
    threshold_ties
        Which of equally good thresholds is taken: the one that divides most evenly, or the lowest.
    penalty
        What the factor is multiplied by.
    factor
        The factor, or None to choose it.
    inner_folds
        Folds of the inner cross-validation (at most one per instance).
    inner_stratified
        Whether they are stratified.
    standard_errors
        How many standard errors above the least error still count as the best.
    factor_between
        Candidates tried in the inner folds: geometric means of neighbouring critical factors, or these factors.
    random_state
        Seed of the inner folds.

    Attributes
    ----------
    factor_
        The factor that the tree was pruned with.
    factors_
        The critical factors.

    References
    ----------
    Bradford & Brodley (2001), section 3. Mansour (1997). Breiman et al. (1984), chapter 3.
    """

    factor_: float
    factors_: Floats

    def __init__(
        self,
        *,
        categorical_features: Sequence[int] | Sequence[str] | None = None,
        categories: Sequence[Sequence[Label] | None] | None = None,
        classes: Sequence[Label] | None = None,
        criterion: Criterion = "normalised-mutual-information",
        min_split: float = 2,
        min_split_limit: float = 25,
        min_split_fraction: float = 0.0,
        zero_gain: bool = True,
        threshold_ties: Literal["even", "lowest"] = "even",
        penalty: Penalty = "sqrt(weight*leaves)",
        factor: float | None = None,
        inner_folds: int = 10,
        inner_stratified: bool = False,
        standard_errors: float = 1.0,
        factor_between: Literal["geometric-mean", "itself"] = "geometric-mean",
        random_state: Any = None,
    ) -> None:
        super().__init__(categorical_features=categorical_features, categories=categories, classes=classes)
        self.criterion = criterion
        self.min_split = min_split
        self.min_split_limit = min_split_limit
        self.min_split_fraction = min_split_fraction
        self.zero_gain = zero_gain
        self.threshold_ties = threshold_ties
        self.penalty = penalty
        self.factor = factor
        self.inner_folds = inner_folds
        self.inner_stratified = inner_stratified
        self.standard_errors = standard_errors
        self.factor_between = factor_between
        self.random_state = random_state

    def check_options(self) -> None:
        """Refuse options that make no sense."""
        known("penalty", self.penalty, PENALTIES)
        known("factor_between", self.factor_between, BETWEEN)
        if self.factor is not None:
            at_least("factor", self.factor, 0.0)
        at_least("inner_folds", self.inner_folds, 2)
        at_least("standard_errors", self.standard_errors, 0.0)

    def _pruned(self, tree: Tree, growth: Growth) -> Flags:
        penalty, values = PENALTIES[self.penalty], growth.table.values
        if self.factor is not None:
            self.factor_, self.factors_ = float(self.factor), np.array([float(self.factor)])
        else:
            self.factors_ = pruning.critical_factors(tree, values, penalty)
            between = BETWEEN[self.factor_between]
            tried = np.append(
                np.sqrt(self.factors_[:-1] * self.factors_[1:]) if between else self.factors_[:-1], np.inf
            )
            self.factor_ = float(self.factors_[self._choose(tried, penalty, growth)])
        return pruning.prune_by_penalty(tree, values, self.factor_, penalty)[0]

    def _choose(self, tried: Floats, penalty: int, growth: Growth) -> int:
        """Return the place of the strongest factor whose inner errors are within the rule of the fewest."""
        if len(tried) == 1:
            return 0
        table, rows = growth.table, growth.order[0]
        fold_of = np.full(len(table.y), -1, dtype=np.intp)
        fold_of[rows] = self._inner_folds(table.y[rows])
        wrong = np.zeros(len(tried))
        for fold in range(int(fold_of.max()) + 1):
            tested = fold_of == fold
            wrong += pruning.errors_by_factor(
                growth.without(tested).tree(), table.values, tried, penalty,
                table.columns, table.y, table.weights, np.flatnonzero(tested),
            )  # fmt: skip
        least, weight = wrong.min(), table.weights[rows].sum()
        allowed = least + self.standard_errors * np.sqrt(max(least * (1.0 - least / weight), 0.0))
        return int(np.flatnonzero(wrong <= allowed + pruning.SLACK)[-1])

    def _inner_folds(self, y: Ints) -> npt.NDArray[np.intp]:
        order = check_random_state(self.random_state).permutation(len(y))
        if self.inner_stratified:
            order = order[np.argsort(y[order], kind="stable")]
        fold_of = np.empty(len(y), dtype=np.intp)
        fold_of[order] = np.arange(len(y)) % min(self.inner_folds, len(y))
        return fold_of


@LEARNERS.register("tddt-2")
class TDDT2(TopDownTree):
    """Top-down decision tree with C4.5's pessimistic correction.

    The same tree as `TDDT1` before pruning. A subtree gives way to a leaf where the leaf's estimated errors are at
    most the sum over the subtree's leaves; the estimate is the upper end of a confidence interval.

    Parameters
    ----------
    categorical_features, categories, classes
        Nominal columns that hold numbers, declared categories and declared classes, as in every learner here.
    criterion
        What a test is scored by. The normalised one divides a nominal attribute's information by the log of its number
        of declared values.
    min_split
        At least two branches of a test need this many instances (weight): at least ``min_split``, at most
        ``min_split_limit``, and between them ``min_split_fraction`` of the node's instances per class.
    min_split_limit, min_split_fraction
        See ``min_split``. The MLC++ tree with settings like C4.5's has 2, 25 and 0.1.
    zero_gain
        Whether a test without gain is taken where it is the best.
    threshold_ties
        Which of equally good thresholds is taken: the one that divides most evenly, or the lowest.
    confidence
        Confidence of the estimate; lower prunes more.
    correction
        ``"wilson"``: Wilson's interval for half an error more, with C4.5's table of deviates. ``"c45"``: as C4.5, exact
        without errors and linear below one.
    slack
        How many estimated errors a leaf may be worse by (C4.5: 0.1).

    References
    ----------
    Bradford & Brodley (2001), section 3. Quinlan (1993), chapter 4.
    """

    def __init__(
        self,
        *,
        categorical_features: Sequence[int] | Sequence[str] | None = None,
        categories: Sequence[Sequence[Label] | None] | None = None,
        classes: Sequence[Label] | None = None,
        criterion: Criterion = "normalised-mutual-information",
        min_split: float = 2,
        min_split_limit: float = 25,
        min_split_fraction: float = 0.0,
        zero_gain: bool = True,
        threshold_ties: Literal["even", "lowest"] = "even",
        confidence: float = 0.25,
        correction: Literal["wilson", "c45"] = "wilson",
        slack: float = 0.0,
    ) -> None:
        super().__init__(categorical_features=categorical_features, categories=categories, classes=classes)
        self.criterion = criterion
        self.min_split = min_split
        self.min_split_limit = min_split_limit
        self.min_split_fraction = min_split_fraction
        self.zero_gain = zero_gain
        self.threshold_ties = threshold_ties
        self.confidence = confidence
        self.correction = correction
        self.slack = slack

    def check_options(self) -> None:
        """Refuse options that make no sense."""
        if not 0.0 < self.confidence < 1.0:
            raise InputError(f"confidence is {self.confidence!r}: give a number between 0 and 1")
        at_least("slack", self.slack, 0.0)
        known("correction", self.correction, CORRECTIONS)

    def _pruned(self, tree: Tree, growth: Growth) -> Flags:
        estimated = _c45_errors if CORRECTIONS[self.correction] else wilson_errors
        estimate = estimated(tree.weight, tree.errors, self.confidence)
        return pruning.prune_by_estimate(tree, growth.table.values, estimate, float(self.slack))


def wilson_errors(n: Floats, errors: Floats, confidence: float) -> Floats:
    """Return the upper end of Wilson's interval for half an error more, as a number of errors.

    >>> wilson_errors(np.array([6.0, 14.0]), np.array([0.0, 5.0]), 0.25).round(6).tolist()
    [1.172637, 6.794993]
    """
    z = float(np.interp(confidence, CONFIDENCES, DEVIATES))
    q = np.minimum(1.0, (errors + 0.5) / n)
    spread = z * np.sqrt(4.0 * n * q + z * z - 4.0 * n * q * q)
    estimate: Floats = n * np.minimum(1.0, (2.0 * n * q + z * z + spread) / (2.0 * (n + z * z)))
    return estimate


def _c45_errors(n: Floats, errors: Floats, confidence: float) -> Floats:
    pairs = zip(n.tolist(), errors.tolist(), strict=True)
    return np.array([e + c45_added_errors(w, min(e, w), confidence=confidence) for w, e in pairs])
