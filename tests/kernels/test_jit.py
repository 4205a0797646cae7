"""The one spelling of the compile flags: the code is kept, and an installation that cannot keep it works as well."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(os.environ.get("FOLDPROOF_JIT", "1") == "0", reason="nothing is compiled")

CALL = """
import numpy as np
from foldproof.kernels.folds import most_tested
assert most_tested(np.array([[0, 1, 1, -1]], np.int32)) == 2
"""


def said(code, **environment):
    """Return what a process of its own prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_the_first_call_of_a_second_process_uses_the_code_of_the_first(tmp_path):
    counts = CALL + "print(sum(most_tested.stats.cache_hits.values()), sum(most_tested.stats.cache_misses.values()))"
    assert said(counts, NUMBA_CACHE_DIR=str(tmp_path)) == ["0", "1"]
    assert said(counts, NUMBA_CACHE_DIR=str(tmp_path)) == ["1", "0"]


def test_where_no_folder_can_be_written_the_kernels_are_compiled_anew():
    nowhere = (
        "from numba.core import caching\n"
        "implementation = getattr(caching, 'CacheImpl', None) or caching._CacheImpl\n"  # older versions hide it
        "implementation._locator_classes = []\n"
    )
    assert said(nowhere + CALL + "print(most_tested.stats.cache_path)") == ["None"]


def test_a_read_only_installation_keeps_them_in_the_folder_of_the_user(tmp_path):
    refused = "import os\nos.access = lambda path, mode: False\n"
    shown = "import numba\nprint(numba.config.CACHE_DIR)"
    environment = {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    os_environ = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", refused + CALL + shown],
        env=os_environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().startswith(str(tmp_path))
