"""A decision tree: boxes for tests and leaves, and how much of the training data took each branch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from foldproof.domain.errors import InputError
from foldproof.report.words import Plain

# Letters that a label may have before it is cut short, what is left between two boxes, and a letter's width and a
# line's height in sizes of the font.
LONGEST, GAP, WIDTH, HEIGHT = 24, 2, 0.56, 1.3
LARGEST_FONT = 9.0
# Lines from one level to the next: a box of two, the branch's condition, and room for the lines that lead there.
LEVEL = 6.0


@dataclass(slots=True)
class _Box:
    """A node as it is drawn: its lines of text, the branch that leads to it, its depth and where it stands."""

    lines: list[str]
    branch: str
    depth: int
    parent: int
    share: float
    leaf: bool
    empty: bool
    children: list[int] = field(default_factory=list)
    room: float = 0.0
    left: float = 0.0
    x: float = 0.0


def plot_tree(told: Plain, ax: Any = None, *, max_depth: int | None = None) -> Any:
    """Draw a tree from what ``to_dict()`` of C45, TDDT1 or TDDT2 tells; return the Axes.

    A white box is a test and names its attribute; a grey one is a leaf and names its class, the weight of the training
    instances that arrived and, after a stroke, of those that are of another class. The thicker a line, the more
    instances took the branch; a leaf where none arrived has a dotted edge.

    Parameters
    ----------
    told
        The tree as nested plain values.
    ax
        Where to draw; by default on a new figure that is large enough for the text.
    max_depth
        How many tests below each other are drawn; what lies deeper is told as its number of leaves.
    """
    if not isinstance(told, dict) or "class" not in told:
        raise InputError(f"a tree is drawn from what its to_dict() tells; got {type(told).__name__}")
    if max_depth is not None and max_depth < 0:
        raise InputError(f"max_depth is {max_depth!r}: give 0 or more, or None for the whole tree")
    boxes = _boxes(told, max_depth)
    _arrange(boxes)
    letters, levels = boxes[0].room, max(box.depth for box in boxes) + 1
    if ax is None:
        from matplotlib.figure import Figure

        inch = LARGEST_FONT / 72.0
        size = max(2.0, letters * WIDTH * inch * 1.05), max(1.0, levels * LEVEL * HEIGHT * inch)
        ax = Figure(figsize=size, layout="constrained").subplots()
    figure = ax.get_figure()
    share = ax.get_position()
    wide, high = figure.get_size_inches() * 72.0 * (share.width, share.height)
    if figure.get_layout_engine() is not None:  # the Axes will fill the figure
        wide, high = figure.get_size_inches() * 72.0
    font = min(LARGEST_FONT, wide / (letters * WIDTH), high / (levels * LEVEL * HEIGHT))
    _draw(ax, boxes, font)
    ax.set_xlim(0.0, letters)
    ax.set_ylim(-levels + 0.45, 0.55)
    ax.set_axis_off()
    return ax


def _boxes(told: Plain, max_depth: int | None) -> list[_Box]:
    """Return the nodes that are drawn, parents before children."""
    whole = float(told["weight"]) or 1.0
    boxes: list[_Box] = []
    waiting: list[tuple[Plain, str, int, int]] = [(told, "", 0, -1)]
    while waiting:
        node, branch, depth, parent = waiting.pop()
        inner = "attribute" in node
        cut = inner and max_depth is not None and depth >= max_depth
        if cut:
            lines = ["…", f"{_leaves(node)} leaves"]
        elif inner:
            lines = [_short(node["attribute"])]
        else:
            errors = f"/{_number(node['errors'])}" if node["errors"] > 1e-6 else ""
            lines = [_short(node["class"]), f"{_number(node['weight'])}{errors}"]
        share = float(node["weight"]) / whole
        boxes.append(_Box(lines, branch, depth, parent, share, not inner, node["weight"] < 1e-6))
        if parent >= 0:
            boxes[parent].children.append(len(boxes) - 1)
        if inner and not cut:
            # Its own box names the attribute; a branch only says what of it.
            start = len(str(node["attribute"]))
            branches = [(child, _short(str(child["condition"])[start:].strip())) for child in node["children"]]
            waiting += [(child, told_of, depth + 1, len(boxes) - 1) for child, told_of in reversed(branches)]
    return boxes


def _leaves(node: Plain) -> int:
    number, waiting = 0, [node]
    while waiting:
        at = waiting.pop()
        number += "attribute" not in at
        waiting += at.get("children", [])
    return number


def _arrange(boxes: list[_Box]) -> None:
    """Give each subtree the room of its text or its children's, and each box the middle of its children."""
    for box in reversed(boxes):
        below = sum(boxes[child].room for child in box.children)
        box.room = max(below, max(map(len, [*box.lines, box.branch])) + GAP)
    for box in boxes:
        below = sum(boxes[child].room for child in box.children)
        start = box.left + (box.room - below) / 2.0
        for child in box.children:
            boxes[child].left = start
            start += boxes[child].room
    for box in reversed(boxes):
        inner = [boxes[child].x for child in box.children]
        box.x = (inner[0] + inner[-1]) / 2.0 if inner else box.left + box.room / 2.0


def _draw(ax: Any, boxes: list[_Box], font: float) -> None:
    for box in boxes:
        y = -float(box.depth)
        if box.parent >= 0:
            above = boxes[box.parent]
            ax.plot(
                [above.x, box.x], [y + 1.0, y + 0.42], "-", color="0.6", linewidth=0.6 + 3.0 * box.share, zorder=1,
                solid_capstyle="round",
            )  # fmt: skip
            ax.text(
                box.x, y + 0.36, box.branch, ha="center", va="center", fontsize=font, color="0.1", parse_math=False,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6}, zorder=2,
            )  # fmt: skip
        edge = {
            "boxstyle": "round,pad=0.25" if box.leaf else "square,pad=0.3",
            "facecolor": "0.88" if box.leaf else "white",
            "edgecolor": "0.2",
            "linestyle": ":" if box.empty else "-",
            "linewidth": 0.8,
        }
        ax.text(
            box.x, y, "\n".join(box.lines), ha="center", va="center", fontsize=font, color="0.0", parse_math=False,
            bbox=edge, zorder=3,
        )  # fmt: skip


def _short(text: object) -> str:
    told = " ".join(str(text).split())
    return told if len(told) <= LONGEST else told[: LONGEST - 1] + "…"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
