"""How replicable a verdict is: consistency, R, forecast, enough partitions, the sequential rule.

Belongs here: pure functions of differences, t-values and counts of verdicts.
Does not belong here: fitting and partitioning (workflows do the repeating), storing, rendering.
To add one: a file ``_your_measure.py`` that names what it offers in ``__all__``.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any


@cache
def _offered() -> dict[str, Any]:
    modules = (importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__))
    return {name: getattr(module, name) for module in modules for name in module.__all__}


def __getattr__(name: str) -> Any:
    if not name.startswith("_") and name in _offered():
        return _offered()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(_offered())
