"""Every pair's fold differences, mean and interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from foldproof.report import words
from foldproof.report.words import Plain


def plot_intervals(
    told: Plain, differences: Mapping[tuple[str, str], Sequence[Sequence[float]]], ax: Any = None
) -> Any:
    """Draw a row for each pair: ticks for folds, a bar for the interval, a dot for the mean."""
    if ax is None:
        from matplotlib.figure import Figure

        ax = Figure(figsize=(7, 1.2 + 0.6 * len(told["pairs"])), layout="constrained").subplots()
    labels = []
    for row, pair in enumerate(told["pairs"]):
        labels.append(f"{pair['a']} − {pair['b']}")
        folds = [v for run in differences.get((pair["a"], pair["b"]), []) for v in run]
        ax.plot(folds, [row] * len(folds), "|", color="0.6", markersize=14, zorder=1)
        low, high = pair["confidence_interval"]
        if low is not None:
            ax.plot([low, high], [row, row], "-", color="0.15", linewidth=3, zorder=2)
        if pair["mean_difference"] is not None:
            filled = "0.15" if pair["verdict"] != "none" else "white"
            ax.plot([pair["mean_difference"]], [row], "o", color="0.15", markerfacecolor=filled, zorder=3)
    ax.axvline(0.0, color="0.4", linestyle="--", linewidth=1, zorder=0)
    ax.set_yticks(range(len(labels)), labels)
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ax.set_xlabel(f"difference in {words.metric(told)}; right of 0 the first is better")
    return ax
