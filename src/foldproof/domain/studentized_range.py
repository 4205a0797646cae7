"""The range of k standard normals: tails and critical values of Tukey's studentized range with infinite df."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

# Where the largest of the normals may lie, in steps so fine that the trapezoid rule has converged to the last digits.
_LEFT, _RIGHT, _STEP = -9.0, 40.0, 1.0 / 64.0


def range_tail(width: float, k: int) -> float:
    """Return P(range of k standard normals >= width), precise in the far tail.

    With z the largest, ``k ∫ φ(z) (Φ(z)^(k-1) - (Φ(z) - Φ(z - w))^(k-1)) dz``; the difference of powers is taken
    without cancellation.

    >>> round(range_tail(3.633160, 4), 6)
    0.05
    """
    if width <= 0.0:
        return 1.0
    if math.isinf(width):
        return 0.0
    z = np.arange(_LEFT, _RIGHT + _STEP, _STEP)
    below = special.ndtr(z)
    lost = special.ndtr(z - width) / below
    with np.errstate(divide="ignore"):
        powers = -np.expm1((k - 1) * np.log1p(-np.minimum(lost, 1.0)))
    density = np.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
    return min(1.0, float(k * _STEP * (density * below ** (k - 1) * powers).sum()))


def range_critical_value(alpha: float, k: int) -> float:
    """Return the width that the range of k standard normals exceeds with probability alpha.

    >>> round(range_critical_value(0.05, 4) / 2**0.5, 3)
    2.569
    """
    low, high = 0.0, 8.0
    while range_tail(high, k) > alpha:
        high *= 2.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if range_tail(middle, k) > alpha else (low, middle)
    return 0.5 * (low + high)
