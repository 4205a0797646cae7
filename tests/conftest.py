"""Fixtures that more than one room's tests use."""

import os
from pathlib import Path

import numpy as np
import pytest

# One place for hypothesis: no deadlines, because machines differ; the examples are the same on each.
from hypothesis import settings

settings.register_profile("foldproof", deadline=None, derandomize=True)
settings.load_profile("foldproof")


def pytest_terminal_summary(terminalreporter):
    """Print what tests report, whether they passed or not and in whatever process they ran."""
    every = [report for reports in terminalreporter.stats.values() for report in reports]
    told = [value for report in every for name, value in getattr(report, "user_properties", ()) if name == "reported"]
    if told:
        terminalreporter.section("reported")
        for line in dict.fromkeys(told):
            terminalreporter.write_line(line)


@pytest.fixture
def rng():
    return np.random.default_rng(20041)


@pytest.fixture
def toy(rng):
    """Forty instances, two classes, one attribute that helps."""
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 3))
    X[:, 0] += y
    return X, y


def shared(*parts: str) -> Path:
    """Return a path beside the project, or skip the test where the folder is not there."""
    root = Path(os.environ.get("FOLDPROOF_SHARED", Path(__file__).parents[2] / "shared"))
    path = root.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"{path} is not here: this test needs the reference data beside the project")
    return path


@pytest.fixture(name="shared")
def shared_fixture():
    return shared
