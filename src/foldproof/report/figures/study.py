"""Figures of studies: measured and printed in panels side by side, by registered drawing."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from foldproof.domain.errors import InputError
from foldproof.domain.registry import Registry
from foldproof.domain.study import Series, StudyFigure
from foldproof.report.figures.axes import INK, SOFT, axes_for

#: A drawing puts the series of one panel into Axes; others join from other modules of this package.
Drawing = Callable[[Any, tuple[Series, ...]], None]
DRAWINGS: Registry[Drawing] = Registry("study-drawing", "foldproof.report.figures")

#: Width and height of a panel in inches, by drawing; others have that of _PANEL.
PANEL_SIZES: dict[str, tuple[float, float]] = {}
_PANEL = (3.6, 3.2)

# Measured first, printed second: told apart without colour.
_STYLES = (("-", "o", INK), ("--", "s", SOFT), ("-.", "^", INK), (":", "D", SOFT))


@DRAWINGS.register("lines")
def draw_lines(ax: Any, series: tuple[Series, ...]) -> None:
    """Draw each series as a line with markers, and its intervals as bars."""
    for place, line in enumerate(series):
        style, marker, ink = _STYLES[place % len(_STYLES)]
        if line.low:
            ax.vlines(line.x, line.low, line.high, color="0.8", linewidth=3.0, zorder=1)
        ax.plot(
            line.x, line.y, linestyle=style, marker=marker, color=ink, markersize=5, markerfacecolor="white",
            linewidth=1.2, label=line.name, gid=f"series:{line.name}", zorder=2,
        )  # fmt: skip
    ax.set_xticks(sorted({x for line in series for x in line.x}))
    if len(series) > 1:
        ax.legend(frameon=False, fontsize=8)


def plot_study_figure(figure: StudyFigure, ax: Any = None) -> Any:
    """Draw a figure: into the Axes given (one panel only), or as a new Figure with a row of panels."""
    draw = DRAWINGS[figure.drawing]
    if ax is not None:
        if len(figure.panels) != 1:
            raise InputError(f"figure {figure.name} has {len(figure.panels)} panels: leave ax out")
        panels = [ax]
        whole = ax.get_figure()
    else:
        count = len(figure.panels)
        across = 2 if count == 4 else min(count, 3)
        down = -(-count // across)
        wide, high = PANEL_SIZES.get(figure.drawing, _PANEL)
        whole = axes_for(None, wide * across, high * down).get_figure()
        whole.clear()
        panels = list(whole.subplots(down, across, squeeze=False, sharey=True).ravel())
        for spare in panels[count:]:
            spare.set_visible(False)
    for place, (name, series) in zip(panels, figure.panels.items(), strict=False):
        draw(place, series)
        place.set_title(name.replace("$", r"\$"), fontsize=10)
        place.set_xlabel(figure.x_label)
    panels[0].set_ylabel(figure.y_label)
    return whole if ax is None else ax


def svg_of(figure: StudyFigure) -> str:
    """Return a figure as SVG text that is the same for the same data."""
    import matplotlib as mpl

    out = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "foldproof", "svg.fonttype": "path"}):
        plot_study_figure(figure).savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    return text[text.index("<svg") :]


def save_study_figure(figure: StudyFigure, path: Path) -> Path:
    """Write a figure as SVG."""
    from foldproof.report.html import write_page

    write_page(svg_of(figure), path)
    return path
