"""A look as one line of the log: canonical JSON that carries the hash of the line before."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from foldproof.domain.errors import FoldproofError
from foldproof.ledger.look import Look, LookLearner, LookPair, canonical_json

SCHEMA = "foldproof/ledger-line/1"
# What the first line carries in the place of a hash.
BEGINNING = "0" * 64


class LineError(FoldproofError):
    """A line that is none of the ledger's, with what is wrong with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line: where it stands, when it was written, the look, and what was told of it then.

    ``look_number`` counts the looks at this dataset. ``again`` marks a look that had been entered before and came out
    with other p-values this time: it keeps its number. ``level`` and ``at_level`` are what was told at that time.
    """

    number: int
    previous: str
    time: str
    look: Look
    look_number: int
    again: bool
    level: float
    at_level: tuple[str, ...]

    def plain(self) -> dict[str, Any]:
        """Return the line as plain values."""
        look = self.look
        return {
            "schema": SCHEMA,
            "number": self.number,
            "previous": self.previous,
            "time": self.time,
            "look": self.look_number,
            "again": self.again,
            "key": look.key,
            "kind": look.kind,
            "dataset": {"fingerprint": look.dataset, "name": look.dataset_name},
            "learners": [asdict(learner) for learner in look.learners],
            "procedure": dict(look.procedure),
            "scoring": look.scoring,
            "seed": look.seed,
            "splits": look.splits,
            "alpha": look.alpha,
            "planned": look.planned,
            "otherwise": look.otherwise,
            "level": self.level,
            "pairs": [
                {**asdict(pair), "verdict_at_level": said} for pair, said in zip(look.pairs, self.at_level, strict=True)
            ],
        }

    def text(self) -> str:
        """Return the line."""
        return canonical_json(self.plain())


def digest(line: str) -> str:
    """Return the hash of a line: SHA-256 of its bytes."""
    return hashlib.sha256(line.encode("utf-8", "surrogatepass")).hexdigest()


# A ledger is read anew for each look, and its lines do not change.
@lru_cache(maxsize=4096)
def parse(line: str) -> Entry:
    """Return the entry of a line, or say in a :class:`LineError` what is wrong with it."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        raise LineError("it is not JSON") from None
    if not isinstance(told, dict) or told.get("schema") != SCHEMA:
        raise LineError(f"it is not of the schema {SCHEMA}")
    try:
        entry = _entry(told)
        same = entry.text() == line
    except (AttributeError, KeyError, TypeError, ValueError, FoldproofError):
        raise LineError("its fields are not those of a look") from None
    if not same:
        raise LineError("its text is not what the ledger writes for its fields")
    return entry


def _entry(told: Mapping[str, Any]) -> Entry:
    pairs = [dict(pair) for pair in told["pairs"]]
    said = tuple(pair.pop("verdict_at_level") for pair in pairs)
    look = Look(
        kind=told["kind"],
        dataset=told["dataset"]["fingerprint"],
        dataset_name=told["dataset"]["name"],
        learners=tuple(LookLearner(**learner) for learner in told["learners"]),
        procedure=told["procedure"],
        scoring=told["scoring"],
        seed=told["seed"],
        alpha=told["alpha"],
        pairs=tuple(LookPair(**pair) for pair in pairs),
        splits=told["splits"],
        planned=told["planned"],
        otherwise=told["otherwise"],
    )
    return Entry(
        number=told["number"],
        previous=told["previous"],
        time=told["time"],
        look=look,
        look_number=told["look"],
        again=told["again"],
        level=told["level"],
        at_level=said,
    )
