"""Many comparisons, one level: what goes wrong by chance, and the levels that prevent it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from foldproof.domain.errors import InputError
from foldproof.domain.notebook import Shown
from foldproof.domain.result import checked_level
from foldproof.significance._base import formula


@dataclass(frozen=True, slots=True, kw_only=True)
class Multiplicity(Shown):
    """What n tests at a level mean together."""

    n: int
    alpha: float
    expected_false_positives: float
    familywise_error: float
    sidak_per_test: float
    bonferroni_per_test: float


def _tests(n: int) -> int:
    if isinstance(n, bool) or n != int(n) or n < 1:
        raise InputError(f"n is {n!r}: give the number of tests, at least 1")
    return int(n)


@formula
def expected_false_positives(n: int, alpha: float) -> float:
    """Return how many of n true null hypotheses are rejected on average, ``n alpha`` (Salzberg 1997, 3 and 3.2).

    >>> expected_false_positives(100, 0.05)
    5.0
    """
    return _tests(n) * checked_level(alpha)


@formula
def familywise_error(n: int, alpha: float) -> float:
    """Return the probability of at least one false rejection in n independent tests, ``1 - (1 - alpha)^n``.

    >>> round(familywise_error(154, 0.05), 4)
    0.9996
    """
    return -math.expm1(_tests(n) * math.log1p(-checked_level(alpha)))


@formula
def sidak_level(n: int, alpha: float) -> float:
    """Return the level per test for a familywise alpha, exact for independent tests: ``1 - (1 - alpha)^(1/n)``.

    Salzberg (1997, section 3) derives this formula and calls it Bonferroni's.

    >>> round(sidak_level(154, 0.05), 8)
    0.00033302
    """
    return -math.expm1(math.log1p(-checked_level(alpha)) / _tests(n))


@formula
def bonferroni_level(n: int, alpha: float) -> float:
    """Return the level per test for a familywise alpha, whatever the dependence: ``alpha / n``.

    >>> bonferroni_level(10, 0.05)
    0.005
    """
    return checked_level(alpha) / _tests(n)


@formula
def multiplicity(n: int, *, alpha: float) -> Multiplicity:
    """Return what n tests at level alpha mean together, and the level each would need.

    Comparisons on shared data are dependent: the familywise error and Šidák's level are exact for independent tests,
    while Bonferroni's (and Holm's, see ``adjust_p``) holds always. Ten settings tried are ten tests: 0.005 each.
    Averaging t over partitions does not address this.

    >>> multiplicity(23, alpha=0.05).familywise_error
    0.6926431322749761
    """
    return Multiplicity(
        n=_tests(n),
        alpha=checked_level(alpha),
        expected_false_positives=expected_false_positives(n, alpha),
        familywise_error=familywise_error(n, alpha),
        sidak_per_test=sidak_level(n, alpha),
        bonferroni_per_test=bonferroni_level(n, alpha),
    )
