"""The averaged t-test over partitions (T6)."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from foldproof.domain.differences import Differences
from foldproof.domain.errors import InputError
from foldproof.domain.notices import declare
from foldproof.domain.result import AveragedTResult
from foldproof.significance._base import Moments, significance_test, t_fields, t_statistic
from foldproof.significance._five_by_two_cv_t import five_by_two_moments
from foldproof.significance._moments import Floats, Numbers
from foldproof.significance._paired_t import paired_moments

OPPOSITE_INFINITIES = declare(
    "opposite_infinities",
    "some partitions have an infinite t for A and some for B: no verdict is given; cap= averages what is left",
)
Single = Literal["paired-t", "five-by-two-cv-t"]


def _average(single: Moments, means: Floats, cap: float | None) -> tuple[Floats, Moments]:
    """Return the t of every partition (last axis) and the moments of their average.

    The average of ``m_j / e_j`` is zero at the difference ``mean(m_j / e_j) / mean(1 / e_j)``, whose error is the
    harmonic mean of the errors: that is what the interval surrounds.
    """
    values = t_statistic(single)
    if cap is not None:
        values = np.clip(values, -cap, cap)
    finite = np.isfinite(values)
    opposite = (values == np.inf).any(axis=-1) & (values == -np.inf).any(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        statistic = np.where(opposite, 0.0, np.where(np.isnan(values), 0.0, values).mean(axis=-1))
        # A partition without any difference has t = 0 and no error: it counts in the mean, and adds nothing else.
        weight = np.where(single.error > 0.0, 1.0 / single.error, 0.0).mean(axis=-1)
        error = np.where(finite.all(axis=-1) & (weight > 0.0), 1.0 / weight, 0.0)
    mean = means.mean(axis=-1)
    estimate = np.where((error > 0.0) & np.isfinite(statistic), np.nan_to_num(statistic) * error, mean)
    return values, Moments(mean, error, single.df, ~finite.all(axis=-1) | (error == 0.0), estimate, statistic)


def averaged_moments(tables: Floats, ratio: float, scale: Numbers) -> Moments:
    """Return the averaged paired t, every run being a partition."""
    return _averaged_paired(tables, scale, None)[1]


def _averaged_paired(tables: Floats, scale: Numbers, cap: float | None) -> tuple[Floats, Moments]:
    if tables.shape[-1] < 2:
        raise InputError("averaged t: at least two differences are required in each run; got one fold")
    single = paired_moments(tables[..., np.newaxis, :], float("nan"), scale)
    return _average(single, single.mean, cap)


def _averaged_five_by_two(table: Floats, scale: Numbers, cap: float | None) -> tuple[Floats, Moments]:
    if table.shape[0] % 5 or table.shape[1] != 2:
        raise InputError(
            "averaged t of 5x2cv takes blocks of exactly 5 runs of 2 folds; got "
            f"{table.shape[0]} runs of {table.shape[1]} folds"
        )
    single = five_by_two_moments(table.reshape(-1, 5, 2), float("nan"), scale)
    return _average(single, single.mean, cap)


@significance_test("averaged-t", kind="t", arrays=averaged_moments)
def averaged_t(differences: Differences, *, single: Single = "paired-t", cap: float | None = None) -> AveragedTResult:
    """Average a single-partition t over partitions and refer it to the degrees of freedom of one partition.

    Claim
    -----
    The learners do not differ. The arithmetic mean of t over partitions is referred to Student's t with the df of ONE
    partition: k - 1 for the paired t of a k-fold run, 5 for the 5x2cv t of five 2-fold runs
    (``single="five-by-two-cv-t"``: every five runs are a partition). If every partition gives the same p, so does
    the average, however many there are.

    When to use
    -----------
    Never report one partition only: this uses many without pretending that they are independent. In simulation with
    10 partitions its Type I error was 0.046 (worst network 0.067), with the power and replicability of the corrected
    10x10 cv test. Do not combine it with the corrected variance (Type I error 0.004, too conservative), and do not
    average p-values: their distribution is not symmetric. It does not correct for several comparisons. Averaging t
    is not averaging accuracy: the signs may differ. t is skewed away from zero under a real difference
    (``shapiro_wilk``), so the normal picture is approximate.

    A partition whose differences are all equal has an infinite t. The result is then infinite, unless both signs
    occur: verdict none, warning ``opposite_infinities``. ``cap`` replaces a larger ``|t|`` by a cap.

    Reference
    ---------
    Bradford & Brodley (2001), section 4 and Tables 2 and 3; its "ten degrees of freedom" are nine for ten folds.

    Examples
    --------
    Two partitions of ten folds (golden case 18):

    >>> from foldproof.domain.differences import Differences
    >>> x = [[0.0063, -0.0265, 0.0113, -0.015, -0.0044, 0.0602, 0.0449, 0.0117, -0.0439, -0.0023],
    ...      [0.0365, -0.0441, 0.0253, 0.0212, 0.0234, -0.0245, 0.0614, -0.0471, 0.0059, 0.004]]
    >>> result = averaged_t(Differences(x))
    >>> [round(t, 8) for t in result.t_values], round(result.statistic, 8), result.df
    ([0.43161016, 0.55654758], 0.49407887, 9.0)
    >>> round(result.pvalue_signed, 10), result.counts(alpha=0.05)
    (0.3165423012, VerdictCounts(a=0, none=2, b=0))
    """
    if single not in ("paired-t", "five-by-two-cv-t"):
        raise InputError(f"single is {single!r}: use 'paired-t' or 'five-by-two-cv-t'")
    if cap is not None and not (cap > 0 and math.isfinite(cap)):
        raise InputError(f"cap is {cap!r}: give a positive number")
    if differences.values.ndim != 2:
        raise InputError("averaged t: give runs x folds, so that every partition has its own t; got a flat list")
    average = _averaged_paired if single == "paired-t" else _averaged_five_by_two
    values, moments = average(differences.values, differences.scale, cap)
    opposite = bool((values == np.inf).any() and (values == -np.inf).any())
    return AveragedTResult(
        **t_fields("averaged-t", moments, (OPPOSITE_INFINITIES,) if opposite else ()),
        t_values=tuple(float(t) for t in values),
    )
