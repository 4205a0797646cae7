"""A calibration as a person likes to read it in a terminal."""

from __future__ import annotations

import io

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from foldproof.report import words
from foldproof.report.text import WIDE, console_for, plain_lines
from foldproof.report.words import Plain

_TRUTH = {True: "no difference", False: "a difference", None: "not known"}


def calibration_text(told: Plain, *, width: int = 100, color: bool = False) -> str:
    """Return the table of rows and what it says."""
    out = io.StringIO()
    console = console_for(out, width, color)
    many = told["repetitions"]
    again = f", each with {many} repetitions" if many > 1 else ""
    console.print(f"{told['trials']} trials{again}; {told['scoring']}, alpha {told['alpha']:g}, seed {told['seed']}\n")
    table = Table(box=None, pad_edge=False, header_style="bold")
    left = ("procedure", "data", "a", "b", "truth")
    headings = [*left, "rejected", "a wins", "b wins", *(["R", "R3", "consistent"] if many > 1 else []), "allowed"]
    for heading in headings:
        table.add_column(heading, justify="left" if heading in left else "right", no_wrap=True)
    for row in told["rows"]:
        r = [rate(row[key]) for key in ("r", "r3", "consistent")] if many > 1 else []
        allowed = words.UNKNOWN
        if row["level_kept"] is not None:
            allowed = f"{row['allowed']:.3f}" + ("" if row["level_kept"] else " !")
        table.add_row(
            Text(row["procedure"]["name"]),
            Text(f"{row['origin']}, {row['way']}"),
            Text(row["a"]),
            Text(row["b"]),
            truth(row),
            *(rate(row[key]) for key in ("rejections", "wins_a", "wins_b")),
            *r,
            allowed,
        )
    console_for(out, WIDE, color).print(Padding(table, (0, 0, 0, 1), expand=False))
    console.print()
    console.print(
        "In brackets: standard errors. Allowed is alpha and two standard errors, where there is no difference."
    )
    for row in told["rows"]:
        if row["level_kept"] is False:
            claim = "although it claims to" if row["claims_level"] else "and it does not claim to"
            console.print(f"{row['procedure']['name']} does not keep its level on {row['origin']}, {claim}.")
    for warning in told["warnings"]:
        console.print(f"note: {words.plain_warning(warning)}")
    return plain_lines(out)


def rate(estimate: Plain | None) -> str:
    """Return a rate with its standard error.

    >>> rate({"rate": 0.0421, "standard_error": 0.0104}), rate(None)
    ('0.042 (0.010)', '–')
    """
    if estimate is None:
        return words.UNKNOWN
    error = estimate["standard_error"]
    return f"{estimate['rate']:.3f}" + ("" if error is None else f" ({error:.3f})")


def truth(row: Plain) -> str:
    """Return what is known of the true difference."""
    if row["truth"] is None:
        return _TRUTH[row["null"]]
    value, error = row["truth"]["rate"], row["truth"]["standard_error"]
    return words.signed(value) + ("" if error is None else f" ({error:.4f})")
