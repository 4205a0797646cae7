"""``foldproof calibrate``."""

from __future__ import annotations

from typing import Annotated

import typer

from foldproof.cli import options as o


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("calibrate")(calibrate)


def calibrate(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SOURCE…]",
            help="Simulated sources (source1 to source4, null_informative), or one dataset as for compare (default: "
            "all simulated sources).",
            show_default=False,
        ),
    ] = None,
    learner: Annotated[
        list[str] | None,
        typer.Option(
            "--learner",
            "-l",
            metavar="LEARNER",
            help="Two, as for compare, or one, which then meets its own copy with other internal seeds (default: c45 "
            "and naive-bayes).",
            show_default=False,
        ),
    ] = None,
    procedure: Annotated[
        list[str] | None,
        typer.Option(
            "--procedure",
            help="foldproof list procedures; again for several (default: corrected-10x10-cv).",
            show_default=False,
        ),
    ] = None,
    way: Annotated[
        str | None,
        typer.Option(
            help="What makes trials: sampled (a source), permuted-labels or random-labels (a dataset), own-copy "
            "(one learner)."
        ),
    ] = None,
    trials: Annotated[int, typer.Option(help="How many datasets, labellings or divisions are tried.")] = 100,
    repetitions: Annotated[int, typer.Option(help="How often each is repeated with other seeds; R needs two.")] = 2,
    n: Annotated[int, typer.Option("-n", "--instances", help="Instances of a sample.")] = 300,
    null: Annotated[
        bool | None,
        typer.Option(
            "--null/--difference", help="Say that there is no difference, or that there is.", show_default=False
        ),
    ] = None,
    target: o.Target = None,
    data_dir: o.DataDir = None,
    runs: o.Runs = None,
    folds: o.Folds = None,
    alpha: o.Alpha = 0.05,
    scoring: o.Scoring = None,
    seed: o.Seed = 0,
    jobs: o.Jobs = 1,
    time_limit: o.TimeLimit = None,
    executor: o.Executor = "local",
    scheduler: o.Scheduler = None,
    store: Annotated[
        str | None,
        typer.Option(help="Keep finished trials in this store; the same command then goes on where it stopped."),
    ] = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
    debug: o.Debug = False,
) -> int:
    """Measure Type I error, power and R of procedures, where the truth is known."""
    from foldproof.cli.output import emit
    from foldproof.cli.progress import progress
    from foldproof.data.simulated import simulated_sources
    from foldproof.data.sources import Wanted, read_source
    from foldproof.domain.errors import InputError
    from foldproof.workflows.calibrate import calibrate as run
    from foldproof.workflows.procedures import DEFAULT

    known = simulated_sources()
    given = sources or list(known)
    data: object = given
    if not all(source in known for source in given):
        if len(given) > 1:
            other = next(source for source in given if source not in known)
            raise InputError(
                f"{other!r} is no simulated source: use {', '.join(known)}, or name one dataset and nothing beside it"
            )
        data = read_source(given[0], Wanted(given[0], target, data_dir=o.folder(data_dir)))
    if scoring is not None and len(scoring) > 1:
        raise InputError("calibrate takes one scoring: call it once for each")
    with progress(quiet=quiet) as listener:
        found = run(
            list(learner or ("c45", "naive-bayes")),
            data,
            way=way,
            procedure=procedure or DEFAULT,
            trials=trials,
            repetitions=repetitions,
            n=n,
            null=null,
            scoring=scoring[0] if scoring else None,
            alpha=alpha,
            seed=seed,
            runs=runs,
            folds=folds,
            n_jobs=jobs,
            time_limit=time_limit,
            executor=executor,
            scheduler=scheduler,
            store=store,
            on_event=listener,
        )
    emit(found, json=json)
    return 3 if found.failures else 0
