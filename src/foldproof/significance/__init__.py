"""Tests: pure functions from differences (or counts) to a result; one file each.

Belongs here: the formulas of the papers, their laws and their warnings.
Does not belong here: fitting, partitioning, storing, rendering, names of learners.
To add one: a file ``_your_test.py`` with a function ``your_test`` under ``@significance_test("your-test", ...)``.
It is then ``fp.significance.your_test``, listed, documented and held to the laws of ``tests/significance``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foldproof.significance._base import METHODS, Method, batch

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        registered = name.replace("_", "-")
        if not name.startswith("_") and registered in METHODS:
            return METHODS[registered].function
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *(name.replace("-", "_") for name in METHODS)]


__all__ = ["METHODS", "Method", "batch"]
