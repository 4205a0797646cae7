"""Where a look stands among all looks at its dataset: what it may use, and what it says at that level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from foldproof.domain.verdict import NONE
from foldproof.ledger.chain import Head
from foldproof.ledger.levels import level_left, planned_levels, shown_at, spending_level
from foldproof.ledger.line import Entry
from foldproof.ledger.look import Look


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What a report tells of a look. All of it is advice: the verdict itself is not touched.

    Attributes
    ----------
    look
        Its number among the looks at this dataset.
    again
        Whether it had been entered before; then it keeps its number and costs nothing.
    planned
        The number of looks that was said at the first look; None where it is open.
    level, next_level, level_left
        What this look may use; what the next new one may, if this is the latest; what is left for all to come.
    at_level
        What is said of each pair at that level (Holm inside the look).
    head
        Where the ledger ends.
    notes
        Sentences after a stable word: a verdict that changed with the seed, a plan that does not hold.
    """

    look: int
    again: bool
    planned: int | None
    level: float
    next_level: float
    level_left: float
    pairs: tuple[tuple[str, str], ...]
    at_level: tuple[str, ...]
    otherwise: str
    head: Head
    notes: tuple[str, ...] = ()

    @property
    def verdict_at_level(self) -> str:
        """What is said at the level: of a pair its verdict, of several the learner that is better than all others."""
        if len(self.pairs) == 1:
            return self.at_level[0]
        names = list(dict.fromkeys(name for pair in self.pairs for name in pair))
        for name in names:
            if all(said == name for pair, said in zip(self.pairs, self.at_level, strict=True) if name in pair):
                return name
        return NONE

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, with the keys of the JSON output.

        Whether the look was taken again is not among them: the same call gives the same output.
        """
        return {
            "look": self.look,
            "level": self.level,
            "verdict_at_level": self.verdict_at_level,
            "pairs": [
                {"a": a, "b": b, "verdict_at_level": said}
                for (a, b), said in zip(self.pairs, self.at_level, strict=True)
            ],
            "planned": self.planned,
            "level_left": self.level_left,
            "next_level": self.next_level,
            "head": {"count": self.head.count, "hash": self.head.hash},
        }


def looks_at(entries: Sequence[Entry], dataset: str) -> list[Entry]:
    """Return the looks at one dataset in order, each with what it said last."""
    found: dict[str, Entry] = {}
    for entry in entries:
        if entry.look.dataset == dataset:
            found[entry.look.key] = entry
    return list(found.values())


def stand(earlier: Sequence[Entry], look: Look, head: Head) -> Standing:
    """Say where a look stands; ``earlier`` are the looks at its dataset, itself among them or not."""
    keys = [entry.look.key for entry in earlier]
    again = look.key in keys
    place = keys.index(look.key) if again else len(keys)
    looks = [entry.look for entry in earlier]
    looks[place : place + 1] = [look]
    planned = looks[0].planned
    levels = levels_of(looks)
    level, latest = levels[place], len(looks)
    shown = shown_at(look.pvalues, level)
    return Standing(
        look=place + 1,
        again=again,
        planned=planned,
        level=level,
        next_level=_next_level(looks, look.alpha),
        level_left=level_left(latest, look.alpha) if planned is None else _left_of_plan(looks, look.alpha),
        pairs=tuple((pair.a, pair.b) for pair in look.pairs),
        at_level=tuple(
            pair.favours if pair.favours and yes else look.otherwise
            for pair, yes in zip(look.pairs, shown, strict=True)
        ),
        otherwise=look.otherwise,
        head=head,
        notes=(*_plan_notes(looks, place), *_seed_notes(looks, place)),
    )


def levels_of(looks: Sequence[Look]) -> list[float]:
    """Return the level of each look at one dataset; the plan is the one made at the first."""
    planned = looks[0].planned
    if planned is None:
        return [spending_level(j, look.alpha) for j, look in enumerate(looks, start=1)]
    return planned_levels([look.pvalues for look in looks], planned, [look.alpha for look in looks])


def _next_level(looks: Sequence[Look], alpha: float) -> float:
    planned = looks[0].planned
    if planned is None:
        return spending_level(len(looks) + 1, alpha)
    return planned_levels([*(x.pvalues for x in looks), [None]], planned, [*(x.alpha for x in looks), alpha])[-1]


def _left_of_plan(looks: Sequence[Look], alpha: float) -> float:
    """Return the sum of the levels of the looks still to come."""
    return max((looks[0].planned or 0) - len(looks), 0) * _next_level(looks, alpha)


def _plan_notes(looks: Sequence[Look], place: int) -> list[str]:
    planned, given = looks[0].planned, looks[place].planned
    found = []
    if given is not None and given != planned:
        was = "and none was made there" if planned is None else f"where it was {planned}"
        found.append(f"ledger_plan: looks={given} is not used: the plan for a dataset is made at its first look, {was}")
    if planned is not None and place >= planned:
        found.append(
            f"ledger_plan: {planned} looks were planned at this dataset and this is number {place + 1}: no level is "
            "left for it"
        )
    return found


def _seed_notes(looks: Sequence[Look], place: int) -> list[str]:
    """Return a sentence for each pair of which another seed said something else."""
    look, found = looks[place], []
    now = look.by_text()
    names = {learner.text: learner.name for learner in look.learners}
    for number, other in enumerate(looks, start=1):
        if number == place + 1 or other.comparison != look.comparison:
            continue
        for pair, was in other.by_text().items():
            said = now.get(pair)
            if said is None or said == was:
                continue
            a, b = (names[text] for text in pair)
            found.append(
                f"verdict_changed_with_seed: of {a} and {b}, look {number} (seed {other.seed}) said "
                f"{names.get(was, was)} and this one (seed {look.seed}) {names.get(said, said)}: the seed decides, and "
                "the two are not independent evidence"
            )
    return found
