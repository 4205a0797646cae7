"""What is odd about fits and scores, gathered while they run: what was raised, and what was warned of."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from foldproof.store.records import Fault, Grumble, Remark


class Remarking:
    """The remarks of one task: under "" about its fits, under a scoring about that score."""

    def __init__(self) -> None:
        self._faults: dict[str, list[Fault]] = {}
        self._grumbles: dict[tuple[str, str], tuple[str, list[int]]] = {}

    @contextmanager
    def listening(self, where: str, fold: int) -> Iterator[None]:
        """Take down the warnings given inside. A kind counts once a fold, however often it was given."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        for w in caught:
            _, folds = self._grumbles.setdefault((where, w.category.__name__), (first_line(w.message), []))
            if fold not in folds:
                folds.append(fold)

    @property
    def faulty(self) -> bool:
        """Whether there was any fault."""
        return bool(self._faults)

    def absorb(self, other: Remarking) -> None:
        """Take in what another took down."""
        for where, faults in other._faults.items():
            self._faults.setdefault(where, []).extend(faults)
        for key, (text, folds) in other._grumbles.items():
            _, known = self._grumbles.setdefault(key, (text, []))
            known.extend(fold for fold in folds if fold not in known)

    def fault(self, where: str, fault: Fault) -> None:
        """Take down a fault."""
        self._faults.setdefault(where, []).append(fault)

    def scored(self, name: str, fold: int, score: Callable[[], Any]) -> float:
        """Return a score, or NaN and take down why there is none."""
        try:
            found = float(score())
        except (Exception, SystemExit) as error:
            self.fault(name, failure(fold, "score_raised", error, f"{name}: "))
            return float("nan")
        if np.isfinite(found):
            return found
        self.fault(name, Fault(fold, "score_not_finite", f"{name} is {found}"))
        return float("nan")

    def remarks(self) -> dict[str, Remark]:
        """Return what was taken down."""
        places = dict.fromkeys([*self._faults, *(where for where, _ in self._grumbles)])
        return {
            where: Remark(
                faults=tuple(self._faults.get(where, ())),
                grumbles=tuple(
                    Grumble(kind, text, tuple(folds))
                    for (at, kind), (text, folds) in self._grumbles.items()
                    if at == where
                ),
            )
            for where in places
        }


def failure(fold: int, kind: str, error: BaseException, where: str = "") -> Fault:
    """Return an exception as a fault."""
    return Fault(fold, kind, f"{where}{type(error).__name__}: {first_line(error)}")


def first_line(message: Any) -> str:
    """Return the first line of what was said."""
    lines = str(message).strip().splitlines()
    return lines[0].rstrip(" :") if lines else ""
