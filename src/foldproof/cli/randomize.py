"""``foldproof randomize``."""

from __future__ import annotations

from typing import Annotated

import typer

from foldproof.cli import options as o


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("randomize")(randomize)


def randomize(
    source: o.Source,
    learner: Annotated[
        list[str],
        typer.Option(
            "--learner", "-l", metavar="LEARNER", help="As for compare; of several the best score is taken, each time."
        ),
    ],
    relabelings: Annotated[int, typer.Option(help="How many copies get random labels.")] = 99,
    labels: Annotated[str, typer.Option(help="permuted, or drawn as often as they occur.")] = "permuted",
    chance: Annotated[float | None, typer.Option(help="The score of guessing, where it is not known.")] = None,
    target: o.Target = None,
    data_dir: o.DataDir = None,
    runs: Annotated[int, typer.Option(help="Runs of the cross-validation.")] = 1,
    folds: Annotated[int, typer.Option(help="Folds of the cross-validation.")] = 10,
    scoring: Annotated[str | None, typer.Option(help="A scikit-learn scoring (default: accuracy).")] = None,
    tune: o.Tune = None,
    seed: o.Seed = 0,
    jobs: o.Jobs = 1,
    time_limit: o.TimeLimit = None,
    executor: o.Executor = "local",
    scheduler: o.Scheduler = None,
    no_encode: o.NoEncode = False,
    store: Annotated[
        str | None,
        typer.Option(help="Keep finished copies in this store; the same command then goes on where it stopped."),
    ] = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
    debug: o.Debug = False,
) -> int:
    """Run a whole methodology on random labels: what does it find where there is nothing?"""
    from foldproof.cli.output import emit
    from foldproof.cli.progress import progress
    from foldproof.data.sources import Wanted, read_source
    from foldproof.workflows.randomization import randomization

    dataset = read_source(source, Wanted(source, target, data_dir=o.folder(data_dir)))
    with progress(quiet=quiet) as listener:
        found = randomization(
            list(learner),
            dataset,
            relabelings=relabelings,
            labels=labels,
            runs=runs,
            folds=folds,
            scoring=scoring,
            chance=chance,
            tune=o.grids(tune),
            seed=seed,
            encode=not no_encode,
            n_jobs=jobs,
            time_limit=time_limit,
            executor=executor,
            scheduler=scheduler,
            store=store,
            on_event=listener,
        )
    emit(found, json=json)
    return 3 if found.failures else 0
