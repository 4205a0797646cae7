"""A wrong import breaks ``make contracts``: planted in a copy, found by the real configuration."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def lint_imports(folder):
    """Run import-linter as the Makefile does, on the package in ``folder/src``."""
    code = "import sys; from importlinter.cli import lint_imports_command as command; command()"
    return subprocess.run(
        [sys.executable, "-c", code, "--config", "pyproject.toml", "--no-cache"],
        cwd=folder,
        env={"PYTHONPATH": str(folder / "src"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path):
    pytest.importorskip("importlinter")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def plant(folder, module, line):
    path = folder / "src" / "foldproof" / module
    path.parent.mkdir(exist_ok=True)
    path.write_text((path.read_text() if path.exists() else "") + f"\n{line}\n")


def test_the_doors_are_shut_as_they_stand(copy):
    done = lint_imports(copy)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("significance/_paired_t.py", "import foldproof.store"),
        ("engine/task.py", "import foldproof.significance"),
        ("learners/learner.py", "import foldproof.report.text"),
        ("domain/dataset.py", "import foldproof.data.table"),
        ("report/text.py", "import foldproof.workflows.compare"),
        ("replicability/_forecast.py", "import joblib"),
        ("significance/_base.py", "import sklearn"),
        ("learners/encoder.py", "import numba"),
        ("workflows/comparison.py", "import matplotlib"),
        ("report/html.py", "import matplotlib"),
        ("workflows/compare.py", "import sqlalchemy"),
        ("engine/local.py", "import sqlalchemy"),
        ("engine/local.py", "import distributed"),
        ("store/base.py", "import numba"),
        ("store/base.py", "import foldproof.significance"),
        ("store/base.py", "import distributed"),
        ("ledger/book.py", "import sqlalchemy"),
        ("ledger/book.py", "import foldproof.engine.task"),
        ("engine/task.py", "import foldproof.ledger"),
        ("cellar/__init__.py", ""),
    ],
)
def test_a_planted_import_is_found(copy, module, line):
    plant(copy, module, line)
    done = lint_imports(copy)
    assert done.returncode == 1, done.stdout + done.stderr
    if line:
        assert "BROKEN" in done.stdout
