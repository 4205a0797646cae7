"""A comparison as one self-contained page: no script, nothing loaded, every value escaped."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from foldproof.domain.errors import InputError
from foldproof.report import words
from foldproof.report.guidance import advice_sentence, protocol_lines, tuning_sentence
from foldproof.report.words import Plain

FoldDifferences = Mapping[tuple[str, str], Sequence[Sequence[float]]]


@cache
def _templates() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("foldproof.report", "templates"), autoescape=True, undefined=StrictUndefined
    )
    for word in (words.score, words.signed, words.pvalue, words.percent, words.interval):
        environment.filters[word.__name__] = word
    return environment


def render(template: str, view: Mapping[str, Any]) -> str:
    """Return a template filled in."""
    page: str = _templates().get_template(template).render(**view)
    return page


def comparison_page(told: Plain, differences: FoldDifferences, methods: str) -> str:
    """Return the page."""
    return render("compare.html.j2", {**_view(told, differences), "methods": methods})


def comparison_fragment(told: Plain, differences: FoldDifferences) -> str:
    """Return the part of the page that a notebook shows."""
    return render("fragment.html.j2", _view(told, differences))


def _view(told: Plain, differences: FoldDifferences) -> dict[str, Any]:
    parts = [{**told, **part} for part in [told, *told.get("more_scorings", [])]]
    return {
        "told": told,
        "parts": parts,
        "words": words,
        "warnings": [words.plain_warning(w) for w in told["warnings"]]
        + [w for part in parts for pair in part["pairs"] for w in words.pair_warnings(pair)],
        "picture": _picture(told, differences),
        "tuning": [tuning_sentence(found) for found in told.get("tuning", [])],
        "protocol": protocol_lines(told["protocol"]) if "protocol" in told else [],
        "advice": [advice_sentence(found) for found in told.get("advice", [])],
    }


def _picture(told: Plain, differences: FoldDifferences) -> list[dict[str, Any]]:
    """Return, for each pair, where to draw its folds, mean and interval on an axis from 0 to 100."""
    pairs = [p for p in told["pairs"] if (p["a"], p["b"]) in differences and p["confidence_interval"][0] is not None]
    reach = 0.0
    for pair in pairs:
        values = [abs(v) for run in differences[pair["a"], pair["b"]] for v in run]
        reach = max(reach, *values, *(abs(v) for v in pair["confidence_interval"]))

    def place(value: float) -> float:
        return round(50.0 + (48.0 * value / reach if reach else 0.0), 3)

    return [
        {
            "pair": pair,
            "folds": sorted({place(v) for run in differences[pair["a"], pair["b"]] for v in run}),
            "mean": place(pair["mean_difference"]),
            "low": place(pair["confidence_interval"][0]),
            "high": place(pair["confidence_interval"][1]),
            "reach": reach,
        }
        for pair in pairs
    ]


def check_place(path: Path) -> None:
    """Refuse a place where no page can be written, before the work that it is to tell of."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=path.parent).close()
        reason = "it is a folder" if path.is_dir() else None
    except OSError as error:
        reason = error.strerror or str(error)
    if reason is not None:
        raise InputError(f"cannot write {str(path)!r}: {reason}; choose another place")


def write_page(page: str, path: Path) -> None:
    """Write a page whole or not at all: a full disk leaves an earlier page as it was."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(page)
            Path(draft).chmod(0o644)
            Path(draft).replace(path)
        finally:
            Path(draft).unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror or error}; choose another place") from None
