"""What the tests share: their registry, sound moments, and Student's t from an estimate and its error."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from foldproof.domain.differences import Differences
from foldproof.domain.errors import InputError
from foldproof.domain.notices import NOT_COMPLEMENT, RATIO_OUT_OF_RANGE, ZERO_VARIANCE, declare
from foldproof.domain.registry import Registry
from foldproof.domain.result import TResult
from foldproof.domain.student import upper_tail
from foldproof.significance._moments import Floats, Numbers, sample_moments, settle_flat

Variant = Literal["as-printed", "as-run"]
F = TypeVar("F", bound=Callable[..., Any])

REPLICATION_VARIANT = declare(
    "replication_variant",
    "computed as the published tables were, not as the paper prints the formula: for replication only",
)
ZERO_BY_ZERO = declare(
    "zero_by_zero_rejected",
    "the learners never differ and the statistic is 0/0, which this replication variant counts as a rejection",
)
UNCORRECTED = declare(
    "uncorrected_variance",
    "the differences share training or test data and the variance is not corrected for it: Type I errors are far more "
    "frequent than the level says",
)

# How many numbers are worth a thread.
_ENOUGH_FOR_A_THREAD = 500_000
_P_VALUES = ("pvalue", "pvalue_greater", "pvalue_less", "pvalue_signed")


@dataclass(frozen=True, slots=True)
class Moments:
    """Estimate, standard error and degrees of freedom of tables of differences.

    ``estimate`` is given where the statistic divides something else than the mean by ``error``, and ``statistic``
    where it is not that quotient.
    """

    mean: Numbers
    error: Numbers
    df: Numbers
    flat: Numbers
    estimate: Numbers = None
    statistic: Numbers = None


Arrays = Callable[[Floats, float, Numbers], Moments]
Kind = Literal["t", "counts", "sideless", "bayesian", "margin", "combiner", "other"]
Takes = Literal["differences", "counts", "scores", "answers", "proportions", "p-values", "values", "datasets", "other"]


@dataclass(frozen=True, slots=True)
class Method:
    """A registered test.

    Attributes
    ----------
    kind
        What comes out: "t" (TResult), "counts" (CountResult), "sideless", "bayesian", "margin" (a claim about a margin)
        or "other"; "combiner" for the rejected ways to combine partitions.
    takes
        What goes in: "differences", "counts" (wins and losses), "scores" (one list for each learner), "answers"
        (right or wrong, instances x learners), "proportions", "p-values", "values" (one difference per dataset),
        "datasets" (scores, datasets x learners), or "other".
    exchangeable
        Whether the order of runs and folds does not matter.
    shape
        The runs x folds it insists on, if any.
    arrays
        For t-type tests, the same computation on an array of many tables: (tables, ratio, scale) to Moments.
    as_run
        The same for the replication variant, where there is one.
    """

    name: str
    function: Callable[..., Any]
    kind: Kind
    takes: Takes = "differences"
    exchangeable: bool = True
    shape: tuple[int, int] | None = None
    arrays: Arrays | None = None
    as_run: Arrays | None = None


METHODS: Registry[Method] = Registry("test", "foldproof.significance")
FORMULAS: Registry[Callable[..., Any]] = Registry("formula", "foldproof.significance")


def significance_test(
    name: str,
    *,
    kind: Kind,
    takes: Takes = "differences",
    exchangeable: bool = True,
    shape: tuple[int, int] | None = None,
    arrays: Arrays | None = None,
    as_run: Arrays | None = None,
) -> Callable[[F], F]:
    """Register a test in its own file; the function comes back as it was."""

    def keep(function: F) -> F:
        METHODS.register(name)(Method(name, function, kind, takes, exchangeable, shape, arrays, as_run))
        return function

    return keep


def formula(function: F) -> F:
    """Register a formula that is not a test, under its own name."""
    FORMULAS.register(function.__name__.replace("_", "-"))(function)
    return function


def mean_moments(tables: Floats, scale: Numbers, variance_of_mean: Callable[[int], float]) -> Moments:
    """Return the mean and its error on n - 1 df; the factor of s^2 in its variance is a function of n."""
    mean, spread, flat, n = sample_moments(tables, scale)
    return Moments(settle_flat(mean, flat, scale), math.sqrt(variance_of_mean(n)) * spread, n - 1.0, flat)


def t_statistic(moments: Moments) -> Numbers:
    """Return the statistic of every table."""
    if moments.statistic is not None:
        return moments.statistic
    estimate = moments.mean if moments.estimate is None else moments.estimate
    if np.ndim(estimate) == 0:
        if moments.error > 0.0:
            return float(estimate) / float(moments.error)
        return 0.0 if estimate == 0.0 else math.copysign(math.inf, estimate)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        statistic = estimate / moments.error
    rare = ~(moments.error > 0.0)
    if rare.any():
        statistic[rare] = np.where(estimate[rare] == 0.0, 0.0, np.copysign(np.inf, estimate[rare]))
    return statistic


def student(moments: Moments) -> dict[str, Numbers]:
    """Return statistic and p-values for every table."""
    statistic = t_statistic(moments)
    if np.ndim(statistic) == 0:
        statistic = float(statistic)
        tail = upper_tail(statistic, float(moments.df))
        greater, less = (tail, 1.0 - tail) if statistic >= 0.0 else (1.0 - tail, tail)
        signed = tail if statistic >= 0.0 else -tail
    else:
        tail = upper_tail(statistic, moments.df)
        positive = statistic >= 0.0
        other = 1.0 - tail
        greater, less = np.where(positive, tail, other), np.where(positive, other, tail)
        signed = np.where(positive, tail, -tail)
    return {
        "statistic": statistic,
        "pvalue": 2.0 * tail,
        "pvalue_greater": greater,
        "pvalue_less": less,
        "pvalue_signed": signed,
    }


def as_tables(differences: Differences) -> Floats:
    """Return the differences as one table, a flat list as a single row."""
    return differences.values if differences.values.ndim == 2 else differences.values[np.newaxis, :]


def t_fields(test: str, moments: Moments, warnings: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the fields of a TResult for a single table."""
    numbers = {name: float(value) for name, value in student(moments).items()}
    flat = bool(moments.flat)
    return {
        "test": test,
        "mean_difference": float(moments.mean),
        "estimate": float(moments.mean if moments.estimate is None else moments.estimate),
        "standard_error": float(moments.error),
        "df": float(moments.df),
        "zero_variance": flat,
        "warnings": (*warnings, *((ZERO_VARIANCE,) if flat and numbers["statistic"] != 0.0 else ())),
        **numbers,
    }


def t_result(test: str, moments: Moments, warnings: tuple[str, ...] = ()) -> TResult:
    """Return the result for a single table."""
    return TResult(**t_fields(test, moments, warnings))


def zero_by_zero_rejected(moments: Moments) -> Moments:
    """Return the moments of the replication variant, where 0/0 counts as a rejection (statistic +inf)."""
    statistic = t_statistic(moments)
    return replace(moments, statistic=np.where((moments.error == 0.0) & (statistic == 0.0), np.inf, statistic))


def of_variant(variant: Variant, as_printed: Arrays, as_run: Arrays) -> Arrays:
    """Return the computation of a variant."""
    if variant not in ("as-printed", "as-run"):
        raise InputError(f"variant is {variant!r}: use 'as-printed', or 'as-run' to replicate published tables")
    return as_printed if variant == "as-printed" else as_run


def variant_warnings(variant: Variant, moments: Moments) -> tuple[str, ...]:
    """Return what the replication variant says of itself."""
    if variant == "as-printed":
        return ()
    estimate = moments.mean if moments.estimate is None else moments.estimate
    rejected = bool(moments.error == 0.0) and bool(estimate == 0.0)
    return (REPLICATION_VARIANT, *((ZERO_BY_ZERO,) if rejected else ()))


def at_least_two(differences: Differences, test: str) -> None:
    """Refuse fewer than two differences."""
    if len(differences) < 2:
        raise InputError(f"{test}: at least two differences are required; got {len(differences)}")


def design_warnings(differences: Differences) -> tuple[str, ...]:
    """Return what the corrected tests say of a design outside their derivation."""
    found = []
    if differences.ratio > 0.2 * (1 + 1e-9):
        found.append(RATIO_OUT_OF_RANGE)
    if not differences.complementary:
        found.append(NOT_COMPLEMENT)
    return tuple(found)


def batch(
    name: str,
    tables: npt.ArrayLike,
    *,
    n_train: float | None = None,
    n_test: float | None = None,
    scale: float = 1.0,
    variant: Variant = "as-printed",
) -> dict[str, npt.NDArray[Any]]:
    """Run a t-type test on many tables at once.

    Parameters
    ----------
    name
        A registered test, such as ``"corrected-repeated-kfold-t"``.
    tables
        Differences, shape (..., runs, folds).
    n_train, n_test, scale
        As in :class:`~foldproof.domain.differences.Differences`, the same for all tables.
    variant
        ``"as-run"`` where the test has that replication variant.

    Returns
    -------
    dict
        ``mean_difference``, ``standard_error``, ``df``, ``statistic``, the four p-values and ``zero_variance``,
        each an array of the leading shape.

    >>> batch("corrected-repeated-kfold-t", np.zeros((3, 10, 10)))["pvalue"]
    array([1., 1., 1.])
    """
    method = METHODS[name]
    values = np.asarray(tables, dtype=np.float64)
    if method.arrays is None:
        raise InputError(f"the test {name!r} has no form for many tables at once: call it for each")
    if variant != "as-printed" and method.as_run is None:
        raise InputError(f"the test {name!r} has no variant {variant!r}: leave variant out")
    if values.ndim < 2 or (method.shape is not None and values.shape[-2:] != method.shape):
        wanted = "runs x folds" if method.shape is None else f"{method.shape[0]} x {method.shape[1]}"
        raise InputError(f"{name} takes tables of shape (..., {wanted}); got {values.shape}")
    if values.shape[-1] * values.shape[-2] < 2:
        raise InputError(f"{name}: at least two differences are required in each table")
    if (n_train is None) != (n_test is None):
        raise InputError("give both n_train and n_test, or neither")
    if n_train is not None and n_test is not None:
        ratio = n_test / n_train
    else:
        ratio = 1.0 / (values.shape[-1] - 1) if values.shape[-1] > 1 else float("nan")
    arrays = of_variant(variant, method.arrays, method.as_run or method.arrays)
    every = values.reshape(-1, *values.shape[-2:])
    columns = ("mean_difference", "standard_error", "df", "statistic", *_P_VALUES)
    numbers: dict[str, npt.NDArray[Any]] = {name: np.empty(len(every)) for name in columns}
    numbers["zero_variance"] = np.empty(len(every), dtype=np.bool_)

    def fill(part: slice) -> None:
        moments = arrays(every[part], ratio, scale)
        found = {
            "mean_difference": moments.mean,
            "standard_error": moments.error,
            "df": moments.df,
            **student(moments),
            "zero_variance": moments.flat,
        }
        for name, column in numbers.items():
            column[part] = found[name]

    # Tables do not meet, and NumPy works without the interpreter's lock: large batches use every core.
    workers = min(os.cpu_count() or 1, max(1, values.size // _ENOUGH_FOR_A_THREAD))
    if workers == 1:
        fill(slice(None))
    else:
        ends = np.linspace(0, len(every), workers + 1).astype(int)
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(fill, map(slice, ends[:-1], ends[1:])))
    numbers = {name: column.reshape(values.shape[:-2]) for name, column in numbers.items()}
    # A value that is not finite makes its table's mean so; a mean may also overflow, and then the values are fine.
    suspect = ~np.isfinite(numbers["mean_difference"])
    if np.any(suspect) and not np.isfinite(values[suspect]).all():
        raise InputError("the tables hold values that are not finite: repair or remove them")
    return numbers
