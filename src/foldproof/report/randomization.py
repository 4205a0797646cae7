"""A randomization test as a person likes to read it in a terminal."""

from __future__ import annotations

import textwrap

from foldproof.report import words
from foldproof.report.words import Plain


def randomization_text(told: Plain, *, width: int = 100) -> str:
    """Return what was observed, what nothing gives, and what is left."""
    data, values = told["dataset"], told["reference"]
    names = ", ".join(learner["name"] for learner in told["learners"]) or "a function"
    design = "" if told["folds"] is None else f", {told['runs']} x {told['folds']} folds"
    best = f" (the best: {told['selected']})" if told["selected"] else ""
    p = f"p = {words.pvalue(told['pvalue'])}".replace("= <", "<")
    found = "above" if told["bias"] >= 0 else "below"
    lines = [
        f"{data['name']}: {data['instances']} instances; {names}{design}; seed {told['seed']}",
        f"{told['scoring']} {words.score(told['observed'])}{best}. On {told['relabelings']} copies with "
        f"{told['labels']} labels: {words.score(sum(values) / len(values))} on average, {words.score(min(values))} to "
        f"{words.score(max(values))}.",
        f"Bias: {words.score(abs(told['bias']))} {found} chance ({words.score(told['chance'])}). Adjusted: "
        f"{words.score(told['adjusted'])}. That labels have nothing to do with attributes: {p}.",
        *(f"note: {words.plain_warning(warning)}" for warning in told["warnings"]),
    ]
    return "".join(textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False) + "\n" for line in lines)
