"""The critical-difference diagram: mean ranks on a line, bars over those that Nemenyi's test does not tell apart."""

from __future__ import annotations

import math
from typing import Any

from foldproof.domain.errors import InputError
from foldproof.report.figures.axes import INK, SOFT, axes_for, short_names, size_of
from foldproof.report.words import Plain


def plot_critical_difference(ranks: Plain | None, alpha: float, ax: Any = None) -> Any:
    """Draw the diagram of ``ranks`` (the ``ranks`` of a judgement's ``to_dict()``); Axes in, Axes out.

    The best rank stands at the left. Each learner's name stands beside the line that leads to its mean rank, the
    better half on the left side. A bar joins learners that do not differ at ``alpha``; the critical difference is
    drawn above the axis.
    """
    if ranks is None or ranks["critical_difference"] is None:
        raise InputError("a critical-difference diagram is of Nemenyi's test: judge with 'nemenyi'")
    learners = sorted(ranks["mean_ranks"], key=lambda each: each["mean_rank"])
    k, groups = len(learners), ranks["groups"]
    half = math.ceil(k / 2)
    rank_of = {each["name"]: each["mean_rank"] for each in learners}
    # In lines of text: the axis is at 0, bars hang below it, then the names.
    bars = 0.45 * len(groups)
    depth = 1.1 + bars + half
    ax = axes_for(ax, 8.0, 1.0 + 0.26 * (depth + 2.2))
    width = 0.7 * max(k - 1, 1)
    left, right = 1.0 - width, k + width
    ax.set_xlim(left, right)
    ax.set_ylim(depth, -2.4)
    ax.axis("off")
    _scale(ax, k)
    _distance(ax, ranks["critical_difference"], k, alpha)
    labels = short_names([each["name"] for each in learners])
    # Three quarters of the distance of two lines, and so that the longest name finds room beside the axis.
    wide, high = size_of(ax)
    by_height = 0.75 * 72.0 * high / (depth + 2.4)
    by_width = 0.27 * 72.0 * wide / (0.6 * (max(map(len, labels)) + 6))
    size = max(3.0, min(9.5, by_height, by_width))
    for place, (each, name) in enumerate(zip(learners, labels, strict=True)):
        on_left = place < half
        line = 1.1 + bars + (place if on_left else k - 1 - place)
        edge = 1.0 - 0.05 * width if on_left else k + 0.05 * width
        rank = each["mean_rank"]
        ax.plot([rank, rank, edge], [0.0, line, line], color=INK, linewidth=0.8, gid=f"line:{each['name']}")
        label = f"{name}  {rank:.2f}" if on_left else f"{rank:.2f}  {name}"
        side = -0.02 * width if on_left else 0.02 * width
        align = "right" if on_left else "left"
        ax.text(edge + side, line, label, ha=align, va="center", fontsize=size, color=INK)
    for row, group in enumerate(groups):
        ends = [rank_of[name] for name in group]
        y = 0.6 + 0.45 * row
        reach = 0.015 * width
        ax.plot([min(ends) - reach, max(ends) + reach], [y, y], color=INK, linewidth=3.2, gid=f"group:{row}")
    return ax


def _scale(ax: Any, k: int) -> None:
    """Draw the axis of ranks, with as many numbers as fit."""
    ax.plot([1, k], [0, 0], color=INK, linewidth=1.2, gid="axis")
    step = max(1, math.ceil((k - 1) / 12))
    for rank in range(1, k + 1):
        told = (rank - 1) % step == 0
        ax.plot([rank, rank], [0, -0.3 if told else -0.15], color=INK, linewidth=0.8)
        if told:
            ax.text(rank, -0.4, str(rank), ha="center", va="bottom", fontsize=9, color=INK)


def _distance(ax: Any, distance: float, k: int, alpha: float) -> None:
    """Draw the critical difference as a bar from rank 1; what is wider than the axis is told and not drawn."""
    told = f"critical difference {distance:.2f} at {alpha:g}"
    if distance > k - 1:
        ax.text(1.0, -2.1, f"{told}, wider than the axis", ha="left", va="center", fontsize=9, color=SOFT)
        return
    ax.plot([1.0, 1.0 + distance], [-1.6, -1.6], color=SOFT, linewidth=1.6, marker="|", markersize=7, gid="distance")
    ax.text(1.0, -2.1, told, ha="left", va="center", fontsize=9, color=SOFT)
