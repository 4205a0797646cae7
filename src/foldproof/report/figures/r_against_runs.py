"""R against the number of runs: what more partitions buy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from foldproof.domain.errors import InputError
from foldproof.report.figures.axes import INK, SOFT, axes_for, short, short_names, size_of, spread

# Told apart without colour.
_STYLES = (("-", "o"), ("--", "s"), (":", "^"), ("-.", "D"), ("-", "x"), ("--", "v"), (":", "P"), ("-.", "*"))

Points = Sequence[tuple[int, float, float, float]]


def plot_r_against_runs(lines: Mapping[str, Points], ax: Any = None) -> Any:
    """Draw R with its interval for growing numbers of runs, a line for each pair; Axes in, Axes out.

    ``lines`` are names to points ``(runs, r, low, high)``. Beyond eight lines intervals and markers are left out and
    the names stand at the ends of the lines.
    """
    if not any(lines.values()):
        raise InputError("there is nothing to draw: give at least one point (runs, r, low, high)")
    many = len(lines) > len(_STYLES)
    ax = axes_for(ax, 8.0 if many else 7.0, max(4.0, 0.8 + 0.15 * len(lines)) if many else 4.0)
    shift = 0.01 * max(points[-1][0] for points in lines.values() if points)
    for place, (name, points) in enumerate(lines.items()):
        runs = [p[0] + (0.0 if many else shift * (place - (len(lines) - 1) / 2)) for p in points]
        r = [p[1] for p in points]
        style, marker = _STYLES[place % len(_STYLES)]
        if many:
            ax.plot(runs, r, linestyle=style, color=INK, linewidth=0.8, gid=f"r:{name}")
            continue
        ax.vlines(runs, [p[2] for p in points], [p[3] for p in points], color="0.75", linewidth=1.2, zorder=1)
        ax.plot(
            runs, r, linestyle=style, marker=marker, color=INK, markersize=5, markerfacecolor="white", linewidth=1.2,
            label=short(name), gid=f"r:{name}", zorder=2,
        )  # fmt: skip
    if len(lines) > 1 and not many:
        ax.legend(frameon=False, fontsize=9, loc="lower right")
    ax.axhline(1.0, color=SOFT, linewidth=0.8, linestyle="--")
    ax.set_ylim(min(0.4, *(p[1] for points in lines.values() for p in points)) - 0.03, 1.03)
    if many:
        _name_ends(ax, lines)
    ax.set_xlabel("runs")
    ax.set_ylabel("R: share of repetitions that agree")
    return ax


def _name_ends(ax: Any, lines: Mapping[str, Points]) -> None:
    """Write names at the ends of many lines, pushed apart so that none covers another."""
    ends = sorted(((points[-1][1], name, points[-1][0]) for name, points in lines.items() if points))
    low, high = ax.get_ylim()
    _, high_inches = size_of(ax)
    line = 0.9 * high_inches * 72.0 / len(ends)
    size = max(3.0, min(8.0, 0.8 * line))
    places = spread([r for r, _, _ in ends], (high - low) * 1.2 * size / (72.0 * high_inches), low, high)
    furthest = max(x for _, _, x in ends)
    for y, name, (r, _, x) in zip(places, short_names([name for _, name, _ in ends]), ends, strict=True):
        ax.plot([x, 1.03 * furthest], [r, y], color="0.8", linewidth=0.5, zorder=0)
        ax.text(1.035 * furthest, y, name, fontsize=size, va="center", color=INK)
    ax.set_xlim(right=1.5 * furthest)
    ax.set_xticks(sorted({p[0] for points in lines.values() for p in points}))
