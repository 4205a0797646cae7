"""``foldproof test``."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Annotated, Any

import typer

from foldproof.cli import options as o


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("test")(from_scores)


def from_scores(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE…",
            help="Scores or predictions: csv, tsv, parquet, json (scikit-learn) or arff (Weka's Experimenter). "
            "Several files: one for each learner, as name=FILE.",
        ),
    ],
    test: Annotated[str, typer.Option("--test", metavar="NAME", help="foldproof list tests")],
    runs: Annotated[int | None, typer.Option(help="Runs behind the scores, where the file does not tell.")] = None,
    folds: Annotated[int | None, typer.Option(help="Folds of a run, where the file does not tell.")] = None,
    n_train: Annotated[float | None, typer.Option("--n-train", help="Mean size of the training sets.")] = None,
    n_test: Annotated[float | None, typer.Option("--n-test", help="Mean size of the test sets.")] = None,
    scoring: Annotated[str | None, typer.Option(help="The metric or column to read, where there are several.")] = None,
    lower_is_better: Annotated[
        bool | None,
        typer.Option(
            "--lower-is-better/--greater-is-better", help="Whether the scores are losses.", show_default=False
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="An option of the test, such as form=exact."),
    ] = None,
    alpha: o.Alpha = 0.05,
    adjust: o.Adjust = "holm",
    json: o.Json = False,
    html: o.Html = None,
    quiet: o.Quiet = False,
    debug: o.Debug = False,
) -> int:
    """Test scores or predictions that exist already."""
    from foldproof.cli.output import emit
    from foldproof.data.score_files.read import read_scores
    from foldproof.workflows.judgement import judge

    scores = read_scores(
        files[0] if len(files) == 1 else named_files(files),
        runs=runs,
        folds=folds,
        n_train=n_train,
        n_test=n_test,
        scoring=scoring,
        greater_is_better=None if lower_is_better is None else not lower_is_better,
    )
    found = judge(scores, test, alpha=alpha, adjust=adjust, options=literal_options(option))
    if html is not None:
        found.to_html(html)
    emit(found, json=json)
    return 0


def named_files(files: list[str]) -> dict[str, str]:
    """Return files by the learners' names: name=FILE, or the file's own name."""
    from foldproof.domain.errors import InputError

    found: dict[str, str] = {}
    for given in files:
        name, equals, path = given.partition("=")
        if not equals or Path(given).exists():
            name, path = Path(given).name.partition(".")[0], given
        if name in found:
            raise InputError(f"two files are called {name!r}: name their learners, as in {name}-2={path}")
        found[name] = path
    return found


def literal_options(given: list[str] | None) -> dict[str, Any]:
    """Return NAME=VALUE options, numbers as numbers."""
    from foldproof.domain.errors import InputError

    found: dict[str, Any] = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"--option {text!r} has no value: write it as name=value, such as form=exact")
        try:
            found[name] = ast.literal_eval(value)
        except (SyntaxError, ValueError):
            found[name] = value
    return found
