"""Does a measured number agree with a printed one?

Where folds and formulas are those behind the print, numbers must be equal. Elsewhere a printed number is one draw, made
by other seeds: it is held against the distribution of such draws. That distribution comes from repetitions of our own
(100 by default, never fewer than 100 for a judgement), with what they leave unknown of each rate (beta-binomial).
A cell agrees where the draw is no more than three standard deviations away (a single count: where it is no rarer than
that). Where its 95 % interval holds half of all possible draws or more, agreeing would say nothing, and the cell is not
judged alone; in the total of its table every cell counts, wide or narrow, by its squared deviation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
from scipy import special

from foldproof.domain.study import Printed, Row

Floats = npt.NDArray[np.float64]
FEWEST = 100
FARTHEST = 3.0
# The two-sided chance of that.
_RARE = 0.0027


@dataclass(frozen=True, slots=True)
class Expected:
    """What a draw is expected to be: mean, standard deviation, 95 % interval, and the range it could take at all.

    ``chances`` are those of whole numbers from 0, where the draw is one: what is rare is then rare by its own chance.
    """

    mean: float
    sd: float
    low: float
    high: float
    reach: float
    chances: tuple[float, ...] | None = None

    def beyond(self, printed: float, away: float) -> bool:
        """Whether a printed number is farther out than three standard deviations of a normal draw would be."""
        if self.chances is None:
            return abs(away) > FARTHEST
        place = round(printed)
        tail = min(sum(self.chances[: place + 1]), sum(self.chances[place:]))
        return 2.0 * tail < _RARE

    def row(self, at: Cell, printed: Printed | None, repetitions: int) -> Row:
        """Return the cell, judged by its standardised deviation where enough repetitions were made."""
        measured = replace(at.row(self.mean), interval=(self.low, self.high))
        if printed is None:
            return measured
        away, agrees, word = deviation(printed.value, self, repetitions)
        note = "; ".join(filter(None, (printed.note, at.note, word)))
        return replace(measured, published=printed.value, agrees=agrees, deviation=away, note=note)


@dataclass(frozen=True, slots=True)
class Cell:
    """Where a number stands, and what is said beside it."""

    name: str
    column: str
    digits: int
    references: Mapping[str, float] = field(default_factory=dict)
    note: str = ""

    def row(self, measured: float | None) -> Row:
        """Return the cell with what was measured, not judged."""
        return Row(
            row=self.name, column=self.column, measured=measured, digits=self.digits, references=self.references,
            note=self.note,
        )  # fmt: skip


def deviation(printed: float, expected: Expected, repetitions: int) -> tuple[float | None, bool | None, str]:
    """Return (printed − mean) / sd, whether that agrees, and a word where it cannot be said.

    A cell that never varied has no deviation: it agrees where it is equal to half a unit of a count.
    """
    if repetitions < FEWEST:
        return None, None, f"judged from {FEWEST} repetitions only"
    if expected.sd == 0.0:
        same = abs(printed - expected.mean) < 0.0005
        return (0.0 if same else None), same, "" if same else "never varied here"
    away = (printed - expected.mean) / expected.sd
    if expected.beyond(printed, away):
        return away, False, ""
    if expected.high - expected.low > 0.5 * expected.reach:
        return away, None, "too wide to judge alone"
    return away, True, ""


def count_of(rejections: int, repetitions: int, drawn: int) -> Floats:
    """Return P(0), …, P(drawn) rejections in so many further repetitions, after those seen (Jeffreys' prior)."""
    k = np.arange(drawn + 1)
    a, b = rejections + 0.5, repetitions - rejections + 0.5
    return np.asarray(
        special.comb(drawn, k) * np.exp(special.betaln(k + a, drawn - k + b) - special.betaln(a, b)), dtype=np.float64
    )


def subsets_of(rejections: int, repetitions: int, drawn: int) -> Floats:
    """Return the shares of subsets of the repetitions seen that hold 0, …, ``drawn`` rejections.

    Means over them are without bias; with fewer repetitions than are drawn there are no subsets, and the chances of
    :func:`count_of` stand in.
    """
    if repetitions < drawn:
        return count_of(rejections, repetitions, drawn)
    k = np.arange(drawn + 1)
    ways = special.comb(rejections, k) * special.comb(repetitions - rejections, drawn - k)
    return np.asarray(ways / ways.sum())


def of_distribution(values: Floats, chances: Floats, shares: Floats, reach: float) -> Expected:
    """Return what is expected of one number that takes growing values: its mean from ``shares``, its spread."""
    mean, centre = float(values @ shares), float(values @ chances)
    sd = float(np.sqrt(max(float((values - centre) ** 2 @ chances), 0.0)))
    below = np.cumsum(chances)
    low, high = (float(values[min(int(np.searchsorted(below, q)), len(values) - 1)]) for q in (0.025, 0.975))
    return Expected(mean, sd, low, high, reach, tuple(chances.tolist()))


def of_sum(values: Floats, each: Sequence[tuple[Floats, Floats]], divisor: float, reach: float) -> Expected:
    """Return what is expected of a sum of independent numbers (one for each dataset), divided by ``divisor``.

    ``each`` holds chances and shares as for :func:`of_distribution`.
    """
    mean = sum(float(values @ shares) for _, shares in each) / divisor
    variance = sum(float((values - values @ p) ** 2 @ p) for p, _ in each) / divisor**2
    sd = float(np.sqrt(max(variance, 0.0)))
    return Expected(mean, sd, mean - 1.959964 * sd, mean + 1.959964 * sd, reach)


def equal(at: Cell, measured: float, printed: Printed | None) -> Row:
    """Return the cell, judged by equality to the last printed digit."""
    if printed is None:
        return at.row(measured)
    same = same_digits(measured, printed)
    return replace(
        at.row(measured),
        published=printed.value,
        agrees=same,
        note="; ".join(filter(None, ("" if same else printed.note, at.note))),
        digits=printed.digits,
    )


def same_digits(measured: float, printed: Printed) -> bool:
    """Whether a number, rounded to as many places as were printed, is the printed one.

    >>> same_digits(0.73662, Printed("0.737")), same_digits(0.7362, Printed("0.737"))
    (True, False)
    """
    return abs(measured - printed.value) <= 0.5 * 10.0**-printed.digits + 1e-12
