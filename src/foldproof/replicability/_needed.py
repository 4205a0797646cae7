"""What an undecided claim about a margin would need: more runs on the same data, or more data."""

from __future__ import annotations

import math
from dataclasses import dataclass

from foldproof.domain.differences import Differences
from foldproof.domain.errors import InputError
from foldproof.domain.notebook import Shown
from foldproof.domain.result import checked_level
from foldproof.domain.student import critical_value, upper_tail
from foldproof.replicability._forecast import shrunk_variance
from foldproof.significance._margins import checked_margin, moments_at

__all__ = ["Needed", "needed_to_decide"]

# Beyond this many runs, or this many times the data, nobody would go: the answer is then None.
MOST_RUNS = 1000
MOST_TIMES = 10_000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed(Shown):
    """The runs, or the multiple of the present data, with which the claim would be decided with the given power.

    None where no reasonable number would do: more runs remove the noise of the partitions and not that of the sample,
    and a difference right at the margin cannot be told from it by any amount of data.
    """

    runs: int | None
    times_the_data: float | None
    power: float


def needed_to_decide(
    differences: Differences, *, claim: str, margin: float, alpha: float, power: float = 0.8
) -> Needed:
    """Return how many runs, or how much more data, would decide a claim about a margin one way or the other.

    *Runs*: the mean after r' runs is forecast from the r there are, ``m + sqrt(s_b^2 (r' - r) / (r' r)) t`` with s_b^2
    the variance between run means behind :func:`forecast`, and judged on the corrected variance
    ``(1/(k r') + n2/n1) s^2``. *Data*: the true difference is taken to be the observed one and the standard error to
    shrink with the square root of the number of instances, at the same number of runs.

    >>> from foldproof.domain.differences import Differences
    >>> x = [[0.012, -0.028, 0.023, -0.030, -0.011], [0.022, -0.031, 0.010, 0.011, -0.032]]
    >>> needed_to_decide(Differences(x), claim="noninferiority", margin=0.01, alpha=0.05)
    Needed(runs=None, times_the_data=66.2, power=0.8)
    """
    if claim not in ("noninferiority", "superiority", "equivalence"):
        raise InputError(f"claim is {claim!r}: use 'noninferiority', 'superiority' or 'equivalence'")
    level, wanted, width = checked_level(alpha), checked_level(power, "power"), checked_margin(margin)
    moments = moments_at(differences, claim)
    mean, error = float(moments.mean), float(moments.error)
    if error == 0.0:
        return Needed(runs=None, times_the_data=None, power=wanted)
    return Needed(
        runs=_runs(differences, claim, width, level, wanted, mean, error),
        times_the_data=_times(claim, width, level, wanted, mean, error, float(moments.df)),
        power=wanted,
    )


def _runs(
    differences: Differences, claim: str, margin: float, alpha: float, power: float, mean: float, error: float
) -> int | None:
    if differences.values.ndim != 2:
        return None
    runs, folds = differences.values.shape
    factor = 1.0 / (runs * folds) + differences.ratio
    variance, df = shrunk_variance(differences)
    between = variance * error * error * runs
    for more in range(runs + 1, MOST_RUNS + 1):
        own_error = error * math.sqrt((1.0 / (more * folds) + differences.ratio) / factor)
        scale = math.sqrt(between * (more - runs) / (more * runs))
        if _chance(claim, margin, alpha, mean, scale, df, own_error, more * folds - 1.0) >= power:
            return more
    return None


def _times(claim: str, margin: float, alpha: float, power: float, mean: float, error: float, df: float) -> float | None:
    def enough(times: float) -> bool:
        own_error = error / math.sqrt(times)
        return _chance(claim, margin, alpha, mean, own_error, df, own_error, df) >= power

    high = 1.0
    while not enough(high):
        high *= 2.0
        if high > MOST_TIMES:
            return None
    low = high / 2.0
    while high - low > 0.005 * high:
        middle = (low + high) / 2.0
        low, high = (low, middle) if enough(middle) else (middle, high)
    return float(f"{high:.3g}")


def _chance(
    claim: str, margin: float, alpha: float, mean: float, scale: float, df: float, error: float, own_df: float
) -> float:
    """Return the probability that ``mean + scale * t`` with this error decides the claim."""
    reach = float(critical_value(alpha, own_df)) * error
    if claim != "equivalence":
        border = -margin if claim == "noninferiority" else margin
        return _beyond(border + reach, mean, scale, df) + _beyond(-(border - reach), -mean, scale, df)
    far = margin + float(critical_value(alpha / 2.0, own_df)) * error
    outside = _beyond(far, mean, scale, df) + _beyond(far, -mean, scale, df)
    inside = margin - reach
    if inside <= 0.0:
        return outside
    return outside + 1.0 - _beyond(inside, mean, scale, df) - _beyond(inside, -mean, scale, df)


def _beyond(point: float, mean: float, scale: float, df: float) -> float:
    if scale == 0.0:
        return float(mean >= point)
    z = (point - mean) / scale
    tail = float(upper_tail(z, df))
    return tail if z >= 0.0 else 1.0 - tail
