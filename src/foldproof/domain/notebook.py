"""How results ask to be shown in a notebook, without knowing who renders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from foldproof.domain.registry import Registry

# Filled by the room that renders, when a notebook first asks.
SHOWN: Registry[Callable[[Any], str]] = Registry("notebook form", "foldproof.report")


class Shown:
    """A value that a notebook shows as a small table of its fields."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return SHOWN["result"](self)
