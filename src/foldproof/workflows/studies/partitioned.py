"""Comparisons over partitions: what each partition alone says of a pair of learners, and what their average says.

A repetition of a protocol is a partition. The first so many as were printed are the experiment done again; all of them
together tell how far a printed number may lie from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from foldproof.domain.differences import Differences
from foldproof.domain.result import AveragedTResult, TResult
from foldproof.domain.student import critical_value
from foldproof.domain.study import Part, Printed, Protocol, Row
from foldproof.significance import averaged_t
from foldproof.workflows.studies.agreement import Cell, Expected
from foldproof.workflows.studies.base import Workbench, pair_name
from foldproof.workflows.studies.evidence import Evidence

Floats = npt.NDArray[np.float64]
DRAWS = 2000


@dataclass(frozen=True, slots=True)
class Comparison:
    """A pair of learners on one protocol, with the test that a single partition is put to.

    As printed, five runs of two folds have the 5x2cv test; as run, the paired t-test on their ten differences.
    """

    pair: tuple[str, str]
    protocol: Protocol
    five_by_two: bool

    @property
    def column(self) -> str:
        """How tables head it."""
        return f"{pair_name(self.pair)}, {self.protocol.name}"

    def averaged(self, evidence: Evidence, partitions: int | None = None) -> AveragedTResult:
        """Return the averaged t over the first so many partitions (all of them by default)."""
        tables = evidence.differences(self.protocol.name, self.pair)[:partitions]
        if self.five_by_two:
            found: AveragedTResult = averaged_t(Differences(tables.reshape(-1, 2)), single="five-by-two-cv-t")
        else:
            found = averaged_t(Differences(tables.reshape(len(tables), -1)))
        return found


def comparisons(part: Part, bench: Workbench) -> list[Comparison]:
    """Return every pair of the study on every protocol of a part."""
    printed = bench.how.variant.formulas == "as-printed"
    protocols = [bench.study.protocols[name] for name in part.protocols]
    return [
        Comparison(pair, protocol, printed and protocol.schemes[bench.how.folds][0] == "5x2")
        for pair in bench.study.pairs
        for protocol in protocols
    ]


def shown(bench: Workbench) -> int:
    """Return how many partitions the tables are of: as many as were printed, or as many as there are."""
    return min(bench.study.repetitions, bench.how.repetitions)


def verdicts(found: AveragedTResult, alpha: float) -> npt.NDArray[np.int64]:
    """Return what each partition alone says: 1 for the first learner, -1 for the second, 0 for neither."""
    values = np.array(found.t_values)
    threshold = float(critical_value(alpha / 2.0, found.df))
    return np.where(np.abs(values) >= threshold, np.sign(values), 0.0).astype(np.int64)


def verdict(found: TResult, alpha: float) -> str:
    """Return what a test says: A, none or B."""
    return str(found.decide(alpha=alpha))


def mean_of(values: npt.ArrayLike, drawn: int, printed: Printed | None, reach: float) -> Expected:
    """Return what is expected of the mean of so many partitions, after those seen; with what rounding adds."""
    seen = np.asarray(values, dtype=np.float64)
    half = 0.0 if printed is None else 0.5 * 10.0**-printed.digits
    spread = float(seen.var(ddof=1)) * (1.0 / drawn + 1.0 / len(seen)) + half**2 / 3.0
    mean, sd = float(seen.mean()), math.sqrt(spread)
    return Expected(mean, sd, mean - 1.959964 * sd, mean + 1.959964 * sd, reach)


def judged(at: Cell, measured: float | None, expected: Expected, printed: Printed | None, seen: int) -> Row:
    """Return the cell: what the first partitions gave, and the printed number judged by what all those seen expect."""
    return replace(expected.row(at, printed, seen), measured=measured)


def redrawn(results: list[AveragedTResult], drawn: int, tell: Callable[[Floats, float], Floats], seed: int) -> Floats:
    """Return what ``tell`` says of so many partitions drawn from those seen, again and again, summed over datasets.

    ``tell`` takes t-values, draws x partitions, and the degrees of freedom, and returns draws x numbers.
    """
    rng = np.random.default_rng([seed, 2001])
    total = None
    for found in results:
        values = np.array(found.t_values)
        told = tell(values[rng.integers(0, len(values), (DRAWS, drawn))], found.df)
        total = told if total is None else total + told
    assert total is not None
    return total


def of_draws(draws: Floats, drawn: int, seen: int, reach: float) -> Expected:
    """Return what is expected of a number that was drawn again and again; fewer seen make it less certain."""
    mean, sd = float(draws.mean()), float(draws.std()) * math.sqrt(1.0 + drawn / seen)
    return Expected(mean, sd, mean - 1.959964 * sd, mean + 1.959964 * sd, reach)
