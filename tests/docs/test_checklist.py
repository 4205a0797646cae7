"""The checklist has its 90 items, and every test or page that it names exists."""

from __future__ import annotations

import ast
import importlib.util
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "checklist.md"
ROW = re.compile(r"^\| (\d+) \| (.+?) \| (.+) \|$", re.MULTILINE)
ROWS = [(int(number), item, where) for number, item, where in ROW.findall(PAGE.read_text(encoding="utf-8"))]
IDS = [str(number) for number, _, _ in ROWS]
# Definitions, tests, multiplicity and procedures over partitions: none of these may be missing.
FOUNDATIONS = {*range(1, 23), *range(36, 53), 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 70, 72, 75, *range(76, 91)}


@cache
def functions(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


@cache
def generated() -> frozenset[str]:
    spec = importlib.util.spec_from_file_location("docs_hooks_of_the_checklist", ROOT / "docs" / "hooks.py")
    assert spec is not None
    assert spec.loader is not None
    hooks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hooks)
    return frozenset(hooks.pages())


def named(where: str) -> tuple[list[str], list[str]]:
    """Return the tests and the pages that a row names."""
    return re.findall(r"`(tests/[^`]+)`", where), re.findall(r"\]\(([^)]+)\)", where)


def test_the_items_are_1_to_90() -> None:
    assert [number for number, _, _ in ROWS] == list(range(1, 91))
    items = [item for _, item, _ in ROWS]
    assert len(set(items)) == len(items)


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_what_an_item_names_exists(row: tuple[int, str, str]) -> None:
    _, _, where = row
    tests, pages = named(where)
    assert tests or pages or where == "not yet", f"{where!r} names no test and no page"
    for test in tests:
        path, _, function = test.partition("::")
        assert (ROOT / path).is_file(), f"there is no {path}"
        assert not function or function in functions(ROOT / path), f"{path} has no {function}"
    for page in pages:
        assert page in generated() or (PAGE.parent / page).is_file(), f"there is no page {page}"


@pytest.mark.parametrize("number", sorted(FOUNDATIONS))
def test_no_foundation_is_missing(number: int) -> None:
    assert not ROWS[number - 1][2].startswith("not yet")
