"""Starting is quick because heavy libraries are imported when first needed."""

import subprocess
import sys

import pytest

HEAVY = {"sklearn", "numba", "sqlalchemy", "matplotlib", "pandas", "dask", "scipy", "joblib", "polars"}


def loaded(code):
    """The top-level modules that some code imports, by Python's own account."""
    done = subprocess.run([sys.executable, "-X", "importtime", "-c", code], capture_output=True, text=True, check=True)
    return {line.rsplit("|", 1)[-1].strip().partition(".")[0] for line in done.stderr.splitlines() if "|" in line}


@pytest.mark.parametrize(
    "code",
    [
        "import foldproof",
        "import sys; from foldproof.cli.main import run; run(['--help'])",
        "import sys; from foldproof.cli.main import run; run(['compare', '--help'])",
        "from foldproof.cli.main import run; [run([c, '--help']) for c in ('run', 'report', 'audit', 'export', 'import')]",
    ],
)
def test_nothing_heavy_is_imported(code):
    assert not loaded(code) & HEAVY


def test_a_comparison_imports_neither_numba_nor_matplotlib_nor_pandas():
    code = (
        "import sys; from foldproof.cli.main import run; run(['compare', 'sklearn:iris', "
        "'-l', 'sklearn.naive_bayes.GaussianNB()', '-l', 'sklearn.dummy.DummyClassifier()', '--procedure', '5x2cv', '--no-fast'])"
    )
    assert not loaded(code) & {"numba", "matplotlib", "sqlalchemy", "dask"}
