"""The binomial (sign) test (T7)."""

from __future__ import annotations

from typing import SupportsIndex

from scipy import special

from foldproof.domain.errors import InputError
from foldproof.domain.result import CountResult
from foldproof.significance._base import significance_test

# Up to here the tail is a quotient of whole numbers; above it the incomplete beta function is precise enough.
_EXACT = 20_000


def count(value: SupportsIndex, name: str) -> int:
    """Return a count, or say what is wrong with it."""
    try:
        whole = value.__index__()
    except AttributeError:
        raise InputError(f"{name} is {value!r}: give a whole number of instances") from None
    if whole < 0 or isinstance(value, bool):
        raise InputError(f"{name} is {value!r}: give a whole number of at least 0")
    return whole


def upper_binomial(at_least: int, n: int) -> float:
    """Return P(S >= at_least) for n fair coins.

    >>> upper_binomial(5, 5)
    0.03125
    """
    if at_least <= 0:
        return 1.0
    if n > _EXACT:
        return float(special.betainc(at_least, n - at_least + 1, 0.5))
    # The shorter side is summed, term from term, so that n in the thousands stays quick.
    short = min(n - at_least, at_least - 1)
    term = total = 1
    for j in range(short):
        term = term * (n - j) // (j + 1)
        total += term
    everything = 1 << n
    return (total if n - at_least <= at_least - 1 else everything - total) / everything


def exact_tails(wins: int, losses: int) -> tuple[float, float, float]:
    """Return p two-sided, for A, for B."""
    n = wins + losses
    greater, less = upper_binomial(wins, n), upper_binomial(losses, n)
    return min(1.0, 2.0 * min(greater, less)), greater, less


def signed(pvalue: float, wins: int, losses: int) -> float:
    """Return the signed tail: half the two-sided p with the sign of wins - losses, 0.5 where they are equal."""
    return 0.5 * pvalue if wins >= losses else -0.5 * pvalue


@significance_test("binomial-sign", kind="counts", takes="counts")
def binomial_sign(wins: int, losses: int) -> CountResult:
    """Test how many instances only A got right against how many only B got right, exactly.

    Claim
    -----
    Where exactly one learner is right, either is so with probability 1/2. With s wins and f losses, ties thrown out,
    ``p = P(S >= s)`` for ``S ~ Bin(s + f, 1/2)``; two-sided twice the larger side's tail, at most 1. No discordant
    instance gives p = 1.

    When to use
    -----------
    On one test set, or one k-fold run in which every instance is tested once. Trials must be independent test
    instances: never pool repeated runs, which are "highly interdependent" (Salzberg, section 3.5). It ignores the
    agreements, however many there are, the size of quantitative differences, and more than two learners; and like
    every single-split test it ignores the variation due to the choice of training set.

    Reference
    ---------
    Salzberg (1997), section 3.1, whose tails are slightly off: P(S >= 35 of 50) is 0.00330, not 0.0032, and its
    "P(s > observed)" is P(S >= observed).

    Examples
    --------
    Salzberg's example, 35 wins and 15 losses:

    >>> result = binomial_sign(35, 15)
    >>> round(result.pvalue_greater, 10), round(result.pvalue, 10)
    (0.003300224, 0.006600448)
    """
    s, f = count(wins, "wins"), count(losses, "losses")
    two_sided, greater, less = exact_tails(s, f)
    return CountResult(
        test="binomial-sign",
        wins=s,
        losses=f,
        statistic=float(s),
        df=None,
        pvalue=two_sided,
        pvalue_greater=greater,
        pvalue_less=less,
        pvalue_signed=signed(two_sided, s, f),
    )
