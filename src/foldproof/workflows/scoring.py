"""Scorings: any of scikit-learn's, several at once, each told whether more or less of it is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from foldproof.domain.dataset import Task
from foldproof.domain.errors import InputError, unknown_name

DEFAULTS: dict[Task, str] = {"classification": "accuracy", "regression": "neg_root_mean_squared_error"}


@dataclass(frozen=True, slots=True)
class Scoring:
    """A scorer by name. Scores inside are oriented (more is better); ``shown`` turns a loss back to its own sign."""

    name: str
    scorer: Any
    greater_is_better: bool

    def shown(self, oriented: float) -> float:
        """Return a score as its metric defines it."""
        return oriented if self.greater_is_better else -oriented


def gather_scorings(scoring: Any, task: Task) -> tuple[Scoring, ...]:
    """Return the scorings of one name or callable, or of a list of them; None is the task's default."""
    if scoring is None:
        scoring = DEFAULTS[task]
    wanted = list(scoring) if isinstance(scoring, Sequence) and not isinstance(scoring, str) else [scoring]
    if not wanted:
        raise InputError("scoring is an empty list: name at least one")
    found = tuple(_scoring(item) for item in wanted)
    names = [s.name for s in found]
    if len(set(names)) != len(names):
        raise InputError(f"a scoring is named twice in {names}: name each once")
    return found


def _scoring(item: Any) -> Scoring:
    from sklearn.metrics import get_scorer, get_scorer_names

    if isinstance(item, str):
        if item not in get_scorer_names():
            raise unknown_name("scoring", item, get_scorer_names())
        scorer, name = get_scorer(item), item
    elif callable(item):
        named = item if hasattr(item, "__name__") else getattr(item, "_score_func", type(item))
        scorer, name = item, str(getattr(named, "__name__", type(item).__name__))
    else:
        raise InputError(f"scoring is {item!r}: give a scikit-learn name or a callable (estimator, X, y) -> score")
    return Scoring(name, scorer, getattr(scorer, "_sign", 1) > 0)
