"""Outcomes: what one learner did on one set of partitions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from foldproof.domain.differences import Differences
from foldproof.domain.errors import InputError


@dataclass(frozen=True, slots=True)
class Failure:
    """A fit or a score that did not come out."""

    learner: str
    run: int
    fold: int
    kind: str
    message: str


class Kept(Protocol):
    """Predictions that are kept somewhere in few bytes, or in a store, until somebody asks for them."""

    def read(self) -> npt.NDArray[np.float64]: ...  # noqa: D102


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """Scores per run and fold, for each scoring; NaN where the fold failed.

    Scores are oriented: more is better (a loss carries its sign turned). ``predictions[run, instance]`` holds
    the predicted target of each tested instance as a code (position in the classes, or the number), NaN elsewhere;
    None where instances are tested more than once in a run or the learner does not predict one value each.
    ``chosen[run][fold]`` is the setting that a learner chose for itself in its training fold, as text; None for
    learners that tune nothing. ``fast_paths`` name the methods by which runs were predicted at once, if any were.
    """

    learner: str
    dataset: str
    partitions: str
    scores: Mapping[str, npt.NDArray[np.float64]]
    kept: Kept | None = None
    failures: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()
    chosen: tuple[tuple[str | None, ...], ...] | None = None
    fast_paths: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.scores:
            raise InputError("outcomes without a scoring say nothing: give at least one")
        if len({table.shape for table in self.scores.values()}) != 1:
            raise InputError("every scoring needs a score for each fold of each run")
        for table in self.scores.values():
            table.flags.writeable = False

    @property
    def predictions(self) -> npt.NDArray[np.float64] | None:
        """The predictions, fetched from where they are kept."""
        return None if self.kept is None else self.kept.read()

    def complete(self, scoring: str) -> bool:
        """Whether every fold has a score."""
        return bool(np.isfinite(self.scores[scoring]).all())


@dataclass(frozen=True, slots=True, eq=False)
class _Joined:
    """The predictions of earlier runs, followed by those of later ones."""

    first: Kept
    then: Kept

    def read(self) -> npt.NDArray[np.float64]:
        return np.concatenate([self.first.read(), self.then.read()])


def joined(first: Outcomes | None, then: Outcomes, partitions: str) -> Outcomes:
    """Return the outcomes of earlier runs followed by those of later ones, as parts of the given partitions."""
    if first is None:
        return replace(then, partitions=partitions)
    if first.learner != then.learner or first.dataset != then.dataset or set(first.scores) != set(then.scores):
        raise InputError(f"outcomes of {first.learner!r} and {then.learner!r} are not runs of the same experiment")
    kept = None if first.kept is None or then.kept is None else _Joined(first.kept, then.kept)
    return replace(
        then,
        partitions=partitions,
        scores={name: np.concatenate([table, then.scores[name]]) for name, table in first.scores.items()},
        kept=kept,
        failures=(*first.failures, *then.failures),
        notes=tuple(dict.fromkeys((*first.notes, *then.notes))),
        chosen=None if first.chosen is None or then.chosen is None else (*first.chosen, *then.chosen),
        fast_paths=tuple(sorted({*first.fast_paths, *then.fast_paths})),
    )


def differences_of(a: Outcomes, b: Outcomes, scoring: str, **design: Any) -> Callable[[], Differences]:
    """Return how a - b is made, refusing what is not paired. What is returned holds no more than the two tables."""
    if a.dataset != b.dataset or a.partitions != b.partitions:
        raise InputError(
            f"unpaired outcomes: {a.learner!r} was tested on partitions {a.partitions[:12]} of dataset "
            f"{a.dataset[:12]}, {b.learner!r} on {b.partitions[:12]} of {b.dataset[:12]}; run both on the same"
        )
    return partial(Differences.of_scores, a.scores[scoring], b.scores[scoring], **design)
