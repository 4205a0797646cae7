"""Where a result comes from: versions of what computed it, and the partitions it stands on."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from foldproof._version import __version__

PACKAGES = ("joblib", "numba", "numpy", "scikit-learn", "scipy")


def provenance(partitions_fingerprint: str, fast_paths: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the versions of everything that numbers pass through."""
    return {
        "version": __version__,
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in PACKAGES},
        "partitions_fingerprint": partitions_fingerprint,
        "fast_paths": list(fast_paths),
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
