"""What a test returns: small frozen values, one class per kind, and the verbs that work on all of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple, Protocol

from foldproof.domain.errors import InputError
from foldproof.domain.notebook import Shown
from foldproof.domain.student import critical_value, upper_tail


class Decision(StrEnum):
    """The outcome of a test that knows no names."""

    A = "A"
    B = "B"
    NONE = "none"


def checked_level(value: float, name: str = "alpha") -> float:
    """Return a level in (0, 1), or say what is wrong with it."""
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0.0 < value < 1.0:
        raise InputError(f"{name} is {value!r}: it must lie between 0 and 1, both excluded")
    return float(value)


class Result(Protocol):
    """What every result has."""

    @property
    def statistic(self) -> float: ...  # noqa: D102
    @property
    def pvalue(self) -> float: ...  # noqa: D102
    @property
    def warnings(self) -> tuple[str, ...]: ...  # noqa: D102


@dataclass(frozen=True, slots=True, kw_only=True)
class TResult(Shown):
    r"""A t-type test: an estimate, its standard error, and Student's t.

    ``pvalue`` is two-sided; ``pvalue_greater`` has the alternative that A is better, ``pvalue_less`` that B is.
    ``pvalue_signed`` is the tail beyond \|t\| with the sign of t (Bradford & Brodley 2001, Table 2): 0.5 means no
    difference, and a positive value speaks for A. ``estimate`` is what the statistic divides by its standard error
    and the interval surrounds: the mean difference, but for the 5x2cv t-test (the first difference) and the averaged t.
    """

    test: str
    mean_difference: float
    estimate: float
    standard_error: float
    statistic: float
    df: float
    pvalue: float
    pvalue_greater: float
    pvalue_less: float
    pvalue_signed: float
    zero_variance: bool = False
    warnings: tuple[str, ...] = ()

    def confidence_interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval at ``level``: the differences that the test would not reject."""
        tail = (1.0 - checked_level(level, "level")) / 2.0
        if self.standard_error == 0.0:
            return (self.estimate, self.estimate)
        half = float(critical_value(tail, self.df)) * self.standard_error
        return (self.estimate - half, self.estimate + half)

    def decide(self, *, alpha: float, zero_variance: Literal["reject", "accept"] = "reject") -> Decision:
        """Return A, B or none at the two-sided level ``alpha``.

        Where all differences are equal and not zero the statistic is infinite; ``zero_variance="accept"``
        answers none instead.
        """
        if zero_variance not in ("reject", "accept"):
            raise InputError(f"zero_variance is {zero_variance!r}: use 'reject' or 'accept'")
        if self.pvalue > checked_level(alpha) or (self.zero_variance and zero_variance == "accept"):
            return Decision.NONE
        return Decision.A if self.statistic > 0 else Decision.B

    def smallest_detectable(self, *, alpha: float, power: float = 0.8) -> float:
        """Return the true difference that this design would find with the given power.

        ``(t[1 - alpha/2] + t[power]) * standard error``, both on the test's degrees of freedom.
        """
        two_sided = float(critical_value(checked_level(alpha) / 2.0, self.df))
        chance = float(critical_value(1.0 - checked_level(power, "power"), self.df))
        return (two_sided + chance) * self.standard_error


class VerdictCounts(NamedTuple):
    """How many partitions said A, none and B (Bradford & Brodley 2001, Table 3)."""

    a: int
    none: int
    b: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AveragedTResult(TResult):
    """The mean of the t statistics of several partitions, referred to the df of one of them."""

    t_values: tuple[float, ...]

    @property
    def partitions(self) -> int:
        """How many partitions were averaged."""
        return len(self.t_values)

    @property
    def t_min(self) -> float:
        """The smallest t of a partition."""
        return min(self.t_values)

    @property
    def t_max(self) -> float:
        """The largest t of a partition."""
        return max(self.t_values)

    def counts(self, *, alpha: float) -> VerdictCounts:
        """Return how many partitions alone would have said A, none, B."""
        tail = checked_level(alpha) / 2.0
        told = [t for t in self.t_values if float(upper_tail(t, self.df)) <= tail]
        a = sum(t > 0 for t in told)
        return VerdictCounts(a, self.partitions - len(told), len(told) - a)

    def shapiro_wilk(self) -> tuple[float, float] | None:
        """Return W and p of the test that the t-values are normal; None below three or where all are equal.

        The average of t is approximate in this respect: t is skewed away from zero.
        """
        if self.partitions < 3 or self.t_min == self.t_max or not all(map(math.isfinite, self.t_values)):
            return None
        from scipy.stats import shapiro

        w, p = shapiro(self.t_values)
        return float(w), float(p)


@dataclass(frozen=True, slots=True, kw_only=True)
class SidelessResult(Shown):
    """A test without sides (F, Friedman, Cochran's Q): it says that there is a difference, not whose."""

    test: str
    statistic: float
    df: float | tuple[float, float]
    pvalue: float
    warnings: tuple[str, ...] = ()

    def decide(self, *, alpha: float) -> bool:
        """Return whether the hypothesis of no difference is rejected."""
        return self.pvalue <= checked_level(alpha)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountResult(Shown):
    """A test on counts of instances that exactly one of two learners got right (binomial, McNemar)."""

    test: str
    wins: int
    losses: int
    statistic: float
    df: float | None
    pvalue: float
    pvalue_greater: float
    pvalue_less: float
    pvalue_signed: float
    warnings: tuple[str, ...] = ()

    def decide(self, *, alpha: float) -> Decision:
        """Return A, B or none at the two-sided level ``alpha``."""
        if self.pvalue > checked_level(alpha) or self.wins == self.losses:
            return Decision.NONE
        return Decision.A if self.wins > self.losses else Decision.B


@dataclass(frozen=True, slots=True, kw_only=True)
class BayesianResult(Shown):
    """Posterior probabilities that A is practically better, both are equivalent, B is practically better."""

    test: str
    p_a: float
    p_rope: float
    p_b: float
    rope: float
    mean_difference: float
    scale: float
    df: float
    warnings: tuple[str, ...] = ()

    def decide(self, *, alpha: float) -> Decision:
        """Return A or B where its posterior probability is at least ``1 - alpha``."""
        enough = 1.0 - checked_level(alpha)
        if self.p_a >= enough:
            return Decision.A
        return Decision.B if self.p_b >= enough else Decision.NONE


class Claim(StrEnum):
    """What becomes of a claim about a margin: shown, refuted, or not enough evidence for either."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class MarginResult(Shown):
    """A claim about the true difference and a margin (equivalence, non-inferiority, superiority).

    ``pvalue`` is against the opposite of the claim: small means that the claim holds. ``pvalue_against`` is against
    the claim itself: small means that it fails. Both large is "not enough evidence", which is not "no difference".
    """

    test: str
    margin: float
    mean_difference: float
    standard_error: float
    df: float
    statistic: float
    pvalue: float
    pvalue_against: float
    zero_variance: bool = False
    warnings: tuple[str, ...] = ()

    def decide(self, *, alpha: float) -> Claim:
        """Return whether the claim holds, fails, or neither can be said, each at level ``alpha``."""
        if self.pvalue <= checked_level(alpha):
            return Claim.HOLDS
        return Claim.FAILS if self.pvalue_against <= alpha else Claim.UNDECIDED

    def confidence_interval(self, level: float = 0.90) -> tuple[float, float]:
        """Return the interval for the difference; equivalence at 0.05 is the 0.90 interval within the margin."""
        tail = (1.0 - checked_level(level, "level")) / 2.0
        half = float(critical_value(tail, self.df)) * self.standard_error
        return (self.mean_difference - half, self.mean_difference + half)


@dataclass(frozen=True, slots=True, kw_only=True)
class PermutationResult(Shown):
    """A test by rearranging signs: the share of arrangements at least as extreme as what was observed."""

    test: str
    statistic: float
    arrangements: int
    exact: bool
    pvalue: float
    pvalue_greater: float
    pvalue_less: float
    pvalue_signed: float
    warnings: tuple[str, ...] = ()

    def decide(self, *, alpha: float) -> Decision:
        """Return A, B or none at the two-sided level ``alpha``."""
        return _by_sign(self.pvalue, self.statistic, alpha)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankResult(Shown):
    """A signed-rank test: the values by growing rank, their signed ranks, and both rank sums."""

    test: str
    ordered: tuple[float, ...]
    signed_ranks: tuple[float, ...]
    w_plus: float
    w_minus: float
    pvalue: float
    pvalue_greater: float
    pvalue_less: float
    pvalue_signed: float
    warnings: tuple[str, ...] = ()

    @property
    def statistic(self) -> float:
        """W, the smaller rank sum."""
        return min(self.w_plus, self.w_minus)

    def decide(self, *, alpha: float) -> Decision:
        """Return A, B or none at the two-sided level ``alpha``."""
        return _by_sign(self.pvalue, self.w_plus - self.w_minus, alpha)


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomizationResult(Shown):
    """An observed score beside a reference sample of scores on random labels."""

    test: str
    statistic: float
    bias: float
    adjusted: float
    pvalue: float
    warnings: tuple[str, ...] = ()

    def decide(self, *, alpha: float) -> bool:
        """Return whether the observed score is better than random labels explain."""
        return self.pvalue <= checked_level(alpha)


def _by_sign(pvalue: float, sign: float, alpha: float) -> Decision:
    if pvalue > checked_level(alpha) or sign == 0:
        return Decision.NONE
    return Decision.A if sign > 0 else Decision.B


def finite_or_none(value: float | None) -> float | None:
    """Return the number, or None where JSON has no word for it."""
    return None if value is None or not math.isfinite(value) else float(value)
