"""``foldproof ledger``."""

from __future__ import annotations

import json as jsonlib
from pathlib import Path
from typing import Annotated

import typer

from foldproof.cli import options as o

ACTIONS = ("show", "export", "verify")
FORMATS = ("csv", "json", "lines")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("ledger")(ledger)


def ledger(
    action: Annotated[
        str,
        typer.Argument(
            metavar="|".join(ACTIONS),
            help="show: every look, and the level left. export: every line as it was written. verify: whether all "
            "lines are there and unchanged.",
        ),
    ],
    store: Annotated[str, typer.Option(metavar="URL", help="The store, such as sqlite:///results.db.")],
    dataset: Annotated[
        str | None, typer.Option(metavar="NAME", help="One dataset only, by name or fingerprint (show, export).")
    ] = None,
    head: Annotated[
        str | None,
        typer.Option(metavar="N:HASH", help="A head that a report printed, which the ledger must hold (verify)."),
    ] = None,
    form: Annotated[
        str,
        typer.Option("--format", help="csv, json, or lines: the bare lines, whose hashes are SHA-256 (export)."),
    ] = "csv",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to this file (export).")
    ] = None,
    json: o.Json = False,
    debug: o.Debug = False,
) -> int:
    """Show, export or verify the ledger: every look at a dataset, the level spent, what the next look may use."""
    from foldproof.cli.output import emit
    from foldproof.domain.errors import unknown_name
    from foldproof.workflows.ledgers import read_ledger, verify_ledger

    if action not in ACTIONS:
        raise unknown_name("thing to do with a ledger", action, ACTIONS)
    if form not in FORMATS:
        raise unknown_name("format", form, FORMATS)
    _check_options(action, {"--dataset": dataset, "--head": head, "--output": output, "--format": form})
    if action == "verify":
        found = verify_ledger(store, head)
        emit(found, json=json)
        return 0 if found.ok else 1
    view = read_ledger(store, dataset)
    if action == "show":
        emit(view, json=json)
        return 0
    if json or form == "json":
        _write(jsonlib.dumps(view.exported(), indent=2) + "\n", output)
    elif form == "lines":
        _write("".join(f"{line}\n" for line in view.lines()), output)
    else:
        _write(view.to_csv(), output)
    return 0


def _check_options(action: str, given: dict[str, object]) -> None:
    """Refuse an option that the action would not use."""
    from foldproof.domain.errors import InputError

    used = {"show": {"--dataset"}, "export": {"--dataset", "--output", "--format"}, "verify": {"--head"}}[action]
    for option, value in given.items():
        if option not in used and value is not None and (option, value) != ("--format", "csv"):
            takes = ", ".join(sorted(used))
            raise InputError(f"foldproof ledger {action} takes no {option}: it takes {takes}")


def _write(text: str, output: Path | None) -> None:
    if output is None:
        from foldproof.cli.output import write

        write(text)
    else:
        from foldproof.report.html import write_page

        write_page(text, output)
