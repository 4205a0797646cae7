"""``foldproof replicate``."""

from __future__ import annotations

from typing import Annotated

import typer

from foldproof.cli import options as o


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("replicate")(replicate)


def replicate(
    source: o.Source,
    learner: o.Learners,
    repetitions: Annotated[int, typer.Option(help="How often the whole procedure is repeated.")] = 10,
    target: o.Target = None,
    groups: o.Groups = None,
    data_dir: o.DataDir = None,
    procedure: o.ProcedureName = "corrected-10x10-cv",
    runs: o.Runs = None,
    folds: o.Folds = None,
    alpha: o.Alpha = 0.05,
    scoring: o.Scoring = None,
    seed: o.Seed = 0,
    jobs: o.Jobs = 1,
    no_encode: o.NoEncode = False,
    store: o.Store = None,
    no_ledger: o.NoLedger = False,
    looks: o.Looks = None,
    no_fast: o.NoFast = False,
    json: o.Json = False,
    html: o.Html = None,
    quiet: o.Quiet = False,
    debug: o.Debug = False,
    tune: o.Tune = None,
    time_limit: o.TimeLimit = None,
    executor: o.Executor = "local",
    scheduler: o.Scheduler = None,
) -> int:
    """Repeat a procedure with other seeds: how often is the verdict the same?"""
    from foldproof.cli.output import emit
    from foldproof.cli.progress import progress
    from foldproof.data.sources import Wanted, read_source
    from foldproof.workflows.replicate import replicate as run
    from foldproof.workflows.setup import gather_learners

    learners, task = gather_learners(learner)
    dataset = read_source(source, Wanted(source, target, groups, task or "auto", o.folder(data_dir)))
    with progress(quiet=quiet) as listener:
        replication = run(
            {found.name: found for found in learners},
            dataset,
            repetitions=repetitions,
            procedure=procedure,
            scoring=o.listed(scoring),
            alpha=alpha,
            seed=seed,
            runs=runs,
            folds=folds,
            encode=not no_encode,
            tune=o.grids(tune),
            n_jobs=jobs,
            store=store,
            ledger=not no_ledger,
            looks=looks,
            fast=not no_fast,
            time_limit=time_limit,
            executor=executor,
            scheduler=scheduler,
            on_event=listener,
        )
    if html is not None:
        replication.to_html(html)
    emit(replication, json=json)
    return 3 if replication.failures else 0
