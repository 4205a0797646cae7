"""``foldproof export`` and ``foldproof import``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foldproof.cli import options as o


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("export")(export)
    app.command("import")(bring_in)


def export(
    store: o.StoreUrl,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="A .csv or .parquet file (default: csv on stdout)."),
    ] = None,
    json: o.Json = False,
    debug: o.Debug = False,
) -> int:
    """Write every cell of a store to csv or parquet: scores, predictions, failures, where they come from."""
    from foldproof.cli.output import emit, write
    from foldproof.domain.errors import InputError
    from foldproof.workflows.transfer import export_store, exported_csv

    if output is None:
        if json:
            raise InputError("--json tells of an export to a file: add -o FILE")
        write(exported_csv(store))
    else:
        emit(export_store(store, output), json=json)
    return 0


def bring_in(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A .csv or .parquet file that export wrote.")],
    store: Annotated[
        str, typer.Argument(metavar="STORE", help="The store to read it into; it is made where there is none.")
    ],
    json: o.Json = False,
    debug: o.Debug = False,
) -> int:
    """Read exported cells into a store; what it holds already stays as it is."""
    from foldproof.cli.output import emit
    from foldproof.workflows.transfer import import_store

    emit(import_store(file, store), json=json)
    return 0
