"""``foldproof list``."""

from __future__ import annotations

import json as jsonlib
from typing import Annotated

import typer

from foldproof.cli import options as o
from foldproof.cli.output import write

WHAT = ("datasets", "learners", "tests", "procedures", "studies")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("list")(listing)


def listing(
    what: Annotated[str, typer.Argument(metavar="|".join(WHAT), help="What to list.")],
    json: o.Json = False,
    debug: o.Debug = False,
) -> int:
    """Say what there is: datasets, learners, tests, procedures, studies."""
    from foldproof.domain.errors import unknown_name

    if what not in WHAT:
        raise unknown_name("thing to list", what, WHAT)
    write_items(what, json=json)
    return 0


def write_items(what: str, *, json: bool) -> None:
    """Print names with a line each."""
    rows = _rows(what)
    if json:
        items = [{"name": name, "summary": summary} for name, summary in rows]
        write(jsonlib.dumps({"schema": "foldproof/list/1", "what": what, "items": items}, indent=2) + "\n")
    else:
        width = max((len(name) for name, _ in rows), default=0)
        write("".join(f"{name:<{width}}  {summary}".rstrip() + "\n" for name, summary in rows))


def _rows(what: str) -> list[tuple[str, str]]:
    if what == "procedures":
        from foldproof.workflows.procedures import PROCEDURES

        return [(name, procedure.summary) for name, procedure in PROCEDURES.items()]
    if what == "tests":
        from foldproof.significance import METHODS

        return [(name, _first_line(method.function.__doc__)) for name, method in METHODS.items()]
    if what == "learners":
        from foldproof.learners.learner import LEARNERS

        own = [(name, _first_line(learner.__doc__)) for name, learner in LEARNERS.items()]
        return [*own, ("package.Class(…)", "any importable scikit-learn estimator, with literal arguments")]
    if what == "datasets":
        from foldproof.data.catalog import catalogue
        from foldproof.data.from_sklearn import SHIPPED

        shipped = [(f"sklearn:{name}", "ships with scikit-learn") for name in SHIPPED]
        return [*((name, entry.summary) for name, entry in catalogue().items()), *shipped]
    from foldproof.studies.finding import find_study, study_folders

    return [(name, find_study(folder).summary) for name, folder in study_folders().items()]


def _first_line(docstring: str | None) -> str:
    return (docstring or "").strip().partition("\n")[0].rstrip(".")
