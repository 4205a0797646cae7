"""``foldproof report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foldproof.cli import options as o


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report")(report)


def report(
    store: o.StoreUrl,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write a self-contained page to this file.")
    ] = None,
    alpha: o.Alpha = 0.05,
    adjust: o.Adjust = "holm",
    json: o.Json = False,
    debug: o.Debug = False,
) -> int:
    """Report what is in a store: datasets, learners, runs, scores, verdicts, failures, looks."""
    from foldproof.cli.output import emit, write
    from foldproof.workflows.stored import read_store

    found = read_store(store, alpha=alpha, adjust=adjust)
    if output is not None:
        found.to_html(output)
    if output is None or json:
        emit(found, json=json)
    else:
        write(f"{output}: {found.counted}\n")
    return 0
