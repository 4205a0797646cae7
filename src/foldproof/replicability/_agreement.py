"""R, the share of pairs of repetitions that agree, and who is consistent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy import special

from foldproof.domain.address import Address
from foldproof.domain.errors import InputError
from foldproof.domain.notebook import Shown
from foldproof.domain.result import VerdictCounts, checked_level

__all__ = ["Summary", "VerdictSummary", "interval_of_one", "r_estimate", "r_exact", "summary", "verdict_summary"]


def _checked(k: int, n: int) -> tuple[int, int]:
    for value, name in ((k, "k"), (n, "n")):
        if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
            raise InputError(f"{name} is {value!r}: give a whole number of repetitions")
    if n < 2:
        raise InputError(f"R needs at least two repetitions; got {n}")
    if not 0 <= k <= n:
        raise InputError(f"{k} rejections in {n} repetitions: k must lie between 0 and n")
    return int(k), int(n)


def r_exact(k: int, n: int) -> Fraction:
    """Return R(k, n) as a fraction.

    >>> [str(r_exact(k, 10)) for k in range(6)]
    ['1', '4/5', '29/45', '8/15', '7/15', '4/9']
    """
    k, n = _checked(k, n)
    return Fraction(k * (k - 1) + (n - k) * (n - k - 1), n * (n - 1))


def r_estimate(k: int, n: int, *, floor: bool = False) -> float:
    """Return R(k, n), the share of the pairs of n repetitions that agree, k of which reject.

    ``[k (k - 1) + (n - k)(n - k - 1)] / [n (n - 1)]``, the same for k acceptances. It estimates ``p^2 + (1 - p)^2``
    without bias. That probability is never below 0.5, but the estimate can be (4/9 at k = 5 of 10): Bouckaert & Frank
    (2004, section 2) say otherwise. Clipping would bias means over datasets upwards; ``floor=True`` is for display
    only. It is the agreement given k of n rejections, and says nothing of validity: a wrong test can be highly
    replicable.

    >>> round(r_estimate(5, 10), 4), r_estimate(5, 10, floor=True)
    (0.4444, 0.5)
    """
    value = float(r_exact(k, n))
    return max(value, 0.5) if floor else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Shown):
    """Replicability over datasets.

    Attributes
    ----------
    consistent, almost_consistent
        Datasets on which all repetitions agree, and on which at most one differs (the consistent ones included).
    r, r_exact, interval
        The mean of R over datasets, as a fraction, and its interval.
    i_k
        How many datasets had k rejections, by k.
    """

    datasets: int
    consistent: int
    almost_consistent: int
    r: float
    r_exact: Fraction
    interval: tuple[float, float]
    i_k: dict[int, int]

    @property
    def consistent_share(self) -> float:
        """The share of datasets that are consistent."""
        return self.consistent / self.datasets

    @property
    def almost_consistent_share(self) -> float:
        """The share of datasets that are almost consistent."""
        return self.almost_consistent / self.datasets


def summary(
    rejections: Sequence[int],
    repetitions: int | Sequence[int],
    *,
    level: float = 0.95,
    seed: int = 0,
    resamples: int = 10_000,
) -> Summary:
    """Return consistency and R over datasets.

    Consistent on a dataset: the outcome does not depend on the seed. High R over many datasets: the test can be run
    once with confidence. The interval is a bootstrap over datasets; for one dataset, see ``interval_of_one``.

    Parameters
    ----------
    rejections
        How many repetitions rejected, for every dataset.
    repetitions
        How many there were: one number, or one for every dataset (each is then averaged with its own).

    >>> found = summary([6, 1, 5, 0, 9, 0], 10)
    >>> found.consistent, found.almost_consistent, str(found.r_exact), found.i_k
    (2, 4, '203/270', {0: 2, 1: 1, 5: 1, 6: 1, 9: 1})
    """
    counts = list(rejections)
    sizes = [repetitions] * len(counts) if isinstance(repetitions, int) else list(repetitions)
    if not counts or len(sizes) != len(counts):
        raise InputError(
            f"give the rejections of at least one dataset and as many repetitions; got {len(counts)} and {len(sizes)}"
        )
    if not isinstance(resamples, int) or resamples < 1:
        raise InputError(f"resamples is {resamples!r}: give a whole number of at least 1")
    each = [r_exact(k, n) for k, n in zip(counts, sizes, strict=True)]
    mean = sum(each, Fraction(0)) / len(each)
    if len(each) == 1:
        interval = interval_of_one(counts[0], sizes[0], level=level)
    else:
        interval = _bootstrap([float(value) for value in each], checked_level(level, "level"), seed, resamples)
    return Summary(
        datasets=len(each),
        consistent=sum(k in (0, n) for k, n in zip(counts, sizes, strict=True)),
        almost_consistent=sum(k in (0, 1, n - 1, n) for k, n in zip(counts, sizes, strict=True)),
        r=float(mean),
        r_exact=mean,
        interval=interval,
        i_k={k: counts.count(k) for k in sorted(set(counts))},
    )


def _bootstrap(values: list[float], level: float, seed: int, resamples: int) -> tuple[float, float]:
    """Return the percentile interval of the mean over datasets; its draws are raw bits of an addressed stream."""
    words = Address(seed, "replicability-summary").stream(len(values)).words(resamples * len(values))
    drawn = (words % np.uint64(len(values))).astype(np.intp).reshape(resamples, -1)
    means = np.asarray(values)[drawn].mean(axis=1)
    low, high = np.quantile(means, [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    return float(low), float(high)


def interval_of_one(k: int, n: int, *, level: float = 0.95) -> tuple[float, float]:
    """Return the interval of the agreement probability on one dataset with k of n rejections.

    Clopper & Pearson's for the rejection rate p, mapped through ``p^2 + (1 - p)^2``, whose least value is 0.5.

    >>> low, high = interval_of_one(0, 10)
    >>> round(low, 4), high
    (0.5733, 1.0)
    """
    k, n = _checked(k, n)
    tail = (1.0 - checked_level(level, "level")) / 2.0
    low = 0.0 if k == 0 else float(special.betaincinv(k, n - k + 1, tail))
    high = 1.0 if k == n else float(special.betainccinv(k + 1, n - k, tail))
    ends = [p * p + (1.0 - p) * (1.0 - p) for p in (low, high)]
    return (0.5 if low <= 0.5 <= high else min(ends), max(ends))


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictSummary(Shown):
    """Replicability of a three-valued verdict on one dataset.

    ``r`` is the share of pairs of repetitions with the same verdict, ``r_outcome`` that of pairs which agree whether to
    reject (the R of Bouckaert & Frank), ``interval`` that of the latter's probability. ``flip``: both A and B occur.
    """

    counts: VerdictCounts
    r: float
    r_outcome: float
    interval: tuple[float, float]
    flip: bool


def verdict_summary(counts: Sequence[int], *, level: float = 0.95) -> VerdictSummary:
    """Return the replicability of a verdict from how often it was A, none and B.

    >>> found = verdict_summary((1, 8, 1))
    >>> round(found.r, 4), round(found.r_outcome, 4), found.flip
    (0.6222, 0.6444, True)
    """
    if len(counts) != 3 or any(not isinstance(c, (int, np.integer)) or c < 0 for c in counts):
        raise InputError(f"give three counts, of A, none and B; got {tuple(counts)!r}")
    a, none, b = (int(c) for c in counts)
    n = a + none + b
    outcome = r_estimate(a + b, n)
    return VerdictSummary(
        counts=VerdictCounts(a, none, b),
        r=sum(c * (c - 1) for c in (a, none, b)) / (n * (n - 1)),
        r_outcome=outcome,
        interval=interval_of_one(a + b, n, level=level),
        flip=a > 0 and b > 0,
    )
