"""Likelihoods of one attribute given each class: what naive Bayes multiplies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from foldproof.learners.discretise import intervals

Vector = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]


class Likelihood(Protocol):
    """What is known of one attribute."""

    def of(self, x: Vector) -> Matrix:
        """Return one row per known value, one column per class."""


@dataclass(frozen=True, slots=True, eq=False)
class Nominal:
    """Shares of the categories in each class, each counted once more than it occurred."""

    table: Matrix

    @classmethod
    def learnt(cls, x: Vector, y: npt.NDArray[np.int64], w: Vector, n_classes: int, n_values: int) -> Nominal:
        """Count; ``x`` holds positions of categories."""
        counts = np.bincount(y * n_values + x.astype(np.int64), w, n_classes * n_values)
        counts = counts.reshape(n_classes, n_values)
        return cls((counts + 1.0) / (counts.sum(axis=1, keepdims=True) + n_values))

    def of(self, x: Vector) -> Matrix:
        return np.asarray(self.table[:, x.astype(np.int64)].T)


@dataclass(frozen=True, slots=True, eq=False)
class Binned:
    """A numeric attribute as a nominal one with intervals for values."""

    cuts: Vector
    shares: Nominal

    def of(self, x: Vector) -> Matrix:
        return self.shares.of(intervals(x, self.cuts))


@dataclass(frozen=True, slots=True, eq=False)
class Normal:
    """A normal density per class, integrated over the cell of width ``precision`` in which a value lies."""

    precision: float
    means: Vector
    deviations: Vector

    @classmethod
    def learnt(cls, x: Vector, y: npt.NDArray[np.int64], w: Vector, n_classes: int) -> Normal:
        """Take moments of the values, rounded to multiples of the precision."""
        d = precision(x)
        r = rounded(x, d)
        # bincount adds in the order of the rows: the sums are those of a plain loop, to the last bit.
        weight = np.bincount(y, w, n_classes)
        total = np.bincount(y, r * w, n_classes)
        squares = np.bincount(y, r * r * w, n_classes)
        known = weight > 0.0
        divisor = np.where(known, weight, 1.0)
        means = np.where(known, total / divisor, 0.0)
        spread = np.sqrt(np.abs(squares - means * total) / divisor)
        return cls(d, means, np.where(known & (spread > 1e-10), np.maximum(d / 6.0, spread), d / 6.0))

    def of(self, x: Vector) -> Matrix:
        r = rounded(x, self.precision)[:, None]
        half = self.precision / 2.0
        above = ndtr((r - self.means + half) / self.deviations)
        return np.asarray(above - ndtr((r - self.means - half) / self.deviations))


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """A sum of normal densities per class, one at each distinct value; sums stop where little is left to come."""

    precision: float
    values: tuple[Vector, ...]
    weights: tuple[Vector, ...]
    bandwidths: Vector
    rounds_query: bool

    @classmethod
    def learnt(cls, x: Vector, y: npt.NDArray[np.int64], w: Vector, n_classes: int, *, rounds_query: bool) -> Kernel:
        """Collect the distinct rounded values of each class and their weights."""
        d = max(precision(x), 1e-6)
        r = rounded(x, d)
        values, weights, bandwidths = [], [], np.full(n_classes, d / 6.0)
        for c in range(n_classes):
            here = y == c
            distinct, place = np.unique(r[here], return_inverse=True)
            values.append(distinct)
            weights.append(np.bincount(place, w[here], len(distinct)).astype(np.float64))
            if len(distinct) > 1:
                wide = (distinct[-1] - distinct[0]) / np.sqrt(weights[-1].sum())
                bandwidths[c] = max(wide, d / 6.0)
        return cls(d, tuple(values), tuple(weights), bandwidths, rounds_query)

    def of(self, x: Vector) -> Matrix:
        asked, place = np.unique(rounded(x, self.precision) if self.rounds_query else x, return_inverse=True)
        columns = [self._class(asked, c) for c in range(len(self.values))]
        return np.column_stack(columns)[place]

    def _class(self, x: Vector, c: int) -> Vector:
        values, weights, h = self.values[c], self.weights[c], float(self.bandwidths[c])
        half = self.precision / 2.0
        if not len(values):
            return np.asarray(ndtr((x + half) / h) - ndtr((x - half) / h))
        total = float(np.cumsum(weights)[-1])
        mass, seen = np.zeros(len(x)), np.zeros(len(x))
        start = np.searchsorted(values, x, side="left")
        for first, step in ((start, 1), (start - 1, -1)):
            at, who = first.copy(), np.arange(len(x))
            while True:
                inside = (at >= 0) & (at < len(values))
                at, who = at[inside], who[inside]
                if not len(who):
                    break
                away = values[at] - x[who]
                term = ndtr((away + half) / h) - ndtr((away - half) / h)
                mass[who] += term * weights[at]
                seen[who] += weights[at]
                going = ~(term * (total - seen[who]) < 0.01 * mass[who])
                at, who = at[going] + step, who[going]
        return np.asarray(mass / total)


def precision(x: Vector) -> float:
    """Return the mean gap between neighbouring distinct values, summed gap by gap; 0.01 where there is no gap.

    >>> precision(np.array([5.0, 1, 3, 3]))
    2.0
    """
    distinct = np.unique(x)
    if len(distinct) < 2:
        return 0.01
    return float(np.cumsum(np.diff(distinct))[-1] / (len(distinct) - 1))


def rounded(x: Vector, d: float) -> Vector:
    """Return the nearest multiples of a precision, halves to the even one."""
    return np.asarray(np.rint(x / d) * d)
