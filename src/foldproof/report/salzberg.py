"""Salzberg's protocol as a person likes to read it in a terminal."""

from __future__ import annotations

import io

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from foldproof.report import words
from foldproof.report.guidance import advice_lines, protocol_lines, tuning_lines
from foldproof.report.text import WIDE, console_for, plain_lines
from foldproof.report.words import Plain


def salzberg_text(told: Plain, *, width: int = 100, color: bool = False) -> str:
    """Return the tables and sentences of the protocol, a part for each dataset."""
    out = io.StringIO()
    console, wide = console_for(out, width, color), console_for(out, WIDE, color)
    many = told["comparisons"]
    console.print(Text("Salzberg's protocol", style="bold"), end="")
    console.print(f": {told['folds']} folds, {told['test']}, alpha {told['alpha']:g}, seed {told['seed']}", end="")
    console.print(f"; p-values times {many} (Bonferroni)" if many > 1 else "")
    for data in told["datasets"]:
        console.print()
        console.print(Text(str(data["name"]), style="bold"), end="")
        console.print(f": {data['instances']} instances, {data['attributes']} attributes, {data['classes']} classes")
        console.print()
        for table in (_accuracies(data), _pairs(data)):
            wide.print(Padding(table, (0, 0, 0, 1), expand=False))
            console.print()
        view = {**told, "pairs": [None] * many, "confidence_level": 1.0 - told["alpha"]}
        for pair in data["pairs"]:
            console.print(words.verdict_sentence(pair, view))
        for line in tuning_lines(data["tuning"]):
            console.print(line)
        for note in dict.fromkeys(words.plain_warning(w) for w in data["warnings"]):
            console.print(f"note: {note}")
        for line in advice_lines(data["advice"], protocol=True):
            console.print(line)
    console.print()
    for line in protocol_lines(told):
        console.print(line)
    for failure in told["failures"][:10]:
        console.print(
            f"failed: {failure['dataset']}, {failure['learner']}, fold {failure['fold']}: {failure['message']}"
        )
    return plain_lines(out)


def _accuracies(data: Plain) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("learner", "accuracy", "variance of folds"):
        table.add_column(heading, justify="left" if heading == "learner" else "right")
    for row in data["accuracies"]:
        table.add_row(Text(row["learner"]), words.score(row["mean"]), words.score(row["variance"]))
    return table


def _pairs(data: Plain) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    headings = ("a", "b", "only a right", "only b right", "agree", "p one-sided", "p", "p bonferroni", "verdict")
    for heading in headings:
        table.add_column(heading, justify="left" if heading in ("a", "b", "verdict") else "right", no_wrap=True)
    for pair in data["pairs"]:
        cells = pair["table"]
        counts = [words.UNKNOWN] * 3
        if cells is not None:
            counts = [str(cells["a_only"]), str(cells["b_only"]), str(cells["both"] + cells["neither"])]
        sides = [p for p in (pair["pvalue_greater"], pair["pvalue_less"]) if p is not None]
        table.add_row(
            Text(pair["a"]),
            Text(pair["b"]),
            *counts,
            words.pvalue(min(sides) if sides else None),
            words.pvalue(pair["pvalue"]),
            words.pvalue(pair["pvalue_adjusted"]),
            Text(pair["verdict"], style="dim" if pair["verdict"] == "none" else "bold green"),
        )
    return table
