"""What learners that tune themselves chose in each fold, and how stable that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from foldproof.domain.outcomes import Outcomes
from foldproof.learners.learner import Learner
from foldproof.learners.tuning import settings_tried

Chosen = tuple[tuple[str | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Tuning:
    """The settings that one learner chose for itself, fold by fold.

    Attributes
    ----------
    learner
        Its name.
    settings
        How many settings it tries in a fit.
    chosen
        ``chosen[run][fold]``: the setting as text; None where the fold failed.
    counts
        Each setting that was chosen and in how many folds, the most frequent first.
    stability
        The share of the pairs of folds that chose the same setting: 1 where all did. None below two folds.

    Examples
    --------
    >>> found = Tuning("tree", 3, (("depth=2", "depth=2", "depth=1"),))
    >>> found.counts, round(found.stability, 3)
    ((('depth=2', 2), ('depth=1', 1)), 0.333)
    """

    learner: str
    settings: int
    chosen: Chosen

    @property
    def counts(self) -> tuple[tuple[str, int], ...]:
        """Each setting and its number of folds."""
        found = Counter(text for row in self.chosen for text in row if text is not None)
        return tuple(sorted(found.items(), key=lambda item: (-item[1], item[0])))

    @property
    def stability(self) -> float | None:
        """The share of the pairs of folds that agree."""
        numbers = [count for _, count in self.counts]
        folds = sum(numbers)
        return sum(k * (k - 1) for k in numbers) / (folds * (folds - 1)) if folds > 1 else None

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, with the keys of the JSON output."""
        return {
            "learner": self.learner,
            "settings": self.settings,
            "counts": [{"setting": text, "folds": count} for text, count in self.counts],
            "stability": self.stability,
            "chosen": [list(row) for row in self.chosen],
        }


def tunings(learners: Sequence[Learner], outcomes: Sequence[Mapping[str, Outcomes]]) -> tuple[Tuning, ...]:
    """Return the tuning of every learner that tuned itself, over the outcomes of one or more conducts."""
    found = []
    for learner in learners:
        rows = tuple(row for each in outcomes for row in each[learner.name].chosen or ())
        if rows:
            found.append(Tuning(learner.name, settings_tried(learner.estimator), rows))
    return tuple(found)
