"""The page on calibration: its table names every procedure, says what each claims, and no claim is refuted by it."""

import re
from pathlib import Path

from foldproof.workflows.procedures import PROCEDURES

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "calibrate.md"
ROW = re.compile(r"\| ([\w-]+) \| \d+ x \d+ \| (yes|no) \| ([\d.]+) \| ([\d.]+)( \(!\))? \| ([\d.]+) \|")


def test_the_table_of_own_copies_is_that_of_the_procedures():
    rows = {found[1]: found for found in map(ROW.fullmatch, PAGE.read_text(encoding="utf-8").splitlines()) if found}
    assert set(rows) == set(PROCEDURES)
    for name, found in rows.items():
        claims, nonzero, rejected, allowed = found[2] == "yes", *map(float, found.group(3, 4, 6))
        assert claims == PROCEDURES[name].keeps_level, name
        assert nonzero >= 0.5, name
        assert (rejected > allowed) == (found[5] is not None), name
        assert rejected <= allowed or not claims, name


def test_no_table_is_still_to_be_filled_in():
    for page in PAGE.parents[1].rglob("*.md"):
        assert "\n(table)\n" not in page.read_text(encoding="utf-8"), page.name
