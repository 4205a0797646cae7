"""Tests: pure functions from differences (or counts) to a result; one file each.

Belongs here: the formulas of the papers, their laws and their warnings.
Does not belong here: fitting, partitioning, storing, rendering, names of learners.
To add one: a file ``_your_test.py`` with a function ``your_test`` under ``@significance_test("your-test", ...)``.
It is then ``fp.significance.your_test``, listed, documented and held to the laws of ``tests/significance``.
What is not a test (multiplicity, demonstrations) is a ``@formula``, reachable the same way and not listed.
"""

from __future__ import annotations

from typing import Any

from foldproof.significance._base import FORMULAS, METHODS, Method, batch


def __getattr__(name: str) -> Any:
    registered = name.replace("_", "-")
    if not name.startswith("_"):
        if registered in METHODS:
            return METHODS[registered].function
        if registered in FORMULAS:
            return FORMULAS[registered]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *(name.replace("-", "_") for name in (*METHODS, *FORMULAS))])


__all__ = ["FORMULAS", "METHODS", "Method", "batch"]
