"""What tests over many datasets return: mean ranks, who differs from whom, posterior probabilities."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from foldproof.domain.errors import InputError
from foldproof.domain.notebook import Shown
from foldproof.domain.result import Decision, SidelessResult, checked_level
from foldproof.domain.studentized_range import range_critical_value


@dataclass(frozen=True, slots=True, kw_only=True)
class FriedmanResult(SidelessResult):
    """A test of all learners' ranks at once, with the mean ranks (1 is best) and how many datasets they rest on."""

    mean_ranks: tuple[float, ...]
    datasets: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RankPair(Shown):
    """Two learners, by their places in the table, and how far their mean ranks lie apart.

    ``difference`` is the mean rank of b minus that of a: positive where a is better. ``pvalue_adjusted`` accounts for
    all pairs of its result.
    """

    test: str
    a: int
    b: int
    difference: float
    statistic: float
    pvalue: float
    pvalue_adjusted: float
    warnings: tuple[str, ...] = ()

    def decide(self, *, alpha: float) -> Decision:
        """Return A, B or none at level ``alpha`` for all pairs together."""
        if self.pvalue_adjusted > checked_level(alpha) or self.difference == 0.0:
            return Decision.NONE
        return Decision.A if self.difference > 0.0 else Decision.B


@dataclass(frozen=True, slots=True, kw_only=True)
class RankPairsResult(Shown):
    """Pairs of learners compared by their mean ranks (1 is best)."""

    test: str
    mean_ranks: tuple[float, ...]
    datasets: int
    pairs: tuple[RankPair, ...]
    warnings: tuple[str, ...] = ()

    def pair(self, a: int, b: int) -> RankPair:
        """Return the pair of two learners, by their places in the table."""
        for pair in self.pairs:
            if (pair.a, pair.b) == (a, b):
                return pair
        raise InputError(f"{self.test} has no pair ({a}, {b}): it has {[(p.a, p.b) for p in self.pairs]}")


@dataclass(frozen=True, slots=True, kw_only=True)
class NemenyiResult(RankPairsResult):
    """All pairs, with the distance of mean ranks from which a pair differs."""

    def critical_difference(self, alpha: float = 0.05) -> float:
        """Return the smallest difference of mean ranks that is significant at level ``alpha``."""
        return critical_distance(len(self.mean_ranks), self.datasets, alpha)

    def groups(self, alpha: float = 0.05) -> tuple[tuple[int, ...], ...]:
        """Return the largest sets of learners, best first, within which no two differ: the bars of a diagram."""
        reach = self.critical_difference(alpha)
        order = sorted(range(len(self.mean_ranks)), key=lambda i: (self.mean_ranks[i], i))
        found: list[tuple[int, ...]] = []
        for start, first in enumerate(order):
            within = [i for i in order[start:] if self.mean_ranks[i] - self.mean_ranks[first] < reach]
            if len(within) > 1 and not (found and set(within) <= set(found[-1])):
                found.append(tuple(within))
        return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetPosterior(Shown):
    """Posterior probabilities that, over datasets, A is practically better, neither is, B is practically better."""

    test: str
    p_a: float
    p_rope: float
    p_b: float
    rope: float
    datasets: int
    warnings: tuple[str, ...] = ()

    def decide(self, *, alpha: float) -> Decision:
        """Return A or B where its posterior probability is at least ``1 - alpha``."""
        enough = 1.0 - checked_level(alpha)
        if self.p_a >= enough:
            return Decision.A
        return Decision.B if self.p_b >= enough else Decision.NONE


def critical_distance(learners: int, datasets: int, alpha: float) -> float:
    """Return Nemenyi's critical difference of mean ranks."""
    for name, value, least in (("learners", learners, 2), ("datasets", datasets, 2)):
        if value < least:
            raise InputError(f"{name} is {value}: a critical difference needs at least {least}")
    width = range_critical_value(checked_level(alpha), learners) / math.sqrt(2.0)
    return width * math.sqrt(learners * (learners + 1) / (6.0 * datasets))


Ties = Literal["as-printed", "corrected"]
