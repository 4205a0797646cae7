"""``foldproof gate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foldproof.cli import options as o


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("gate")(gate)


def gate(
    source: o.Source,
    baseline: Annotated[str, typer.Option(metavar="LEARNER", help="What is there now.")],
    candidate: Annotated[str, typer.Option(metavar="LEARNER", help="What is to replace it.")],
    min_effect: Annotated[float, typer.Option(help="The difference that matters, in units of the score.")],
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
    procedure: o.ProcedureName = "corrected-10x10-cv",
    runs: o.Runs = None,
    folds: o.Folds = None,
    alpha: Annotated[float, typer.Option(help="The one-sided level of both answers.")] = 0.05,
    scoring: o.Scoring = None,
    seed: o.Seed = 0,
    jobs: o.Jobs = 1,
    no_encode: o.NoEncode = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
    debug: o.Debug = False,
) -> int:
    """Say by exit code whether a candidate may replace the baseline: 0 pass, 1 fail, 4 undecided."""
    from foldproof.cli.output import emit
    from foldproof.cli.progress import progress
    from foldproof.data.sources import Wanted, read_source
    from foldproof.workflows.gate import check_gate, named
    from foldproof.workflows.gate import gate as run
    from foldproof.workflows.setup import gather_learners

    check_gate(mode, min_effect, alpha)
    (old, new), task = gather_learners([named(baseline, "baseline"), named(candidate, "candidate")])
    dataset = read_source(source, Wanted(source, target, groups, task or "auto"))
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
            n_jobs=jobs,
            on_event=listener,
        )
    if markdown is not None:
        found.to_markdown(markdown)
    emit(found, json=json)
    return found.exit_code
