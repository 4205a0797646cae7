"""What the tests share: their registry, sound moments, and Student's t from an estimate and its error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from foldproof.domain.differences import Differences
from foldproof.domain.errors import InputError
from foldproof.domain.notices import NOT_COMPLEMENT, RATIO_OUT_OF_RANGE, ZERO_VARIANCE
from foldproof.domain.registry import Registry
from foldproof.domain.result import TResult
from foldproof.domain.student import upper_tail

Floats = npt.NDArray[np.float64]
Variant = Literal["as-printed", "as-run"]
F = TypeVar("F", bound=Callable[..., Any])

# What is left of a spread after rounding, relative to the scores it came from (convention 7).
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Moments:
    """Estimate, standard error and degrees of freedom of tables of differences; arrays over the leading axes."""

    mean: Floats
    error: Floats
    df: Floats
    flat: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Method:
    """A registered test.

    Attributes
    ----------
    kind
        "t" (differences in, TResult out), "counts" (wins and losses), "sideless", "bayesian", or "other".
    exchangeable
        Whether the order of runs and folds does not matter.
    shape
        The runs x folds it insists on, if any.
    arrays
        For t-type tests, the same computation on an array of many tables: (tables, ratio, scale) to Moments.
    """

    name: str
    function: Callable[..., Any]
    kind: Literal["t", "counts", "sideless", "bayesian", "other"]
    exchangeable: bool = True
    shape: tuple[int, int] | None = None
    arrays: Callable[[Floats, float, Floats], Moments] | None = None


METHODS: Registry[Method] = Registry("test", "foldproof.significance")


def significance_test(
    name: str,
    *,
    kind: Literal["t", "counts", "sideless", "bayesian", "other"],
    exchangeable: bool = True,
    shape: tuple[int, int] | None = None,
    arrays: Callable[[Floats, float, Floats], Moments] | None = None,
) -> Callable[[F], F]:
    """Register a test in its own file; the function comes back as it was."""

    def keep(function: F) -> F:
        METHODS.register(name)(Method(name, function, kind, exchangeable, shape, arrays))
        return function

    return keep


def sample_moments(tables: Floats, scale: Floats | float) -> tuple[Floats, Floats, npt.NDArray[np.bool_], int]:
    """Return mean, standard deviation (n - 1), whether the spread is only rounding, and n, over the last two axes.

    Numbers are first scaled by a power of two (exact), so that squares neither overflow nor vanish; the sum of
    squares is corrected for the rounding of the mean, so that nearly equal differences keep their digits.
    """
    values = tables.reshape(*tables.shape[:-2], -1)
    n = values.shape[-1]
    exponent = np.frexp(np.abs(values).max(axis=-1))[1]
    scaled = np.ldexp(values, -exponent[..., np.newaxis])
    centre = scaled.mean(axis=-1)
    deviation = scaled - centre[..., np.newaxis]
    slip = deviation.mean(axis=-1)
    squares = np.einsum("...i,...i->...", deviation, deviation) - n * slip * slip
    flat = np.ldexp(np.abs(deviation).max(axis=-1), exponent) <= ROUNDING * np.asarray(scale)
    spread = np.sqrt(np.maximum(squares, 0.0) / (n - 1)) if n > 1 else np.zeros_like(centre)
    mean = np.ldexp(centre + slip, exponent)
    return mean, np.where(flat, 0.0, np.ldexp(spread, exponent)), flat, n


def settle_flat(mean: Floats, flat: npt.NDArray[np.bool_], scale: Floats | float) -> Floats:
    """Return the means, with a flat one that is only rounding set to zero."""
    return np.where(flat & (np.abs(mean) <= ROUNDING * np.asarray(scale)), 0.0, mean)


def student(moments: Moments) -> dict[str, Floats]:
    """Return statistic and p-values for every table."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        statistic = np.where(
            moments.error > 0.0,
            moments.mean / moments.error,
            np.where(moments.mean == 0.0, 0.0, np.copysign(np.inf, moments.mean)),
        )
    tail = np.asarray(upper_tail(statistic, moments.df))
    positive = statistic >= 0.0
    return {
        "statistic": statistic,
        "pvalue": 2.0 * tail,
        "pvalue_greater": np.where(positive, tail, 1.0 - tail),
        "pvalue_less": np.where(positive, 1.0 - tail, tail),
        "pvalue_signed": np.where(positive, tail, -tail),
    }


def as_tables(differences: Differences) -> Floats:
    """Return the differences as one table, a flat list as a single row."""
    return differences.values if differences.values.ndim == 2 else differences.values[np.newaxis, :]


def t_result(test: str, moments: Moments, warnings: tuple[str, ...] = ()) -> TResult:
    """Return the result for a single table."""
    numbers = {name: float(value) for name, value in student(moments).items()}
    flat = bool(moments.flat)
    return TResult(
        test=test,
        mean_difference=float(moments.mean),
        standard_error=float(moments.error),
        df=float(moments.df),
        zero_variance=flat,
        warnings=(*warnings, *((ZERO_VARIANCE,) if flat and numbers["statistic"] != 0.0 else ())),
        **numbers,
    )


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
    if values.ndim < 2 or (method.shape is not None and values.shape[-2:] != method.shape):
        wanted = "runs x folds" if method.shape is None else f"{method.shape[0]} x {method.shape[1]}"
        raise InputError(f"{name} takes tables of shape (..., {wanted}); got {values.shape}")
    if not np.isfinite(values).all():
        raise InputError("the tables hold values that are not finite: repair or remove them")
    if values.shape[-1] * values.shape[-2] < 2:
        raise InputError(f"{name}: at least two differences are required in each table")
    if (n_train is None) != (n_test is None):
        raise InputError("give both n_train and n_test, or neither")
    if n_train is not None and n_test is not None:
        ratio = n_test / n_train
    else:
        ratio = 1.0 / (values.shape[-1] - 1) if values.shape[-1] > 1 else float("nan")
    moments = method.arrays(values, ratio, np.asarray(scale, dtype=np.float64))
    shape = np.shape(moments.mean)
    return {
        "mean_difference": moments.mean,
        "standard_error": moments.error,
        "df": np.broadcast_to(moments.df, shape),
        **student(moments),
        "zero_variance": moments.flat,
    }
