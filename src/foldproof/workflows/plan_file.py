"""Plans of many datasets and learners: what may stand in one, and reading it from TOML or from a mapping."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError, unknown_name
from foldproof.workflows.procedures import DEFAULT
from foldproof.workflows.procedures import procedure as named_procedure


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedDataset:
    """A dataset of a plan: a SOURCE as on the command line, or what Python was given; and its own columns."""

    name: str
    source: Any
    target: str | None = None
    groups: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedProcedure:
    """A procedure of a plan, at its own size or at the one asked for."""

    name: str
    runs: int | None = None
    folds: int | None = None

    @property
    def label(self) -> str:
        """What it is called among the plan's procedures."""
        size = [f"{what}={n}" for what, n in (("runs", self.runs), ("folds", self.folds)) if n is not None]
        return f"{self.name} ({', '.join(size)})" if size else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentPlan:
    """Many datasets, many learners, one procedure or several, and everything that decides their verdicts.

    Made by :func:`foldproof.read_plan`, carried out by :func:`foldproof.run_plan`. ``place`` is the file that it was
    read from: its paths are seen from there.
    """

    datasets: tuple[PlannedDataset, ...]
    learners: Mapping[str, Any] | Sequence[Any]
    procedures: tuple[PlannedProcedure, ...] = (PlannedProcedure(name=DEFAULT),)
    scoring: tuple[str, ...] = ()
    seed: int = 0
    alpha: float = 0.05
    adjust: str = "holm"
    control: str | None = None
    rope: float = 0.01
    tune: Mapping[str, Any] = field(default_factory=dict)
    encode: bool = True
    fast: bool = True
    ledger: bool = True
    looks: int | None = None
    store: str | None = None
    jobs: int | None = None
    time_limit: float | None = None
    executor: str = "local"
    scheduler: str | None = None
    place: Path | None = None

    @property
    def name(self) -> str:
        """What the plan is called: its file's name."""
        return "plan" if self.place is None else self.place.name


def read_plan(plan: str | Path | Mapping[str, Any] | ExperimentPlan) -> ExperimentPlan:
    """Return the plan that stands in a TOML file, or in a mapping with the same keys.

    In a mapping, datasets may also be ``(X, y)`` or a :class:`Dataset`, and learners estimators.

    >>> plan = read_plan({"datasets": {"iris": "sklearn:iris"}, "learners": ["naive-bayes", "c45"], "seed": 3})
    >>> plan.procedures[0].name, plan.seed
    ('corrected-10x10-cv', 3)
    """
    if isinstance(plan, ExperimentPlan):
        return plan
    if isinstance(plan, Mapping):
        return _Reader("the plan").plan(plan, None)
    path = Path(plan)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"there is no plan {str(path)!r}: check the name and the folder") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text in UTF-8"
        raise InputError(f"cannot read the plan {str(path)!r}: {reason}") from None
    try:
        told = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: {_toml_sentence(str(error))}") from None
    return _Reader(str(path)).plan(told, path)


def _toml_sentence(said: str) -> str:
    what, _, where = said.partition(" (at ")
    where = f"{where.rstrip(')')}: " if where else ""
    if "overwrite a value" in what or "twice" in what:
        return f"{where}a name is given twice: give each dataset, learner and setting once"
    return f"{where}this is not TOML: {what[:1].lower()}{what[1:]}"


# What a value is called in an error, by its type.
_KINDS = (
    (bool, "true or false"),
    (int, "a whole number"),
    (float, "a number"),
    (str, "a text"),
    (Mapping, "a table"),
    ((list, tuple), "a list"),
)


def _shown(value: Any) -> str:
    for kind, called in _KINDS:
        if isinstance(value, kind):
            shown = repr(value) if len(repr(value)) <= 40 else f"{repr(value)[:37]}…"
            return f"{shown} ({called})"
    return f"a {type(value).__name__}"


class _Reader:
    """Checks values by the path of their key, and says what is wrong in terms of the file."""

    def __init__(self, where: str) -> None:
        self._where = where

    def plan(self, told: Mapping[str, Any], place: Path | None) -> ExperimentPlan:
        """Return the plan."""
        known = [f.name for f in fields(ExperimentPlan) if f.name != "place"]
        self._only(told, "", known)
        for key, example in (("datasets", 'iris = "sklearn:iris"'), ("learners", 'bayes = "naive-bayes"')):
            if not told.get(key):
                raise self._error(f"no {key}: add a table [{key}] with at least one line, such as {example}")
        values: dict[str, Any] = {
            "datasets": self._datasets(told["datasets"]),
            "learners": self._learners(told["learners"]),
        }
        readers: dict[str, Callable[[Any, str], Any]] = {
            "procedures": self._procedures,
            "scoring": self._texts,
            "seed": self._whole,
            "alpha": self._number,
            "adjust": self._text,
            "control": self._text,
            "rope": self._number,
            "tune": self._grids,
            "encode": self._yes,
            "fast": self._yes,
            "ledger": self._yes,
            "looks": self._whole,
            "store": self._text,
            "jobs": self._whole,
            "time_limit": self._number,
            "executor": self._text,
            "scheduler": self._text,
        }
        values |= {key: readers[key](value, key) for key, value in told.items() if key in readers}
        return ExperimentPlan(**values, place=place)

    def _error(self, said: str) -> InputError:
        return InputError(f"{self._where}: {said}")

    def _only(self, told: Mapping[str, Any], path: str, known: Sequence[str]) -> None:
        for key in told:
            if key not in known:
                inside = f" in {path}" if path else ""
                raise self._error(str(unknown_name(f"key{inside}", str(key), known)))

    def _wrong(self, path: str, value: Any, wanted: str) -> InputError:
        return self._error(f"{path} is {_shown(value)}: give {wanted}")

    def _text(self, value: Any, path: str) -> str:
        if not isinstance(value, str) or not value.strip():
            raise self._wrong(path, value, "a text")
        return value

    def _texts(self, value: Any, path: str) -> tuple[str, ...]:
        if isinstance(value, str):
            return (self._text(value, path),)
        if not isinstance(value, (list, tuple)) or not value:
            raise self._wrong(path, value, "a text or a list of texts")
        return tuple(self._text(part, f"{path}[{i}]") for i, part in enumerate(value))

    def _whole(self, value: Any, path: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._wrong(path, value, "a whole number")
        return value

    def _number(self, value: Any, path: str) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self._wrong(path, value, "a number")
        return float(value)

    def _yes(self, value: Any, path: str) -> bool:
        if not isinstance(value, bool):
            raise self._wrong(path, value, "true or false")
        return value

    def _grids(self, value: Any, path: str) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            raise self._wrong(path, value, "a table of learners' names, each with its parameters and their values")
        for name, grid in value.items():
            if not isinstance(grid, (Mapping, list)):
                raise self._wrong(f"{path}.{name}", grid, "a table of parameters, each with a list of values")
        return value

    def _datasets(self, value: Any) -> tuple[PlannedDataset, ...]:
        if isinstance(value, (list, tuple)):
            named = [(_short(self._text(part, f"datasets[{i}]")), part) for i, part in enumerate(value)]
        elif isinstance(value, Mapping):
            named = [(str(name), part) for name, part in value.items()]
        else:
            raise self._wrong("datasets", value, "a table of names and sources, or a list of sources")
        found: dict[str, PlannedDataset] = {}
        for name, part in named:
            if name in found:
                raise self._error(f"two datasets are called {name!r}: give them names, in a table [datasets]")
            found[name] = self._dataset(name, part)
        return tuple(found.values())

    def _dataset(self, name: str, value: Any) -> PlannedDataset:
        path = f"datasets.{name}"
        if isinstance(value, Mapping):
            self._only(value, path, ("source", "target", "groups"))
            if "source" not in value:
                raise self._error(f'{path} has no source: add source = "FILE"')
            options = {key: self._text(part, f"{path}.{key}") for key, part in value.items()}
            return PlannedDataset(name=name, **options)
        if isinstance(value, str) and value.strip():
            return PlannedDataset(name=name, source=value)
        if isinstance(value, Dataset) or (isinstance(value, tuple) and len(value) == 2):
            return PlannedDataset(name=name, source=value)
        raise self._wrong(path, value, "a source, or a table with source, target and groups")

    def _learners(self, value: Any) -> Mapping[str, Any] | Sequence[Any]:
        named: dict[str, Any] | list[Any]
        if isinstance(value, Mapping):
            named = {str(name): part for name, part in value.items()}
            items = [(f"learners.{name}", part) for name, part in named.items()]
        elif isinstance(value, (list, tuple)):
            named = list(value)
            items = [(f"learners[{i}]", part) for i, part in enumerate(named)]
        else:
            raise self._wrong("learners", value, "a table of names and learners, or a list of learners")
        for path, part in items:
            if isinstance(part, (bool, int, float, Mapping, list)) or (isinstance(part, str) and not part.strip()):
                raise self._wrong(path, part, "a text: a learner's name, or package.Class(argument=value)")
        if len(items) < 2:
            raise self._error(f"a comparison needs at least two learners, and there is {items[0][0]} alone: add one")
        return named

    def _procedures(self, value: Any, path: str) -> tuple[PlannedProcedure, ...]:
        if not isinstance(value, (list, tuple)):
            value = [value]
        if not value:
            raise self._error("procedures is an empty list: name one, or leave it out for the default")
        found: dict[str, PlannedProcedure] = {}
        for i, part in enumerate(value):
            one = self._procedure(part, f"{path}[{i}]" if len(value) > 1 else path)
            if one.label in found:
                raise self._error(f"the procedure {one.label!r} is named twice: name each once")
            found[one.label] = one
        return tuple(found.values())

    def _procedure(self, value: Any, path: str) -> PlannedProcedure:
        if isinstance(value, str):
            found = PlannedProcedure(name=value)
        elif isinstance(value, Mapping):
            self._only(value, path, ("name", "runs", "folds"))
            if "name" not in value:
                raise self._error(f"{path} has no name: add name = {DEFAULT!r}")
            sizes = {k: self._whole(v, f"{path}.{k}") for k, v in value.items() if k != "name"}
            found = PlannedProcedure(name=self._text(value["name"], f"{path}.name"), **sizes)
        else:
            raise self._wrong(path, value, "a procedure's name, or a table with name, runs and folds")
        try:
            named_procedure(found.name, runs=found.runs, folds=found.folds)
        except InputError as error:
            raise self._error(f"{path}: {error}") from None
        return found


def _short(source: str) -> str:
    """Return what a source is called where nobody named it: a file's name without its endings.

    >>> _short("data/vote.arff.gz"), _short("sklearn:iris")
    ('vote', 'sklearn:iris')
    """
    return Path(source).name.partition(".")[0]
