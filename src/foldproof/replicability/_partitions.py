"""Procedures over partitions: are there enough, which group, how many single conclusions would be wrong."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from foldproof.domain.errors import InputError
from foldproof.domain.notebook import Shown
from foldproof.domain.result import Decision, checked_level
from foldproof.domain.student import critical_value, upper_tail

__all__ = [
    "Conclusions",
    "EnoughPartitions",
    "classify_group",
    "enough_partitions",
    "group_of_counts",
    "incorrect_conclusions",
]

Floats = npt.NDArray[np.float64]


def _t_values(t_values: npt.ArrayLike, df: float) -> Floats:
    values = np.asarray(t_values, dtype=np.float64)
    if values.ndim != 1 or values.size == 0 or np.isnan(values).any():
        raise InputError(f"give the t-value of every partition, as a list of numbers; got shape {values.shape}")
    if not df > 0.0:
        raise InputError(f"df is {df!r}: give the degrees of freedom of the single-partition test")
    return values


@dataclass(frozen=True, slots=True, kw_only=True)
class EnoughPartitions(Shown):
    """Whether the verdict of the averaged t is settled by the partitions at hand.

    ``settled_a``, ``settled_none`` and ``settled_b`` are the three statistics, each to exceed ``quantile``;
    ``enough`` says that the one of the verdict does. ``how_many`` is the smallest number of partitions with which it
    would if mean and spread stayed; None where no number would do, or where the spread is not known.
    """

    verdict: Decision
    enough: bool
    how_many: int | None
    partitions: int
    mean_t: float
    standard_error: float
    critical: float
    quantile: float
    settled_a: float
    settled_none: float
    settled_b: float


def enough_partitions(t_values: npt.ArrayLike, *, df: float, alpha: float, alpha2: float = 0.05) -> EnoughPartitions:
    """Test whether more partitions could change the verdict of the averaged t.

    With P the t-values of n partitions, ``c = t[alpha/2, df]`` for the df of ONE partition, ``q = t[alpha2, n-1]``
    and ``se = sd(P) / sqrt(n)``: A is settled where ``(mean - c) / se > q``, B where ``(-mean - c) / se > q``, no
    difference where ``(c - |mean|) / se > q``. Fewer than two partitions are never enough; without spread they are,
    unless the mean lies on the threshold. Bradford & Brodley (2001, section 4) print the first condition only, with
    one number of degrees of freedom in two roles.

    >>> found = enough_partitions([2.07, 2.51, 2.45, 3.79, 1.16, 2.41, 2.97, 2.39, 4.29, 2.14], df=9, alpha=0.05)
    >>> str(found.verdict), found.enough, found.how_many
    ('A', False, 19)
    """
    values = _t_values(t_values, df)
    tail, tail2 = checked_level(alpha) / 2.0, checked_level(alpha2, "alpha2")
    n = values.size
    critical = float(critical_value(tail, df))
    infinite = np.isinf(values)
    mean, error = _mean_and_error(values)
    # As in every test, on the threshold is a rejection.
    verdict = Decision.NONE if math.isnan(mean) or abs(mean) < critical else (Decision.A if mean > 0 else Decision.B)
    quantile = float(critical_value(tail2, n - 1.0)) if n > 1 else math.nan
    gaps = {Decision.A: mean - critical, Decision.NONE: critical - abs(mean), Decision.B: -mean - critical}
    settled = {which: _quotient(gap, error) for which, gap in gaps.items()}
    how_many = None
    if not infinite.any() and n > 1:
        how_many = _how_many(gaps[verdict], error * math.sqrt(n), tail2)
    return EnoughPartitions(
        verdict=verdict,
        enough=bool(settled[verdict] > quantile),
        how_many=how_many,
        partitions=n,
        mean_t=mean,
        standard_error=error,
        critical=critical,
        quantile=quantile,
        settled_a=settled[Decision.A],
        settled_none=settled[Decision.NONE],
        settled_b=settled[Decision.B],
    )


def _mean_and_error(values: Floats) -> tuple[float, float]:
    """Return the mean and its error; infinite values are all of one sign (no error), mixed (not known) or both."""
    n = values.size
    if np.isinf(values).any():
        with np.errstate(invalid="ignore"):
            mean = float(values.mean())
        return mean, 0.0 if np.isinf(values).all() and n > 1 and not math.isnan(mean) else math.nan
    mean = float(values.mean())
    if n < 2:
        return mean, math.nan
    spread = float(values.std(ddof=1))
    # Equal up to rounding is equal.
    return mean, 0.0 if spread <= 1e-12 * float(np.abs(values).max()) else spread / math.sqrt(n)


def _quotient(gap: float, error: float) -> float:
    if error == 0.0:
        return 0.0 if gap == 0.0 else math.copysign(math.inf, gap)
    return gap / error


def _how_many(gap: float, spread: float, tail: float) -> int | None:
    """Return the smallest n with ``gap / (spread / sqrt(n)) > t[tail, n-1]``, which, once true, stays true."""
    if gap <= 0.0:
        return None

    def holds(n: int) -> bool:
        return spread == 0.0 or gap * math.sqrt(n) / spread > float(critical_value(tail, n - 1.0))

    low, high = 1, 2
    while not holds(high):
        low, high = high, 2 * high
        if high > 2**60:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def classify_group(t_values: npt.ArrayLike, *, df: float, alpha: float, constant: float = 1e-12) -> int:
    """Return what the choice of partition changes on one dataset (Bradford & Brodley 2001, section 3).

    1: which learner is better (both A and B occur); 2: whether there is a difference; 3: only the p-value; 4: nothing,
    the range of ``P(T <= t)`` over the partitions is at most ``constant``.

    >>> [classify_group(t, df=9, alpha=0.05) for t in ([-3.0, 3.0], [0.5, 3.0], [0.5, 0.6], [0.0, 0.0])]
    [1, 2, 3, 4]
    """
    values = _t_values(t_values, df)
    tails = np.asarray(upper_tail(values, df))
    rejected = tails <= checked_level(alpha) / 2.0
    group = group_of_counts(
        (int((rejected & (values > 0)).sum()), int((~rejected).sum()), int((rejected & (values < 0)).sum()))
    )
    if group != 3:
        return group
    heights = np.where(values >= 0.0, 1.0 - tails, tails)
    return 4 if float(heights.max() - heights.min()) <= constant else 3


def group_of_counts(counts: Sequence[int]) -> int:
    """Return the group from how many partitions said A, none and B; 3 stands for 3 or 4, alike in counts.

    >>> group_of_counts((1, 53, 1)), group_of_counts((0, 51, 4)), group_of_counts((0, 55, 0))
    (1, 2, 3)
    """
    if len(counts) != 3 or min(counts) < 0 or sum(counts) == 0:
        raise InputError(f"give three counts, of A, none and B; got {tuple(counts)!r}")
    a, none, b = counts
    if a and b:
        return 1
    return 2 if none and (a or b) else 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusions(Shown):
    """How conclusions from one partition compare with those from the averaged t."""

    correct_accept: int
    correct_reject: int
    type_1: int
    type_2: int

    @property
    def total(self) -> int:
        """How many single-partition tests there were."""
        return self.correct_accept + self.correct_reject + self.type_1 + self.type_2

    @property
    def error_rate(self) -> float:
        """The share of incorrect conclusions."""
        return (self.type_1 + self.type_2) / self.total


def incorrect_conclusions(counts: Sequence[Sequence[int]], references: Sequence[str]) -> Conclusions:
    """Count the incorrect conclusions of single partitions (Bradford & Brodley 2001, Table 4).

    The reference is the averaged t. Type I: the single test rejects where the reference accepts, or in the other
    direction; Type II: it accepts where the reference rejects.

    Parameters
    ----------
    counts
        For every comparison, how many partitions said A, none and B.
    references
        For every comparison ``"A"``, ``"none"`` or ``"B"``.

    >>> incorrect_conclusions([(0, 51, 4), (1, 26, 28)], ["none", "B"])
    Conclusions(correct_accept=51, correct_reject=28, type_1=5, type_2=26)
    """
    if len(counts) != len(references) or not counts:
        raise InputError(f"{len(counts)} comparisons with {len(references)} references: give one each, at least one")
    accept = reject = type_1 = type_2 = 0
    for told, reference in zip(counts, references, strict=True):
        if len(told) != 3 or reference not in ("A", "none", "B"):
            raise InputError(
                f"{tuple(told)!r} with reference {reference!r}: give counts of A, none, B and one of these"
            )
        a, none, b = told
        if reference == "none":
            accept += none
            type_1 += a + b
        else:
            reject += a if reference == "A" else b
            type_1 += b if reference == "A" else a
            type_2 += none
    return Conclusions(correct_accept=accept, correct_reject=reject, type_1=type_1, type_2=type_2)
