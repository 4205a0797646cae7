"""The workbench: what makers of tables and figures are given, and the registries they join."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from foldproof.domain.errors import InputError, unknown_name
from foldproof.domain.registry import Registry
from foldproof.domain.study import Folds, NotRun, Part, Printed, Study, StudyFigure, StudyTable, StudyVariant
from foldproof.engine.events import Listener
from foldproof.workflows.studies.evidence import Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """How a study is done: variant and folds, how many repetitions, what share of everything, by what means."""

    variant: StudyVariant
    folds: Folds
    repetitions: int
    scale: float = 1.0
    seed: int = 0
    n_jobs: int = 1
    store: str | None = None
    on_event: Listener | None = None

    @property
    def exact(self) -> bool:
        """Whether folds are those behind the print, so that numbers are judged by equality."""
        return self.folds == "weka"

    def scaled(self, count: int, least: int = 1) -> int:
        """Return the share of a count that this run takes."""
        return max(least, round(self.scale * count))


@dataclass(slots=True, eq=False)
class Workbench:
    """A study in progress: evidence by the paper's names of datasets, and tables as they are made."""

    study: Study
    how: How
    evidence: Mapping[str, Evidence] = field(default_factory=dict)
    made: dict[str, StudyTable] = field(default_factory=dict)
    not_run: list[NotRun] = field(default_factory=list)
    simulations: dict[tuple[str, int, int], Any] = field(default_factory=dict)

    def table(self, name: str) -> StudyTable:
        """Return a table, which is made if it is not there yet."""
        if name not in self.made:
            part = self.study.tables[name]
            self.made[name] = TABLE_MAKERS[part.maker](part, self)
        return self.made[name]

    def having(self, part: Part) -> dict[str, Evidence]:
        """Return the evidence of every dataset that was run on all protocols of a part."""
        return {name: e for name, e in self.evidence.items() if all(p in e.protocols for p in part.protocols)}

    def printed(self, table: str, row: str, column: str) -> Printed | None:
        """Return a printed number, None where there is none."""
        return self.study.published.get((table, row, column))

    def references(self, table: str, row: str, column: str) -> dict[str, float]:
        """Return what others found for a number, by name."""
        key = (table, row, column)
        return {name: numbers[key].value for name, numbers in self.study.references.items() if key in numbers}

    @property
    def whole(self) -> bool:
        """Whether every dataset of the study is there: sums over datasets are only then what was printed."""
        return len(self.evidence) == len(self.study.datasets)


TableMaker = Callable[[Part, Workbench], StudyTable]
FigureMaker = Callable[[Part, Workbench], StudyFigure]
TABLE_MAKERS: Registry[TableMaker] = Registry("table-maker", "foldproof.workflows.studies.tables")
FIGURE_MAKERS: Registry[FigureMaker] = Registry("figure-maker", "foldproof.workflows.studies.figures")


class Options:
    """A part's options, taken one by one; what is left over was misspelt."""

    def __init__(self, part: Part) -> None:
        self._part, self._left = part, dict(part.options)
        self._known: list[str] = []

    def take(self, name: str, kind: type, default: Any = None) -> Any:
        """Return an option; without a default it must be there."""
        self._known.append(name)
        if name not in self._left:
            if default is None:
                raise InputError(f"{self._part.label} ({self._part.maker}) lacks the option {name!r}")
            return default
        value = self._left.pop(name)
        if not isinstance(value, kind) or isinstance(value, bool) != (kind is bool):
            raise InputError(f"option {name!r} of {self._part.label} is {value!r}: give a {kind.__name__}")
        return value

    def done(self) -> None:
        """Refuse what was not taken."""
        for name in self._left:
            raise unknown_name(f"option of {self._part.label}", name, self._known)


def pair_name(pair: tuple[str, str]) -> str:
    """Return a pair as tables head it."""
    return f"{pair[0]} vs {pair[1]}"
