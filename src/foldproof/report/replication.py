"""A replication as a person likes to read it in a terminal."""

from __future__ import annotations

import io

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from foldproof.report import words
from foldproof.report.guidance import tuning_lines
from foldproof.report.text import WIDE, console_for, plain_lines
from foldproof.report.words import Plain


def replication_text(told: Plain, *, width: int = 100, color: bool = False) -> str:
    """Return the table and sentences of a replication."""
    out = io.StringIO()
    console = console_for(out, width, color)
    console.print(Text(str(told["dataset"]["name"]), style="bold"), end="")
    console.print(f": {words.design(told)}; {told['repetitions']} repetitions, alpha {told['alpha']:g}", end="")
    console.print(f", seed {told['seed']}\n")
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("a", "b", "a wins", "none", "b wins", "consistent", "R", "95 % interval", "mean forecast"):
        table.add_column(heading, justify="left" if heading in ("a", "b", "consistent") else "right", no_wrap=True)
    for pair in told["pairs"]:
        counts = pair["verdicts"]
        steady = "yes" if pair["consistent"] else "almost" if pair["almost_consistent"] else "no"
        low, high = pair["r_interval"]
        table.add_row(
            Text(pair["a"]),
            Text(pair["b"]),
            *(str(counts[key]) for key in ("a", "none", "b")),
            steady,
            f"{pair['r']:.3f}",
            f"[{low:.3f}, {high:.3f}]",
            words.percent(pair["forecast_mean"]),
        )
    console_for(out, WIDE, color).print(Padding(table, (0, 0, 0, 1), expand=False))
    console.print()
    for pair in told["pairs"]:
        if pair["verdicts"]["a"] and pair["verdicts"]["b"]:
            console.print(f"{pair['a']} and {pair['b']}: the seed decides who wins. Publish neither verdict.")
    console.print(
        "R is the share of pairs of repetitions that agree. A high R says that the seed matters little, not that the "
        "test is valid."
    )
    for line in [*words.ledger_sentences(told), *tuning_lines(told.get("tuning", []))]:
        console.print(line)
    for warning in told["warnings"]:
        console.print(f"note: {words.plain_warning(warning)}")
    if told["failures"]:
        console.print(f"{len(told['failures'])} folds failed (--json lists them)")
    return plain_lines(out)
