"""``foldproof run``."""

from __future__ import annotations

from typing import Annotated

import typer

from foldproof.cli import options as o


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("run")(run)


def run(
    plan: Annotated[str, typer.Argument(metavar="PLAN.toml", help="The plan: datasets, learners, procedures.")],
    store: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Keep results here and not where the plan says (default: the plan's store, or PLAN.db beside it).",
        ),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(help="Processes, instead of the plan's jobs; -1 for one per processor.")
    ] = None,
    time_limit: o.TimeLimit = None,
    executor: Annotated[
        str | None, typer.Option(help="Where fits are made, instead of the plan's executor: local or dask.")
    ] = None,
    scheduler: o.Scheduler = None,
    json: o.Json = False,
    html: o.Html = None,
    quiet: o.Quiet = False,
    debug: o.Debug = False,
) -> int:
    """Run many learners on many datasets; the same command goes on where it stopped."""
    from foldproof.cli.output import emit
    from foldproof.cli.progress import progress
    from foldproof.workflows.plans import run_plan

    with progress(quiet=quiet) as listener:
        found = run_plan(
            plan,
            store=store,
            n_jobs=jobs,
            time_limit=time_limit,
            executor=executor,
            scheduler=scheduler,
            on_event=listener,
        )
    if html is not None:
        found.to_html(html)
    emit(found, json=json)
    return 3 if found.failures else 0
