"""A top-down tree as text."""

from __future__ import annotations

from collections.abc import Sequence

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
