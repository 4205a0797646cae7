"""Documented commands that this version does not have yet: they say so and answer 2."""

from __future__ import annotations

from collections.abc import Callable

import typer

COMMANDS = {
    "run": "Many datasets and many learners, resumable.",
    "report": "The report of what is in a store.",
    "audit": "Re-run a sample of stored cells and prove them equal.",
}


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    for name, summary in COMMANDS.items():
        app.command(
            name,
            help=f"{summary} Not in this version.",
            context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
        )(_refusal(name))


def _refusal(name: str) -> Callable[[typer.Context], None]:
    def refuse(context: typer.Context) -> None:
        from foldproof.domain.errors import NotInThisVersionError

        raise NotInThisVersionError(f"the command {name!r}")

    return refuse
