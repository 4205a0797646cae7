"""A judgement on scores from elsewhere as a person likes to read it in a terminal."""

from __future__ import annotations

import io
from typing import Any

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from foldproof.report import words
from foldproof.report.text import WIDE, console_for, pairs_table, plain_lines
from foldproof.report.words import Plain


def judgement_text(told: Plain, *, width: int = 100, color: bool = False) -> str:
    """Return the tables and sentences of a judgement."""
    out = io.StringIO()
    console, wide = console_for(out, width, color), console_for(out, WIDE, color)
    view = {**told, "procedure": {"test": told["test"]}}
    console.print(Text(str(told["test"]), style="bold"), end="")
    console.print(f" on {words.metric(told)}; alpha {told['alpha']:g}")
    console.print()
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("learner")
    table.add_column(words.metric(told), justify="right")
    for learner in told["learners"]:
        table.add_row(Text(learner["name"]), words.score(learner["mean_score"]))
    wide.print(Padding(table, (0, 0, 0, 1), expand=False))
    console.print()
    for found in told["omnibus"]:
        console.print(omnibus_sentence(found, told))
    if told["omnibus"]:
        console.print()
    for dataset, pairs in by_dataset(told["pairs"]):
        part = {**view, "pairs": pairs}
        if dataset is not None:
            console.print(Text(dataset, style="bold"))
        wide.print(Padding(pairs_table(part), (0, 0, 0, 1), expand=False))
        console.print()
        for pair in pairs:
            console.print(sentence(pair, part))
        if dataset is not None:
            console.print()
    notes = [words.plain_warning(w) for w in told["warnings"]]
    notes += [w for pair in told["pairs"] for w in words.pair_warnings(pair)]
    if notes:
        console.print()
    for note in dict.fromkeys(notes):
        console.print(f"note: {note}")
    return plain_lines(out)


def by_dataset(pairs: list[dict[str, Any]]) -> list[tuple[str | None, list[dict[str, Any]]]]:
    """Return the pairs of every dataset, in order."""
    found: dict[str | None, list[dict[str, Any]]] = {}
    for pair in pairs:
        found.setdefault(pair.get("dataset"), []).append(pair)
    return list(found.items())


def omnibus_sentence(found: Plain, told: Plain) -> str:
    """Return what a test of all learners at once says."""
    df = found["df"]
    degrees = ", ".join(f"{d:g}" for d in (df if isinstance(df, list) else [df]))
    where = "" if found["dataset"] is None else f" on {found['dataset']}"
    said = "the learners differ" if found["rejected"] else "no difference found between the learners"
    value = "∞" if found["statistic"] is None else words.score(found["statistic"])
    p = f"p = {words.pvalue(found['pvalue'])}".replace("= <", "<")
    return f"All {len(told['learners'])} learners{where}: {said} ({found['test']} {value} on {degrees} df, {p})."


def sentence(pair: Plain, told: Plain) -> str:
    """Return what is said of a pair, in a sentence or two."""
    if "probabilities" in pair:
        p = pair["probabilities"]
        a, same, b = (words.percent(p[key]) for key in ("a", "rope", "b"))
        return f"{pair['a']} is better with probability {a}, {pair['b']} with {b}; practically equal with {same}."
    said = words.verdict_sentence(pair, told)
    if "bonferroni" in pair and pair["bonferroni"]["verdict"] != pair["verdict"]:
        p = words.pvalue(pair["bonferroni"]["pvalue"])
        said += f" With Bonferroni over the datasets: none (p = {p})."
    return said
