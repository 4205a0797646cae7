"""What level a look may use: spending where the number of looks is open, Holm where it was planned."""

from __future__ import annotations

from collections.abc import Sequence

from foldproof.domain.result import checked_level
from foldproof.significance._adjust_p import adjust_p
from foldproof.significance._alpha_spending import alpha_spending

PValues = Sequence[float | None]


def holm(pvalues: PValues) -> list[float]:
    """Return Holm's adjusted p-values of one look; a pair that has none counts, and is never rejected.

    >>> holm([0.01, None])
    [0.02, 1.0]
    """
    return [float(p) for p in adjust_p([1.0 if p is None else p for p in pvalues], method="holm")]


def shown_at(pvalues: PValues, level: float) -> list[bool]:
    """Return which pairs of a look are rejected at its level; at a level of 0 none is."""
    return [p is not None and 0.0 < level >= adjusted for p, adjusted in zip(pvalues, holm(pvalues), strict=True)]


def spending_level(look: int, alpha: float) -> float:
    """Return the level of the j-th look where their number is open: alpha / (j (j + 1)).

    >>> spending_level(1, 0.05)
    0.025
    """
    return float(alpha_spending(look, alpha=alpha))


def level_left(looks: int, alpha: float) -> float:
    """Return what is left after so many looks, for all that are still to come: alpha / (j + 1).

    >>> level_left(1, 0.05)
    0.025
    """
    return checked_level(alpha) / (looks + 1)


def planned_levels(looks: Sequence[PValues], planned: int, alphas: Sequence[float]) -> list[float]:
    """Return the level of each look so far, of a number that was planned: Holm over looks.

    Each of K looks has alpha / K. A look all of whose pairs are rejected hands its level on, in equal parts, to those
    that are not: alpha / (K - 1), and so on. A look still to come is not rejected. One beyond the plan has level 0.

    With one pair in each look this is Holm's procedure at its end. Where only some pairs of a look are rejected the
    level stays inside it, because a true null hypothesis may be among the others.

    >>> planned_levels([[0.001], [0.02]], 2, [0.05, 0.05])
    [0.05, 0.05]
    >>> planned_levels([[0.001], [0.02]], 3, [0.06, 0.06])
    [0.03, 0.03]
    """
    within = min(len(looks), planned)
    done: set[int] = set()
    while True:
        level = [alphas[i] / (planned - len(done - {i})) for i in range(within)]
        found = {i for i in range(within) if all(shown_at(looks[i], level[i]))}
        if found <= done:
            return [*level, *([0.0] * (len(looks) - within))]
        done |= found
