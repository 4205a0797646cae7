"""What the tests share: their registry, sound moments, and Student's t from an estimate and its error."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from foldproof.domain.differences import Differences
from foldproof.domain.errors import InputError
from foldproof.domain.notices import NOT_COMPLEMENT, RATIO_OUT_OF_RANGE, ZERO_VARIANCE, declare
from foldproof.domain.registry import Registry
from foldproof.domain.result import TResult
from foldproof.domain.student import upper_tail

Floats = npt.NDArray[np.float64]
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

# What is left of a spread after rounding, relative to the scores it came from (convention 7).
ROUNDING = 1e-12
# How many numbers are worked on at a time where there are many tables.
_BLOCK = 250_000
# Where the squared mean is a smaller part of the variance than this, its sum is made without rounding.
_CANCELLED = 1e-8
_ENOUGH_FOR_A_THREAD = 500_000


# A float for one table, an array over the leading axes for many.
Numbers: TypeAlias = Any


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


def sample_moments(tables: Floats, scale: Numbers) -> tuple[Numbers, Numbers, Numbers, int]:
    """Return mean, standard deviation (n - 1), whether the spread is only rounding, and n, over the last two axes.

    Tables whose squares might overflow, vanish or be rounding are done again with care, so that nearly equal and
    huge differences keep their digits.
    """
    values = tables.reshape(*tables.shape[:-2], -1)
    n = values.shape[-1]
    if values.ndim == 1:
        mean, squares = _mean_and_squares(values)
        if _ordinary(mean, squares, n, scale):
            return float(mean), math.sqrt(squares / (n - 1)), False, n
        return *_with_care(values, scale), n
    rows = values.reshape(-1, n)
    means, spreads = np.empty(len(rows)), np.empty(len(rows))
    # A few rows at a time: what is read twice is still in the processor's cache.
    step = max(1, _BLOCK // n)
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        means[part], spreads[part] = _mean_and_squares(rows[part])
    scales = np.broadcast_to(np.asarray(scale, dtype=np.float64), values.shape[:-1]).reshape(-1)
    flat = np.zeros(len(rows), dtype=np.bool_)
    rare = np.flatnonzero(~_ordinary(means, spreads, n, scales))
    with np.errstate(invalid="ignore"):
        spreads = np.sqrt(spreads / (n - 1))
    if rare.size:
        means[rare], spreads[rare], flat[rare] = _with_care(rows[rare], scales[rare])
    shape = values.shape[:-1]
    return means.reshape(shape), spreads.reshape(shape), flat.reshape(shape), n


def _mean_and_squares(values: Floats) -> tuple[Numbers, Numbers]:
    """Return the mean over the last axis and the sum of squares around it."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        centre = np.einsum("...i->...", values) / values.shape[-1]  # three times as fast as add.reduce on short rows
        deviation = values - centre[..., np.newaxis]
        return centre, np.einsum("...i,...i->...", deviation, deviation)


def _ordinary(mean: Numbers, squares: Numbers, n: int, scale: Numbers) -> Numbers:
    """Whether squares neither overflowed nor vanished, and are well above what rounding may leave of them.

    The rounding of the mean, some 1e-16 of it, adds its square to the mean of the squares: nothing where they
    are above 1e-12 of the squared mean. A mean far below the spread may be nothing but the rounding of its sum.
    """
    slack = ROUNDING * scale
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        least = n * (4.0 * slack * slack + 1e-12 * mean * mean)
        return (squares > 1e-200) & (squares < 1e200) & (squares > least) & (n * mean * mean > _CANCELLED * squares)


def _with_care(values: Floats, scale: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Return mean, standard deviation and flatness of numbers first scaled by a power of two, which is exact."""
    n = values.shape[-1]
    with np.errstate(invalid="ignore"):  # what is not finite shows in the mean
        exponent = np.frexp(np.abs(values).max(axis=-1))[1]
        scaled = np.ldexp(values, -exponent[..., np.newaxis])
        centre = _exact_mean(scaled)
        deviation = scaled - centre[..., np.newaxis]
        slip = deviation.mean(axis=-1)  # the rounding of the mean, taken out of the squares
        squares = (deviation * deviation).sum(axis=-1) - n * slip * slip
        flat = np.ldexp(np.abs(deviation).max(axis=-1), exponent) <= ROUNDING * np.asarray(scale)
        spread = np.sqrt(np.maximum(squares, 0.0) / max(n - 1, 1))
        return np.ldexp(centre, exponent), np.where(flat, 0.0, np.ldexp(spread, exponent)), flat


def _exact_mean(values: Floats) -> Floats:
    """Return the mean over the last axis of numbers of size 1 at most, its sum rounded once."""
    n = values.shape[-1]
    add = math.fsum if np.isfinite(values).all() else sum  # what is not finite shows in any sum
    return np.array([add(row) / n for row in values.reshape(-1, n).tolist()]).reshape(values.shape[:-1])


def settle_flat(mean: Numbers, flat: Numbers, scale: Numbers) -> Numbers:
    """Return the means, with a flat one that is only rounding set to zero."""
    if flat is False:
        return mean
    return np.where(flat & (np.abs(mean) <= ROUNDING * np.asarray(scale)), 0.0, mean)


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
    shape = values.shape[:-2]

    def part(tables: Floats) -> dict[str, Numbers]:
        moments = arrays(tables, ratio, scale)
        return {
            "mean_difference": moments.mean,
            "standard_error": moments.error,
            "df": np.broadcast_to(moments.df, np.shape(moments.mean)),
            **student(moments),
            "zero_variance": moments.flat,
        }

    # Tables do not meet, and NumPy works without the interpreter's lock: large batches use every core.
    workers = min(os.cpu_count() or 1, max(1, values.size // _ENOUGH_FOR_A_THREAD))
    if workers == 1:
        parts = [part(every)]
    else:
        with ThreadPoolExecutor(workers) as pool:
            parts = list(pool.map(part, np.array_split(every, workers)))
    numbers = {name: np.concatenate([each[name] for each in parts]).reshape(shape) for name in parts[0]}
    # A value that is not finite makes its table's mean so; a mean may also overflow, and then the values are fine.
    suspect = ~np.isfinite(numbers["mean_difference"])
    if np.any(suspect) and not np.isfinite(values[suspect]).all():
        raise InputError("the tables hold values that are not finite: repair or remove them")
    return numbers
