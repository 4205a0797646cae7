"""What the rejected combiners share: checks and the exact distribution of a signed-rank sum."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.domain.errors import InputError
from foldproof.domain.notices import declare
from foldproof.domain.result import RankResult
from foldproof.significance._moments import ROUNDING, Floats

REJECTED_COMBINER = declare(
    "rejected_combiner",
    "this combines values as if they were independent; partitions of one dataset reuse the same instances, and it "
    "becomes arbitrarily significant as their number grows: use averaged_t",
)


def checked_p(p: npt.ArrayLike, test: str, *, signed: bool = False) -> Floats:
    """Return p-values, or say what is wrong with them."""
    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1 or values.size == 0:
        raise InputError(f"{test}: give a list of p-values; got shape {values.shape}")
    size = np.abs(values) if signed else values
    if not ((size >= 0.0) & (size <= 1.0)).all():
        wrong = values[~((size >= 0.0) & (size <= 1.0))][0]
        raise InputError(f"{test}: {wrong} is not a {'signed ' if signed else ''}p-value: it must not exceed 1")
    return values


def midranks(sizes: Floats, slack: float) -> Floats:
    """Return the ranks of growing sizes; sizes that differ by no more than ``slack`` share their mean rank."""
    group = np.concatenate([[0], np.cumsum(np.diff(sizes) > slack)])
    ranks = np.arange(1.0, sizes.size + 1.0)
    shared: Floats = (np.bincount(group, ranks) / np.bincount(group))[group]
    return shared


def rank_sum_tails(ranks: Floats, w: float) -> tuple[float, float]:
    """Return P(W+ >= w) and P(W+ <= w) where every rank has either sign with probability 1/2.

    Midranks are halves, so twice the ranks are whole numbers; the distribution is built one rank at a time.
    All terms are positive, so that small tails keep their digits.
    """
    doubled = np.rint(2.0 * ranks).astype(np.int64)
    chance = np.zeros(int(doubled.sum()) + 1)
    chance[0] = 1.0
    reach = 0
    for rank in doubled:
        head = 0.5 * chance[: reach + 1]
        reach += int(rank)
        chance[: reach + 1 - int(rank)] = head
        chance[int(rank) : reach + 1] += head
    at = round(2.0 * w)
    return float(chance[at:].sum()), float(chance[: at + 1].sum())


def rank_result(
    test: str, ordered: Floats, ranks: Floats, positive: npt.NDArray[np.bool_], independent: bool
) -> RankResult:
    """Return the two-sided exact result for ordered values and their ranks."""
    if ranks.size > 1000:
        raise InputError(f"{test}: the exact distribution is computed for at most 1000 values; got {ranks.size}")
    w_plus, w_minus = float(ranks[positive].sum()), float(ranks[~positive].sum())
    greater, less = rank_sum_tails(ranks, w_plus)
    pvalue = min(1.0, 2.0 * min(greater, less))
    return RankResult(
        test=test,
        ordered=tuple(float(v) for v in ordered),
        signed_ranks=tuple(float(r) for r in np.where(positive, ranks, -ranks)),
        w_plus=w_plus,
        w_minus=w_minus,
        pvalue=pvalue,
        pvalue_greater=min(1.0, greater),
        pvalue_less=min(1.0, less),
        pvalue_signed=0.5 * pvalue if w_plus >= w_minus else -0.5 * pvalue,
        warnings=() if independent else (REJECTED_COMBINER,),
    )


def slack_of(values: Floats) -> float:
    """Return what is rounding among values of this size."""
    return ROUNDING * float(np.abs(values).max(initial=0.0))
