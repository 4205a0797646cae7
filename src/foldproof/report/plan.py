"""A plan that was carried out: as text for a terminal, and as a page."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from foldproof.report import words
from foldproof.report.html import render
from foldproof.report.many import many_body, many_parts
from foldproof.report.text import WIDE, console_for, failure_lines, plain_lines
from foldproof.report.words import Plain

# More pairs than this make no table that fits; their verdicts are counted below, and in the page and the JSON.
_FEW = 6
_SHARED = ("seed", "alpha", "adjust", "confidence_level", "control", "rope", "provenance")


def plan_text(told: Plain, *, width: int = 100, color: bool = False) -> str:
    """Return the tables and sentences."""
    out = io.StringIO()
    console, wide = console_for(out, width, color), console_for(out, WIDE, color)
    console.print(Text(str(told["plan"]), style="bold"), end="")
    console.print(f": {counted(told)}")
    console.print(f"alpha {told['alpha']:g} ({told['adjust']}), seed {told['seed']}")
    for result in told["results"]:
        console.print()
        console.print(Text(heading(result), style="bold"))
        console.print()
        if len(result["datasets"][0]["pairs"]) <= _FEW:
            wide.print(Padding(_verdicts(result), (0, 0, 0, 1), expand=False))
            console.print()
        out.write(many_body(_whole(told, result), width=width, color=color))
    for note in dict.fromkeys(words.plain_warning(w) for w in told["warnings"]):
        console.print(f"note: {note}")
    for line in failure_lines([{**f, "learner": f"{f['dataset']}: {f['learner']}"} for f in told["failures"]]):
        console.print(line)
    return plain_lines(out)


def _verdicts(result: Plain) -> Table:
    """Return the verdict on every pair on every dataset."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("verdict")
    for pair in result["datasets"][0]["pairs"]:
        table.add_column(Text(f"{pair['a']} – {pair['b']}"), no_wrap=True)
    for data in result["datasets"]:
        said = []
        for pair in data["pairs"]:
            style = "dim" if pair["verdict"] == "none" else "bold green"
            said.append(Text(f"{pair['verdict']} ({_p(pair)})", style=style))
        table.add_row(Text(data["name"]), *said)
    return table


def _p(pair: Plain) -> str:
    return f"p = {words.pvalue(pair['pvalue_adjusted'])}".replace("= <", "<")


def counted(told: Plain) -> str:
    """Return how much there is, and how much of it was fitted now."""
    datasets, learners = (len(told["results"][0][key]) for key in ("datasets", "learners"))
    held = told["tasks"] - told["fitted"]
    said = f"{datasets} dataset{'s' * (datasets != 1)}, {learners} learners; {told['tasks']} runs of learners, "
    said += f"{told['fitted']} fitted now" if told["fitted"] else "none fitted now"
    return said + (f" and {held} found in {told['store']}" if held else f", kept in {told['store']}")


def heading(result: Plain) -> str:
    """Return what one part of the results is of."""
    return f"{words.design(result)}; {words.metric(result)}"


def _whole(told: Plain, result: Plain) -> dict[str, Any]:
    """Return one part of the results with what all share."""
    return {**{key: told[key] for key in _SHARED}, "failures": [], **result, "warnings": []}


def _view(told: Plain) -> dict[str, Any]:
    return {
        "told": told,
        "words": words,
        "counted": counted(told),
        "parts": [{"heading": heading(r), **many_parts(_whole(told, r))} for r in told["results"]],
        "notes": list(dict.fromkeys(words.plain_warning(w) for w in told["warnings"])),
    }


def plan_page(told: Plain) -> str:
    """Return the self-contained page."""
    return render("plan.html.j2", _view(told))


def plan_fragment(told: Plain) -> str:
    """Return the part that a notebook shows."""
    view: Mapping[str, Any] = _view(told)
    return "".join(f"<h4>{_escaped(p['heading'])}</h4>{render('many_fragment.html.j2', p)}" for p in view["parts"])


def _escaped(text: str) -> str:
    from html import escape

    return escape(text)
