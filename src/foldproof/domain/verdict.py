"""Verdict: what is said of one pair of learners, and what it rests on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from foldproof.domain.differences import Differences
from foldproof.domain.errors import InputError
from foldproof.domain.notebook import Shown
from foldproof.domain.over_datasets import DatasetPosterior, RankPair
from foldproof.domain.result import BayesianResult, CountResult, RankResult, SidelessResult, TResult

NONE = "none"
AnyResult = TResult | CountResult | SidelessResult | BayesianResult | RankResult | RankPair | DatasetPosterior
# Those that give probabilities instead of a p-value.
POSTERIORS = (BayesianResult, DatasetPosterior)


@dataclass(frozen=True, slots=True)
class FourCells:
    """How many instances both got right, only a, only b, neither (Salzberg 1997, section 3.1)."""

    both: int
    a_only: int
    b_only: int
    neither: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict(Shown):
    """The verdict on the pair (a, b): a name, or ``"none"``. Positive differences mean that a is better.

    ``verdict`` is not none exactly where ``pvalue_adjusted <= alpha``. ``forecast`` is the probability that the
    pair's unadjusted verdict comes out again with another seed. ``evidence`` makes the differences that it rests on:
    the pairs of a comparison share their learners' scores, and a table of differences for each would be far larger.
    """

    a: str
    b: str
    result: AnyResult | None
    mean_difference: float | None
    pvalue_adjusted: float | None
    verdict: str
    evidence: Callable[[], Differences] | None = field(default=None, repr=False, compare=False)
    forecast: float | None = None
    smallest_detectable: float | None = None
    settled: bool | None = None
    table: FourCells | None = None
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.verdict not in (self.a, self.b, NONE):
            raise InputError(f"a verdict on {self.a!r} and {self.b!r} is one of them or none, not {self.verdict!r}")

    @property
    def differences(self) -> Differences | None:
        """The paired differences that it rests on; None where it rests on something else."""
        return None if self.evidence is None else self.evidence()

    @property
    def pvalue(self) -> float | None:
        """The two-sided p-value, not adjusted for the number of pairs."""
        return None if self.result is None or isinstance(self.result, POSTERIORS) else self.result.pvalue

    @property
    def statistic(self) -> float | None:
        """The test's statistic."""
        return None if self.result is None or isinstance(self.result, POSTERIORS) else self.result.statistic

    @property
    def df(self) -> float | tuple[float, float] | None:
        """The test's degrees of freedom."""
        return None if self.result is None else getattr(self.result, "df", None)

    @property
    def favours(self) -> str | None:
        """Whom the evidence leans to, significant or not; None where it leans nowhere or there is none."""
        if isinstance(self.result, CountResult):
            lean: float = self.result.wins - self.result.losses
        elif isinstance(self.result, TResult):
            lean = self.result.statistic
        elif isinstance(self.result, RankResult):
            lean = self.result.w_plus - self.result.w_minus
        elif isinstance(self.result, RankPair):
            lean = self.result.difference
        else:
            lean = self.mean_difference or 0.0
        if lean == 0.0:
            return None
        return self.a if lean > 0.0 else self.b

    def confidence_interval(self, level: float = 0.95) -> tuple[float, float] | None:
        """Return the unadjusted interval for the mean difference; None where the test gives none."""
        return self.result.confidence_interval(level) if isinstance(self.result, TResult) else None
