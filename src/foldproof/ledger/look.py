"""What a look at a dataset is, and when two looks are the same one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from foldproof.domain.canonical import Canonical
from foldproof.domain.errors import InputError
from foldproof.domain.result import checked_level
from foldproof.domain.verdict import NONE


@dataclass(frozen=True, slots=True)
class LookLearner:
    """A learner as a look knows it: its name, the text that identifies it, and how many settings it tries to tune."""

    name: str
    text: str
    settings: int = 1


@dataclass(frozen=True, slots=True)
class LookPair:
    """What was seen of one pair.

    ``pvalue`` is not adjusted, and None where folds failed. ``favours`` is whom the evidence leans to; ``verdict`` is
    what the call itself said, at its own alpha and with its own adjustment.
    """

    a: str
    b: str
    pvalue: float | None
    favours: str | None
    verdict: str

    def __post_init__(self) -> None:
        if self.pvalue is not None and not 0.0 <= self.pvalue <= 1.0:
            raise InputError(f"the p-value of {self.a} and {self.b} is {self.pvalue!r}: it lies between 0 and 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One look at a dataset: a call of ``compare`` under one scoring, a whole ``replicate``, or a ``gate``.

    It is the same look again where dataset, learners (by their text, in any order and under any names), procedure,
    scoring, seed and splits are the same: resuming it, or calling it once more, costs nothing. Another seed is another
    look. ``splits`` is the fingerprint of partitions that the caller brought, else None. ``planned`` is how many looks
    there will be, if that was decided. ``otherwise`` is the word where nothing is shown.
    """

    kind: str
    dataset: str
    dataset_name: str
    learners: tuple[LookLearner, ...]
    procedure: Mapping[str, Any]
    scoring: str
    seed: int
    alpha: float
    pairs: tuple[LookPair, ...]
    splits: str | None = None
    planned: int | None = None
    otherwise: str = NONE
    #: The digest of what is compared and how, whatever the seed; and the digest that makes two looks the same.
    comparison: str = field(init=False)
    key: str = field(init=False)

    def __post_init__(self) -> None:
        checked_level(self.alpha)
        checked_plan(self.planned)
        if not self.pairs:
            raise InputError("a look has at least one pair of learners")
        texts = sorted(learner.text for learner in self.learners)
        what = Canonical("comparison").text(self.dataset).labels(texts)
        comparison = what.text(canonical_json(self.procedure)).text(self.scoring).hexdigest()
        key = Canonical("look").text(comparison).integer(self.seed).text(self.splits or "").hexdigest()
        object.__setattr__(self, "comparison", comparison)
        object.__setattr__(self, "key", key)

    @property
    def pvalues(self) -> tuple[float | None, ...]:
        """The p-values of the pairs, in order."""
        return tuple(pair.pvalue for pair in self.pairs)

    def by_text(self) -> dict[tuple[str, str], str]:
        """Return the verdicts by the texts of the pairs' learners, names replaced, so that looks can be compared."""
        texts = {learner.name: learner.text for learner in self.learners}
        found = {}
        for pair in self.pairs:
            one, other = sorted((texts[pair.a], texts[pair.b]))
            found[one, other] = texts.get(pair.verdict, pair.verdict)
        return found


def checked_plan(planned: int | None) -> int | None:
    """Return a number of planned looks, after refusing what is none."""
    if planned is not None and (isinstance(planned, bool) or not isinstance(planned, int) or planned < 1):
        raise InputError(f"looks is {planned!r}: give the number of looks that are planned at this dataset, at least 1")
    return planned


def canonical_json(value: Any) -> str:
    r"""Return the one text of a plain value: sorted keys, no blanks, ASCII only.

    >>> canonical_json({"b": 1.5, "a": "é"})
    '{"a":"\\u00e9","b":1.5}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
