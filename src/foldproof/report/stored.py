"""What is in a store: as text for a terminal, and as a page."""

from __future__ import annotations

import io
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from foldproof.report import words
from foldproof.report.html import render
from foldproof.report.ledger import what
from foldproof.report.text import WIDE, console_for, failure_lines, plain_lines
from foldproof.report.words import Plain

NO_LOOK = (
    "Nothing was fitted and no look was entered. Whoever looks through many results for one that is significant has "
    "looked many times."
)


def stored_text(told: Plain, *, width: int = 100, color: bool = False) -> str:
    """Return the tables and sentences."""
    out = io.StringIO()
    console, wide = console_for(out, width, color), console_for(out, WIDE, color)
    console.print(Text(str(told["store"]), style="bold"), end="")
    console.print(f": {counted(told)}", soft_wrap=True)
    for data in told["datasets"]:
        console.print()
        console.print(Text(str(data["name"]), style="bold"), end="")
        console.print(f": {about(data)}")
        for block in data["blocks"]:
            console.print(f"\n{heading(block)}\n")
            wide.print(Padding(_learners(block), (0, 0, 0, 1), expand=False))
            _pairs(told, block, console)
    if told["failures"]:
        console.print()
    for line in failure_lines([{**f, "learner": f"{f['dataset']}: {f['learner']}"} for f in told["failures"]]):
        console.print(line)
    console.print()
    for line in ledger_lines(told):
        console.print(line)
    console.print(NO_LOOK)
    return plain_lines(out)


def counted(told: Plain) -> str:
    """Return how much there is."""
    datasets = len(told["datasets"])
    series = {found["series"] for d in told["datasets"] for block in d["blocks"] for found in block["learners"]}
    said = f"{datasets} dataset{'s' * (datasets != 1)}, {len(series)} series of runs, {told['cells']} cells"
    return said + (f", {len(told['failures'])} folds failed" if told["failures"] else "")


def about(data: Plain) -> str:
    """Return what a dataset is."""
    kind = "a number to predict" if data["classes"] is None else f"{data['classes']} classes"
    known = "" if data["origin"] is not None else "; given in memory"
    return f"{data['instances']} instances, {data['attributes']} attributes, {kind} ({data['fingerprint'][:12]}){known}"


def heading(block: Plain) -> str:
    """Return how the learners of a block were tested."""
    again = f", repetition {block['repetition']}" if block["repetition"] else ""
    plain = "" if block["encode"] else ", not encoded"
    return f"{block['scheme']}, {block['folds']} folds, seed {block['seed']}{again}{plain}"


def _scorings(block: Plain) -> list[str]:
    return sorted({score["scoring"] for found in block["learners"] for score in found["scores"]})


def rows(block: Plain) -> list[dict[str, Any]]:
    """Return the learners of a block, each with its scores in the order of the block's scorings."""
    found = []
    for learner in block["learners"]:
        own = {score["scoring"]: score for score in learner["scores"]}
        found.append({**learner, "shown": [_mean(own.get(name)) for name in _scorings(block)]})
    return found


def _mean(score: Plain | None) -> str:
    if score is None or score["mean"] is None:
        return words.UNKNOWN
    return words.score(score["mean"]) + (f" ± {words.score(score['sd'])}" if score["sd"] is not None else "")


def _learners(block: Plain) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("learner", "runs", *(f"{scoring} (sd of folds)" for scoring in _scorings(block)), "failed", "seconds"):
        table.add_column(Text(name), justify="left" if name == "learner" else "right", no_wrap=True)
    for row in rows(block):
        failed = str(row["failed"]) if row["failed"] else ""
        table.add_row(Text(row["name"]), str(row["runs"]), *row["shown"], failed, f"{row['seconds']:.3g}")
    return table


def _pairs(told: Plain, block: Plain, console: Console) -> None:
    for part in block["verdicts"]:
        console.print()
        for pair in part["pairs"]:
            console.print(f"{part['scoring']}: {sentence(told, part, pair)}")
    if not block["verdicts"] and len(block["learners"]) > 1:
        console.print(f"\n{no_verdict(block)}")


def sentence(told: Plain, part: Plain, pair: Plain) -> str:
    """Return what is said of a pair, and on how many runs."""
    said = words.verdict_sentence(pair, {**told, "pairs": part["pairs"]})
    return f"{said} ({pair['runs']} run{'s' * (pair['runs'] != 1)})"


def no_verdict(block: Plain) -> str:
    """Return why no pair of a block has a verdict."""
    return (
        "No verdicts: the corrected repeated k-fold test takes runs of whole folds that two learners share, and in "
        "which neither failed."
    )


def ledger_lines(told: Plain) -> list[str]:
    """Return what the ledger holds, in a line for each dataset."""
    if told["ledger_problem"] is not None:
        return [f"The ledger cannot be read: {told['ledger_problem']}."]
    ledger = told["ledger"]
    lines = []
    for data in ledger["datasets"]:
        count = len(data["looks"])
        lines.append(
            f"Ledger: {data['name']}: {count} look{'s' * (count != 1)}; the level left of {data['alpha']:g} is "
            f"{words.small(data['level_left'])}."
        )
    head = ledger["head"]
    return [*lines, f"Head of the ledger: {head['count']}:{head['hash'][:16]}"]


def stored_page(told: Plain) -> str:
    """Return the self-contained page."""
    datasets = []
    for data in told["datasets"]:
        blocks = [
            {
                "told": block,
                "heading": heading(block),
                "scorings": _scorings(block),
                "rows": rows(block),
                "parts": [{**part, "drawn": _drawn(part["pairs"])} for part in block["verdicts"]],
                "none": no_verdict(block) if not block["verdicts"] and len(block["learners"]) > 1 else None,
            }
            for block in data["blocks"]
        ]
        datasets.append({"told": data, "about": about(data), "blocks": blocks})
    view = {
        "told": told,
        "words": words,
        "what": what,
        "counted": counted(told),
        "datasets": datasets,
        "no_look": NO_LOOK,
        "sentence": sentence,
    }
    return render("stored.html.j2", view)


def _drawn(pairs: list[Plain]) -> list[dict[str, Any]]:
    """Return, for each pair with an interval, where to draw it on an axis from 0 to 100 that all of them share."""
    known = [pair for pair in pairs if pair["confidence_interval"][0] is not None]
    reach = max((abs(end) for pair in known for end in pair["confidence_interval"]), default=0.0)

    def place(value: float) -> float:
        return round(50.0 + (48.0 * value / reach if reach else 0.0), 3)

    return [
        {
            "pair": pair,
            "low": place(pair["confidence_interval"][0]),
            "high": place(pair["confidence_interval"][1]),
            "mean": place(pair["mean_difference"]),
        }
        for pair in known
    ]
