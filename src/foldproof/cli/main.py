"""The program ``foldproof``: its commands, and how errors become one sentence and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import typer

from foldproof.cli import (
    audit,
    calibrate,
    compare,
    gate,
    ledger,
    listing,
    plan,
    randomize,
    replicate,
    report,
    scores,
    study,
    sweep,
    transfer,
)

DONE, BAD_INPUT, INTERRUPTED = 0, 2, 130

app = typer.Typer(
    name="foldproof",
    help="Is learner A really better than learner B, and would I have said the same with another random split?",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for command in (
    compare,
    scores,
    replicate,
    plan,
    gate,
    calibrate,
    randomize,
    study,
    sweep,
    ledger,
    report,
    audit,
    transfer,
    listing,
):
    command.add_to(app)


@app.callback(invoke_without_command=True)
def root(
    version: bool = typer.Option(False, "--version", help="Print the version and leave.", is_eager=True),
) -> None:
    """Is learner A really better than learner B, and would I have said the same with another random split?"""
    if version:
        from foldproof import __version__

        typer.echo(f"foldproof {__version__}")
        raise typer.Exit()


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code; ``--debug`` lets errors through with their traceback."""
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    debug = "--debug" in given
    from foldproof.cli.interrupt import interruptible

    try:
        with interruptible(_interrupted(given)):
            code = app(args=given, prog_name="foldproof", standalone_mode=False) or DONE
    except typer.TyperException as error:
        return _say(f"{_one_sentence(error.format_message())} (see: foldproof {_command(given)}--help)")
    except Exception as error:
        from foldproof.domain.errors import FoldproofError

        if debug:
            raise
        if isinstance(error, FoldproofError):
            return _say(str(error))
        return _say(
            f"an error of foldproof itself ({type(error).__name__}: {_one_sentence(str(error))}): "
            "please report it, with what --debug prints"
        )
    if code == INTERRUPTED:  # typer's answer to Ctrl-C
        _say(_interrupted(given))
    return int(code)


def _interrupted(given: Sequence[str]) -> str:
    if any(argument.partition("=")[0] == "--store" for argument in given) or given[0] == "run":
        return "interrupted: what was finished is kept in the store; the same command goes on from here"
    return (
        "interrupted: nothing was written; the same command with the same seed gives the same result, and with --store "
        "it would go on from here"
    )


def _say(sentence: str) -> int:
    sys.stderr.write(f"foldproof: {sentence}\n")
    return BAD_INPUT


def _one_sentence(message: str) -> str:
    return " ".join(message.split()).rstrip(".")


def _command(given: Sequence[str]) -> str:
    """Return the command that was meant, if there is one of that name."""
    names = {command.name for command in app.registered_commands}
    return f"{given[0]} " if given and given[0] in names else ""


def main() -> NoReturn:
    """Entry point of the installed program."""
    # Models of one's own in this folder can be named, as with ``python -m foldproof``; last, so that they hide nothing.
    sys.path.append(str(Path.cwd()))
    sys.exit(run())
