"""What a notebook shows of results: small tables, every value escaped, nothing loaded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from foldproof.domain.notebook import SHOWN
from foldproof.domain.notices import MEANINGS
from foldproof.report import words
from foldproof.report.gate import gate_sentences
from foldproof.report.html import render
from foldproof.report.judgement import distance_sentence, judgement_notes, mean_ranks, omnibus_sentence, sentence
from foldproof.report.words import Plain

# Longer lists are told by their length.
_LONGEST = 12


def judgement_fragment(told: Plain) -> str:
    """Return what a notebook shows of a judgement."""
    return render("judgement_fragment.html.j2", _judgement(told))


def judgement_page(told: Plain) -> str:
    """Return the self-contained page of a judgement."""
    return render("judgement.html.j2", _judgement(told))


def _judgement(told: Plain) -> dict[str, Any]:
    said = [omnibus_sentence(found, told) for found in told["omnibus"]]
    said += [sentence(pair, told) for pair in told["pairs"]]
    return {
        "told": told,
        "words": words,
        "ranks": mean_ranks(told),
        "said": [s for s in (*said, distance_sentence(told)) if s],
        "notes": judgement_notes(told),
        "many": any("dataset" in pair for pair in told["pairs"]),
    }


def replication_fragment(told: Plain) -> str:
    """Return what a notebook shows of a replication."""
    return render("replication_fragment.html.j2", {"told": told, "words": words})


def replication_page(told: Plain) -> str:
    """Return the self-contained page of a replication."""
    learners = ", ".join(dict.fromkeys(name for pair in told["pairs"] for name in (pair["a"], pair["b"])))
    view = {"title": f"{learners}: the same again?", "sub": f"{told['dataset']['name']} · {told['scoring']}"}
    return render("page.html.j2", {"told": told, "words": words, "fragment": "replication_fragment.html.j2", **view})


def gate_fragment(told: Plain) -> str:
    """Return what a notebook shows of a gate."""
    return render("gate_fragment.html.j2", {"told": told, "words": words, "said": gate_sentences(told)})


def gate_page(told: Plain) -> str:
    """Return the self-contained page of a gate."""
    view = {"title": f"Gate: {told['outcome']}", "sub": f"{told['mode']} · {words.metric(told)}"}
    view["fragment"] = "gate_fragment.html.j2"
    return render("page.html.j2", {"told": told, "words": words, "said": gate_sentences(told), **view})


@SHOWN.register("result")
def result_fragment(result: Any) -> str:
    """Return what a notebook shows of one test's result: its fields, and what its warnings mean."""
    rows = [
        (field.name, _plain(getattr(result, field.name)))
        for field in fields(result)
        if field.name not in ("test", "warnings")
    ]
    warnings = [MEANINGS.get(word, word) for word in getattr(result, "warnings", ())]
    name = getattr(result, "test", type(result).__name__)
    return render("result_fragment.html.j2", {"name": name, "rows": rows, "warnings": warnings})


def _plain(value: Any) -> str:
    """Return a value as a table shows it."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: words.UNKNOWN}[value]
    if isinstance(value, float):
        return f"{value:.6g}" if math.isfinite(value) else str(value).replace("inf", "∞").replace("-", "−")
    if isinstance(value, Sequence) and not isinstance(value, str):
        if len(value) > _LONGEST or any(hasattr(v, "test") for v in value):
            return f"{len(value)} values"
        return ", ".join(_plain(v) for v in value)
    if hasattr(value, "test"):
        return f"{value.test}, p = {words.pvalue(value.pvalue)}" if hasattr(value, "pvalue") else str(value.test)
    return str(value)
