"""A comparison as a LaTeX table (booktabs)."""

from __future__ import annotations

from foldproof.report import words
from foldproof.report.words import Plain

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "–": "--",
    "<": "$<$",
    ">": "$>$",
}


def escape(text: str) -> str:
    r"""Return text that LaTeX prints as it is.

    >>> escape("a_b & 5 %")
    'a\\_b \\& 5 \\%'
    """
    return "".join(_SPECIAL.get(character, character) for character in text)


def comparison_latex(told: Plain) -> str:
    """Return the pairs as a table with its caption."""
    lines = [
        r"\begin{table}",
        r"\centering",
        r"\begin{tabular}{llrrrl}",
        r"\toprule",
        rf"$a$ & $b$ & $a-b$ & {escape(words.level(told))} interval & $p$ ({escape(told['adjust'])}) & verdict \\",
        r"\midrule",
    ]
    for pair in told["pairs"]:
        cells = [
            pair["a"],
            pair["b"],
            words.signed(pair["mean_difference"]),
            words.interval(pair),
            words.pvalue(pair["pvalue_adjusted"]),
            pair["verdict"],
        ]
        lines.append(" & ".join(escape(str(cell)) for cell in cells) + r" \\")
    caption = f"{told['dataset']['name']}: {words.metric(told)}; {words.design(told)}, seed {told['seed']}."
    lines += [r"\bottomrule", r"\end{tabular}", rf"\caption{{{escape(caption)}}}", r"\end{table}"]
    return "\n".join(lines) + "\n"
