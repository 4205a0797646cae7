"""Procedures by name: a test together with the partitions it needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from foldproof.domain.errors import InputError, NotInThisVersionError
from foldproof.domain.registry import Registry
from foldproof.partitions import KFold, Scheme

DEFAULT = "corrected-10x10-cv"


@dataclass(frozen=True, slots=True)
class Procedure:
    """A test and how its data are made. A fixed one has its runs and folds; an open one takes the user's."""

    name: str
    test: str
    scheme: Callable[[int], Scheme]
    runs: int
    folds: int
    summary: str
    fixed: bool = True

    def with_size(self, runs: int | None, folds: int | None) -> Procedure:
        """Return the procedure at the size asked for, or say why it cannot have it."""
        for what, wanted, own in (("runs", runs, self.runs), ("folds", folds, self.folds)):
            if wanted is not None and wanted < 1:
                raise InputError(f"{what} is {wanted}: give a whole number of at least 1")
            if self.fixed and wanted is not None and wanted != own:
                raise InputError(
                    f"the procedure {self.name!r} fixes {what} at {own} and {wanted} was asked for: leave {what} out, "
                    "or use corrected-repeated-cv, which takes both"
                )
        return replace(self, runs=runs or self.runs, folds=folds or self.folds)


PROCEDURES: Registry[Procedure] = Registry("procedure", "foldproof.workflows")

# Named in the documentation and still to come.
PLANNED = (
    "5x2cv",
    "5x2cv-f",
    "10-fold-cv",
    "averaged-10-fold-cv",
    "averaged-5x2cv",
    "sequential-cv",
    "mcnemar-holdout",
    "binomial-cv",
    "anova-distinct-samples",
    "k-fold-cv",
    "salzberg",
)


def _register(procedure: Procedure) -> None:
    PROCEDURES.register(procedure.name)(procedure)


_register(
    Procedure(
        DEFAULT,
        "corrected-repeated-kfold-t",
        lambda folds: KFold(folds),
        runs=10,
        folds=10,
        summary="ten runs of stratified ten-fold cross-validation, corrected t-test: the recommended default",
    )
)
_register(
    Procedure(
        "corrected-repeated-cv",
        "corrected-repeated-kfold-t",
        lambda folds: KFold(folds),
        runs=10,
        folds=10,
        summary="runs x folds of your choice, corrected t-test",
        fixed=False,
    )
)


def procedure(name: str, *, runs: int | None = None, folds: int | None = None) -> Procedure:
    """Return a procedure by name, at its own size or the size asked for."""
    if name not in PROCEDURES and name in PLANNED:
        raise NotInThisVersionError(f"the procedure {name!r}")
    return PROCEDURES[name].with_size(runs, folds)


def list_procedures() -> list[str]:
    """Return the names of the procedures there are.

    >>> "corrected-10x10-cv" in list_procedures()
    True
    """
    return list(PROCEDURES)
