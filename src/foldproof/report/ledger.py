"""The ledger as a person likes to read it in a terminal, and as csv."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Iterator

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from foldproof.report import words
from foldproof.report.text import WIDE, console_for, plain_lines
from foldproof.report.words import Plain

# fmt: off
_COLUMNS = (
    "number", "time", "look", "again", "kind", "dataset", "dataset_name", "procedure", "scoring", "seed", "splits",
    "alpha", "planned", "level", "a", "b", "a_learner", "b_learner", "a_settings", "b_settings", "pvalue", "favours",
    "verdict", "verdict_at_level", "key", "previous", "hash",
)
# fmt: on


def ledger_text(told: Plain, *, width: int = 100, color: bool = False) -> str:
    """Return a table for each dataset, and what is left of its level."""
    out = io.StringIO()
    console, wide = console_for(out, width, color), console_for(out, WIDE, color)
    if not told["datasets"]:
        console.print(f"{told['store']}: no look has been entered.", soft_wrap=True)
    for data in told["datasets"]:
        _dataset(data, console, wide)
    head = told["head"]
    console.print(f"Head of the ledger: {head['count']}:{head['hash'][:16]}")
    return plain_lines(out)


def _dataset(data: Plain, console: Console, wide: Console) -> None:
    count = len(data["looks"])
    console.print(Text(str(data["name"]), style="bold"), end="")
    console.print(f" ({data['fingerprint'][:12]}): {count} look{'s' * (count != 1)}, {_plan(data)}\n")
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("look", "time", "what", "scoring", "seed", "pair", "p", "verdict", "level", "at that level"):
        table.add_column(
            heading, justify="right" if heading in ("look", "seed", "p", "level") else "left", no_wrap=True
        )
    for look in data["looks"]:
        for place, pair in enumerate(look["pairs"]):
            own = [
                str(look["look"]),
                look["time"][:16].replace("T", " "),
                what(look),
                look["scoring"],
                str(look["seed"]),
            ]
            style = "dim" if pair["verdict_at_level"] in ("none", "undecided") else "bold green"
            table.add_row(
                *(own if place == 0 else [""] * 5),
                Text(f"{pair['a']} – {pair['b']}"),
                words.pvalue(pair["pvalue"]),
                Text(str(pair["verdict"])),
                words.small(look["level"]) if place == 0 else "",
                Text(str(pair["verdict_at_level"]), style=style),
            )
    wide.print(Padding(table, (0, 0, 0, 1), expand=False))
    for note in dict.fromkeys(note for look in data["looks"] for note in look["warnings"]):
        console.print(f"note: {words.plain_warning(note)}")
    for look in data["looks"]:
        for learner in look["learners"]:
            if learner["settings"] > 1:
                console.print(
                    f"note: look {look['look']}: {learner['name']} was tuned over {learner['settings']} settings"
                )


def _plan(data: Plain) -> str:
    left, following = words.small(data["level_left"]), words.small(data["next_level"])
    if data["planned"] is None:
        return f"their number is open; the next may use {following}, and {left} of {data['alpha']:g} is left in all"
    to_come = max(data["planned"] - len(data["looks"]), 0)
    return f"{data['planned']} planned, {to_come} to come" + (
        f"; the next may use {following}" if to_come else ": no level is left for another"
    )


def what(look: Plain) -> str:
    """Return in a few words what a look was."""
    procedure = look["procedure"]
    said = f"{look['kind']} {procedure['name']} {procedure['runs']} x {procedure['folds']}"
    if procedure.get("repetitions"):
        said += f", {procedure['repetitions']} times"
    if procedure.get("mode"):
        said += f", {procedure['mode']} {procedure['min_effect']:g}"
    return said + (", own splits" if look["splits"] else "")


def verification_text(told: Plain, *, width: int = 100) -> str:
    """Return the sentence that says whether a ledger is whole."""
    head = f"{told['head']['count']}:{told['head']['hash'][:16]}"
    if told["ok"]:
        held = f", and it holds the head {told['given_head']}" if told["given_head"] else ""
        count = told["lines"]
        said = f"The ledger is as it was written: {count} line{'s' * (count != 1)}, head {head}{held}."
    else:
        sentence = str(told["problem"])
        said = f"{sentence[0].upper()}{sentence[1:]}."
    return textwrap.fill(said, width, break_long_words=False, break_on_hyphens=False) + "\n"


def ledger_csv(exported: Plain) -> str:
    """Return a row for every pair of every line."""
    out = io.StringIO()
    writer = csv.DictWriter(out, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    for line in exported["lines"]:
        writer.writerows(_rows(line))
    return out.getvalue()


def _rows(line: Plain) -> Iterator[dict[str, object]]:
    learners = {learner["name"]: learner for learner in line["learners"]}
    shared = {name: line[name] for name in _COLUMNS if name in line and name not in ("dataset", "procedure")}
    for pair in line["pairs"]:
        a, b = learners[pair["a"]], learners[pair["b"]]
        yield {
            **shared,
            "dataset": line["dataset"]["fingerprint"],
            "dataset_name": line["dataset"]["name"],
            "procedure": what(line).partition(" ")[2],
            "a_learner": a["text"],
            "b_learner": b["text"],
            "a_settings": a["settings"],
            "b_settings": b["settings"],
            **pair,
        }
