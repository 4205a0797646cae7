"""A gate as text for a terminal and as Markdown for a pull request."""

from __future__ import annotations

import textwrap

from foldproof.report import words
from foldproof.report.guidance import tuning_lines, tuning_sentence
from foldproof.report.words import Plain

_HEADINGS = {"pass": "Gate passed", "fail": "Gate failed", "undecided": "Gate undecided"}


def _claim(told: Plain) -> str:
    """Return what the mode asks, in words."""
    old, new, size = told["baseline"]["name"], told["candidate"]["name"], words.score(told["min_effect"])
    return {
        "noninferiority": f"{new} is not worse than {old} by more than {size}",
        "superiority": f"{new} is better than {old} by more than {size}",
        "equivalence": f"{new} and {old} differ by less than {size}",
    }[told["mode"]]


def _answer(told: Plain) -> str:
    if told["pvalue"] is None:
        return f"Whether {_claim(told)} cannot be said, because folds failed."
    return {
        "pass": f"Shown: {_claim(told)} (p = {words.pvalue(told['pvalue'])}).",
        "fail": f"Refuted: that {_claim(told)} (p = {words.pvalue(told['pvalue_against'])} for the opposite).",
        "undecided": f"Neither shown nor refuted: {_claim(told)} (p = {words.pvalue(told['pvalue'])}, for the opposite "
        f"{words.pvalue(told['pvalue_against'])}).",
    }[told["outcome"]].replace("= <", "<")


def needed_sentence(told: Plain) -> str:
    """Return what an undecided gate would need."""
    needed = told["needed"]
    if needed is None:
        return ""
    with_chance = f"with a chance of {100 * needed['power']:.0f} %"
    runs = told["procedure"]["runs"]
    more_runs = f"{needed['runs']} runs instead of {runs}" if needed["runs"] and runs else f"{needed['runs']} runs"
    if needed["instances"] is not None:
        data = f"about {needed['instances']:,} instances instead of {told['dataset']['instances']}"
    elif needed["times_the_data"] is not None:
        data = f"{needed['times_the_data']:g} times as much data"
    else:
        data = ""
    if needed["runs"] and data:
        return f"To decide {with_chance} it would need {more_runs}, or {data}."
    if needed["runs"]:
        return f"To decide {with_chance} it would need {more_runs}."
    if data:
        return f"More runs on these data are not expected to decide it; to decide {with_chance} it would need {data}."
    return "The difference is so near the margin that neither more runs nor more data are expected to decide it."


def _difference(told: Plain) -> str:
    if told["mean_difference"] is None:
        return words.UNKNOWN
    low, high = told["confidence_interval"]
    return (
        f"{words.signed(told['mean_difference'])} ({100 * told['confidence_level']:g} % interval [{words.signed(low)}, "
        f"{words.signed(high)}])"
    )


def _design(told: Plain) -> str:
    parts = [told["dataset"]["name"]] if told["dataset"] else []
    by = told["procedure"]
    if by["name"]:
        parts.append(f"{by['name']}, {by['runs']} x {by['folds']} folds")
    parts.append(f"{told['mode']}, margin {words.score(told['min_effect'])}, one-sided alpha {told['alpha']:g}")
    return "; ".join([*parts, *([f"seed {told['seed']}"] if told["seed"] is not None else [])])


def gate_sentences(told: Plain) -> list[str]:
    """Return the sentences of a gate, the answer first."""
    old, new, metric = told["baseline"], told["candidate"], words.metric(told)
    lines = [
        f"{told['outcome'].upper()}: {_answer(told)}",
        f"{metric}: {new['name']} {words.score(new['mean_score'])}, {old['name']} {words.score(old['mean_score'])}; "
        f"difference {_difference(told)}.",
        needed_sentence(told),
        _design(told) + ".",
        *words.ledger_sentences(told),
        *tuning_lines(told.get("tuning", [])),
        *(f"note: {words.plain_warning(warning)}" for warning in told["warnings"]),
        *(f"failed: {f['learner']}, run {f['run']}, fold {f['fold']}: {f['message']}" for f in told["failures"][:10]),
    ]
    return [line for line in lines if line]


def gate_text(told: Plain, *, width: int = 100) -> str:
    """Return a gate as it is printed."""
    return "".join(
        textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False) + "\n"
        for line in gate_sentences(told)
    )


def gate_markdown(told: Plain) -> str:
    """Return the summary for a pull request."""
    old, new = told["baseline"], told["candidate"]
    lines = [
        f"### {_HEADINGS[told['outcome']]}: {_cell(new['name'])} against {_cell(old['name'])}",
        "",
        _cell(_answer(told)),
        "",
        f"| | {_cell(words.metric(told))} | sd of folds |",
        "| --- | ---: | ---: |",
        *(
            f"| {_cell(x['name'])} ({role}) | {words.score(x['mean_score'])} | {words.score(x['sd'])} |"
            for x, role in ((old, "baseline"), (new, "candidate"))
        ),
        f"| difference | {_difference(told)} | |",
        "",
    ]
    if told["needed"] is not None:
        lines += [needed_sentence(told), ""]
    lines += [f"- {_cell(line)}" for line in words.ledger_sentences(told)]
    lines += [f"- {_cell(tuning_sentence(found))}" for found in told.get("tuning", [])]
    lines += [f"- {_cell(words.plain_warning(warning))}" for warning in told["warnings"]]
    if told["failures"]:
        lines.append(f"- {len(told['failures'])} folds failed: {_cell(told['failures'][0]['message'])}")
    lines += ["", f"<sub>{_cell(_design(told))}; foldproof {told['provenance']['version']}</sub>", ""]
    return "\n".join(lines)


def _cell(text: str) -> str:
    """Return text that is only text in Markdown."""
    plain = " ".join(str(text).split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for sign in "\\|`*_[]":
        plain = plain.replace(sign, "\\" + sign)
    return plain
