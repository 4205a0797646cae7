"""Study: an experiment that was published, as data, and what came out when it was done again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from foldproof.domain.errors import NotAvailableError as NotAvailableError
from foldproof.domain.errors import unknown_name

Formulas = Literal["as-printed", "as-run"]
#: Where partitions come from: our seeds, or the run numbers of Weka's Experimenter.
Folds = Literal["seeds", "weka"]
#: How trials are made in which there is nothing to find.
Null = Literal["random-labels", "own-copy"]


@dataclass(frozen=True, slots=True)
class NotRun:
    """A part that was left out, with the reason and what to do about it."""

    what: str
    why: str
    what_to_do: str


@dataclass(frozen=True, slots=True)
class Printed:
    """A published number as it was printed, and what is known of it (``note``)."""

    text: str
    note: str = ""

    @property
    def value(self) -> float:
        """The number."""
        return float(self.text)

    @property
    def digits(self) -> int:
        """How many places after the point were printed."""
        return len(self.text.partition(".")[2])


#: Printed numbers by (table, row, column).
Numbers = Mapping[tuple[str, str, str], Printed]


@dataclass(frozen=True, slots=True)
class Protocol:
    """What is done with each dataset, once a repetition.

    Either it is divided: a number of runs, and for each kind of folds a scheme with options. ``schemes`` maps kinds of
    folds to (registered scheme, options); a kind that is missing cannot be had. Or registered ``procedures`` are
    carried out, by our seeds. ``null`` makes that trials in which there is nothing to find: "random-labels" (drawn
    anew for each trial, all classes alike) or "own-copy" (one learner against itself with other internal seeds).
    ``learners`` are those it concerns; all of the study where none is named. ``repetitions`` is there where a protocol
    is repeated less often than the study.
    """

    name: str
    runs: int = 0
    schemes: Mapping[str, tuple[str, Mapping[str, Any]]] = field(default_factory=dict)
    repetitions: int | None = None
    procedures: tuple[str, ...] = ()
    learners: tuple[str, ...] = ()
    null: Null | None = None

    def repeated(self, repetitions: int) -> int:
        """Return how often it is repeated where the study is repeated so often."""
        return repetitions if self.repetitions is None else min(self.repetitions, repetitions)

    def kinds(self) -> tuple[Folds, ...]:
        """Return the kinds of folds that it can be done on."""
        return ("seeds",) if self.procedures else tuple(k for k in ("seeds", "weka") if k in self.schemes)


@dataclass(frozen=True, slots=True)
class StudyVariant:
    """A way of doing the study: which formulas, on which folds (the first is the default)."""

    name: str
    formulas: Formulas
    folds: tuple[Folds, ...]
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A table or a figure: who makes it (by registered name), from which protocols, and with what options."""

    kind: Literal["table", "figure"]
    name: str
    title: str
    maker: str
    protocols: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The part as readers call it: ``table 3``."""
        return f"{self.kind} {self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A study as its folder tells it; docs/how-to/studies.md is the schema.

    Attributes
    ----------
    learners
        Names in the paper to specs.
    pairs
        The pairs that are compared, by those names.
    datasets
        Names in the catalogue to names in the paper.
    published
        The printed numbers; ``references`` are further ones by name, such as those of an independent recomputation.
    repetitions
        How often everything was repeated in print, and how often it is to be where printed numbers are judged.
    """

    name: str
    title: str
    summary: str
    reference: str
    alpha: float
    learners: Mapping[str, str]
    pairs: tuple[tuple[str, str], ...]
    datasets: Mapping[str, str]
    protocols: Mapping[str, Protocol]
    variants: Mapping[str, StudyVariant]
    tables: Mapping[str, Part]
    figures: Mapping[str, Part]
    published: Numbers = field(default_factory=dict)
    references: Mapping[str, Numbers] = field(default_factory=dict)
    repetitions: int = 10
    judged_repetitions: int = 100
    notes: tuple[str, ...] = ()

    def variant(self, name: str | None) -> StudyVariant:
        """Return a variant by name; None is the first."""
        if name is None:
            return next(iter(self.variants.values()))
        if name not in self.variants:
            raise unknown_name(f"variant of {self.name}", name, self.variants)
        return self.variants[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One number of a table: what was printed, what was measured, and whether they agree.

    ``agrees`` is None where nothing was printed or nothing can be said. ``deviation`` is the printed number less the
    expected one, in standard deviations, where it is judged so; ``references`` are other known values.
    """

    row: str
    column: str
    measured: float | None
    published: float | None = None
    interval: tuple[float | None, float | None] = (None, None)
    agrees: bool | None = None
    deviation: float | None = None
    references: Mapping[str, float] = field(default_factory=dict)
    note: str = ""
    digits: int = 3


@dataclass(frozen=True, slots=True)
class StudyTable:
    """A table done again."""

    name: str
    title: str
    rows: tuple[Row, ...]
    judged_by: Literal["equality", "deviation", "reference", "order", "nothing"] = "nothing"
    notes: tuple[str, ...] = ()

    def at(self, row: str, column: str) -> Row:
        """Return one number."""
        for found in self.rows:
            if (found.row, found.column) == (row, column):
                return found
        raise unknown_name(
            f"cell of table {self.name}", f"{row}, {column}", [f"{r.row}, {r.column}" for r in self.rows]
        )


@dataclass(frozen=True, slots=True)
class Series:
    """A line or a set of points of a figure, with intervals where there are any."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class StudyFigure:
    """A figure as data: series in panels, and the drawing (by registered name) that shows them."""

    name: str
    title: str
    drawing: str
    panels: Mapping[str, tuple[Series, ...]]
    x_label: str = ""
    y_label: str = ""
    notes: tuple[str, ...] = ()
