"""Options that several commands share, spelt once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

Source = Annotated[
    str,
    typer.Argument(
        metavar="SOURCE",
        help="A .csv, .tsv, .parquet or .arff file (.gz too), sklearn:NAME for a dataset that ships with scikit-learn, "
        "openml:ID, or a name of the catalogue (foldproof list datasets).",
    ),
]
Learners = Annotated[
    list[str],
    typer.Option(
        "--learner",
        "-l",
        metavar="LEARNER",
        help="An importable estimator with literal arguments, such as "
        "'sklearn.svm.SVC(C=10)'; name=SPEC names it. Give at least two.",
    ),
]
Target = Annotated[str | None, typer.Option(help="The column to predict (default: the last, said aloud).")]
Groups = Annotated[str | None, typer.Option(help="A column whose groups are never torn apart.")]
ProcedureName = Annotated[str, typer.Option("--procedure", help="foldproof list procedures")]
Runs = Annotated[int | None, typer.Option(help="Runs, for a procedure that leaves them open.")]
Folds = Annotated[int | None, typer.Option(help="Folds, for a procedure that leaves them open.")]
Alpha = Annotated[float, typer.Option(help="The two-sided level.")]
Adjust = Annotated[
    str,
    typer.Option(
        help="How p-values are adjusted for the number of pairs: holm, bonferroni, sidak, holm-sidak, bh or none."
    ),
]
Scoring = Annotated[
    list[str] | None,
    typer.Option(help="A scikit-learn scoring; again or with commas for several (default: accuracy, or RMSE)."),
]
Seed = Annotated[int, typer.Option(help="The root of all randomness.")]


def _number_of_processes(jobs: int) -> int:
    """Refuse what would only bury this machine: joblib starts as many processes as it is asked for."""
    most = max(64, 4 * (os.cpu_count() or 1))
    if jobs == 0 or not -most <= jobs <= most:
        from foldproof.domain.errors import InputError

        raise InputError(
            f"--jobs is {jobs}: give a number of processes from 1 to {most}, or -1 for one per processor of this "
            "machine"
        )
    return jobs


Jobs = Annotated[int, typer.Option(help="Processes; -1 for one per processor.", callback=_number_of_processes)]
NoEncode = Annotated[bool, typer.Option("--no-encode", help="Refuse nominal and missing values instead of encoding.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout instead of text.")]


def _writable(path: Path | None) -> Path | None:
    if path is not None:
        from foldproof.report.html import check_place

        check_place(path)
    return path


Html = Annotated[
    Path | None,
    typer.Option("--html", help="Write a self-contained page to this file.", metavar="FILE", callback=_writable),
]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")]
Tune = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=GRID",
        help="Settings to choose from inside each training set, such as \"tree={'max_depth': [1, 2, 3]}\"; a list of "
        "such mappings for several grids. Again for another learner.",
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="How long one fit may take; a learner that takes longer is stopped."),
]
Store = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Keep results in this store, such as sqlite:///results.db; what it holds already is not run again.",
    ),
]
StoreUrl = Annotated[
    str, typer.Argument(metavar="STORE", help="The store, such as sqlite:///results.db or results.db.")
]
NoLedger = Annotated[
    bool, typer.Option("--no-ledger", help="Do not enter this look in the store's ledger; the output says so.")
]
Looks = Annotated[
    int | None,
    typer.Option(metavar="K", help="How many looks at this dataset are planned in all, said at the first of them."),
]
DataDir = Annotated[
    Path | None,
    typer.Option(
        "--data-dir",
        metavar="FOLDER",
        help="Where the catalogue's datasets are, as NAME.arff (default: the environment variable FOLDPROOF_DATA).",
    ),
]
NoFast = Annotated[
    bool, typer.Option("--no-fast", help="Fit every fold, also where learners can be evaluated on all folds at once.")
]
Executor = Annotated[str, typer.Option(help="Where fits are made: local, or dask for a cluster.")]
Scheduler = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="The scheduler of the cluster, such as tcp://127.0.0.1:8786.")
]


def folder(given: Path | None) -> str | None:
    """Return a folder by its whole path, so that what was read can be read again from elsewhere."""
    return None if given is None else str(given.expanduser().resolve())


def listed(values: list[str] | None) -> list[str] | None:
    """Return the values of an option that may be repeated or hold several with commas."""
    return [part.strip() for value in values for part in value.split(",")] if values else None


def named(given: list[str] | None, option: str, example: str) -> dict[str, str]:
    """Return the values of an option that is written NAME=VALUE, by their names.

    >>> named(["iris=iris.csv"], "--data", "iris=iris.csv")
    {'iris': 'iris.csv'}
    """
    from foldproof.domain.errors import InputError

    found: dict[str, str] = {}
    for text in given or []:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise InputError(f"{option} {text!r} is not NAME=VALUE: write it as in {option} {example!r}")
        if name in found:
            raise InputError(f"{option} names {name!r} twice: give each once")
        found[name] = value
    return found


def grids(given: list[str] | None) -> dict[str, Any] | None:
    """Return learners' names to settings, of NAME=GRID read as literals; nothing is evaluated.

    >>> grids(["tree={'max_depth': [1, 2]}"])
    {'tree': {'max_depth': [1, 2]}}
    """
    import ast

    from foldproof.domain.errors import InputError

    found: dict[str, Any] = {}
    for text in given or []:
        name, equals, grid = text.partition("=")
        name = name.strip()
        if not equals or not name:
            raise InputError(
                f"--tune {text!r} names no learner: write NAME=GRID, as in \"tree={{'max_depth': [1, 2, 3]}}\""
            )
        if name in found:
            raise InputError(f"--tune names {name!r} twice: give it a list of grids")
        try:
            settings = ast.literal_eval(grid.strip())
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            raise InputError(
                f"cannot read the grid {grid.strip()!r} of {name!r}: write a mapping of parameters to lists of "
                "literals, such as {'max_depth': [1, 2, 3]}; nothing is evaluated"
            ) from None
        if not isinstance(settings, (dict, list)):
            raise InputError(f"the grid of {name!r} is {settings!r}: write a mapping of parameters to lists of values")
        found[name] = settings
    return found or None
