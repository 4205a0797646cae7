"""Mean and spread of tables of differences: no digits lost to nearly equal or huge values, and many tables at once."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
# A float for one table, an array over the leading axes for many.
Numbers: TypeAlias = Any

# What is left of a spread after rounding, relative to the scores it came from (convention 7).
ROUNDING = 1e-12
# How many numbers are worked on at a time where there are many tables.
_BLOCK = 250_000
# Squares around zero serve for squares around the mean where that leaves more than this share of them.
_MOST_OF = 0.5
# Where the squared mean is a smaller part of the variance than this, its sum is made without rounding.
_CANCELLED = 1e-8


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
    """Return the mean over the last axis and the sum of squares around it.

    Of many rows, the squares around zero serve where the mean is small beside the spread: taking the square of the
    mean out of them then costs less than one binary digit, and an array of deviations is spared.
    """
    n = values.shape[-1]
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        mean = np.einsum("...i->...", values) / n  # three times as fast as add.reduce on short rows
        if values.ndim == 1:
            return mean, _squares_around(values, mean)
        raw = np.einsum("ij,ij->i", values, values)
        squares = raw - n * mean * mean
        large = ~(squares > _MOST_OF * raw)  # what is not a number too
        if large.any():
            squares[large] = _squares_around(values[large], mean[large])
        return mean, squares


def _squares_around(values: Floats, mean: Numbers) -> Numbers:
    deviation = values - mean[..., np.newaxis]
    return np.einsum("...i,...i->...", deviation, deviation)


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
