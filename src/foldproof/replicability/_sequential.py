"""How many runs of cross-validation: go on until the verdict is settled."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from foldproof.domain.differences import Differences
from foldproof.domain.errors import InputError
from foldproof.domain.notebook import Shown
from foldproof.domain.result import Decision, TResult, checked_level
from foldproof.domain.student import critical_value
from foldproof.significance._alpha_spending import alpha_spending
from foldproof.significance._corrected_repeated_kfold_t import corrected_repeated_kfold_t

__all__ = ["Sequential", "SequentialLook", "sequential_look", "sequential_partitions"]

R_MIN, R_MAX = 3, 33


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialLook(Shown):
    """What is seen after a number of runs; ``stop`` says that the verdict is settled.

    ``gap`` is how far the mean lies from the threshold of the corrected test, and stops the work where it exceeds
    ``quantile`` times ``standard_error``.
    """

    runs: int
    verdict: Decision
    threshold: float
    gap: float
    standard_error: float
    quantile: float
    stop: bool
    result: TResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequential(Shown):
    """The outcome: ``settled`` is false where the cap came first."""

    verdict: Decision
    runs: int
    settled: bool
    trace: tuple[SequentialLook, ...]


def _checked_runs(r_min: int, r_max: int) -> None:
    if not 2 <= r_min <= r_max:
        raise InputError(f"r_min is {r_min!r} and r_max {r_max!r}: at least two runs are needed, and no fewer at most")


def sequential_look(
    differences: Differences, *, alpha: float, alpha2: float = 0.05, r_min: int = R_MIN
) -> SequentialLook:
    """Look at all runs so far and say whether the verdict is settled; call it after each new run from ``r_min`` on.

    Look j = r - r_min + 1 spends ``alpha2 / (j (j + 1))``. With the threshold ``thr = t[alpha/2, rk-1] s sqrt(1/(rk)
    + n2/n1)`` and ``se = sd(run means) / sqrt(r)`` the work stops when ``| |mean| - thr | > t[spent, r-1] se``.
    alpha2 concerns only the partition noise of the verdict on this dataset, not the significance level. Differences
    that are all zero settle on none.
    """
    values = differences.values
    if values.ndim != 2 or values.shape[1] < 2:
        raise InputError("the sequential rule needs runs x folds of cross-validation; got a flat list")
    runs = values.shape[0]
    _checked_runs(r_min, max(runs, r_min))
    if runs < r_min:
        raise InputError(f"the first look is after {r_min} runs; got {runs}")
    result = corrected_repeated_kfold_t(differences)
    threshold = float(critical_value(checked_level(alpha) / 2.0, result.df)) * result.standard_error
    exponent = np.frexp(np.abs(values).max())[1]
    means = np.ldexp(values, -exponent).mean(axis=1)
    error = 0.0 if result.zero_variance else float(np.ldexp(means.std(ddof=1), exponent)) / math.sqrt(runs)
    spent = float(alpha_spending(runs - r_min + 1, alpha=checked_level(alpha2, "alpha2")))
    quantile = float(critical_value(spent, runs - 1.0))
    gap = abs(abs(result.mean_difference) - threshold)
    never_differ = result.zero_variance and result.mean_difference == 0.0
    return SequentialLook(
        runs=runs,
        verdict=result.decide(alpha=alpha),
        threshold=threshold,
        gap=gap,
        standard_error=error,
        quantile=quantile,
        stop=bool(gap > quantile * error) or never_differ,
        result=result,
    )


def sequential_partitions(
    values: npt.ArrayLike | Differences,
    *,
    alpha: float,
    alpha2: float = 0.05,
    r_min: int = R_MIN,
    r_max: int = R_MAX,
) -> Sequential:
    """Apply the sequential rule to runs in their order.

    In simulation it had the Type I error and power of 33 runs of ten folds at a quarter of the fits, and a
    three-valued R of 0.966 against 0.975.

    Parameters
    ----------
    values
        Differences, runs x folds; runs beyond the stop are not looked at.
    alpha, alpha2
        The level of the test, and the level spent on the partition noise of its verdict.
    r_min, r_max
        The runs before the first look, and the cap.

    >>> import numpy as np
    >>> x = np.tile([0.05, 0.04, 0.06, 0.05, 0.05], (4, 1)) + np.array([[0.0], [0.001], [-0.001], [0.0]])
    >>> found = sequential_partitions(x, alpha=0.05)
    >>> str(found.verdict), found.runs, found.settled
    ('A', 3, True)
    """
    _checked_runs(r_min, r_max)
    everything = values if isinstance(values, Differences) else Differences(np.asarray(values, dtype=np.float64))
    if everything.runs is None or everything.runs < r_min:
        raise InputError(f"the first look is after {r_min} runs x folds; got {everything!r}")
    trace: list[SequentialLook] = []
    for runs in range(r_min, min(r_max, everything.runs) + 1):
        seen = Differences(
            everything.values[:runs],
            n_train=everything.n_train,
            n_test=everything.n_test,
            scale=everything.scale,
            complementary=everything.complementary,
        )
        trace.append(sequential_look(seen, alpha=alpha, alpha2=alpha2, r_min=r_min))
        if trace[-1].stop:
            break
    last = trace[-1]
    return Sequential(verdict=last.verdict, runs=last.runs, settled=last.stop, trace=tuple(trace))
