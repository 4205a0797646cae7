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
    rows = _rows(what)
    if json:
        items = [{"name": name, "summary": summary} for name, summary in rows]
        write(jsonlib.dumps({"schema": "foldproof/list/1", "what": what, "items": items}, indent=2) + "\n")
    else:
        width = max((len(name) for name, _ in rows), default=0)
        write("".join(f"{name:<{width}}  {summary}".rstrip() + "\n" for name, summary in rows))
    return 0


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
        from foldproof.data.from_sklearn import SHIPPED

        return [(f"sklearn:{name}", "ships with scikit-learn") for name in SHIPPED]
    from foldproof.domain.errors import NotInThisVersionError

    raise NotInThisVersionError("the list of studies")


def _first_line(docstring: str | None) -> str:
    return (docstring or "").strip().partition("\n")[0].rstrip(".")
