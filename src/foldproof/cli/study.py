"""``foldproof study``."""

from __future__ import annotations

import json as jsonlib
from pathlib import Path
from typing import Annotated

import typer

from foldproof.cli import options as o
from foldproof.cli.output import emit, write

ACTIONS = ("list", "run", "show")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("study")(study)


def study(
    action: Annotated[
        str,
        typer.Argument(
            metavar="|".join(ACTIONS),
            help="list: the studies there are. show: what a study consists of, with its published numbers. run: do it "
            "again.",
        ),
    ],
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A study's name, or the path of its folder (run, show).")
    ] = None,
    table: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="This table only; again for several (run).")
    ] = None,
    figure: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="This figure only; again for several (run).")
    ] = None,
    variant: Annotated[
        str | None,
        typer.Option(help="as-printed: the paper's formulas (default). as-run: what gives the printed numbers (run)."),
    ] = None,
    folds: Annotated[
        str | None,
        typer.Option(
            help="seeds: our partitions (default). weka: the paper's run numbers, where they are known (run)."
        ),
    ] = None,
    scale: Annotated[float, typer.Option(help="The share of repetitions and simulated sets that is run (run).")] = 1.0,
    repetitions: Annotated[
        int | None, typer.Option(help="Repetitions of everything (default: 10 on the paper's folds, else 100; run).")
    ] = None,
    dataset: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="This dataset of the catalogue only; again for several (run)."),
    ] = None,
    data_dir: o.DataDir = None,
    seed: o.Seed = 0,
    jobs: o.Jobs = 1,
    store: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Keep results in this store; the same command goes on from there (run)."),
    ] = None,
    json: o.Json = False,
    html: o.Html = None,
    figures_to: Annotated[
        Path | None, typer.Option("--figures-to", metavar="FOLDER", help="Write each figure as SVG there (run).")
    ] = None,
    quiet: o.Quiet = False,
    debug: o.Debug = False,
) -> int:
    """Do the papers' experiments again, side by side with their published numbers."""
    from foldproof.domain.errors import InputError, unknown_name

    if action not in ACTIONS:
        raise unknown_name("thing to do with studies", action, ACTIONS)
    if action == "list":
        if name is not None:
            raise InputError(f"study list takes no name; to see one study: foldproof study show {name}")
        return _list(json=json)
    if name is None:
        raise InputError(f"study {action} needs a name: foldproof study list tells which there are")
    if action == "show":
        from foldproof.report.study import study_description
        from foldproof.studies.finding import find_study

        told = find_study(name)
        write(jsonlib.dumps(_shown(told), indent=2, ensure_ascii=False) + "\n" if json else study_description(told))
        return 0
    from foldproof.cli.progress import progress
    from foldproof.studies.running import run_study

    with progress(quiet=quiet) as listener:
        found = run_study(
            name,
            tables=table,
            figures=figure,
            variant=variant,
            folds=folds,
            scale=scale,
            repetitions=repetitions,
            datasets=dataset,
            data_dir=data_dir,
            seed=seed,
            n_jobs=jobs,
            store=store,
            on_event=listener,
        )
    if html is not None:
        found.to_html(html)
    if figures_to is not None:
        found.save_figures(figures_to)
    emit(found, json=json)
    return 0


def _list(*, json: bool) -> int:
    from foldproof.cli.listing import write_items

    write_items("studies", json=json)
    return 0


def _shown(told: object) -> dict[str, object]:
    from foldproof.report.study import study_dict

    return study_dict(told)  # type: ignore[arg-type]
