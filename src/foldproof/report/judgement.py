"""A judgement on scores from elsewhere as a person likes to read it in a terminal."""

from __future__ import annotations

import io
from typing import Any

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from foldproof.domain.notices import FORECAST_UNAVAILABLE, MEANINGS
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
    wide.print(Padding(_learners(told), (0, 0, 0, 1), expand=False))
    console.print()
    for found in told["omnibus"]:
        console.print(omnibus_sentence(found, told))
    if told["omnibus"] and told["pairs"]:
        console.print()
    for dataset, pairs in by_dataset(told["pairs"]):
        part = {**view, "pairs": pairs}
        if dataset is not None:
            console.print(Text(dataset, style="bold"))
        wide.print(Padding(pairs_table(part, folds=not told["over_datasets"]), (0, 0, 0, 1), expand=False))
        console.print()
        for pair in pairs:
            console.print(sentence(pair, part))
        if dataset is not None:
            console.print()
    said = distance_sentence(told)
    if said:
        console.print(f"\n{said}")
    notes = judgement_notes(told)
    if notes:
        console.print()
    for note in notes:
        console.print(f"note: {note}")
    return plain_lines(out)


def _learners(told: Plain) -> Table:
    """Return the learners with their mean scores, and mean ranks where a test ranked them."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("learner")
    table.add_column(words.metric(told), justify="right")
    ranks = mean_ranks(told)
    if ranks:
        table.add_column("mean rank", justify="right")
    for learner in told["learners"]:
        row: list[Text | str] = [Text(learner["name"]), words.score(learner["mean_score"])]
        table.add_row(*row, *([f"{ranks[learner['name']]:.3f}"] if ranks else []))
    return table


def mean_ranks(told: Plain) -> dict[str, float]:
    """Return the learners' mean ranks, empty where the test did not rank."""
    return {each["name"]: each["mean_rank"] for each in (told["ranks"] or {"mean_ranks": []})["mean_ranks"]}


def distance_sentence(told: Plain) -> str:
    """Return what the critical difference says; empty where there is none."""
    ranks = told["ranks"]
    if not ranks or ranks["critical_difference"] is None:
        return ""
    said = f"Mean ranks that differ by {ranks['critical_difference']:.3f} or more differ at {told['alpha']:g}"
    if not ranks["groups"]:
        return f"{said}: all do."
    together = "; ".join(", ".join(group) for group in ranks["groups"])
    return f"{said}. Not told apart: {together}."


def judgement_notes(told: Plain) -> list[str]:
    """Return what there is to note, each once."""
    notes = [words.plain_warning(w) for w in told["warnings"]]
    notes += [MEANINGS.get(w, w) for found in told["omnibus"] for w in found["warnings"]]
    if told["over_datasets"]:
        # The same is said of every pair.
        every = dict.fromkeys(w for pair in told["pairs"] for w in pair["warnings"] if w != FORECAST_UNAVAILABLE)
        notes += [MEANINGS.get(w, w) for w in every]
    else:
        notes += [w for pair in told["pairs"] for w in words.pair_warnings(pair)]
    return list(dict.fromkeys(notes))


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
    if told["over_datasets"]:
        return _over_datasets(pair, told)
    said = words.verdict_sentence(pair, told)
    if "bonferroni" in pair and pair["bonferroni"]["verdict"] != pair["verdict"]:
        p = words.pvalue(pair["bonferroni"]["pvalue"])
        said += f" With Bonferroni over the datasets: none (p = {p})."
    return said


def _over_datasets(pair: Plain, told: Plain) -> str:
    """Return what a test over datasets says of a pair: its evidence is ranks or signs, not the mean difference."""
    p = f"p = {words.pvalue(pair['pvalue_adjusted'])}".replace("= <", "<")
    if told["adjust"] != "none" and len(told["pairs"]) > 1:
        p += f", {told['adjust']}"
    over = f"over {len(told['datasets'])} datasets ({p})"
    if pair["verdict"] == "none":
        return f"No difference found between {pair['a']} and {pair['b']} {over}."
    other = pair["b"] if pair["verdict"] == pair["a"] else pair["a"]
    return f"{pair['verdict']} is better than {other} {over}."
