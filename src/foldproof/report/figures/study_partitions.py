"""Drawings of what partitions say: sorted significance by dataset, normal curves, and combined p-values."""

from __future__ import annotations

from typing import Any

from foldproof.domain.study import Series
from foldproof.report.figures.axes import FAINT, INK, SOFT
from foldproof.report.figures.study import DRAWINGS, PANEL_SIZES

# Heights that are labelled, with the p that they stand for: the same on both sides of the middle.
_TAILS = (0.001, 0.005, 0.025, 0.1, 0.25)
_OFF_SCALE = 0.0005

PANEL_SIZES["sorted-significance"] = (11.0, 4.4)
PANEL_SIZES["combined-growth"] = (5.4, 3.4)
# A combined p below this has long been significant, and is not drawn.
_LEAST = 1e-6


def _significance_axis(ax: Any) -> None:
    """Label heights by the p of the side that they are on; the scale is that of logits."""
    heights = [*_TAILS, 0.5, *(1.0 - p for p in reversed(_TAILS))]
    ax.set_yscale("logit")
    ax.set_yticks(heights, [f"{p:g}" for p in (*_TAILS, 0.5, *reversed(_TAILS))])
    ax.set_yticks([], minor=True)
    ax.set_ylim(_OFF_SCALE, 1.0 - _OFF_SCALE)
    ax.axhline(0.5, color=SOFT, linewidth=0.8, zorder=1)
    for bound in (0.025, 0.975):
        ax.axhline(bound, color=SOFT, linewidth=0.6, linestyle=(0, (4, 3)), zorder=1)


@DRAWINGS.register("sorted-significance")
def draw_sorted_significance(ax: Any, series: tuple[Series, ...]) -> None:
    """Draw each dataset's sorted partitions in a slot of its own, from the least to the greatest."""
    _significance_axis(ax)
    most = max((x for line in series for x in line.x), default=1.0)
    for place, line in enumerate(series):
        if place:
            ax.axvline(place, color=FAINT, linewidth=0.5, zorder=0)
        x = [place + 0.1 + 0.8 * (rank - 1.0) / max(most - 1.0, 1.0) for rank in line.x]
        ax.plot(x, line.y, linestyle="none", marker="o", markersize=2.2, color=INK, markeredgewidth=0.0,
                gid=f"series:{line.name}", zorder=2)  # fmt: skip
    ax.set_xlim(0, max(len(series), 1))
    names = [line.name.replace("$", r"\$") for line in series]
    ax.set_xticks([place + 0.5 for place in range(len(series))], names, va="baseline")
    ax.tick_params(axis="x", length=0, labelsize=8, pad=11)


@DRAWINGS.register("normal-curves")
def draw_normal_curves(ax: Any, series: tuple[Series, ...]) -> None:
    """Draw partitions as points, and the curves that normal distributions would give."""
    _significance_axis(ax)
    points, *curves = series
    ax.plot(points.x, points.y, linestyle="none", marker="o", markersize=3, color=INK, markeredgewidth=0.0,
            label=points.name, gid=f"series:{points.name}", zorder=3)  # fmt: skip
    for line, (style, ink) in zip(curves, (("-", INK), ("--", SOFT)), strict=False):
        inside = [(x, y) for x, y in zip(line.x, line.y, strict=True) if _OFF_SCALE < y < 1.0 - _OFF_SCALE]
        ax.plot([x for x, _ in inside], [y for _, y in inside], linestyle=style, color=ink, linewidth=1.2,
                label=line.name, gid=f"series:{line.name}", zorder=2)  # fmt: skip
    ax.legend(frameon=False, fontsize=7, loc="lower right")


@DRAWINGS.register("combined-growth")
def draw_combined_growth(ax: Any, series: tuple[Series, ...]) -> None:
    """Draw combined p-values against the number of partitions, with the level of 0.05."""
    ax.set_yscale("log")
    ax.axhline(0.05, color=SOFT, linewidth=0.6, linestyle=(0, (4, 3)), zorder=1)
    for line, (style, ink) in zip(series, (("-", SOFT), (":", INK), ("-", INK)), strict=False):
        inside = [(x, y) for x, y in zip(line.x, line.y, strict=True) if y >= _LEAST]
        ax.plot([x for x, _ in inside], [y for _, y in inside], linestyle=style, marker="o", markersize=3, color=ink,
                linewidth=1.2, label=line.name, gid=f"series:{line.name}", zorder=2)  # fmt: skip
    ax.set_ylim(_LEAST, 1.5)
    ax.legend(frameon=False, fontsize=8, loc="lower right")
