"""A learnt C4.5 tree: flat arrays, and the forms in which people read it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from foldproof.domain.canonical import Label
from foldproof.domain.dataset import Attribute

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

EPS = 1e-6


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class C45Tree:
    """Nodes, parents before children; the children of a node are neighbours from ``first`` on.

    Attributes
    ----------
    attribute
        Position of the tested attribute, -1 at leaves.
    threshold
        At tests of numeric attributes: this and smaller values go to the first child, greater ones to the second.
    first, branches
        The first child and the number of children: two, or one for each category of a nominal attribute.
    weights
        Class weights of the training instances at each node.
    shares
        The line that each node has in the table of its parent's test.
    """

    attributes: tuple[Attribute, ...]
    classes: tuple[Label, ...]
    attribute: Ints
    threshold: Floats
    first: Ints
    branches: Ints
    weights: Floats
    shares: Floats

    def __len__(self) -> int:
        return len(self.attribute)

    def __repr__(self) -> str:
        return f"C45Tree({self.n_leaves} leaves, {len(self)} nodes)"

    @property
    def n_leaves(self) -> int:
        """Number of leaves, with the empty ones."""
        return int((self.attribute < 0).sum())

    def text(self) -> str:
        """Return the tree as J48 prints it, one line for each branch.

        Behind a leaf's class stand the weight that arrived and, if there are any, the errors in it.
        """
        if len(self) == 1:
            return f": {self._leaf(0, 0)}"
        lines: list[str] = []
        for node, parent, depth in self._in_order():
            if node:
                end = f": {self._leaf(node, parent)}" if self.attribute[node] < 0 else ""
                lines.append("|   " * (depth - 1) + self._condition(node, parent) + end)
        return "\n".join(lines)

    def nested(self) -> dict[str, Any]:
        """Return the tree as plain values: a test has ``attribute`` and ``children``, a leaf does not."""
        plain: list[dict[str, Any]] = []
        for node in range(len(self)):
            weights = self.weights[node]
            told: dict[str, Any] = {
                "class": self.classes[self._majority(weights)],
                "weight": float(weights.sum()),
                "errors": float(self._errors(weights)),
                "class_weights": weights.tolist(),
            }
            if self.attribute[node] >= 0:
                told["attribute"] = self.attributes[self.attribute[node]].name
                told["threshold"] = None if np.isnan(self.threshold[node]) else float(self.threshold[node])
                told["children"] = []
            plain.append(told)
        for parent in range(len(self)):
            for child in range(int(self.first[parent]), int(self.first[parent] + self.branches[parent])):
                plain[child]["condition"] = self._condition(child, parent)
                if self._empty(child):
                    plain[child]["class"] = plain[parent]["class"]
                plain[parent]["children"].append(plain[child])
        return plain[0]

    def _in_order(self) -> Iterator[tuple[int, int, int]]:
        """Yield node, parent and depth, a node's subtree before its next neighbour."""
        waiting = [(0, 0, 0)]
        while waiting:
            node, parent, depth = waiting.pop()
            yield node, parent, depth
            first, count = int(self.first[node]), int(self.branches[node])
            waiting.extend((child, node, depth + 1) for child in range(first + count - 1, first - 1, -1))

    def _condition(self, node: int, parent: int) -> str:
        attribute = self.attributes[self.attribute[parent]]
        branch = node - int(self.first[parent])
        if attribute.categories is not None:
            return f"{attribute.name} = {attribute.categories[branch]}"
        return f"{attribute.name} {('<=', '>')[branch]} {rounded(self.threshold[parent], 6)}"

    def _leaf(self, node: int, parent: int) -> str:
        weights = self.weights[node]
        if self._empty(node):
            return f"{self.classes[self._majority(self.weights[parent])]} (0.0)"
        errors = self._errors(weights)
        told = with_point(weights.sum()) + (f"/{with_point(errors)}" if errors > EPS else "")
        return f"{self.classes[self._majority(weights)]} ({told})"

    def _empty(self, node: int) -> bool:
        return bool(self.attribute[node] < 0 and self.weights[node].sum() < EPS)

    def _majority(self, weights: Floats) -> int:
        best, place = 0.0, 0
        for c, weight in enumerate(weights.tolist()):
            if weight - best > EPS:
                best, place = weight, c
        return place

    def _errors(self, weights: Floats) -> float:
        return float(weights.sum() - weights[self._majority(weights)])


def rounded(value: float, digits: int) -> str:
    """Return a number with at most so many decimals and no needless zeros.

    >>> rounded(75.0, 6), rounded(2.5, 6), rounded(1 / 3, 2)
    ('75', '2.5', '0.33')
    """
    text = format(Decimal(float(value)).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP), "f")
    text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def with_point(value: float) -> str:
    """Return a weight with one or two decimals.

    >>> with_point(50.0), with_point(15.2727)
    ('50.0', '15.27')
    """
    text = rounded(value, 2)
    return text if "." in text else f"{text}.0"
