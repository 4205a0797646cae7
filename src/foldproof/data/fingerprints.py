"""Fingerprints of files that were read before: a file is hashed again when its path, size or times changed.

docs/decisions/0015-plans-and-known-files.md says what is compared, and why that is enough.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from foldproof.data.sources import Wanted, read_source
from foldproof.domain.dataset import Dataset

# Raised whenever a reader or the fingerprint itself changes what it makes of a file.
READER = 1
# A file that was written less than so many seconds before it was read may change again without its time changing:
# clocks of file systems tick as slowly as every two seconds.
SETTLED = 3.0


@dataclass(frozen=True, slots=True)
class KnownFiles:
    """Reads sources, and keeps what it learnt of files through ``recall`` and ``keep``: small facts under keys."""

    recall: Callable[[str], str | None]
    keep: Callable[[str, str], None]

    def read(self, source: str, wanted: Wanted) -> Dataset:
        """Return the dataset; of a file that is as it was, with the fingerprint that it had."""
        before = _stamp(source)
        if before is None:
            return read_source(source, wanted)
        key = _key(source, wanted)
        known = _fingerprint_in(self.recall(key), before)
        dataset = read_source(source, replace(wanted, fingerprint=known))
        after = _stamp(source)
        if after != before:  # it changed while it was read
            return read_source(source, wanted)
        if known is None and time.time() - max(before["modified"], before["changed"]) / 1e9 > SETTLED:
            self.keep(key, json.dumps({"stamp": before, "fingerprint": dataset.fingerprint}, sort_keys=True))
        return dataset


def _stamp(source: str) -> dict[str, int] | None:
    """Return what tells a file from itself at another time; None where the source is no file."""
    try:
        told = Path(source).stat()
    except (OSError, ValueError):
        return None
    return {
        "device": told.st_dev,
        "inode": told.st_ino,
        "size": told.st_size,
        "modified": told.st_mtime_ns,
        # Unlike the time of modification, nobody sets this one back (on Windows it is the time of creation).
        "changed": told.st_ctime_ns,
    }


def _key(source: str, wanted: Wanted) -> str:
    """Return where a file's fingerprint is kept: by its path, by what is asked of it, and by what reads it."""
    import narwhals
    import numpy
    import polars

    from foldproof._version import __version__

    versions = [READER, __version__, narwhals.__version__, numpy.__version__, polars.__version__]
    asked = {key: value for key, value in asdict(wanted).items() if key != "fingerprint"}
    text = json.dumps([str(Path(source).resolve()), asked, versions], sort_keys=True)
    return f"file/{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _fingerprint_in(text: str | None, stamp: dict[str, int]) -> str | None:
    """Return the fingerprint that was kept, if the file is as it was then."""
    try:
        found = json.loads(text or "null")
    except ValueError:
        return None
    return str(found["fingerprint"]) if isinstance(found, dict) and found.get("stamp") == stamp else None
