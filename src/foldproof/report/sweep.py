"""A sweep over settings as a person likes to read it in a terminal."""

from __future__ import annotations

import io

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from foldproof.report import words
from foldproof.report.text import WIDE, console_for, plain_lines
from foldproof.report.words import Plain


def sweep_text(told: Plain, *, width: int = 100, color: bool = False) -> str:
    """Return the mean of every level on every source, and the effect of each parameter."""
    out = io.StringIO()
    console, wide = console_for(out, width, color), console_for(out, WIDE, color)
    console.print(Text(told["learner"]["name"], style="bold"), end="")
    console.print(
        f": {len(told['levels'])} settings; {told['scoring']} over {told['training_sets']} training sets of "
        f"{told['n_train']}, seed {told['seed']}\n"
    )
    sources = [source for source in told["sources"] if source["scores"]]
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("setting", no_wrap=True)
    for source in sources:
        table.add_column(source["name"], justify="right", no_wrap=True)
    for i, level in enumerate(told["levels"]):
        cells = []
        for source in sources:
            row = source["scores"][i]
            mark = "*" if level["name"] in source["best"] else " "
            cells.append(f"{words.score(row['mean'])} ({row['standard_error']:.4f}){mark}")
        table.add_row(Text(level["name"]), *cells)
    wide.print(Padding(table, (0, 0, 0, 1), expand=False))
    console.print()
    console.print(
        "In brackets: standard errors. * the best, and what was not found to be worse than it "
        f"({told['adjust']} over pairs, alpha {told['alpha']:g})."
    )
    for source in sources:
        for effect in source["effects"]:
            if len(source["effects"]) > 1:
                means = ", ".join(f"{row['value']} {words.score(row['mean'])}" for row in effect["values"])
                console.print(f"{source['name']}, {effect['parameter']}: {means}")
    for failure in told["failures"][:10]:
        console.print(f"failed: {failure['source']}, {failure['learner']}: {failure['message']}")
    return plain_lines(out)
