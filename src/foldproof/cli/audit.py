"""``foldproof audit``."""

from __future__ import annotations

from typing import Annotated

import typer

from foldproof.cli import options as o


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("audit")(audit)


def audit(
    store: o.StoreUrl,
    sample: Annotated[int, typer.Option(metavar="N", help="How many cells are drawn at random.")] = 20,
    every: Annotated[bool, typer.Option("--all", help="Every cell, and no sample.")] = False,
    seed: Annotated[int, typer.Option(help="Which cells are drawn.")] = 0,
    data: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=SOURCE",
            help="A dataset of the store whose origin it does not know, such as iris=iris.csv. Again for another.",
        ),
    ] = None,
    target: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=COLUMN", help="The column to predict of data that are given (default: the last)."),
    ] = None,
    learner: Annotated[
        list[str] | None,
        typer.Option("--learner", "-l", metavar="NAME=SPEC", help="A learner for which the store has no recipe."),
    ] = None,
    jobs: o.Jobs = 1,
    json: o.Json = False,
    quiet: o.Quiet = False,
    debug: o.Debug = False,
) -> int:
    """Compute a sample of stored cells again and prove them equal, to the last bit: 0 equal, 1 a difference."""
    from foldproof.cli.output import emit
    from foldproof.cli.progress import progress
    from foldproof.domain.errors import InputError
    from foldproof.workflows.audit import audit as run

    sources, columns = o.named(data, "--data", "iris=iris.csv"), o.named(target, "--target", "iris=species")
    for name in columns:
        if name not in sources:
            raise InputError(f"--target {name}={columns[name]} is for data that are given: add --data {name}=FILE")
    with progress(quiet=quiet) as listener:
        found = run(
            store,
            sample=None if every else sample,
            seed=seed,
            data={name: (source, columns[name]) if name in columns else source for name, source in sources.items()},
            learners=o.named(learner, "--learner", "tree=sklearn.tree.DecisionTreeClassifier()"),
            n_jobs=jobs,
            on_event=listener,
        )
    emit(found, json=json)
    return found.exit_code
