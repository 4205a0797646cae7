"""``foldproof compare``."""

from __future__ import annotations

from typing import Annotated

import typer

from foldproof.cli import options as o


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare")(compare)


def compare(
    source: o.Source,
    learner: o.Learners,
    target: o.Target = None,
    groups: o.Groups = None,
    data_dir: o.DataDir = None,
    procedure: o.ProcedureName = "corrected-10x10-cv",
    runs: o.Runs = None,
    folds: o.Folds = None,
    alpha: o.Alpha = 0.05,
    adjust: o.Adjust = "holm",
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
    most_similar: Annotated[
        str | None,
        typer.Option("--most-similar", metavar="LEARNER", help="For salzberg: the learner most similar to the first."),
    ] = None,
    reason: Annotated[str | None, typer.Option(help="For salzberg: why these data were chosen.")] = None,
    time_limit: o.TimeLimit = None,
    executor: o.Executor = "local",
    scheduler: o.Scheduler = None,
) -> int:
    """Run learners on shared partitions and give the verdict for every pair."""
    from foldproof.cli.output import emit
    from foldproof.cli.progress import progress
    from foldproof.data.sources import Wanted, read_source
    from foldproof.domain.errors import InputError
    from foldproof.workflows.compare import compare as run
    from foldproof.workflows.salzberg import as_protocol, check_most_similar
    from foldproof.workflows.setup import gather_learners

    learners, task = gather_learners(learner)
    check_most_similar(most_similar, [found.name for found in learners])
    dataset = read_source(source, Wanted(source, target, groups, task or "auto", o.folder(data_dir)))
    protocol = procedure == "salzberg"
    if not protocol and (most_similar is not None or reason is not None):
        raise InputError("--most-similar and --reason belong to --procedure salzberg: add it, or leave them out")
    with progress(quiet=quiet) as listener:
        comparison = run(
            {found.name: found for found in learners},
            dataset,
            procedure=procedure,
            scoring=o.listed(scoring),
            alpha=alpha,
            adjust="bonferroni" if protocol else adjust,
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
    if protocol:
        comparison = as_protocol(comparison, most_similar=most_similar, reason=reason)
    if html is not None:
        comparison.to_html(html)
    emit(comparison, json=json)
    return 3 if comparison.failures else 0
