"""One pair's differences, fold by fold and run by run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from foldproof.domain.errors import InputError
from foldproof.report.figures.axes import FAINT, INK, SOFT, axes_for, short
from foldproof.report.words import Plain, metric


def plot_differences(pair: Plain, told: Plain, differences: Sequence[Sequence[float]] | None, ax: Any = None) -> Any:
    """Draw a row for each run: its folds as ticks, its mean as a dot; the mean of all with its interval; Axes out."""
    if differences is None:
        raise InputError(f"{pair['a']} and {pair['b']} have no differences of folds to draw")
    runs = [list(run) for run in differences]
    # A flat list of resamplings has no runs: its values are spread over rows only so that they can be seen.
    flat = len(runs) == 1 and len(runs[0]) > 12
    ax = axes_for(ax, 7.0, 1.6 + 0.24 * min(len(runs), 40))
    low, high = pair["confidence_interval"]
    if low is not None:
        ax.axvspan(low, high, color="0.9", zorder=0, gid="interval")
    for row, values in enumerate(runs):
        # Equal differences lie on each other: the more there are, the thicker the tick.
        places, counts = np.unique(np.round(values, 12), return_counts=True)
        size = 70 if len(runs) < 30 else 25
        ax.scatter(
            places, [row] * len(places), s=size, marker="|", color=SOFT, linewidths=0.9 * counts, gid=f"run:{row}"
        )
        if not flat:
            ax.plot(sum(values) / len(values), row, "o", color=INK, markersize=4, zorder=3, gid=f"mean:{row}")
    ax.axvline(0.0, color=SOFT, linestyle="--", linewidth=1, zorder=1)
    ax.axvline(pair["mean_difference"], color=INK, linewidth=1.5, zorder=2, gid="mean")
    step = max(1, -(-len(runs) // 20))
    ax.set_yticks(range(0, len(runs), step), [str(run) for run in range(0, len(runs), step)])
    ax.set_ylim(len(runs) - 0.4, -0.6)
    ax.set_ylabel("run")
    ax.set_xlabel(f"{short(pair['a'])} − {short(pair['b'])}, {metric(told)}")
    ax.set_title(f"right of the dashed line {short(pair['a'])} is better", fontsize=9, color=SOFT, loc="left")
    for side in ("top", "right"):
        ax.spines[side].set_color(FAINT)
    return ax
