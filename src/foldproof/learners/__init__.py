"""Learners: ours, and the adapter through which any scikit-learn estimator joins.

Belongs here: estimators, their specs as text, and what is done to data inside a training fold.
Does not belong here: dividing, scoring, testing, rendering.
To add one: one file with a scikit-learn estimator under ``@LEARNERS.register("its-name")`` (its loops in ``kernels/``).
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any


@cache
def _offered() -> dict[str, Any]:
    found = (module.name for module in pkgutil.iter_modules(__path__) if module.name.startswith("_"))
    modules = (importlib.import_module(f"{__name__}.{name}") for name in found)
    return {name: getattr(module, name) for module in modules for name in getattr(module, "__all__", ())}


def __getattr__(name: str) -> Any:
    if not name.startswith("_") and name in _offered():
        return _offered()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(_offered())
