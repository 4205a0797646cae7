"""What a procedure is, how most of them are conducted, and how differences are judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from foldproof import significance
from foldproof.domain.differences import Differences
from foldproof.domain.errors import InputError
from foldproof.domain.notices import FORECAST_UNAVAILABLE, IDENTICAL, LEAVE_ONE_OUT
from foldproof.domain.outcomes import Outcomes, differences_of
from foldproof.domain.partitions import Partitions, Splits
from foldproof.domain.registry import Registry
from foldproof.domain.result import TResult
from foldproof.domain.verdict import AnyResult, FourCells
from foldproof.engine.events import Listener
from foldproof.partitions import Scheme, partition
from foldproof.significance._mcnemar import four_cells
from foldproof.workflows.experiment import Setting

DEFAULT = "corrected-10x10-cv"
# What is asked for is dealt out before the first fit; beyond this it is a slip of the hand, and would fill the memory.
MOST = 100_000
FORECASTABLE = "corrected-repeated-kfold-t"


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """What one conduct is asked for, beyond the setting: which repetition, how, and by whose partitions."""

    alpha: float
    repetition: int = 0
    n_jobs: int | None = None
    on_event: Listener | None = None
    splits: Splits | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Conducted:
    """What a conduct brings back: outcomes, the partitions they stand on, and when each pair was settled.

    ``runs_of_pair`` is there where pairs used different numbers of runs; ``settled`` where that was a question.
    """

    setting: Setting
    partitions: Splits
    outcomes: Mapping[str, Outcomes]
    runs: int
    folds: int
    runs_of_pair: Mapping[tuple[str, str, str], int] | None = None
    settled: Mapping[tuple[str, str, str], bool] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A pair's evidence and what the test made of it."""

    result: AnyResult
    mean_difference: float
    evidence: Callable[[], Differences] | None = None
    forecast: float | None = None
    smallest_detectable: float | None = None
    settled: bool | None = None
    table: FourCells | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Procedure:
    """A test and how its data are made. A fixed one has its runs and folds; an open one takes the user's.

    ``advice`` names the warnings that every verdict of it carries. ``design`` says how the data were divided, for
    a methods section; ``{runs}`` and ``{folds}`` are filled in. ``keeps_level`` is a claim: where two learners do not
    differ, it says that they do no more often than alpha; ``fp.calibrate`` holds it to that.
    """

    name: str
    test: str
    runs: int
    folds: int
    summary: str
    scheme: Callable[[int], Scheme]
    design: str = "{runs} x {folds}-fold cross-validation with the same partitions for all learners"
    fixed: bool = True
    advice: tuple[str, ...] = ()
    keeps_level: bool = True
    options: tuple[tuple[str, Any], ...] = ()
    conduct: Callable[[Procedure, Setting, Request], Conducted] | None = None
    judge: Callable[[Procedure, Conducted, str, str, str, float], Judged] | None = None
    resize: Callable[[Procedure], Procedure] | None = None

    def with_size(self, runs: int | None, folds: int | None) -> Procedure:
        """Return the procedure at the size asked for, or say why it cannot have it."""
        for what, wanted, own in (("runs", runs, self.runs), ("folds", folds, self.folds)):
            if wanted is not None and wanted < 1:
                raise InputError(f"{what} is {wanted}: give a whole number of at least 1")
            if wanted is not None and wanted > MOST:
                raise InputError(f"{what} is {wanted}: at most {MOST} are dealt out at once")
            if self.fixed and wanted is not None and wanted != own:
                raise InputError(
                    f"the procedure {self.name!r} fixes {what} at {own} and {wanted} was asked for: leave {what} out, "
                    "or use a procedure that takes it, such as corrected-repeated-cv"
                )
        sized = replace(self, runs=runs or self.runs, folds=folds or self.folds)
        return sized if self.resize is None else self.resize(sized)

    def carry_out(self, setting: Setting, request: Request) -> Conducted:
        """Make the evidence: fit and score."""
        return (self.conduct or conduct_partitions)(self, setting, request)

    def judge_pair(self, conducted: Conducted, a: str, b: str, scoring: str, alpha: float) -> Judged:
        """Test one pair on the evidence."""
        found = (self.judge or judge_differences)(self, conducted, a, b, scoring, alpha)
        return replace(found, warnings=(*found.warnings, *self.advice))

    def test_it(self, *evidence: Any) -> Any:
        """Apply the procedure's test, with its own options."""
        return significance.METHODS[self.test].function(*evidence, **dict(self.options))


PROCEDURES: Registry[Procedure] = Registry("procedure", "foldproof.workflows.procedures")


def register(procedure: Procedure) -> None:
    """File a procedure under its name."""
    PROCEDURES.register(procedure.name)(procedure)


def procedure(name: str, *, runs: int | None = None, folds: int | None = None) -> Procedure:
    """Return a procedure by name, at its own size or the size asked for."""
    return PROCEDURES[name].with_size(runs, folds)


def list_procedures() -> list[str]:
    """Return the names of the procedures there are.

    >>> "corrected-10x10-cv" in list_procedures()
    True
    """
    return list(PROCEDURES)


def conduct_partitions(procedure: Procedure, setting: Setting, request: Request) -> Conducted:
    """Fit every learner on every fold of the procedure's partitions (or of those given)."""
    splits = request.splits
    if splits is None:
        scheme = procedure.scheme(procedure.folds)
        splits = partition(
            scheme, setting.dataset, seed=setting.seed, runs=procedure.runs, repetition=request.repetition
        )
    outcomes = setting.run(splits, repetition=request.repetition, n_jobs=request.n_jobs, on_event=request.on_event)
    return Conducted(setting, splits, outcomes, splits.runs, splits.folds)


def pair_differences(
    conducted: Conducted, a: str, b: str, scoring: str, *, independent: bool = False
) -> Callable[[], Differences]:
    """Return how a pair's differences are made, with the design of its partitions."""
    partitions = conducted.partitions
    return differences_of(
        conducted.outcomes[a],
        conducted.outcomes[b],
        scoring,
        n_train=partitions.n_train,
        n_test=partitions.n_test,
        complementary=partitions.complementary,
        independent=independent,
    )


def judge_differences(procedure: Procedure, conducted: Conducted, a: str, b: str, scoring: str, alpha: float) -> Judged:
    """Hand a pair's differences to the test."""
    found = judged(procedure, pair_differences(conducted, a, b, scoring), alpha)
    return found if scoring != "accuracy" else replace(found, table=cells_of(conducted, a, b))


def cells_of(conducted: Conducted, a: str, b: str) -> FourCells | None:
    """Return who was right where, None unless every instance was tested at most once."""
    partitions = conducted.partitions
    if not isinstance(partitions, Partitions) or partitions.runs != 1:
        return None
    first, second = (conducted.outcomes[name].predictions for name in (a, b))
    if first is None or second is None:
        return None
    tested = partitions.test_fold[0] >= 0
    truth = conducted.setting.dataset.target_codes[tested]
    return four_cells(first[0][tested] == truth, second[0][tested] == truth)


def judged(
    procedure: Procedure, evidence: Callable[[], Differences], alpha: float, *, settled: bool | None = None
) -> Judged:
    """Return what the test makes of differences, with the forecast where one is defined."""
    from foldproof.replicability import forecast

    differences = evidence()
    result = procedure.test_it(differences)
    warnings = list(result.warnings)
    expected = None
    # Nothing is drawn where every instance is a fold: a re-run is the same run.
    each_alone = differences.complementary and differences.n_test == 1 and (differences.folds or 0) > 1
    if each_alone:
        warnings.append(LEAVE_ONE_OUT)
    if procedure.test == FORECASTABLE and differences.complementary and (differences.folds or 0) > 1 and not each_alone:
        expected = forecast(differences, alpha=alpha).forecast
    else:
        warnings.append(FORECAST_UNAVAILABLE)
    if not differences.values.any():
        warnings.append(IDENTICAL)
    return Judged(
        result=result,
        mean_difference=float(differences.values.mean()),
        evidence=evidence,
        forecast=expected,
        smallest_detectable=result.smallest_detectable(alpha=alpha) if isinstance(result, TResult) else None,
        settled=settled,
        warnings=tuple(warnings),
    )
