"""Experiments of a community: many teams ask one question of one dataset, and those who find something write."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from foldproof.domain.errors import InputError
from foldproof.domain.result import checked_level
from foldproof.significance._multiplicity import bonferroni_level

Floats = npt.NDArray[np.float64]

ONCE = "one study at the level"
BONFERRONI = "one study at the level of Bonferroni"
SAME_DATA = "found again on the same data with another split"
NEW_DATA = "found again on new data"


@dataclass(frozen=True, slots=True)
class Claimed:
    """What a community claims under one rule: how many teams on average, and how often at least one."""

    rule: str
    teams: float
    at_least_one: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Community:
    """What :func:`simulate_community` found, a row per rule."""

    teams: int
    alpha: float
    effect: float
    shared: float
    split_share: float
    communities: int
    rows: tuple[Claimed, ...]

    def row(self, rule: str) -> Claimed:
        """Return the row of a rule."""
        return next(row for row in self.rows if row.rule == rule)


def split_share(runs: int, folds: int) -> float:
    """Return how much of a corrected test's variance another split of the same data draws anew.

    The corrected variance is proportional to 1/(kr) + 1/(k - 1): the first term is what dividing anew changes, the
    second what the instances themselves decide. For ten runs of ten folds all but a twelfth stays.

    >>> round(split_share(10, 10), 4)
    0.0826
    """
    if runs < 1 or folds < 2:
        raise InputError(f"runs is {runs!r} and folds {folds!r}: give at least one run and two folds")
    own = 1.0 / (runs * folds)
    return own / (own + 1.0 / (folds - 1))


def simulate_community(
    teams: int = 100,
    *,
    alpha: float = 0.05,
    effect: float = 0.0,
    shared: float = 0.0,
    runs: int = 10,
    folds: int = 10,
    communities: int = 10_000,
    seed: int = 0,
) -> Community:
    """Simulate communities of teams that each compare A and B, and count who has something to publish.

    Every team's statistic is normal with mean ``effect`` and variance 1: a part that its data decide, and a part
    (``split_share``) that their division into folds does. A team that finds a difference at ``alpha`` may have to find
    the same one again: on the same data divided anew, where only the second part is drawn again, or on new data, where
    both are.

    Parameters
    ----------
    teams
        How many teams; Salzberg (1997, section 3.2) speaks of 100.
    alpha
        The two-sided level.
    effect
        The true difference, in standard deviations of the statistic; 0 where A and B are equally good.
    shared
        The correlation between teams, who all have the same dataset. At 0 their studies are independent, as Salzberg
        assumes for his count.
    runs, folds
        The procedure whose split is drawn anew.
    communities, seed
        How many to simulate, and the root of all randomness.

    Examples
    --------
    >>> found = simulate_community(100, communities=2000)
    >>> [round(row.teams) for row in found.rows]
    [5, 0, 3, 0]
    """
    if teams < 1 or communities < 1:
        raise InputError(f"teams is {teams!r} and communities {communities!r}: give at least one of each")
    if not 0.0 <= shared <= 1.0:
        raise InputError(f"shared is {shared!r}: a correlation between teams lies between 0 and 1")
    share, rng = split_share(runs, folds), np.random.default_rng(seed)
    level, strict = checked_level(alpha), bonferroni_level(teams, alpha)
    counts = {rule: np.zeros(communities) for rule in (ONCE, BONFERRONI, SAME_DATA, NEW_DATA)}
    # Some thousand teams at a time, so that memory does not grow with the number of communities.
    size = max(1, 400_000 // teams)
    for first in range(0, communities, size):
        here = slice(first, min(first + size, communities))
        shape = (here.stop - here.start, teams)
        data = _data(rng, shape, shared)
        said = _says(effect + _study(rng, data, share), level)
        again = _says(effect + _study(rng, data, share), level)
        anew = _says(effect + _study(rng, _data(rng, shape, shared), share), level)
        counts[ONCE][here] = (said != 0).sum(axis=1)
        counts[SAME_DATA][here] = ((said != 0) & (again == said)).sum(axis=1)
        counts[NEW_DATA][here] = ((said != 0) & (anew == said)).sum(axis=1)
        counts[BONFERRONI][here] = (_says(effect + _study(rng, data, share), strict) != 0).sum(axis=1)
    rows = tuple(Claimed(rule, float(n.mean()), float((n > 0).mean())) for rule, n in counts.items())
    return Community(
        teams=teams,
        alpha=alpha,
        effect=effect,
        shared=shared,
        split_share=share,
        communities=communities,
        rows=rows,
    )


def _data(rng: np.random.Generator, shape: tuple[int, int], shared: float) -> Floats:
    """Return what the data decide of each team's statistic, before any division into folds."""
    common, own = rng.standard_normal((shape[0], 1)), rng.standard_normal(shape)
    return math.sqrt(shared) * common + math.sqrt(1.0 - shared) * own


def _study(rng: np.random.Generator, data: Floats, share: float) -> Floats:
    """Return each team's statistic on its data, divided anew."""
    return math.sqrt(1.0 - share) * data + math.sqrt(share) * rng.standard_normal(data.shape)


def _says(z: Floats, level: float) -> npt.NDArray[np.int8]:
    """Return 1 where A is found better, -1 where B is, 0 where nothing is found."""
    edge = float(-ndtri(level / 2.0))
    return np.asarray((z >= edge).astype(np.int8) - (z <= -edge).astype(np.int8), dtype=np.int8)
