"""Counting rejections over repetitions, and what is said of them over datasets: consistent, almost consistent, R."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from foldproof.domain.errors import InputError
from foldproof.domain.study import Part, Row
from foldproof.replicability._agreement import r_estimate, summary
from foldproof.workflows.studies.agreement import Cell, count_of, equal, of_distribution, of_sum, subsets_of
from foldproof.workflows.studies.base import Options, Workbench
from foldproof.workflows.studies.evidence import Evidence

Pair = tuple[str, str]
CONSISTENT, ALMOST, R = "consistent", "almost consistent", "R"
MEASURES = (CONSISTENT, ALMOST, R)
# R of ten repetitions lies between 4/9 and 1.
_R_REACH = 5.0 / 9.0


@dataclass(frozen=True, slots=True)
class Question:
    """One test as it is put to every dataset: on which runs of which protocol, at which level."""

    column: str
    test: str
    protocol: str
    alpha: float
    runs: int | None = None

    def rejections(self, evidence: Evidence, pair: Pair, bench: Workbench) -> npt.NDArray[np.bool_]:
        """Return, for each repetition, whether the test rejects."""
        pvalues, _ = evidence.pvalues(
            self.test, self.protocol, pair, runs=self.runs, formulas=bench.how.variant.formulas
        )
        return np.asarray(pvalues <= self.alpha)


def questions(part: Part, options: Options, alpha: float) -> list[Question]:
    """Return the questions of a part, one for each of its columns; a column may have its own test, protocol, level."""
    test, level = options.take("test", str), options.take("alpha", float, alpha)
    found = []
    for column in options.take("columns", list):
        if not isinstance(column, Mapping) or "name" not in column:
            raise InputError(f'{part.label}: a column is {column!r}; write {{name = "10", runs = 10}}')
        unknown = set(column) - {"name", "test", "protocol", "alpha", "runs"}
        if unknown:
            raise InputError(f"{part.label}: column {column['name']!r} has the unknown key {min(unknown)!r}")
        own = column.get("protocol", part.protocols[0] if part.protocols else "")
        if own not in part.protocols:
            raise InputError(f"{part.label}: column {column['name']!r} is of protocol {own!r}, which the part lacks")
        found.append(
            Question(str(column["name"]), column.get("test", test), own, column.get("alpha", level), column.get("runs"))
        )
    return found


def summary_rows(
    bench: Workbench, table: str, names: Sequence[str], column: str, every: Sequence[npt.NDArray[np.bool_]]
) -> list[Row]:
    """Return the measures, under row names in their order (empty: left out), of every dataset's rejections."""
    counts, repetitions = [int(rejects.sum()) for rejects in every], len(every[0])
    drawn, whole = bench.study.repetitions, bench.whole
    rows = []
    for measure, name in zip(MEASURES, names, strict=True):
        if not name:
            continue
        printed = bench.printed(table, name, column) if whole else None
        note = "" if whole else f"over {len(counts)} of {len(bench.study.datasets)} datasets"
        references = bench.references(table, name, column) if whole else {}
        if bench.how.exact:
            if repetitions != drawn:
                printed, note = None, f"{repetitions} of {drawn} repetitions"
            at = Cell(name, column, 3 if measure == R else 0, references, note)
            rows.append(equal(at, measured(measure, counts, repetitions), printed))
            continue
        each = [(count_of(k, repetitions, drawn), subsets_of(k, repetitions, drawn)) for k in counts]
        expected = of_sum(
            _values(measure, drawn),
            each,
            len(counts) if measure == R else 1.0,
            _R_REACH if measure == R else len(counts),
        )
        rows.append(expected.row(Cell(name, column, 3 if measure == R else 1, references, note), printed, repetitions))
    return rows


def measured(measure: str, counts: Sequence[int], repetitions: int) -> float:
    """Return a measure of rejections, as the paper defines it.

    >>> measured("consistent", [0, 10, 4], 10), round(measured("R", [0, 10, 4], 10), 3)
    (2.0, 0.822)
    """
    found = summary(counts, repetitions, resamples=1)
    return {CONSISTENT: float(found.consistent), ALMOST: float(found.almost_consistent), R: found.r}[measure]


def _values(measure: str, drawn: int) -> npt.NDArray[np.float64]:
    """Return what one dataset adds to a measure, for each number of rejections."""
    k = np.arange(drawn + 1)
    if measure == R:
        return np.array([r_estimate(int(i), drawn) for i in k])
    return (np.minimum(k, drawn - k) <= (measure == ALMOST)).astype(np.float64)


def count_row(bench: Workbench, table: str, row: str, column: str, count: int, repetitions: int) -> Row:
    """Return how often something happened on one dataset, out of as many repetitions as were printed."""
    drawn, printed = bench.study.repetitions, bench.printed(table, row, column)
    references = bench.references(table, row, column)
    if bench.how.exact:
        if repetitions != drawn:
            return Cell(row, column, 0, references, f"{repetitions} of {drawn} repetitions").row(count)
        return equal(Cell(row, column, 0, references), count, printed)
    chances, shares = count_of(count, repetitions, drawn), subsets_of(count, repetitions, drawn)
    expected = of_distribution(np.arange(drawn + 1.0), chances, shares, float(drawn))
    expected = replace(expected, mean=drawn * count / repetitions)  # the same, unless fewer were made than are drawn
    return expected.row(Cell(row, column, 1, references), printed, repetitions)
