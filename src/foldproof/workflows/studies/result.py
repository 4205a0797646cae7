"""What a study brought: tables and figures beside the published ones, what was not run, and how it was made."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from foldproof.domain.errors import unknown_name
from foldproof.domain.study import NotRun, Row, Series, Study, StudyFigure, StudyTable
from foldproof.workflows.studies.base import How


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class StudyRun:
    """A study that was run. ``warnings`` are sentences, each after a stable word and a colon."""

    study: Study
    how: How
    tables: tuple[StudyTable, ...]
    figures: tuple[StudyFigure, ...]
    not_run: tuple[NotRun, ...]
    provenance: Mapping[str, Any]
    warnings: tuple[str, ...] = ()
    datasets: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return self.to_text()

    def table(self, name: str) -> StudyTable:
        """Return one table."""
        for found in self.tables:
            if found.name == name:
                return found
        raise unknown_name("table of this run", name, [t.name for t in self.tables])

    def figure(self, name: str) -> StudyFigure:
        """Return one figure, as data."""
        for found in self.figures:
            if found.name == name:
                return found
        raise unknown_name("figure of this run", name, [f.name for f in self.figures])

    def plot(self, name: str, ax: Any = None) -> Any:
        """Draw a figure with matplotlib; one panel into the Axes given, or all panels into a new Figure."""
        from foldproof.report.figures.study import plot_study_figure

        return plot_study_figure(self.figure(name), ax)

    def save_figures(self, folder: str | Path) -> list[Path]:
        """Write each figure as SVG into a folder and return the paths."""
        from foldproof.report.figures.study import save_study_figure

        return [
            save_study_figure(figure, Path(folder) / f"{self.study.name}-{figure.name}.svg") for figure in self.figures
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the run as plain values, with the keys of the JSON output."""
        return {
            "schema": "foldproof/study-run/1",
            "study": self.study.name,
            "title": self.study.title,
            "reference": self.study.reference,
            "variant": self.how.variant.name,
            "folds": self.how.folds,
            "seed": self.how.seed,
            "scale": self.how.scale,
            "repetitions": self.how.repetitions,
            "tables": [_table_dict(table) for table in self.tables],
            "figures": [_figure_dict(figure) for figure in self.figures],
            "not_run": [{"what": n.what, "why": n.why, "what_to_do": n.what_to_do} for n in self.not_run],
            "datasets": [{"name": name, "fingerprint": mark} for name, mark in self.datasets.items()],
            "provenance": dict(self.provenance),
            "warnings": list(self.warnings),
        }

    def to_text(self, *, width: int = 100, color: bool = False) -> str:
        """Return the tables that the command line prints."""
        from foldproof.report.study import study_text

        return study_text(self.to_dict(), width=width, color=color)

    def to_html(self, path: str | Path) -> None:
        """Write a self-contained page with every table and figure."""
        from foldproof.report.html import write_page
        from foldproof.report.study import study_page

        drawn = {figure.name: figure for figure in self.figures}
        write_page(study_page(self.to_dict(), drawn), Path(path))


def totals(rows: tuple[Row, ...]) -> dict[str, Any]:
    """Return how a table did as a whole: cells that were printed, equal or not, and the mean squared deviation.

    Where printed numbers are draws like ours, squared deviations are 1 on the average, whatever each cell's width.
    """
    printed = [row for row in rows if row.published is not None]
    away = [row.deviation for row in printed if row.deviation is not None]
    return {
        "printed": len(printed),
        "agree": sum(row.agrees is True for row in printed),
        "disagree": sum(row.agrees is False for row in printed),
        "not_judged": sum(row.agrees is None for row in printed),
        "deviations": len(away),
        "mean_square_deviation": sum(d * d for d in away) / len(away) if away else None,
        "beyond_2": sum(abs(d) > 2.0 for d in away),
        "beyond_3": sum(abs(d) > 3.0 for d in away),
    }


def _table_dict(table: StudyTable) -> dict[str, Any]:
    return {
        "name": table.name,
        "title": table.title,
        "judged_by": table.judged_by,
        "rows": [
            {
                "row": r.row,
                "column": r.column,
                "published": r.published,
                "measured": _number(r.measured),
                "interval": [_number(r.interval[0]), _number(r.interval[1])],
                "agrees": r.agrees,
                "deviation": _number(r.deviation),
                "references": dict(r.references),
                "digits": r.digits,
                "note": r.note,
            }
            for r in table.rows
        ],
        "totals": totals(table.rows),
        "notes": list(table.notes),
    }


def _figure_dict(figure: StudyFigure) -> dict[str, Any]:
    return {
        "name": figure.name,
        "title": figure.title,
        "drawing": figure.drawing,
        "x_label": figure.x_label,
        "y_label": figure.y_label,
        "panels": [
            {"name": name, "series": [_series_dict(series) for series in lines]}
            for name, lines in figure.panels.items()
        ],
        "notes": list(figure.notes),
    }


def _series_dict(series: Series) -> dict[str, Any]:
    return {
        "name": series.name,
        "x": [_number(v) for v in series.x],
        "y": [_number(v) for v in series.y],
        "low": [_number(v) for v in series.low],
        "high": [_number(v) for v in series.high],
    }


def _number(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)
