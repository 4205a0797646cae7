"""TDDT-1 and TDDT-2, the top-down decision trees of Bradford & Brodley (2001)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted, check_random_state

from foldproof.domain.canonical import Label
from foldproof.domain.columns import plain
from foldproof.domain.errors import InputError, unknown_name
from foldproof.kernels import tddt as growing
from foldproof.kernels import tddt_pruning as pruning
from foldproof.kernels.jit import writable
from foldproof.kernels.tddt import Flags, Floats, Ints, Rules, Table, Tree
from foldproof.learners._coded import CodedClassifier
from foldproof.learners._tddt_text import nested, tree_text
from foldproof.learners.learner import LEARNERS
from foldproof.learners.pessimistic import c45_added_errors

__all__ = ["TDDT1", "TDDT2"]

CRITERIA = {
    "normalised-mutual-information": growing.NORMALISED_INFORMATION,
    "mutual-information": growing.INFORMATION,
    "gain-ratio": growing.GAIN_RATIO,
}
PENALTIES = {
    "sqrt(weight*leaves)": pruning.WEIGHT_AND_LEAVES,
    "sqrt(weight)*(sqrt(leaves)-1)": pruning.WEIGHT_AND_MORE_LEAVES,
    "leaves-1": pruning.MORE_LEAVES,
    "sqrt(leaves)": pruning.LEAVES,
}
# C4.5's table of confidences and normal deviates, between which it interpolates.
CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00)
DEVIATES = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00)

Criterion = Literal["normalised-mutual-information", "mutual-information", "gain-ratio"]
Penalty = Literal["sqrt(weight*leaves)", "sqrt(weight)*(sqrt(leaves)-1)", "leaves-1", "sqrt(leaves)"]


def _known(what: str, given: str, choices: dict[str, int]) -> int:
    if given not in choices:
        raise unknown_name(what, str(given), choices)
    return choices[given]


def _at_least(what: str, given: float, least: float, *, open_end: bool = False) -> None:
    if not (given > least if open_end else given >= least):
        raise InputError(f"{what} is {given!r}: give {'more than' if open_end else 'at least'} {least:g}")


class TopDownTree(CodedClassifier):
    """What both trees share: how they grow, ask and tell."""

    criterion: Criterion
    min_split: float
    min_split_limit: float
    min_split_fraction: float
    zero_gain: bool
    threshold_ties: Literal["even", "lowest"]
    tree_: Tree

    @property
    def n_leaves_(self) -> int:
        """How many leaves there are; one for each declared value without an instance, none for an empty unknown."""
        check_is_fitted(self)
        tree = self.tree_
        inner = np.flatnonzero(tree.attribute >= 0)
        declared = self._values()[tree.attribute[inner]]
        last = tree.first[inner] + np.where(declared > 0, declared, 2)
        empty = np.count_nonzero(tree.branch < 0) - np.count_nonzero(tree.branch[last] < 0)
        return len(tree.attribute) - len(inner) + int(empty)

    @property
    def size_(self) -> int:
        """How many tests and leaves there are."""
        return self.n_leaves_ + int(np.count_nonzero(self.tree_.attribute >= 0))

    def export_text(self) -> str:
        """Return the tree as text: a line per branch; leaves with their class and (instances/errors).

        >>> from foldproof.learners import TDDT2
        >>> print(TDDT2(min_split=1).fit([["sun"], ["rain"], ["rain"], ["fog"]], [1, 0, 0, 1]).export_text())
        x0 = fog: 1 (1)
        x0 = rain: 0 (2)
        x0 = sun: 1 (1)
        """
        check_is_fitted(self)
        return tree_text(self.tree_, self.attributes_, [str(label) for label in self.classes_.tolist()])

    def to_dict(self) -> dict[str, Any]:
        """Return the tree as nested plain values; ``foldproof.report.figures.tree.plot_tree`` draws them.

        >>> from foldproof.learners import TDDT2
        >>> told = TDDT2(min_split=1).fit([["sun"], ["rain"], ["rain"], ["fog"]], [1, 0, 0, 1]).to_dict()
        >>> told["attribute"], told["children"][1]
        ('x0', {'class': 0, 'weight': 2.0, 'errors': 0.0, 'condition': 'x0 = rain'})
        """
        check_is_fitted(self)
        return nested(self.tree_, self.attributes_, [plain(label) for label in self.classes_.tolist()])

    def _values(self) -> Ints:
        return np.array([0 if a.categories is None else max(1, len(a.categories)) for a in self.attributes_])

    def _rules(self) -> Rules:
        _at_least("min_split", self.min_split, 0.0, open_end=True)
        _at_least("min_split_limit", self.min_split_limit, 0.0)
        _at_least("min_split_fraction", self.min_split_fraction, 0.0)
        return Rules(
            _known("criterion", self.criterion, CRITERIA),
            float(self.min_split),
            float(self.min_split_limit),
            float(self.min_split_fraction),
            bool(self.zero_gain),
            bool(_known("threshold_ties", self.threshold_ties, {"lowest": 0, "even": 1})),
        )

    def _grown(self, codes: Floats, y: Ints, weights: Floats) -> tuple[Table, Ints, Ints, Rules]:
        """Return the table, its rows in the order of every numeric attribute, where each order is, and the rules."""
        rules = self._rules()
        values = self._values()
        table = Table(np.ascontiguousarray(codes.T), values, y, weights, len(self.classes_))
        numeric = np.flatnonzero(values == 0)
        slot = np.zeros(len(values), dtype=np.int64)
        slot[numeric] = np.arange(1, len(numeric) + 1)
        order = np.empty((len(numeric) + 1, len(y)), dtype=np.int64)
        order[0] = np.arange(len(y))
        order[1:] = np.argsort(table.columns[numeric], axis=1, kind="stable")  # unknown ones come last
        return table, order, slot, rules

    def _keep(self, tree: Tree, leaf: Flags) -> None:
        self.tree_ = pruning.compact(tree, self._values(), leaf)

    def _probabilities(self, codes: Floats) -> Floats:
        """Return 1 for the class that the tree tells: all or nothing."""
        tree = Tree(*map(writable, self.tree_))
        told = pruning.answers(tree, self._values(), tree.attribute < 0, np.ascontiguousarray(codes.T))
        return np.eye(len(self.classes_))[told]


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

    def _learn(self, codes: Floats, y: Ints, weights: Floats) -> None:
        penalty = _known("penalty", self.penalty, PENALTIES)
        geometric = _known("factor_between", self.factor_between, {"itself": 0, "geometric-mean": 1})
        if self.factor is not None:
            _at_least("factor", self.factor, 0.0)
        _at_least("inner_folds", self.inner_folds, 2)
        _at_least("standard_errors", self.standard_errors, 0.0)
        table, order, slot, rules = self._grown(codes, y, weights)
        tree = growing.grow(table, order, slot, rules)
        if self.factor is not None:
            self.factor_, self.factors_ = float(self.factor), np.array([float(self.factor)])
        else:
            self.factors_ = pruning.critical_factors(tree, table.values, penalty)
            tried = np.append(
                np.sqrt(self.factors_[:-1] * self.factors_[1:]) if geometric else self.factors_[:-1], np.inf
            )
            self.factor_ = float(self.factors_[self._choose(tried, penalty, table, order, slot, rules)])
        self._keep(tree, pruning.prune_by_penalty(tree, table.values, self.factor_, penalty)[0])

    def _choose(self, tried: Floats, penalty: int, table: Table, order: Ints, slot: Ints, rules: Rules) -> int:
        """Return the place of the strongest factor whose inner errors are within the rule of the fewest."""
        if len(tried) == 1:
            return 0
        fold_of = self._inner_folds(table.y)
        wrong = np.zeros(len(tried))
        for fold in range(int(fold_of.max()) + 1):
            tested = fold_of == fold
            rest = order[~tested[order]].reshape(len(order), -1)
            tree = growing.grow(table, rest, slot, rules)
            wrong += pruning.errors_by_factor(
                tree, table.values, tried, penalty, table.columns, table.y, table.weights, np.flatnonzero(tested)
            )
        least = wrong.min()
        allowed = least + self.standard_errors * np.sqrt(max(least * (1.0 - least / table.weights.sum()), 0.0))
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

    def _learn(self, codes: Floats, y: Ints, weights: Floats) -> None:
        if not 0.0 < self.confidence < 1.0:
            raise InputError(f"confidence is {self.confidence!r}: give a number between 0 and 1")
        _at_least("slack", self.slack, 0.0)
        exact = _known("correction", self.correction, {"wilson": 0, "c45": 1})
        table, order, slot, rules = self._grown(codes, y, weights)
        tree = growing.grow(table, order, slot, rules)
        estimate = (_c45_errors if exact else wilson_errors)(tree.weight, tree.errors, self.confidence)
        self._keep(tree, pruning.prune_by_estimate(tree, table.values, estimate, float(self.slack)))


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
