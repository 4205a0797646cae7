"""What can go wrong with a store, as sentences."""

from __future__ import annotations

from foldproof.domain.errors import FoldproofError


class StoreError(FoldproofError):
    """A store that cannot be opened, read or written; what was committed before is kept."""
