"""The t-values of single partitions: how far the choice of partition moves the verdict."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from foldproof.domain.errors import InputError
from foldproof.domain.student import critical_value
from foldproof.report.figures.axes import INK, SOFT, axes_for


def plot_t_values(t_values: Sequence[float], df: float, *, alpha: float = 0.05, ax: Any = None) -> Any:
    """Draw the t-values as a histogram under the normal curve of their mean and spread; Axes in, Axes out.

    The critical values of a single partition, at the two-sided level ``alpha`` on ``df`` degrees of freedom, divide
    the axis into B, none and A; a label says how many partitions speak for each. Infinite values are counted, told and
    not drawn. As Figure 5 of Bradford & Brodley (2001).
    """
    finite = np.array([t for t in t_values if math.isfinite(t)])
    if finite.size < 2:
        raise InputError(f"t-values are drawn from two finite ones on; got {finite.size}")
    ax = axes_for(ax, 7.0, 3.6)
    critical = float(critical_value(alpha / 2.0, df))
    mean, spread = float(finite.mean()), float(finite.std(ddof=1))
    bins = max(5, min(30, round(2.0 * math.sqrt(finite.size))))
    ax.hist(finite, bins=bins, color="0.85", edgecolor="0.6", linewidth=0.6)
    if spread > 0.0:
        grid = np.linspace(min(finite.min(), -critical) - spread, max(finite.max(), critical) + spread, 300)
        width = (finite.max() - finite.min()) / bins
        curve = finite.size * width * np.exp(-0.5 * ((grid - mean) / spread) ** 2) / (spread * math.sqrt(2 * math.pi))
        ax.plot(grid, curve, color=INK, linewidth=1.3, gid="normal")
    for side in (-critical, critical):
        ax.axvline(side, color=SOFT, linestyle="--", linewidth=1, gid="critical")
    ax.axvline(mean, color=INK, linewidth=1.6, gid="mean")
    counts = [sum(t <= -critical for t in t_values), 0, sum(t >= critical for t in t_values)]
    counts[1] = len(t_values) - counts[0] - counts[2]
    top = ax.get_ylim()[1]
    ax.set_ylim(0.0, 1.15 * top)
    left, right = ax.get_xlim()
    for place, (name, count) in enumerate(zip(("B", "none", "A"), counts, strict=True)):
        x = (left - critical, 0.0, critical + right)[place] / (1.0 if place == 1 else 2.0)
        ax.text(x, 1.08 * top, f"{name}: {count}", ha="center", va="center", fontsize=9, color=INK)
    lost = len(t_values) - finite.size
    ax.set_xlabel(f"t on {df:g} degrees of freedom" + (f" ({lost} infinite, not drawn)" if lost else ""))
    ax.set_ylabel("partitions")
    return ax
