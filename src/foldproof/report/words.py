"""Numbers and sentences that every form of the report shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from foldproof.domain.notices import MEANINGS, ZERO_VARIANCE

Plain = Mapping[str, Any]
UNKNOWN = "–"


def score(value: float | None) -> str:
    """Return a score or a difference's size: four places for what is about one, fewer for what is large.

    >>> score(0.93902), score(5198.6355), score(43.21), score(0.00002)
    ('0.9390', '5198.6', '43.21', '2e-05')
    """
    if value is None:
        return UNKNOWN
    size = abs(value)
    if value != 0 and not 1e-3 <= size < 1e6:
        return f"{value:.4g}"
    return f"{value:.{4 if size < 10 else 2 if size < 100 else 1}f}"


def signed(value: float | None) -> str:
    """Return a difference with its sign.

    >>> signed(0.0234), signed(-12.5), signed(None)
    ('+0.0234', '−12.50', '–')
    """
    if value is None:
        return UNKNOWN
    return ("−" if value < 0 else "+") + score(abs(value))


def pvalue(value: float | None) -> str:
    """Return a p-value as it may be printed.

    >>> pvalue(0.03257), pvalue(0.00012), pvalue(1e-9), pvalue(0.0)
    ('0.033', '0.0001', '< 0.0001', '0')
    """
    if value is None:
        return UNKNOWN
    if value == 0:
        return "0"
    if value < 1e-4:
        return "< 0.0001"
    return f"{value:.4f}" if value < 0.001 else f"{value:.3f}"


def small(level: float) -> str:
    """Return a level.

    >>> small(0.025), small(0.05 / 6)
    ('0.025', '0.00833')
    """
    return f"{level:.3g}"


def ordinal(number: int) -> str:
    """Return a number as one counts.

    >>> [ordinal(n) for n in (1, 2, 3, 11, 23, 112)]
    ['1st', '2nd', '3rd', '11th', '23rd', '112th']
    """
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def ledger_sentences(told: Plain) -> list[str]:
    """Return what the ledger says of a look, in one line; nothing where there is no ledger."""
    ledger = told["ledger"]
    if ledger is None:
        return []
    head, left = ledger["head"], small(ledger["level_left"])
    plan = "" if ledger["planned"] is None else f" of {ledger['planned']} planned"
    return [
        f"This is your {ordinal(ledger['look'])} look{plan} at this dataset: its level is "
        f"{small(ledger['level'])}, at which {_at_level(told)}; the level left is {left}. Ledger head "
        f"{head['count']}:{head['hash'][:16]}."
    ]


def _at_level(told: Plain) -> str:
    """Return what becomes of the verdicts at the level of the look."""
    found = told["ledger"]["pairs"]
    if "repetitions" in told:
        each = ", ".join(f"{pair['a']} – {pair['b']} is {pair['verdict_at_level']}" for pair in found)
        return f"by twice the median p of the repetitions, {each}"
    said = [told["outcome"]] if "outcome" in told else [pair["verdict"] for pair in told["pairs"]]
    changed = [pair for pair, verdict in zip(found, said, strict=True) if pair["verdict_at_level"] != verdict]
    one = len(found) == 1
    if not changed:
        return f"the {'outcome' if 'outcome' in told else 'verdict'} stands" if one else "the verdicts stand"
    if one:
        return f"it would be {changed[0]['verdict_at_level']}"
    return ", ".join(f"{pair['a']} – {pair['b']} would be {pair['verdict_at_level']}" for pair in changed)


def percent(value: float | None) -> str:
    """Return a probability in per cent."""
    if value is None:
        return UNKNOWN
    return "> 99 %" if value > 0.995 else f"{100 * value:.0f} %"


def interval(pair: Plain, *, turned: bool = False) -> str:
    """Return a pair's interval; turned, that of b − a."""
    low, high = pair["confidence_interval"]
    if low is None:
        return UNKNOWN
    return f"[{signed(-high)}, {signed(-low)}]" if turned else f"[{signed(low)}, {signed(high)}]"


def level(told: Plain) -> str:
    """Return the confidence level in per cent."""
    return f"{100 * told['confidence_level']:g} %"


def design(told: Plain) -> str:
    """Return the procedure in words."""
    procedure = told["procedure"]
    return f"{procedure['name']}: {procedure['runs']} x {procedure['folds']} folds, {procedure['test']}"


def metric(told: Plain) -> str:
    """Return the scoring's name as a reader knows it, with its direction where less is better."""
    name = str(told["scoring"])
    return name if told["greater_is_better"] else f"{name.removeprefix('neg_')} (lower is better)"


def verdict_sentence(pair: Plain, told: Plain) -> str:
    """Return what is said of a pair, in one sentence or two."""
    a, b = pair["a"], pair["b"]
    if pair["pvalue"] is None:
        return f"{a} and {b}: no verdict, because some folds failed."
    p = f"p = {pvalue(pair['pvalue_adjusted'])}".replace("= <", "<")
    if told["adjust"] != "none" and len(told["pairs"]) > 1:
        p += f" ({told['adjust']})"
    if pair["verdict"] == "none":
        said = f"No difference found between {a} and {b} ({p})."
        if pair["smallest_detectable"]:
            said += (
                f" This design would find a true difference of {score(pair['smallest_detectable'])} in 80 % of cases."
            )
    else:
        other = b if pair["verdict"] == a else a
        size = score(abs(pair["mean_difference"]))
        reach = interval(pair, turned=pair["verdict"] == b)
        within = "" if reach == UNKNOWN else f"{level(told)} interval {reach}, "
        said = f"{pair['verdict']} is better than {other} by {size} ({within}{p})."
    if pair["forecast"] is not None:
        said += f" The same verdict with another seed: {percent(pair['forecast'])}."
    return said


def pair_warnings(pair: Plain) -> list[str]:
    """Return the sentences behind a pair's warning words, but for those the tables already tell."""
    quiet = {"forecast_unavailable", "statistic_infinite", "df_infinite"}
    words = [w for w in pair["warnings"] if w not in quiet]
    if pair["verdict"] == "none" and ZERO_VARIANCE in words:
        words.remove(ZERO_VARIANCE)
    return [f"{pair['a']} – {pair['b']}: {MEANINGS.get(word, word)}" for word in words]


def plain_warning(warning: str) -> str:
    """Return a warning of the whole comparison without its word."""
    return warning.partition(": ")[2] or warning
