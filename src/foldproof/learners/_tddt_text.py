"""A top-down tree as text, and as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foldproof.domain.canonical import Label
from foldproof.domain.dataset import Attribute
from foldproof.kernels.tddt import Tree


def tree_text(tree: Tree, attributes: Sequence[Attribute], classes: Sequence[str]) -> str:
    """Return a line per branch, deeper ones behind bars; branches for unknown values only where they were needed."""
    if tree.attribute[0] < 0:
        return _leaf(tree, 0, classes)
    lines: list[str] = []
    waiting = _branches(tree, 0, 0, attributes)
    while waiting:
        depth, condition, parent, node = waiting.pop()
        head = "|   " * depth + condition
        if node < 0:
            lines.append(f"{head}: {classes[tree.majority[parent]]} (0)")
        elif tree.attribute[node] < 0:
            lines.append(f"{head}: {_leaf(tree, node, classes)}")
        else:
            lines.append(head)
            waiting += _branches(tree, node, depth + 1, attributes)
    return "\n".join(lines)


def nested(tree: Tree, attributes: Sequence[Attribute], classes: Sequence[Label]) -> dict[str, Any]:
    """Return the tree as plain values: a test has ``attribute`` and ``children``, a leaf does not."""
    told = _told(tree, 0, attributes, classes)
    waiting = [(0, told)]
    while waiting:
        node, above = waiting.pop()
        for _, condition, _, end in _branches(tree, node, 0, attributes)[::-1] if tree.attribute[node] >= 0 else []:
            empty = {"class": above["class"], "weight": 0.0, "errors": 0.0}
            child = (_told(tree, end, attributes, classes) if end >= 0 else empty) | {"condition": condition}
            above["children"].append(child)
            if end >= 0:
                waiting.append((end, child))
    return told


def _told(tree: Tree, node: int, attributes: Sequence[Attribute], classes: Sequence[Label]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "class": classes[tree.majority[node]],
        "weight": float(tree.weight[node]),
        "errors": float(tree.errors[node]),
    }
    if tree.attribute[node] >= 0:
        attribute = attributes[tree.attribute[node]]
        threshold = None if attribute.nominal else float(tree.threshold[node])
        told |= {"attribute": attribute.name, "threshold": threshold, "children": []}
    return told


def _branches(tree: Tree, node: int, depth: int, attributes: Sequence[Attribute]) -> list[tuple[int, str, int, int]]:
    """Return a node's branches, last first: depth, condition, the node, and where the branch leads (-1: nowhere)."""
    attribute = attributes[tree.attribute[node]]
    if attribute.categories is None:
        conditions = [f"{attribute.name} {sign} {tree.threshold[node]:.6g}" for sign in ("<=", ">")]
    else:
        conditions = [f"{attribute.name} = {category}" for category in attribute.categories]
    start = int(tree.first[node])
    ends = [int(end) for end in tree.branch[start : start + len(conditions) + 1]]
    if ends[-1] >= 0:
        conditions.append(f"{attribute.name} is unknown")
    return [(depth, c, node, end) for c, end in zip(conditions, ends, strict=False)][::-1]


def _leaf(tree: Tree, node: int, classes: Sequence[str]) -> str:
    errors = f"/{tree.errors[node]:g}" if tree.errors[node] > 0 else ""
    return f"{classes[tree.majority[node]]} ({tree.weight[node]:g}{errors})"
