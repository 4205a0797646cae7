"""A study beside its published numbers: as text, as a page, and what a study consists of."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from foldproof.domain.study import Study, StudyFigure
from foldproof.report.text import WIDE, console_for, plain_lines
from foldproof.report.words import UNKNOWN, Plain

_MARKS = {True: "=", False: "≠", None: ""}


def number(value: float | None, digits: int) -> str:
    """Return a number with so many places.

    >>> number(0.7366, 3), number(-3.0, 0), number(None, 2)
    ('0.737', '−3', '–')
    """
    return UNKNOWN if value is None else f"{value:.{digits}f}".replace("-", "−")


def grid(table: Plain) -> tuple[list[str], list[tuple[str, dict[str, Plain]]]]:
    """Return the columns of a table, and for each row its cells by column, in the order they were made."""
    columns = list(dict.fromkeys(cell["column"] for cell in table["rows"]))
    rows: dict[str, dict[str, Plain]] = {}
    for cell in table["rows"]:
        rows.setdefault(cell["row"], {})[cell["column"]] = cell
    return columns, list(rows.items())


def cell_text(cell: Plain | None) -> str:
    """Return measured and printed side by side: ``4 [4] =``."""
    if cell is None:
        return ""
    said = number(cell["measured"], cell["digits"])
    if cell["published"] is not None:
        said += f" [{number(cell['published'], printed_digits(cell))}]"
    mark = _MARKS[cell["agrees"]]
    return f"{said} {mark}".rstrip()


def printed_digits(cell: Plain) -> int:
    """Return how many places a printed number had."""
    value = cell["published"]
    return 0 if value is not None and float(value).is_integer() and cell["digits"] < 2 else int(cell["digits"])


def total_sentence(table: Plain) -> str:
    """Return how a table did, in one sentence; empty where nothing was printed."""
    told = table["totals"]
    if table["judged_by"] in ("reference", "order"):
        good = sum(cell["agrees"] is True for cell in table["rows"])
        said = "are ordered as printed" if table["judged_by"] == "order" else "lie within three standard errors of it"
        return f"{good} of {len(table['rows'])} {said}."
    if not told["printed"] or table["judged_by"] == "nothing":
        return ""
    if table["judged_by"] == "equality":
        return f"{told['agree']} of {told['printed']} printed numbers are equal to the last digit."
    judged = told["agree"] + told["disagree"]
    said = f"{told['agree']} of {judged} judged numbers lie within three standard deviations of ours"
    if told["not_judged"]:
        said += f" ({told['not_judged']} cannot be judged)"
    if told["deviations"]:
        said += (
            f"; over {told['deviations']} numbers the mean squared deviation is {told['mean_square_deviation']:.2f} "
            f"(1 is expected), {told['beyond_2']} are beyond 2 and {told['beyond_3']} beyond 3"
        )
    return f"{said}."


def head_lines(told: Plain) -> list[str]:
    """Return what a run was: variant, folds, repetitions, seed, time."""
    folds = "the paper's run numbers" if told["folds"] == "weka" else f"our partitions, seed {told['seed']}"
    return [
        f"variant {told['variant']}, {folds}, {told['repetitions']} repetitions, scale {told['scale']:g}",
        f"foldproof {told['provenance']['version']}, {told['provenance']['seconds']:.0f} s",
    ]


def study_text(told: Plain, *, width: int = 100, color: bool = False) -> str:
    """Return every table, measured [printed]."""
    out = io.StringIO()
    console = console_for(out, width, color)
    console.print(Text(f"{told['study']}: {told['title']}", style="bold"))
    for line in head_lines(told):
        console.print(line)
    console.print("Each cell: measured [printed], and = or ≠ where that can be judged.")
    for table in told["tables"]:
        console.print()
        console.print(Text(f"Table {table['name']}: {table['title']}", style="bold"))
        columns, rows = grid(table)
        drawn = Table(box=None, pad_edge=False, header_style="bold")
        drawn.add_column("", no_wrap=True)
        for column in columns:
            drawn.add_column(column, justify="right", no_wrap=True)
        for name, cells in rows:
            drawn.add_row(Text(name), *(Text(cell_text(cells.get(column))) for column in columns))
        console_for(out, WIDE, color).print(Padding(drawn, (0, 0, 0, 1), expand=False))
        for line in filter(None, [total_sentence(table), *table["notes"]]):
            console.print(line)
    for figure in told["figures"]:
        console.print()
        console.print(f"Figure {figure['name']}: {figure['title']} (drawn with --html or --figures-to)")
    for warning in told["warnings"]:
        console.print(f"note: {warning.partition(': ')[2] or warning}")
    if told["not_run"]:
        console.print("\nNot run:")
        for missing in told["not_run"]:
            console.print(f"  {missing['what']}: {missing['why']}; {missing['what_to_do']}", highlight=False)
    return plain_lines(out)


def study_page(told: Plain, drawn: Mapping[str, StudyFigure]) -> str:
    """Return a self-contained page."""
    from foldproof.report.figures.study import svg_of
    from foldproof.report.html import render

    view = {
        "told": told,
        "head": head_lines(told),
        "tables": [{"told": table, "grid": grid(table), "total": total_sentence(table)} for table in told["tables"]],
        "cell_text": cell_text,
        "figures": [(figure, svg_of(drawn[figure["name"]])) for figure in told["figures"]],
    }
    return render("study.html.j2", view)


def study_dict(study: Study) -> dict[str, Any]:
    """Return what a study consists of, as plain values."""
    return {
        "schema": "foldproof/study/1",
        "name": study.name,
        "title": study.title,
        "summary": study.summary,
        "reference": study.reference,
        "learners": [{"name": name, "spec": spec} for name, spec in study.learners.items()],
        "pairs": [list(pair) for pair in study.pairs],
        "datasets": [{"name": name, "in_the_paper": label} for name, label in study.datasets.items()],
        "variants": [
            {"name": v.name, "formulas": v.formulas, "folds": list(v.folds), "summary": v.summary}
            for v in study.variants.values()
        ],
        "tables": [_part_dict(study, name) for name in study.tables],
        "figures": [{"name": p.name, "title": p.title} for p in study.figures.values()],
    }


def _part_dict(study: Study, name: str) -> dict[str, Any]:
    return {
        "name": name,
        "title": study.tables[name].title,
        "published": [
            {"row": row, "column": column, "printed": printed.text, "note": printed.note}
            for (table, row, column), printed in study.published.items()
            if table == name
        ],
    }


def study_description(study: Study) -> str:
    """Return what a study consists of, as text, with its published numbers."""
    lines = [f"{study.name}: {study.title}", f"{study.reference}. {study.summary}.", ""]
    lines += [f"learners  {', '.join(f'{name} ({spec})' for name, spec in study.learners.items())}"]
    lines += [f"datasets  {len(study.datasets)}: {', '.join(study.datasets)}"] if study.datasets else []
    for v in study.variants.values():
        lines.append(f"variant   {v.name}: {v.summary} (folds: {', '.join(v.folds)})")
    for part in study.tables.values():
        lines += ["", f"Table {part.name}: {part.title}"]
        numbers = {(r, c): p.text for (t, r, c), p in study.published.items() if t == part.name}
        columns = list(dict.fromkeys(c for _, c in numbers))
        if columns:
            rows = list(dict.fromkeys(r for r, _ in numbers))
            wide = max(map(len, rows))
            head = [max(len(c), *(len(numbers.get((r, c), "")) for r in rows)) for c in columns]
            lines.append("  ".join([" " * wide, *(f"{c:>{w}}" for c, w in zip(columns, head, strict=True))]))
            for row in rows:
                cells = (f"{numbers.get((row, c), ''):>{w}}" for c, w in zip(columns, head, strict=True))
                lines.append("  ".join([f"{row:<{wide}}", *cells]).rstrip())
        else:
            lines.append("(no printed numbers)")
    for part in study.figures.values():
        lines += ["", f"Figure {part.name}: {part.title}"]
    return "\n".join(lines) + "\n"
