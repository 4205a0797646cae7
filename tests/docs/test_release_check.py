"""The parts of the release check that need no network; ``make release-check`` runs the whole."""

from __future__ import annotations

import importlib.util
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("release_check", ROOT / "scripts" / "release_check.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECK = script()


def test_the_demo_is_the_makefiles():
    arguments = CHECK.demo()
    assert arguments[:2] == ["compare", "sklearn:breast_cancer"]
    assert arguments.count("-l") == 2
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert all(f'"{spec}"' in makefile for spec in arguments[3::2])


def test_what_a_wheel_lacks_is_named(tmp_path):
    wheel = tmp_path / "foldproof-0-py3-none-any.whl"
    files = [p for p in (ROOT / "src/foldproof").rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    names = [p.relative_to(ROOT / "src").as_posix() for p in files]
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in names[1:]:
            archive.writestr(name, "")
    assert CHECK.left_out(wheel) == [names[0]]
    assert any(name.endswith(".html.j2") for name in names)
    assert "foldproof/py.typed" in names


def test_a_time_that_both_builds_carry(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1234567890")
    assert CHECK.source_date() == "1234567890"
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert int(CHECK.source_date()) >= CHECK.EPOCH


def test_what_fails_ends_the_check(tmp_path):
    import sys

    assert CHECK.run([sys.executable, "-c", "print('fine')"], tmp_path) == "fine\n"
    with pytest.raises(SystemExit, match="ended with 3"):
        CHECK.run([sys.executable, "-c", "raise SystemExit(3)"], tmp_path)
