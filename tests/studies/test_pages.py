"""The pages of the study of 2004 hold what their script writes, and the printed numbers in them are those of the folder."""

import importlib.util
import re
from pathlib import Path

import pytest

from foldproof.domain.study import Printed, Row
from foldproof.studies.finding import find_study

ROOT = Path(__file__).parents[2]
FORENSICS = (ROOT / "docs" / "studies" / "forensics.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("study_page", ROOT / "scripts" / "study_page.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("table", "cells"), [("1", 90), ("2", 36), ("3", 36), ("4", 36), ("4.3", 6)])
def test_every_printed_number_of_a_table_is_on_the_page_beside_two_measured_ones(table, cells):
    place = re.search(rf"<!-- made: sides {re.escape(table)} as-run .*?-->(.*?)<!-- end -->", FORENSICS, re.DOTALL)
    shown = re.findall(r"(\d[\d.]*) · (\**)(\d[\d.]*)\2 · \**\d[\d.]*\**", place.group(1))
    published = find_study("bouckaert-frank-2004").published
    assert sorted(first for first, _, _ in shown) == sorted(p.text for key, p in published.items() if key[0] == table)
    assert len(shown) == cells
    equal = sum(first == second and bool(bold) for first, bold, second in shown)
    assert f"as-run: {equal} of {cells} equal" in place.group(1)
    assert equal == (5 if table == "4.3" else cells)


def test_sides_are_bold_where_they_are_equal(script):
    printed = {("1", "iris", "a vs b"): Printed("0.737"), ("1", "vote", "a vs b"): Printed("4")}
    rows = [
        (
            Row(row="iris", column="a vs b", measured=0.73662, published=0.737, agrees=True),
            Row(row="vote", column="a vs b", measured=5.0, published=4.0, agrees=False),
        )
    ]
    lines = list(script.side_lines(rows, ["as-run"], printed, "1"))
    assert "| iris | 0.737 · **0.737** |" in lines
    assert "| vote | 4 · 5 |" in lines
    assert "as-run: 1 of 2 equal.  " in lines


def test_only_what_a_page_shows_is_run(script, monkeypatch):
    asked = []

    def remember(name, **options):
        asked.append((name, options))
        raise SystemExit

    monkeypatch.setattr(script.fp, "run_study", remember)
    text = "<!-- made: table 2 as-printed/weka -->\n<!-- end -->\n<!-- made: figure 3 as-printed/weka -->\n<!-- end -->"
    with pytest.raises(SystemExit):
        script.Page("bouckaert-frank-2004", text, seed=3).run("as-printed/weka")
    name, options = asked[0]
    assert name == "bouckaert-frank-2004"
    assert {k: options[k] for k in ("variant", "folds", "tables", "figures", "seed")} == {
        "variant": "as-printed", "folds": "weka", "tables": ["2"], "figures": ["3"], "seed": 3,
    }  # fmt: skip
