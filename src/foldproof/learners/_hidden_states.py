"""Open random states that ``get_params`` does not reach: of splitters, and of estimators inside lists and grids."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

# What grids and samplers of settings hold.
_GRIDS = ("param_grid", "param_distributions")


def draw_hidden_states(copy: Any, original: Any, draw: Callable[[str], int]) -> None:
    """Give every random state that is still open inside a clone's parameters an integer of its own.

    ``draw`` is asked by the path to the part. What ``get_params`` reaches is expected to have been drawn before, and
    what the clone shares with the original (a frozen estimator) is left as it is.

    >>> from sklearn.base import clone
    >>> from sklearn.model_selection import GridSearchCV, KFold
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> search = GridSearchCV(DecisionTreeClassifier(random_state=0), {}, cv=KFold(3, shuffle=True))
    >>> copy = clone(search)
    >>> draw_hidden_states(copy, search, lambda path: len(path))
    >>> copy.cv.random_state, search.cv.random_state
    (2, None)
    """
    for path, part in _own_open_parts(copy, original):
        # A part that cannot be told stays as it is.
        with suppress(AttributeError):
            part.random_state = draw(path)


def has_hidden_states(copy: Any, original: Any) -> bool:
    """Whether a clone, all of whose reachable states were drawn, still holds open ones of its own."""
    return bool(_own_open_parts(copy, original))


def _own_open_parts(copy: Any, original: Any) -> list[tuple[str, Any]]:
    shared = {id(part) for _, part in _open_parts(original, "")}
    return [(path, part) for path, part in _open_parts(copy, "") if id(part) not in shared]


def _open_parts(value: Any, path: str, above: tuple[int, ...] = ()) -> Iterator[tuple[str, Any]]:
    if id(value) in above or isinstance(value, (str, bytes, type)):
        return
    inside = (*above, id(value))
    if isinstance(value, Mapping):
        parts = [(str(key), part) for key, part in value.items()]
    elif isinstance(value, (list, tuple)):
        parts = [(str(i), part) for i, part in enumerate(value)]
    elif hasattr(value, "get_params"):
        parts = list(value.get_params(deep=False).items())
    else:
        parts = [(name, getattr(value, name)) for name in _GRIDS if hasattr(value, name)]
    if _is_open(value):
        yield path, value
    for key, part in parts:
        yield from _open_parts(part, f"{path}__{key}" if path else key, inside)


def _is_open(value: Any) -> bool:
    """Whether a part draws, and has not been told from what."""
    if not (hasattr(value, "get_params") or hasattr(value, "split")):
        return False
    # A splitter that does not shuffle draws nothing.
    return getattr(value, "random_state", 0) is None and getattr(value, "shuffle", True) is not False
