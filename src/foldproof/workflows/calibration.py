"""Calibration: what ``calibrate`` returns, and how trials are summed up."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from foldproof.replicability._agreement import r_estimate
from foldproof.workflows.trials import Trial


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over trials and its standard error (None of a single one)."""

    rate: float
    standard_error: float | None

    @classmethod
    def of(cls, values: npt.ArrayLike) -> Estimate:
        """Return the mean of one value for each trial."""
        array = np.asarray(values, dtype=np.float64)
        error = float(array.std(ddof=1) / math.sqrt(array.size)) if array.size > 1 else None
        return cls(float(array.mean()), error)


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationRow:
    """One procedure on one origin of data.

    Attributes
    ----------
    rejections
        How often a difference was found. That is the Type I error where there is none (``null``), else the power.
    wins_a, wins_b
        How often a and b were said to be better.
    null
        True where there is no difference, False where there is one, None where that is not known.
    truth
        The estimated difference a − b at the procedure's training size, for a source; else None.
    level_kept
        Where there is no difference, whether it was found no more often than alpha and two standard errors.
    claims_level
        Whether the procedure claims to keep its level.
    r, r3
        The share of pairs of repetitions that agree to reject or not, and that agree on the verdict.
    consistent
        How often all repetitions agreed to reject or not.
    nonzero
        The share of fold differences that were not zero. Near 0 the learners hardly differ, and little is shown.
    """

    origin: str
    way: str
    procedure: str
    test: str
    runs: int
    folds: int
    a: str
    b: str
    n: int
    alpha: float
    trials: int
    repetitions: int
    rejections: Estimate
    wins_a: Estimate
    wins_b: Estimate
    null: bool | None
    truth: Estimate | None
    claims_level: bool
    r: Estimate | None
    r3: Estimate | None
    consistent: Estimate | None
    nonzero: float
    failures: int
    warnings: tuple[str, ...] = ()

    @property
    def type_one(self) -> Estimate | None:
        """The Type I error, where there is no difference."""
        return self.rejections if self.null is True else None

    @property
    def power(self) -> Estimate | None:
        """How often the better learner was found, where there is a difference and its direction is known."""
        if self.null is not False or self.truth is None or self.truth.rate == 0.0:
            return self.rejections if self.null is False else None
        return self.wins_a if self.truth.rate > 0.0 else self.wins_b

    @property
    def allowed(self) -> float:
        """Alpha and two standard errors of a rate of alpha over these trials."""
        return self.alpha + 2.0 * math.sqrt(self.alpha * (1.0 - self.alpha) / self.trials)

    @property
    def level_kept(self) -> bool | None:
        """Whether the Type I error is at most what is allowed; None where there may be a difference."""
        return None if self.type_one is None else self.type_one.rate <= self.allowed + 1e-12

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, with the keys of the JSON output."""
        return {
            "origin": self.origin,
            "way": self.way,
            "procedure": {"name": self.procedure, "test": self.test, "runs": self.runs, "folds": self.folds},
            "a": self.a,
            "b": self.b,
            "n": self.n,
            "null": self.null,
            "truth": _plain(self.truth),
            "rejections": _plain(self.rejections),
            "wins_a": _plain(self.wins_a),
            "wins_b": _plain(self.wins_b),
            "type_one": _plain(self.type_one),
            "power": _plain(self.power),
            "claims_level": self.claims_level,
            "allowed": self.allowed,
            "level_kept": self.level_kept,
            "r": _plain(self.r),
            "r3": _plain(self.r3),
            "consistent": _plain(self.consistent),
            "nonzero": self.nonzero,
            "failures": self.failures,
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Calibration:
    """What :func:`foldproof.calibrate` found: a row for each procedure on each origin of data."""

    rows: tuple[CalibrationRow, ...]
    alpha: float
    seed: int
    trials: int
    repetitions: int
    scoring: str
    warnings: tuple[str, ...]
    provenance: Mapping[str, Any]

    def __repr__(self) -> str:
        return self.to_text()

    @property
    def failures(self) -> int:
        """How many folds failed in all trials."""
        return sum(row.failures for row in self.rows)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, with the keys of the JSON output."""
        return {
            "schema": "foldproof/calibrate/1",
            "trials": self.trials,
            "repetitions": self.repetitions,
            "scoring": self.scoring,
            "alpha": self.alpha,
            "seed": self.seed,
            "rows": [row.to_dict() for row in self.rows],
            "provenance": dict(self.provenance),
            "warnings": list(self.warnings),
        }

    def to_text(self, *, width: int = 100, color: bool = False) -> str:
        """Return the table that the command line prints."""
        from foldproof.report.calibration import calibration_text

        return calibration_text(self.to_dict(), width=width, color=color)


def row_of(
    plan: Trial, records: Sequence[Mapping[str, Any]], *, null: bool | None, truth: Estimate | None
) -> CalibrationRow:
    """Sum up the trials of one row."""
    verdicts = np.array([record["verdicts"] for record in records])
    rejected = verdicts != "none"
    count = plan.repetitions
    folds = sum(int(record["folds"]) for record in records)
    nonzero = sum(int(record["nonzero"]) for record in records) / folds
    failures = sum(int(record["failures"]) for record in records)
    # A difference of more than two standard errors is one; less than that leaves it open.
    if null is None and truth is not None and truth.standard_error is not None:
        null = False if abs(truth.rate) > 2.0 * truth.standard_error else None
    warnings = []
    where = f"{plan.procedure.name} on {plan.origin.name}"
    if nonzero < 0.5:
        warnings.append(
            f"learners_alike: {where}: {100 * nonzero:.0f} % of the fold differences are not zero: learners that "
            "hardly differ say little about a procedure's level"
        )
    if failures:
        warnings.append(f"incomplete: {where}: {failures} folds failed, and their trials count as none")
    return CalibrationRow(
        origin=plan.origin.name,
        way=plan.way,
        procedure=plan.procedure.name,
        test=plan.procedure.test,
        runs=plan.procedure.runs,
        folds=plan.procedure.folds,
        a=plan.learners[0].name,
        b=plan.learners[1].name,
        n=plan.n if plan.origin.data is None else len(plan.origin.data),
        alpha=plan.alpha,
        trials=len(records),
        repetitions=count,
        rejections=Estimate.of(rejected.mean(axis=1)),
        wins_a=Estimate.of((verdicts == "a").mean(axis=1)),
        wins_b=Estimate.of((verdicts == "b").mean(axis=1)),
        null=null,
        truth=truth,
        claims_level=plan.procedure.keeps_level,
        r=Estimate.of([r_estimate(int(k), count) for k in rejected.sum(axis=1)]) if count > 1 else None,
        r3=Estimate.of([_same(list(row)) for row in verdicts]) if count > 1 else None,
        consistent=Estimate.of(np.isin(rejected.sum(axis=1), (0, count))) if count > 1 else None,
        nonzero=nonzero,
        failures=failures,
        warnings=tuple(warnings),
    )


def _same(verdicts: Sequence[str]) -> float:
    """Return the share of pairs of repetitions with the same verdict."""
    counts = [verdicts.count(word) for word in ("a", "b", "none")]
    return sum(k * (k - 1) for k in counts) / (len(verdicts) * (len(verdicts) - 1))


def _plain(estimate: Estimate | None) -> dict[str, Any] | None:
    return None if estimate is None else asdict(estimate)
