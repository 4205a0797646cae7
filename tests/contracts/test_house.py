"""The manners of the house that a tool can see."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "src").rglob("*.py"))
NAMES = [str(path.relative_to(ROOT / "src")) for path in MODULES]


@pytest.mark.parametrize("path", MODULES, ids=NAMES)
def test_every_module_says_what_it_is_for(path):
    assert ast.get_docstring(ast.parse(path.read_text()))


@pytest.mark.parametrize("path", MODULES, ids=NAMES)
def test_no_source_file_is_longer_than_400_lines(path):
    assert len(path.read_text().splitlines()) <= 400


@pytest.mark.parametrize("path", [p for p in MODULES if p.name == "__init__.py"], ids=str)
def test_a_rooms_door_sign_is_at_most_ten_lines(path):
    assert len(ast.get_docstring(ast.parse(path.read_text())).splitlines()) <= 10


def test_only_the_command_line_and_runners_print():
    printing = {
        name
        for name, path in zip(NAMES, MODULES, strict=True)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print"
    }
    assert {name.split("/")[1] for name in printing} <= {"cli", "testing"}


def test_nothing_is_evaluated_or_unpickled():
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                assert getattr(node.func, "id", "") not in {"eval", "exec", "compile", "__import__"}, path
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                names = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
                assert not {"pickle", "marshal", "dill"} & {name.split(".")[0] for name in names}, path


def test_every_kernel_has_a_slow_twin():
    kernels = {p.stem for p in (ROOT / "src/foldproof/kernels").glob("*.py")} - {"__init__", "jit"}
    twins = set()
    for path in (ROOT / "tests/naive").glob("*.py"):
        # One plain course of the work may be the twin of several kernels that share it; it says of which.
        told = re.search(r"^TWIN_OF = (\(.*\))$", path.read_text(), re.MULTILINE)
        twins |= set(ast.literal_eval(told.group(1))) if told else {path.stem}
    assert kernels - twins == set()


def test_the_version_stands_in_one_place():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "version" in project["dynamic"]
    version = re.search(r'= "(.+)"', (ROOT / "src/foldproof/_version.py").read_text()).group(1)
    assert version in (ROOT / "CHANGELOG.md").read_text()


def test_every_warning_word_is_told_once():
    import importlib

    from foldproof.domain.notices import MEANINGS

    for name in NAMES:
        module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        if not module.endswith("__main__"):
            importlib.import_module(module)
    assert all(re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)*", word) for word in MEANINGS)
    assert all(text and not text.endswith(".") for text in MEANINGS.values())
