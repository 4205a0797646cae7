"""Points of studies: forecasts against what happened, and procedures by name."""

from __future__ import annotations

from typing import Any

from foldproof.domain.study import Series
from foldproof.report.figures.axes import INK, SOFT
from foldproof.report.figures.study import DRAWINGS

# Told apart without colour.
_MARKERS = ("o", "^", "s", "D", "v", "x")
NAME_HEIGHT = 8.0


@DRAWINGS.register("reliability")
def draw_reliability(ax: Any, series: tuple[Series, ...]) -> None:
    """Draw shares against what was forecast; on the diagonal forecasts hold."""
    ax.plot([0.0, 1.0], [0.0, 1.0], color=SOFT, linewidth=0.8, linestyle=":")
    for place, points in enumerate(series):
        ax.plot(
            points.x, points.y, linestyle="", marker=_MARKERS[place % len(_MARKERS)], color=INK, markersize=5,
            markerfacecolor="white", label=points.name, gid=f"series:{points.name}",
        )  # fmt: skip
    least = min((value for points in series for value in (*points.x, *points.y)), default=0.5)
    ax.set_xlim(least - 0.03, 1.03)
    ax.set_ylim(least - 0.03, 1.03)
    ax.legend(frameon=False, fontsize=8, loc="lower right")


@DRAWINGS.register("named-points")
def draw_named_points(ax: Any, series: tuple[Series, ...]) -> None:
    """Draw points with their names beside them, costs on a logarithmic axis."""
    from matplotlib.ticker import NullFormatter, ScalarFormatter

    ax.set_xscale("log")
    right = max(x for points in series for x in points.x)
    for points in series:
        ax.plot(points.x, points.y, linestyle="", marker="o", color=INK, markersize=5, gid=f"series:{points.name}")
    ax.xaxis.set_major_formatter(ScalarFormatter())
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.margins(x=0.25, y=0.1)
    ax.autoscale_view()
    taken: dict[bool, float] = {}
    for points in sorted(series, key=lambda p: p.y[0]):
        x, y = points.x[0], points.y[0]
        inside = x > 0.5 * right
        # Names on one side are moved up until they stand clear of the one below.
        height = float(ax.transData.transform((x, y))[1]) * 72.0 / ax.get_figure().dpi
        taken[inside] = max(height, taken.get(inside, -1e9) + NAME_HEIGHT)
        ax.annotate(
            points.name, (x, y), xytext=(-6 if inside else 6, taken[inside] - height), textcoords="offset points",
            ha="right" if inside else "left", va="center", fontsize=7,
        )  # fmt: skip
