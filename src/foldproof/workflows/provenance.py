"""Where a result comes from: versions of what computed it, and the partitions it stands on."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from typing import Any

from foldproof._version import __version__
from foldproof.domain.outcomes import Outcomes
from foldproof.engine.environment import PACKAGES, version_of


def provenance(partitions_fingerprint: str, outcomes: Iterable[Outcomes] = ()) -> dict[str, Any]:
    """Return the versions of everything that numbers pass through, and who was predicted at once, and how."""
    return {
        **versions(),
        "partitions_fingerprint": partitions_fingerprint,
        "fast_paths": list(dict.fromkeys(path for outcome in outcomes for path in outcome.fast_paths)),
    }


def versions() -> dict[str, Any]:
    """Return the versions of everything that numbers pass through."""
    return {
        "version": __version__,
        "python": platform.python_version(),
        "packages": {name: version_of(name) for name in PACKAGES},
    }
