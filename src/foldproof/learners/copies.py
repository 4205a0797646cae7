"""Unfitted copies of an estimator, as scikit-learn's ``clone`` makes them, without looking everything up each time."""

from __future__ import annotations

import copy
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType
from typing import Any

from foldproof.learners._hidden_states import has_hidden_states

Maker = Callable[[], Any]

_SCALARS = (int, float, str, bool, complex, bytes, type(None))


class Copies:
    """Makes copies of one estimator with its open random states filled in.

    The first copy is made by ``clone``. Later ones are made by calling constructors directly, where these do nothing
    but keep what they are given; otherwise by ``clone`` too. In another process it begins anew.
    """

    def __init__(self) -> None:
        self._estimator: Any = None
        self._open: tuple[str, ...] = ()
        self._maker: Callable[[dict[str, int]], Any] | None = None
        #: Whether copies hold random states that ``get_params`` does not reach; known after the first copy.
        self.hides = False

    def __reduce__(self) -> tuple[type[Copies], tuple[()]]:
        return (Copies, ())

    def fresh(self, estimator: Any, state: Callable[[str], int]) -> Any:
        """Return a copy; ``state`` gives the number for a parameter that is an open random state."""
        from sklearn.base import clone

        made = None
        if self._estimator is not estimator:
            made = clone(estimator)
            self._open = tuple(k for k, v in made.get_params(deep=True).items() if is_random_state(k) and v is None)
            # Of a copy that is never handed out: what is done to one must not show in those made after it.
            self._maker = _maker(clone(estimator), self._open)
            self._estimator = estimator
        states = {key: state(key) for key in self._open}
        if made is None and self._maker is not None:
            return self._maker(states)
        first = made is not None
        made = clone(estimator) if made is None else made
        if states:
            made.set_params(**states)
        if first:
            self.hides = has_hidden_states(made, estimator)
        return made


def is_random_state(key: str) -> bool:
    """Whether a parameter is a random state, of the estimator or of a part of it.

    >>> is_random_state("forest__random_state"), is_random_state("random_state_kept")
    (True, False)
    """
    return key == "random_state" or key.endswith("__random_state")


def _maker(pristine: Any, open_states: tuple[str, ...]) -> Callable[[dict[str, int]], Any] | None:
    """Return how copies are made quickly, None where only ``clone`` knows."""
    parts = _parts(pristine)
    if parts is None:
        return None
    kind = type(pristine)
    if any("__" in key for key in open_states):
        return lambda states: kind(**{key: make() for key, make in parts.items()}).set_params(**states)
    return lambda states: kind(**({key: make() for key, make in parts.items()} | states))


def _parts(pristine: Any) -> dict[str, Maker] | None:
    """Return how each argument of an estimator's constructor is made; None where the constructor does more."""
    from sklearn.base import BaseEstimator

    kind = type(pristine)
    if not isinstance(pristine, BaseEstimator) or kind.__sklearn_clone__ is not BaseEstimator.__sklearn_clone__:
        return None
    given = pristine.get_params(deep=False)
    if vars(pristine).keys() != given.keys() or any(vars(pristine)[key] is not given[key] for key in given):
        return None
    makers = {key: _value(value) for key, value in given.items()}
    arguments = {key: make() for key, make in makers.items()}
    made = kind(**arguments)
    if vars(made).keys() != arguments.keys() or any(vars(made)[key] is not arguments[key] for key in arguments):
        return None
    return makers


def _value(value: Any) -> Maker:
    from sklearn.base import clone

    if type(value) in _SCALARS or isinstance(value, (type, FunctionType, BuiltinFunctionType)):
        return lambda: value
    if type(value) in (list, tuple):
        makers, kind = [_value(part) for part in value], type(value)
        return lambda: kind([make() for make in makers])
    if hasattr(value, "get_params"):
        parts = _parts(value)
        if parts is None:
            return lambda: clone(value)
        inner = type(value)
        return lambda: inner(**{key: make() for key, make in parts.items()})
    return lambda: copy.deepcopy(value)
