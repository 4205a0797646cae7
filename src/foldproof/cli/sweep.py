"""``foldproof sweep``."""

from __future__ import annotations

from typing import Annotated

import typer

from foldproof.cli import options as o


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("sweep")(sweep)


def sweep(
    sources: Annotated[
        list[str], typer.Argument(metavar="SOURCE…", help="Simulated sources: source1 to source4, null_informative.")
    ],
    learner: Annotated[str, typer.Option("--learner", "-l", metavar="LEARNER", help="As for compare.")],
    settings: Annotated[
        str,
        typer.Option(metavar="GRID", help="The settings to study, such as \"{'max_depth': [1, 2, 4]}\"."),
    ],
    n_train: Annotated[int, typer.Option("--n-train", help="Instances of a training set.")] = 300,
    training_sets: Annotated[int, typer.Option(help="How many training sets there are.")] = 50,
    alpha: o.Alpha = 0.05,
    scoring: Annotated[str | None, typer.Option(help="A scikit-learn scoring (default: accuracy).")] = None,
    seed: o.Seed = 0,
    jobs: o.Jobs = 1,
    time_limit: o.TimeLimit = None,
    executor: o.Executor = "local",
    scheduler: o.Scheduler = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
    debug: o.Debug = False,
) -> int:
    """Study parameters as independent variables, on data that can be made anew."""
    from foldproof.cli.output import emit
    from foldproof.cli.progress import progress
    from foldproof.workflows.sweep import sweep as run

    grids = o.grids([f"settings={settings}"]) or {}
    with progress(quiet=quiet) as listener:
        found = run(
            learner,
            grids["settings"],
            sources,
            n_train=n_train,
            training_sets=training_sets,
            scoring=scoring,
            alpha=alpha,
            seed=seed,
            n_jobs=jobs,
            time_limit=time_limit,
            executor=executor,
            scheduler=scheduler,
            on_event=listener,
        )
    emit(found, json=json)
    return 3 if found.failures else 0
