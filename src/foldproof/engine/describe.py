"""Canonical texts: what an estimator is, with every parameter, written so that another process writes the same.

The text follows the grammar of learner specs as far as that goes, so that most learners can be made again from it.
What has no canonical text (a lambda, a class inside a function, an object with a life of its own) is given a mark that
no other process gives.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path, PurePath
from typing import Any
from uuid import uuid4

import numpy as np

# What no other process has, and the objects that were marked with it: kept, so that no id is given twice.
_HERE = uuid4().hex[:16]
_MARKED: dict[int, tuple[int, Any]] = {}
# Objects inside objects beyond this depth are no parameters any more.
_DEEPEST = 30


@dataclass(slots=True)
class Description:
    """A text, the versions of all that it names, and what in it no other process would write the same."""

    text: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)

    @property
    def whole(self) -> str:
        """The text with the versions."""
        told = ", ".join(f"{name} {version}" for name, version in sorted(self.versions.items()))
        return f"{self.text} [{told}]"


def describe(value: Any) -> Description:
    """Return the canonical text of an estimator or of any value.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> describe({"depth": (1, 2.5), "none": None}).text
    "{'depth': (1, 2.5), 'none': None}"
    >>> describe(DecisionTreeClassifier(max_depth=2)).text[:64]
    'sklearn.tree._classes.DecisionTreeClassifier(ccp_alpha=0.0, clas'
    """
    found = Description()
    found.text = _text(value, found, ())
    return found


def _text(value: Any, found: Description, above: tuple[int, ...]) -> str:
    plain = _plain(value)
    if plain is not None:
        return plain
    if id(value) in above or len(above) > _DEEPEST:
        return _marked(value, found)
    inside = (*above, id(value))

    def text(part: Any) -> str:
        return _text(part, found, inside)

    if type(value) in (list, tuple):
        parts = [text(part) for part in value]
        if isinstance(value, list):
            return f"[{', '.join(parts)}]"
        return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"
    if type(value) is dict:
        return "{" + ", ".join(f"{text(key)}: {text(part)}" for key, part in value.items()) + "}"
    if type(value) in (set, frozenset):
        return f"<{type(value).__name__} {', '.join(sorted(text(part) for part in value))}>"
    if inspect.isclass(value) or inspect.isroutine(value):
        return _named(value, found)
    special = _special(value, text)
    if special is not None:
        return special
    if isinstance(value, np.ufunc):
        return f"numpy.{value.__name__}"
    if hasattr(value, "get_params"):
        return f"{_named(type(value), found)}({_arguments(value.get_params(deep=False), text)})"
    state = _state(value)
    if state is None:
        return _marked(value, found)
    return f"<{_named(type(value), found)}({_arguments(state, text)})>"


def _plain(value: Any) -> str | None:
    """Return the text of values that have no parts."""
    if isinstance(value, Enum):
        return None
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        if math.isnan(value):
            return "numpy.nan"
        return repr(float(value)) if math.isfinite(value) else "numpy.inf" if value > 0 else "-numpy.inf"
    if type(value) in (str, bytes, int, bool, complex, type(None), type(...)):
        return repr(value)
    return None


def _special(value: Any, text: Callable[[Any], str]) -> str | None:
    """Return the text of what is known by its content."""
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            return f"<array {value.shape} {text(value.tolist())}>"
        digest = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return f"<array {value.dtype.str} {value.shape} {digest}>"
    if isinstance(value, (np.dtype, range, slice)):
        return f"<{value!r}>"
    if isinstance(value, PurePath):
        return f"<path {str(value)!r}>"
    if isinstance(value, Enum):
        return f"<{type(value).__module__}.{type(value).__qualname__}.{value.name}>"
    if isinstance(value, np.random.RandomState):
        return f"<RandomState {text(value.get_state(legacy=True))}>"
    if isinstance(value, np.random.Generator):
        return f"<Generator {text(value.bit_generator.state)}>"
    if isinstance(value, functools.partial):
        return f"<partial {text(value.func)} {text(value.args)} {text(value.keywords)}>"
    if hasattr(value, "tocsr") and hasattr(value, "shape"):
        rows = value.tocsr()
        return f"<sparse {value.shape} {text([rows.indptr, rows.indices, rows.data])}>"
    return None


def _state(value: Any) -> dict[str, Any] | None:
    """Return what an object holds, if that is all there is to it."""
    if is_dataclass(value):
        return {part.name: getattr(value, part.name) for part in fields(value)}
    state = getattr(value, "__dict__", None)
    slotted = any(getattr(kind, "__slots__", ()) for kind in type(value).__mro__)
    return state if isinstance(state, dict) and not slotted else None


def _arguments(values: dict[str, Any], text: Callable[[Any], str]) -> str:
    return ", ".join(f"{key}={text(values[key])}" for key in sorted(values))


def _named(value: Any, found: Description) -> str:
    """Return the full name of a class or a function, and note the version of where it comes from."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not module or not name or "<" in name or inspect.ismethod(value):
        return _marked(value, found)
    if not _is_there(value, module, name):
        return _marked(value, found)
    # Other people's classes may stand on classes of the user's own.
    for kind in value.__mro__ if inspect.isclass(value) else [value]:
        home = getattr(kind, "__module__", None) or "builtins"
        package = home.partition(".")[0]
        if package in sys.stdlib_module_names and package != "__main__":
            continue
        version = _version(package)
        if version is not None:
            found.versions[_TOLD.get(package, package)] = version
            continue
        digest = _source(kind, home)
        if digest is None:
            return _marked(value, found)
        found.versions[f"{home}.{kind.__qualname__}" if home == "__main__" else home] = digest
    return f"{module}.{name}"


def _is_there(value: Any, module: str, name: str) -> bool:
    """Whether the name leads to the thing."""
    place: Any = sys.modules.get(module)
    for part in name.split("."):
        place = getattr(place, part, None)
    return place is value


# Packages that are imported by another name than they are installed by.
_TOLD = {"sklearn": "scikit-learn"}


@cache
def _version(package: str) -> str | None:
    """Return the version of an installed package, None for a module of the user's own."""
    told = getattr(sys.modules.get(package), "__version__", None)
    if isinstance(told, str):
        return told
    from importlib.metadata import PackageNotFoundError, packages_distributions, version

    for name in [package, *packages_distributions().get(package, [])]:
        try:
            return version(name)
        except PackageNotFoundError:
            continue
    return None


def _source(kind: Any, home: str) -> str | None:
    """Return the digest of the text that defines something: of its module, or in a script of itself alone."""
    try:
        if home == "__main__":
            text = inspect.getsource(kind)
        else:
            path = inspect.getsourcefile(kind)
            text = Path(path).read_text(encoding="utf-8", errors="replace") if path else ""
    except (OSError, TypeError):
        return None
    return hashlib.sha256(text.encode()).hexdigest()[:16] if text else None


def _marked(value: Any, found: Description) -> str:
    """Return a mark that stands for this object in this process only."""
    number, _ = _MARKED.setdefault(id(value), (len(_MARKED), value))
    name = getattr(value, "__qualname__", type(value).__qualname__)
    found.unknown.append(name)
    return f"<{name} of process {_HERE}, {number}>"
