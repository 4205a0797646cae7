"""A comparison on many datasets: as text for a terminal, and as a page."""

from __future__ import annotations

import io
from typing import Any

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from foldproof.report import words
from foldproof.report.html import render
from foldproof.report.judgement import distance_sentence, judgement_notes, mean_ranks, omnibus_sentence, sentence
from foldproof.report.text import WIDE, console_for, plain_lines
from foldproof.report.words import Plain


def many_text(told: Plain, *, width: int = 100, color: bool = False) -> str:
    """Return the tables and sentences."""
    out = io.StringIO()
    console = console_for(out, width, color)
    console.print(Text(f"{len(told['datasets'])} datasets", style="bold"), end="")
    console.print(f", {len(told['learners'])} learners, {words.metric(told)}")
    console.print(f"{words.design(told)}; alpha {told['alpha']:g}, seed {told['seed']}\n")
    out.write(many_body(told, width=width, color=color))
    if told["failures"]:
        console.print(f"{len(told['failures'])} folds failed (to_dict() lists them)")
    return plain_lines(out)


def many_body(told: Plain, *, width: int = 100, color: bool = False) -> str:
    """Return what is told of the datasets and over them, without the heading."""
    out = io.StringIO()
    console, wide = console_for(out, width, color), console_for(out, WIDE, color)
    several = len(told["datasets"]) > 1
    for table in (_scores(told), _verdicts(told))[: 1 + several]:
        wide.print(Padding(table, (0, 0, 0, 1), expand=False))
        console.print()
    if several:
        console.print(f"{per_dataset_sentence(told)}\n")
    for part in told["over_datasets"]:
        view = as_judgement(told, part)
        console.print(Text(part["test"], style="bold"))
        for found in part["omnibus"]:
            console.print(omnibus_sentence(found, view))
        for pair in part["pairs"]:
            console.print(sentence(pair, view))
        if part["test"] == "nemenyi":
            console.print(distance_sentence(told))
        console.print()
    for note in _notes(told):
        console.print(f"note: {note}")
    return out.getvalue()


def as_judgement(told: Plain, part: Plain) -> dict[str, Any]:
    """Return one test over datasets with what a sentence about it needs."""
    names = [each["name"] for each in told["datasets"] if each["complete"]]
    return {**told, **part, "over_datasets": True, "datasets": names}


def _scores(told: Plain) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("dataset")
    for learner in told["learners"]:
        table.add_column(Text(learner["name"]), justify="right", no_wrap=True)
    for each in told["datasets"]:
        table.add_row(Text(each["name"]), *(words.score(score) for score in each["scores"]))
    ranks = mean_ranks(told)
    if ranks:
        table.add_row("mean rank", *(f"{ranks[learner['name']]:.3f}" for learner in told["learners"]))
    return table


def _verdicts(told: Plain) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    headings = ("a", "b", "a better", "none", "b better", "with Bonferroni: a", "none", "b")
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="left" if place < 2 else "right", no_wrap=True)
    for row in verdict_counts(told):
        counts = [*row["plain"], *row["bonferroni"]]
        table.add_row(Text(row["a"]), Text(row["b"]), *(str(count) for count in counts))
    return table


def verdict_counts(told: Plain) -> list[dict[str, Any]]:
    """Return, for every pair, on how many datasets a, none and b was the verdict, and so with Bonferroni's."""
    rows = []
    for i, pair in enumerate(told["datasets"][0]["pairs"]):
        a, b = pair["a"], pair["b"]
        each = [dataset["pairs"][i] for dataset in told["datasets"]]
        plain = [found["verdict"] for found in each]
        strict = [found["bonferroni"]["verdict"] for found in each]
        rows.append(
            {
                "a": a,
                "b": b,
                "plain": [plain.count(name) for name in (a, "none", b)],
                "bonferroni": [strict.count(name) for name in (a, "none", b)],
            }
        )
    return rows


def per_dataset_sentence(told: Plain) -> str:
    """Return what the verdicts on single datasets are worth together."""
    n = len(told["datasets"])
    chance = told["alpha"] * n
    return (
        f"Of {n} datasets on which nothing differs, {chance:.2g} would be expected to show a difference at "
        f"{told['alpha']:g}; with Bonferroni over the datasets each is judged at {told['alpha'] / n:.2g}."
    )


def _notes(told: Plain) -> list[str]:
    """Return what there is to note of all datasets and of the tests over them, each once."""
    notes = [words.plain_warning(w) for w in told["warnings"]]
    for part in told["over_datasets"]:
        notes += judgement_notes({**as_judgement(told, part), "warnings": []})
    return list(dict.fromkeys(notes))


def many_parts(told: Plain) -> dict[str, Any]:
    """Return what a page of many datasets is made of."""
    parts = []
    for part in told["over_datasets"]:
        view = as_judgement(told, part)
        said = [omnibus_sentence(found, view) for found in part["omnibus"]]
        said += [sentence(pair, view) for pair in part["pairs"]]
        said += [distance_sentence(told)] if part["test"] == "nemenyi" else []
        parts.append({"test": part["test"], "said": said})
    return {
        "told": told,
        "words": words,
        "ranks": mean_ranks(told),
        "counts": verdict_counts(told),
        "sentence": per_dataset_sentence(told),
        "parts": parts,
        "notes": _notes(told),
    }


def many_page(told: Plain) -> str:
    """Return the self-contained page."""
    return render("many.html.j2", many_parts(told))


def many_fragment(told: Plain) -> str:
    """Return the part that a notebook shows."""
    return render("many_fragment.html.j2", many_parts(told))
