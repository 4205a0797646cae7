"""Logarithms of the mass that a normal density has in a cell, with bounds on what rounding makes of it elsewhere.

The learner subtracts two values of the distribution function. In the upper tail these are near 1, and what is left is
rounding: a bound is not an error of this computation, it is how far the learner's own number may be from the mass.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from foldproof.kernels.jit import kernel

Vector = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FLOOR = 1e-75
LOG_FLOOR = math.log(FLOOR)
ROOT_HALF = math.sqrt(0.5)
LOG_ROOT_2PI = 0.5 * math.log(2.0 * math.pi)
# Up to this width of a cell, in deviations, and up to this many deviations from the mean, a density serves for a mass.
FINE, NEAR = 0.05, 4.0


@kernel
def _upper(z: float) -> float:
    """Return the mass above z."""
    return 0.5 * math.erfc(z * ROOT_HALF)


@kernel
def cell(z: float, h: float, loose_mean: float, loose_deviation: float) -> tuple[float, float]:
    """Return the logarithm of the mass between z - h/2 and z + h/2 as the learner may have it, and half its span.

    ``loose_mean``: how far the mean may be off, in deviations; ``loose_deviation``: how far the deviation, in shares.
    """
    low, high = z - 0.5 * h, z + 0.5 * h
    if low > 8.4:  # both values of the distribution function are 1
        return LOG_FLOOR, 0.0
    far = max(abs(low), abs(high))
    noise = 2e-15 + far * far * 5e-16
    if low > 1.5:
        # 1 less a tail, rounded: the tail is known well enough to tell, nearly always, to which number.
        noise += (far + 1.0) * (loose_mean + (far + 1.0) * loose_deviation)
        one, other = _upper(low), _upper(high)
        least = (1.0 - other * (1.0 + noise)) - (1.0 - one * (1.0 - noise))
        most = (1.0 - other * (1.0 - noise)) - (1.0 - one * (1.0 + noise))
        a, b = math.log(max(FLOOR, least)), math.log(max(FLOOR, most))
        return 0.5 * (a + b), 0.5 * (b - a)
    if low > 0.0:
        mass = _upper(low) - _upper(high)
        noise = noise * _upper(low) + 4e-16
    elif high < 0.0:
        mass = _upper(-high) - _upper(-low)
        noise = noise * _upper(-high)
    else:
        mass = 1.0 - _upper(high) - _upper(-low)
        noise = 6e-16
    share = (far + 1.0 + h) * loose_mean + (far * far + 2.0) * loose_deviation
    share = share * math.exp(min(share, 700.0))
    least = max(FLOOR, mass * (1.0 - share) - noise)
    most = max(FLOOR, mass * (1.0 + share) + noise)
    a, b = math.log(least), math.log(most)
    return 0.5 * (a + b), 0.5 * (b - a)


@kernel
def narrow(g: float) -> tuple[float, float, float, float]:
    """Return a polynomial of the square of z that is the logarithm of a cell's mass over h φ(0), for g = h².

    Up to five deviations from the mean, and for h of at most a quarter, it is off by at most 0.08 h⁸.
    """
    b0 = g * (g * (1.0 / 1440.0 - g * (1.0 / 181440.0)) - 1.0 / 24.0)
    b1 = g * (1.0 / 24.0 - g * (1.0 / 720.0 - g * (3.0 / 181440.0))) - 0.5
    return b0, b1, g * g * (g * (6.0 / 181440.0) - 1.0 / 2880.0), g * g * g * (1.0 / 181440.0)


@kernel
def density(h: float, loose_mean: float, loose_deviation: float) -> tuple[float, float, float, float]:
    """Return a, b and c so that a + b z² + c z⁴ is the logarithm of a narrow cell's mass, and the error up to NEAR."""
    b0, b1, b2, b3 = narrow(h * h)
    error = b3 * NEAR**6 + 0.08 * h**8 + 4e-12 / h
    error += (NEAR + 1.0) * loose_mean + (NEAR * NEAR + 2.0) * loose_deviation
    return math.log(h) - LOG_ROOT_2PI + b0, b1, b2, 1.1 * error


@kernel
def mean_gap(distinct: Vector, often: Ints, begin: int, end: int) -> float:
    """Return the mean gap between neighbouring values that occur, summed gap by gap; 0.01 where there is none."""
    total, known, before = 0.0, 0, 0.0
    for v in range(begin, end):
        if often[v] > 0:
            if known:
                total += distinct[v] - before
            before = distinct[v]
            known += 1
    return total / (known - 1) if known > 1 else 0.01


@kernel
def moments(weight: float, total: float, squares: float, d: float, reach: float) -> tuple[float, float, float, float]:
    """Return mean and deviation of values rounded to multiples of d, and how far those of the learner may be off.

    ``total``, ``squares``: of the multiples; ``reach``: the greatest magnitude of a value.
    """
    if weight < 0.5:
        return 0.0, d / 6.0, 1e-15 * (reach + d), 1e-15
    grain = (weight + 8.0) * 1.2e-16
    mean = total / weight
    variance = abs(squares / weight - mean * mean) * d * d
    span = reach + d
    error = 4.0 * grain * span * span
    low, high = math.sqrt(max(variance - error, 0.0)), math.sqrt(variance + error)
    low = max(d / 6.0, low) if low > 1e-10 else d / 6.0
    high = max(d / 6.0, high) if high > 1e-10 else d / 6.0
    deviation = 0.5 * (low + high)
    return mean * d, deviation, 2.0 * grain * span, 0.5 * (high - low) / deviation + 1e-15
