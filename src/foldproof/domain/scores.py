"""Scores: what learners got on the folds of one or more datasets, wherever they were fitted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from foldproof.domain.differences import Differences
from foldproof.domain.errors import InputError, unknown_name

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """How the data behind scores were divided; None where it is not known.

    ``runs`` and ``folds`` are None for a flat list of resamplings, the mean sizes where they were not told.
    """

    runs: int | None
    folds: int | None
    n_train: float | None
    n_test: float | None
    complementary: bool = True


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ScoreTable:
    """The scores of every learner on one dataset; more is always better (a loss carries its sign turned).

    ``scores`` are runs x folds, or a flat list. ``right[learner]`` tells for each run and instance whether the learner
    was right; None where single predictions are not known.
    """

    dataset: str | None
    scores: Mapping[str, Floats]
    design: Design
    right: Mapping[str, Bools] | None = None

    def differences(self, a: str, b: str) -> Differences:
        """Return a - b with the design."""
        for name in (a, b):
            if name not in self.scores:
                raise unknown_name("learner of these scores", name, self.scores)
        design = self.design
        return Differences.of_scores(
            self.scores[a],
            self.scores[b],
            n_train=design.n_train,
            n_test=design.n_test,
            complementary=design.complementary,
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Scores:
    """Scores that exist already, checked for their pairing: what :func:`foldproof.read_scores` returns.

    ``notes`` say what was recovered or assumed, each after a stable word and a colon.
    """

    tables: tuple[ScoreTable, ...]
    scoring: str
    greater_is_better: bool
    notes: tuple[str, ...] = ()
    like: Any = None

    def __post_init__(self) -> None:
        if not self.tables:
            raise InputError("there are no scores: give at least one dataset's")

    def __repr__(self) -> str:
        return f"Scores({len(self.learners)} learners, {len(self.tables)} datasets, {self.scoring})"

    @property
    def learners(self) -> tuple[str, ...]:
        """Their names, in the order they were first met."""
        return tuple(self.tables[0].scores)

    @property
    def datasets(self) -> tuple[str, ...]:
        """The datasets' names, in order; empty where the scores name none."""
        return tuple(table.dataset for table in self.tables if table.dataset is not None)

    def table(self, dataset: str | None = None) -> ScoreTable:
        """Return the scores on one dataset; it has to be named where there are several."""
        if dataset is None:
            if len(self.tables) > 1:
                raise InputError(f"there are {len(self.tables)} datasets: name one of {', '.join(self.datasets)}")
            return self.tables[0]
        for found in self.tables:
            if found.dataset == dataset:
                return found
        raise unknown_name("dataset of these scores", dataset, self.datasets)

    def differences(self, a: str, b: str, *, dataset: str | None = None) -> Differences:
        """Return the paired differences a - b on one dataset, with their design."""
        return self.table(dataset).differences(a, b)

    def means(self) -> Floats:
        """Return the mean scores, datasets x learners."""
        return np.array([[table.scores[name].mean() for name in self.learners] for table in self.tables])
