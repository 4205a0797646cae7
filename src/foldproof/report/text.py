"""A comparison as a person likes to read it in a terminal."""

from __future__ import annotations

import io
from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from foldproof.report import words
from foldproof.report.guidance import advice_lines, protocol_lines, tuning_lines
from foldproof.report.words import Plain

# Numbers are never cut: tables are printed as wide as they are, sentences are wrapped.
WIDE = 2000


def console_for(out: io.StringIO, width: int, color: bool) -> Console:
    """Return a console that writes plain text, coloured only where asked."""
    return Console(file=out, width=width, force_terminal=color, no_color=not color, highlight=False, markup=False)


def plain_lines(out: io.StringIO) -> str:
    """Return what was written, without blanks at the ends of lines."""
    return "".join(line.rstrip() + "\n" for line in out.getvalue().splitlines())


def comparison_text(told: Plain, *, width: int = 100, color: bool = False) -> str:
    """Return the tables and sentences of a comparison."""
    out = io.StringIO()
    console = console_for(out, width, color)
    wide = console_for(out, WIDE, color)
    data = told["dataset"]
    kind = "a number to predict" if data["classes"] is None else f"{data['classes']} classes"
    console.print(Text(str(data["name"]), style="bold"), end="")
    console.print(f": {data['instances']} instances, {data['attributes']} attributes, {kind}")
    console.print(f"{words.design(told)}; alpha {told['alpha']:g}, seed {told['seed']}")
    for part in [told, *told.get("more_scorings", [])]:
        view = {**told, **part}
        console.print()
        for table in (_learners(view), pairs_table(view)):
            wide.print(Padding(table, (0, 0, 0, 1), expand=False))
            console.print()
        for pair in part["pairs"]:
            console.print(words.verdict_sentence(pair, view), soft_wrap=False)
        for line in words.ledger_sentences(view):
            console.print(line)
    _warnings(told, console)
    lines = tuning_lines(told.get("tuning", []))
    lines += protocol_lines(told["protocol"]) if "protocol" in told else []
    lines += advice_lines(told.get("advice", []), protocol="protocol" in told)
    if lines:
        console.print()
    for line in lines:
        console.print(line)
    return plain_lines(out)


def _learners(told: Plain) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("learner")
    table.add_column(words.metric(told), justify="right")
    table.add_column("sd of folds", justify="right")
    for learner in told["learners"]:
        table.add_row(Text(learner["name"]), words.score(learner["mean_score"]), words.score(learner["sd"]))
    return table


def pairs_table(told: Plain, *, folds: bool = True) -> Table:
    """Return the table of pairs; without folds there are neither intervals nor forecasts to show."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    several = len(told["pairs"]) > 1 and told["adjust"] != "none"
    headings = ["a", "b", "a − b", f"{words.level(told)} interval", "t" if _is_t(told) else "statistic", "p"]
    headings += [f"p {told['adjust']}"] if several else []
    headings += ["verdict", "same again"]
    shown = [i for i in range(len(headings)) if folds or i not in (3, len(headings) - 1)]
    for heading in (headings[i] for i in shown):
        table.add_column(heading, justify="left" if heading in ("a", "b", "verdict") else "right", no_wrap=True)
    for pair in told["pairs"]:
        statistic = "∞" if "statistic_infinite" in pair["warnings"] else words.signed(pair["statistic"])
        row: list[str | Text] = [
            Text(pair["a"]),
            Text(pair["b"]),
            words.signed(pair["mean_difference"]),
            words.interval(pair),
            statistic,
            words.pvalue(pair["pvalue"]),
        ]
        row += [words.pvalue(pair["pvalue_adjusted"])] if several else []
        style = "dim" if pair["verdict"] == "none" else "bold green"
        row += [Text(pair["verdict"], style=style), words.percent(pair["forecast"])]
        table.add_row(*(row[i] for i in shown))
    return table


def _is_t(told: Plain) -> bool:
    return str(told["procedure"]["test"]).endswith("-t")


def _warnings(told: Plain, console: Console) -> None:
    shown = [words.plain_warning(w) for w in told["warnings"]]
    shown += [
        w
        for part in [told, *told.get("more_scorings", [])]
        for pair in part["pairs"]
        for w in words.pair_warnings(pair)
    ]
    failures = told["failures"]
    if shown or failures:
        console.print()
    for sentence in dict.fromkeys(shown):
        console.print(f"note: {sentence}")
    for line in failure_lines(failures):
        console.print(line)


def failure_lines(failures: Sequence[Plain]) -> list[str]:
    """Return what there is to say of folds that did not come out, the first ten one by one."""
    if not failures:
        return []
    lines = [f"{len(failures)} fold{'s' * (len(failures) != 1)} failed:"]
    for failure in failures[:10]:
        lines.append(f"  {failure['learner']}, run {failure['run']}, fold {failure['fold']}: {failure['message']}")
    if len(failures) > 10:
        lines.append(f"  and {len(failures) - 10} more (--json lists them all)")
    return lines
