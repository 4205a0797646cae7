"""What computed something: versions of all that numbers pass through, as one line of JSON."""

from __future__ import annotations

import json
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from foldproof._version import __version__

PACKAGES = ("joblib", "numba", "numpy", "scikit-learn", "scipy")


@cache
def environment(method: str | None = None) -> str:
    """Return the versions of this process, with the name of an at-once method where one was used."""
    told: dict[str, str | None] = {
        "foldproof": __version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        **{name: version_of(name) for name in PACKAGES},
    }
    if method is not None:
        told["method"] = method
    return json.dumps(told, sort_keys=True)


def method_in(told: str) -> str | None:
    """Return the at-once method that an environment names."""
    found = json.loads(told).get("method")
    return None if found is None else str(found)


@cache
def version_of(package: str) -> str | None:
    """Return the version of an installed package."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
