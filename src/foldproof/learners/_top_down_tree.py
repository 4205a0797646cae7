"""What TDDT-1 and TDDT-2 share: how their trees grow, ask and tell."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from foldproof.domain.columns import plain
from foldproof.domain.errors import InputError, unknown_name
from foldproof.kernels import tddt as growing
from foldproof.kernels import tddt_pruning as pruning
from foldproof.kernels.jit import writable
from foldproof.kernels.tddt import Flags, Floats, Ints, Rules, Table, Tree
from foldproof.learners._coded import CodedClassifier
from foldproof.learners._tddt_text import nested, tree_text

CRITERIA = {
    "normalised-mutual-information": growing.NORMALISED_INFORMATION,
    "mutual-information": growing.INFORMATION,
    "gain-ratio": growing.GAIN_RATIO,
}

Criterion = Literal["normalised-mutual-information", "mutual-information", "gain-ratio"]


def known(what: str, given: str, choices: dict[str, int]) -> int:
    if given not in choices:
        raise unknown_name(what, str(given), choices)
    return choices[given]


def at_least(what: str, given: float, least: float, *, open_end: bool = False) -> None:
    if not (given > least if open_end else given >= least):
        raise InputError(f"{what} is {given!r}: give {'more than' if open_end else 'at least'} {least:g}")


@dataclass(frozen=True, slots=True)
class Growth:
    """What a tree is grown from: a table, some of its rows in the order of each numeric attribute, and the rules.

    Row 0 of ``order`` has the rows as they were handed over; row ``slot[a]`` has them ascending in attribute a.
    """

    table: Table
    order: Ints
    slot: Ints
    rules: Rules

    def tree(self) -> Tree:
        """Return the full tree."""
        return growing.grow(self.table, self.order, self.slot, self.rules)

    def without(self, left_out: Flags) -> Growth:
        """Return the same, without some rows of the table."""
        return replace(self, order=self.order[~left_out[self.order]].reshape(len(self.order), -1))


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
        at_least("min_split", self.min_split, 0.0, open_end=True)
        at_least("min_split_limit", self.min_split_limit, 0.0)
        at_least("min_split_fraction", self.min_split_fraction, 0.0)
        return Rules(
            known("criterion", self.criterion, CRITERIA),
            float(self.min_split),
            float(self.min_split_limit),
            float(self.min_split_fraction),
            bool(self.zero_gain),
            bool(known("threshold_ties", self.threshold_ties, {"lowest": 0, "even": 1})),
        )

    def _learn(self, codes: Floats, y: Ints, weights: Floats) -> None:
        growth = self.growth(np.ascontiguousarray(codes.T), y, weights, len(self.classes_))
        self.learn_rows(growth)

    def growth(self, columns: Floats, y: Ints, weights: Floats, classes: int) -> Growth:
        """Return what trees are grown from: the table, and its rows in the order of each numeric attribute."""
        values = self._values()
        numeric = np.flatnonzero(values == 0)
        slot = np.zeros(len(values), dtype=np.int64)
        slot[numeric] = np.arange(1, len(numeric) + 1)
        order = np.empty((len(numeric) + 1, len(y)), dtype=np.int64)
        order[0] = np.arange(len(y))
        order[1:] = np.argsort(columns[numeric], axis=1, kind="stable")  # unknown ones come last
        return Growth(Table(columns, values, y, weights, classes), order, slot, self._rules())

    def learn_rows(self, growth: Growth) -> None:
        """Learn from the rows that are left in a growth, whose table may hold others too."""
        self.check_options()
        tree = growth.tree()
        leaf = self._pruned(tree, growth)
        self.tree_ = pruning.compact(tree, growth.table.values, leaf)

    @abstractmethod
    def check_options(self) -> None:
        """Refuse options that make no sense."""

    @abstractmethod
    def _pruned(self, tree: Tree, growth: Growth) -> Flags:
        """Return which nodes of a grown tree are leaves."""

    def tell(self, columns: Floats) -> Ints:
        """Return the position of the class that the tree tells for each column of codes."""
        tree = Tree(*map(writable, self.tree_))
        return pruning.answers(tree, self._values(), tree.attribute < 0, columns)

    def _probabilities(self, codes: Floats) -> Floats:
        """Return 1 for the class that the tree tells: all or nothing."""
        return np.eye(len(self.classes_))[self.tell(np.ascontiguousarray(codes.T))]
