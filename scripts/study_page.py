"""Fill the tables and figures of a study's page, docs/studies/NAME.md, from a complete run.

    python scripts/study_page.py bradford-brodley-2001 --data-dir DATASETS --store sqlite:///study.db

The page holds its own text and places such as ``<!-- made: table 1 as-printed -->`` … ``<!-- end -->``, which are
written anew: ``head``, ``table NAME VARIANT``, ``figure NAME VARIANT``, and ``sides NAME VARIANT…``, which puts printed
numbers beside those of several variants. A variant on other folds than its own is ``as-printed/weka``. What the
store holds is not run again. ``--page forensics`` fills another page of the same study.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import foldproof as fp
from foldproof.cli.progress import progress
from foldproof.domain.study import Printed, Row
from foldproof.report.study import cell_text, grid, total_sentence

DOCS = Path(__file__).parents[1] / "docs"
PLACE = re.compile(r"<!-- made: (?P<what>[^>]*?) -->\n.*?<!-- end -->", re.DOTALL)
# What is shown by letters, not told in a footnote.
OURS, PRINTED = ("the averaged t says so", "significant"), "bold in print"
SILENT = ("too wide to judge alone", "never varied here", "printed as 0", "summed here")
DOTS_PER_INCH = 90


class Page:
    """The runs behind a page, one for each variant that it names."""

    def __init__(self, name: str, text: str, **options: Any) -> None:
        self._name, self._options = name, options
        self._runs: dict[str, Any] = {}
        places = [place["what"].split() for place in PLACE.finditer(text)]
        # What the page shows of each variant; the rest is not run.
        self._tables = [(what[1], variant) for what in places if what[0] in ("table", "sides") for variant in what[2:]]
        self._figures = [(what[1], variant) for what in places if what[0] == "figure" for variant in what[2:]]

    def run(self, variant: str) -> Any:
        """Return a variant's run, made once."""
        if variant not in self._runs:
            name, _, folds = variant.partition("/")
            with progress(quiet=False) as listener:
                self._runs[variant] = fp.run_study(
                    self._name,
                    variant=name,
                    folds=folds or None,
                    tables=[table for table, of in self._tables if of == variant],
                    figures=[figure for figure, of in self._figures if of == variant],
                    on_event=listener,
                    **self._options,
                )
        return self._runs[variant]

    def fill(self, place: re.Match[str]) -> str:
        """Return a place with what belongs there."""
        what = place["what"].split()
        if what[0] == "head":
            lines = [self._head(self.run(what[1]))]
        elif what[0] == "table":
            told = next(t for t in self.run(what[2]).to_dict()["tables"] if t["name"] == what[1])
            lines = list(table_lines(told, self.run(what[2]).study.published))
        elif what[0] == "figure":
            lines = list(self._figure(*what[1:]))
        elif what[0] == "sides":
            found = [self.run(variant).table(what[1]).rows for variant in what[2:]]
            lines = list(side_lines(found, what[2:], self.run(what[2]).study.published, what[1]))
        else:
            sys.exit(f"{place['what']!r} is no place: head, table, figure or sides, then a NAME and a VARIANT")
        return "\n".join([f"<!-- made: {place['what']} -->", "", *lines, "", "<!-- end -->"])

    def _head(self, found: Any) -> str:
        told = found.to_dict()
        made = told["provenance"]
        packages = ", ".join(f"{name} {version}" for name, version in made["packages"].items())
        return (
            f"foldproof {made['version']}, Python {made['python']}, {packages}; seed {told['seed']}, "
            f"{told['repetitions']} repetitions, {len(told['datasets'])} datasets."
        )

    def _figure(self, name: str, variant: str) -> Iterator[str]:
        found = self.run(variant)
        drawn = found.figure(name)
        path = DOCS / "images" / "studies" / f"{self._name}-{name}-{variant}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = found.plot(name)
        whole.savefig(path, dpi=DOTS_PER_INCH, metadata={"Software": None})
        yield f"![{drawn.title}](../images/studies/{path.name})"
        yield ""
        yield f"*Figure {name}, {variant}: {drawn.title}.*"
        if drawn.notes:
            yield ""
            yield f"<small>{'. '.join(note.rstrip('.') for note in drawn.notes)}.</small>"


def table_lines(told: dict[str, Any], published: Mapping[tuple[str, str, str], Printed]) -> Iterator[str]:
    """Yield a table as Markdown: measured [printed], marks, footnotes and its total."""
    columns, rows = grid(told)
    for cell in told["rows"]:
        printed = published.get((told["name"], cell["row"], cell["column"]))
        cell["text"] = cell_text(cell)
        if printed is not None:  # with every digit that was printed
            cell["text"] = re.sub(r"\[.*?\]", f"[{printed.text.replace('-', '−')}]", cell["text"])
    merged = _merged(columns)
    notes: dict[str, str] = {}
    yield f"| | {' | '.join(_short(list(merged)))} |"
    yield f"| --- {'| ---: ' * len(merged)}|"
    for name, cells in rows:
        parts = ([cells[c] for c in group if c in cells] for group in merged.values())
        yield f"| {name} | {' | '.join(_cell(each, notes) for each in parts)} |"
    judged = told["totals"]["agree"] + told["totals"]["disagree"]
    total = total_sentence(told) if judged else ""
    for line in filter(None, [*(f"{mark} {text}." for text, mark in notes.items()), total]):
        yield ""
        yield line
    for note in told["notes"]:
        yield ""
        yield note if note.endswith((".", ")")) else f"{note}."


def side_lines(
    found: list[tuple[Row, ...]],
    variants: list[str],
    published: Mapping[tuple[str, str, str], Printed],
    table: str,
) -> Iterator[str]:
    """Yield printed numbers beside those of several variants; in bold where all digits are equal."""
    columns = list(dict.fromkeys(row.column for row in found[0]))
    rows: dict[str, dict[str, str]] = {}
    for cells in zip(*found, strict=True):
        printed = published.get((table, cells[0].row, cells[0].column))
        parts = [printed.text if printed else "–"]
        for cell in cells:
            digits = printed.digits if printed else cell.digits
            text = "–" if cell.measured is None else f"{cell.measured:.{digits}f}"
            parts.append(_bold(text, printed is not None and cell.agrees is True))
        rows.setdefault(cells[0].row, {})[cells[0].column] = " · ".join(parts)
    yield f"| printed · {' · '.join(variants)} | {' | '.join(columns)} |"
    yield f"| --- {'| ---: ' * len(columns)}|"
    for name, cells_of in rows.items():
        yield f"| {name} | {' | '.join(cells_of.get(column, '') for column in columns)} |"
    yield ""
    for variant, own in zip(variants, found, strict=True):
        held = [row for row in own if row.published is not None]
        yield f"{variant}: {sum(row.agrees is True for row in held)} of {len(held)} equal.  "


def _merged(columns: list[str]) -> dict[str, list[str]]:
    """Return heads and their columns: those that are called ``X: one`` and ``X: other`` are shown in one cell."""
    found: dict[str, list[str]] = {}
    for column in columns:
        found.setdefault(column.partition(": ")[0], []).append(column)
    if all(len(group) > 1 for group in found.values()) and "none" in "".join(columns):
        return found
    return {column: [column] for column in columns}


def _short(heads: list[str]) -> list[str]:
    """Return heads without the name that all begin with."""
    first = heads[0].partition(" vs ")[0] + " vs "
    return [head.removeprefix(first) for head in heads] if all(h.startswith(first) for h in heads) else heads


def _cell(cells: list[dict[str, Any]], notes: dict[str, str]) -> str:
    if len(cells) > 1:
        measured = " / ".join(_bold(f"{c['measured']:.0f}", any(w in c["note"] for w in OURS)) for c in cells)
        printed = " / ".join(_bold(f"{c['published']:.0f}", PRINTED in c["note"]) for c in cells)
        wrong = any(c["agrees"] is False for c in cells)
        return f"{measured} [{printed}]{' ≠' if wrong else ''}"
    text = "".join(cell["text"] for cell in cells)
    for note in filter(None, "; ".join(cell["note"] for cell in cells).split("; ")):
        if note in OURS:
            first, _, rest = text.partition(" ")
            text = f"**{first}** {rest}".rstrip()
        elif note not in SILENT and "settled with" not in note and "open with" not in note:
            text += f" <sup>{notes.setdefault(note, _letter(len(notes)))}</sup>"
        elif "open with" in note:
            text = f"*{text}*"
    return text


def _bold(text: str, bold: bool) -> str:
    return f"**{text}**" if bold else text


def _letter(number: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[number]


def main() -> None:
    """Write the page anew."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("study")
    parser.add_argument("--page", help="the page's name (default: the study's)")
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--store")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--repetitions", type=int)
    options = vars(parser.parse_args())
    name = options.pop("study")
    path = DOCS / "studies" / f"{options.pop('page') or name}.md"
    text = path.read_text(encoding="utf-8")
    path.write_text(PLACE.sub(Page(name, text, **options).fill, text), encoding="utf-8")


if __name__ == "__main__":
    main()
