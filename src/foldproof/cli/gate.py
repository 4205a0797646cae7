"""``foldproof gate``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foldproof.cli import options as o

if TYPE_CHECKING:
    from foldproof.workflows.gate import Gate


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("gate")(gate)


def gate(
    baseline: Annotated[str, typer.Option(metavar="LEARNER|FILE", help="What is there now.")],
    candidate: Annotated[str, typer.Option(metavar="LEARNER|FILE", help="What is to replace it.")],
    min_effect: Annotated[float, typer.Option(help="The difference that matters, in units of the score.")],
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[SOURCE]",
            help="The data, as for compare. Left out, baseline and candidate are files of scores, as for test.",
        ),
    ] = None,
    mode: Annotated[
        str,
        typer.Option(
            help="noninferiority (not worse by more than the effect), superiority (better by more) or equivalence."
        ),
    ] = "noninferiority",
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a summary for a pull request to this file.")
    ] = None,
    target: o.Target = None,
    groups: o.Groups = None,
    data_dir: o.DataDir = None,
    procedure: o.ProcedureName = "corrected-10x10-cv",
    runs: o.Runs = None,
    folds: o.Folds = None,
    n_train: Annotated[float | None, typer.Option("--n-train", help="Training size behind scores from files.")] = None,
    n_test: Annotated[float | None, typer.Option("--n-test", help="Test size behind scores from files.")] = None,
    alpha: Annotated[float, typer.Option(help="The one-sided level of both answers.")] = 0.05,
    scoring: o.Scoring = None,
    seed: o.Seed = 0,
    jobs: o.Jobs = 1,
    no_encode: o.NoEncode = False,
    tune: o.Tune = None,
    store: o.Store = None,
    no_ledger: o.NoLedger = False,
    looks: o.Looks = None,
    no_fast: o.NoFast = False,
    time_limit: o.TimeLimit = None,
    executor: o.Executor = "local",
    scheduler: o.Scheduler = None,
    json: o.Json = False,
    html: o.Html = None,
    quiet: o.Quiet = False,
    debug: o.Debug = False,
) -> int:
    """Say by exit code whether a candidate may replace the baseline: 0 pass, 1 fail, 4 undecided."""
    from foldproof.cli.progress import progress
    from foldproof.data.score_files.read import read_scores
    from foldproof.data.sources import Wanted, read_source
    from foldproof.domain.errors import InputError
    from foldproof.workflows.gate import check_gate, named
    from foldproof.workflows.gate import gate as run
    from foldproof.workflows.gate_scores import gate_scores
    from foldproof.workflows.setup import gather_learners

    check_gate(mode, min_effect, alpha)
    if source is None:
        if tune:
            raise InputError("--tune is for learners: name a SOURCE, or leave it out beside files of scores")
        files = [file_of(baseline, "baseline"), file_of(candidate, "candidate")]
        scores = read_scores(
            dict(files), runs=runs, folds=folds, n_train=n_train, n_test=n_test, scoring=scoring[0] if scoring else None
        )
        told = gate_scores(scores, files[0][0], files[1][0], min_effect=min_effect, mode=mode, alpha=alpha)
        return finish(told, markdown, html, json=json)
    (old, new), task = gather_learners([named(baseline, "baseline"), named(candidate, "candidate")])
    dataset = read_source(source, Wanted(source, target, groups, task or "auto", o.folder(data_dir)))
    with progress(quiet=quiet) as listener:
        found = run(
            old,
            new,
            dataset,
            min_effect=min_effect,
            mode=mode,
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
    return finish(found, markdown, html, json=json)


def finish(found: Gate, markdown: Path | None, html: Path | None, *, json: bool) -> int:
    """Write what is asked for, and answer with the exit code."""
    from foldproof.cli.output import emit

    if markdown is not None:
        found.to_markdown(markdown)
    if html is not None:
        found.to_html(html)
    emit(found, json=json)
    return found.exit_code


def file_of(given: str, role: str) -> tuple[str, str]:
    """Return a learner's name and file, of FILE or name=FILE."""
    from foldproof.domain.errors import InputError

    name, equals, path = given.partition("=")
    if not equals or Path(given).exists():
        name, path = role, given
    if not Path(path).is_file():
        raise InputError(
            f"there is no file {path!r}: name a SOURCE for --{role} to be a learner, or give a file of scores"
        )
    return name, path
