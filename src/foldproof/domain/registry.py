"""A registry: things that are found by name and that register in their own file."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from typing import Any, Generic, TypeVar

from foldproof.domain.errors import InputError, unknown_name

T = TypeVar("T")


class Registry(Generic[T]):
    """Names and the things they stand for.

    No list of members is kept anywhere: the first look-up imports every module of ``package``, and each
    module registers what it holds. Other distributions join through the entry-point group
    ``foldproof.<kind>s``; theirs are loaded after ours and may not take a name that is taken.
    """

    def __init__(self, kind: str, package: str) -> None:
        self.kind = kind
        self._package = package
        self._members: dict[str, T] = {}
        self._complete = False

    def register(self, name: str) -> Callable[[T], T]:
        """Return a decorator that files its argument under ``name`` and gives it back unchanged."""

        def keep(member: T) -> T:
            if name in self._members:
                raise InputError(f"a {self.kind} called {name!r} is registered already: choose another name")
            self._members[name] = member
            return member

        return keep

    def __getitem__(self, name: str) -> T:
        members = self._all()
        if name not in members:
            raise unknown_name(self.kind, name, members)
        return members[name]

    def __contains__(self, name: object) -> bool:
        return name in self._all()

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._all()))

    def items(self) -> list[tuple[str, T]]:
        """Names and members, by name."""
        return sorted(self._all().items())

    def _all(self) -> dict[str, T]:
        if not self._complete:
            self._complete = True
            package = importlib.import_module(self._package)
            for module in pkgutil.iter_modules(package.__path__):
                importlib.import_module(f"{self._package}.{module.name}")
            for point in entry_points(group=f"foldproof.{self.kind}s"):
                member: Any = point.load()
                if self._members.get(point.name) is not member:
                    self.register(point.name)(member)
        return self._members
