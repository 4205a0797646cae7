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
