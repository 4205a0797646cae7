"""``fp.sweep``: parameters as independent variables, studied where data can be made (Salzberg 1997, section 3.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError, unknown_name
from foldproof.domain.partitions import ExplicitPartitions
from foldproof.engine.events import Listener
from foldproof.engine.execute import Executor
from foldproof.learners._tuned import listed_settings
from foldproof.learners.learner import Learner, gather_one
from foldproof.workflows.calibration import Estimate
from foldproof.workflows.compare import carry_out_comparison
from foldproof.workflows.comparison import Comparison, pair_dict
from foldproof.workflows.execution import Execution
from foldproof.workflows.procedures import procedure
from foldproof.workflows.setup import set_up
from foldproof.workflows.trials import Origin, origin_of


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Sweep:
    """What :func:`foldproof.sweep` found.

    Attributes
    ----------
    levels
        By name, the setting of each level.
    comparisons
        By source, the :class:`Comparison` of all levels: training sets of their own, one large test set, the
        p-values adjusted for the pairs of levels (Holm).
    """

    learner: Learner
    levels: Mapping[str, Mapping[str, Any]]
    comparisons: Mapping[str, Comparison]
    n_train: int
    training_sets: int
    seed: int

    def __repr__(self) -> str:
        return self.to_text()

    def scores(self, source: str) -> dict[str, Estimate]:
        """Return the mean score of each level on a source, with its standard error over training sets."""
        found = self._comparison(source)
        name = found.scored[0].scoring
        return {level: Estimate.of(found.outcomes[level].scores[name].ravel()) for level in self.levels}

    def effects(self, source: str) -> dict[str, dict[str, Estimate]]:
        """Return the mean score of each value of each parameter, over the values of the others.

        The standard error is over training sets, which all levels share.
        """
        found = self._comparison(source)
        name = found.scored[0].scoring
        effects: dict[str, dict[str, Estimate]] = {}
        for key in dict.fromkeys(key for setting in self.levels.values() for key in setting):
            values: dict[str, list[str]] = {}
            for level, setting in self.levels.items():
                if key in setting:
                    values.setdefault(_text(setting[key]), []).append(level)
            if len(values) > 1:
                effects[key] = {
                    value: Estimate.of(np.mean([found.outcomes[x].scores[name].ravel() for x in members], axis=0))
                    for value, members in values.items()
                }
        return effects

    def best(self, source: str) -> tuple[str, ...]:
        """Return the level with the best mean on a source, and those that were not found to be worse than it."""
        scores = self.scores(source)
        first = max(scores, key=lambda level: scores[level].rate)
        worse = {
            pair.b if pair.verdict == pair.a else pair.a
            for pair in self._comparison(source).pairs
            if pair.verdict == first
        }
        return (first, *(level for level in self.levels if level != first and level not in worse))

    def _comparison(self, source: str) -> Comparison:
        if source not in self.comparisons:
            raise unknown_name("source of this sweep", source, self.comparisons)
        return self.comparisons[source]

    @property
    def failures(self) -> list[dict[str, Any]]:
        """Every fit that did not come out, with its source."""
        return [{"source": name, **f} for name, found in self.comparisons.items() for f in found.failures]

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, with the keys of the JSON output."""
        first = next(iter(self.comparisons.values()))
        return {
            "schema": "foldproof/sweep/1",
            "learner": {"name": self.learner.name, "spec": self.learner.spec},
            "levels": [
                {"name": name, "setting": {key: _text(value) for key, value in setting.items()}}
                for name, setting in self.levels.items()
            ],
            "scoring": first.scored[0].scoring,
            "alpha": first.alpha,
            "adjust": first.adjust,
            "n_train": self.n_train,
            "training_sets": self.training_sets,
            "seed": self.seed,
            "sources": [self._source_dict(name) for name in self.comparisons],
            "failures": self.failures,
            "provenance": {k: v for k, v in first.provenance.items() if k in ("version", "python", "packages")},
        }

    def _source_dict(self, name: str) -> dict[str, Any]:
        found = self.comparisons[name]
        complete = not found.failures
        return {
            "name": name,
            "scores": [
                {"level": level, "mean": score.rate, "standard_error": score.standard_error}
                for level, score in self.scores(name).items()
            ]
            if complete
            else [],
            "effects": [
                {
                    "parameter": key,
                    "values": [
                        {"value": value, "mean": e.rate, "standard_error": e.standard_error}
                        for value, e in values.items()
                    ],
                }
                for key, values in self.effects(name).items()
            ]
            if complete
            else [],
            "best": list(self.best(name)) if complete else [],
            "pairs": [pair_dict(pair, found.alpha) for pair in found.pairs],
            "warnings": list(found.warnings),
        }

    def to_text(self, *, width: int = 100, color: bool = False) -> str:
        """Return the tables that the command line prints."""
        from foldproof.report.sweep import sweep_text

        return sweep_text(self.to_dict(), width=width, color=color)


def sweep(
    learner: Any,
    settings: Any,
    sources: Any = "source1",
    *,
    n_train: int = 300,
    training_sets: int = 50,
    n_test: int = 5000,
    scoring: Any = None,
    alpha: float = 0.05,
    seed: int = 0,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    executor: str | Executor = "local",
    scheduler: str | None = None,
    on_event: Listener | None = None,
) -> Sweep:
    """Study parameters as independent variables: each setting is a level, and levels are compared like learners.

    On artificial data nothing is used twice: every training set is new, and the test set is large. So all settings
    may be looked at, which on a dataset that verdicts are to rest on would be tuning on the test data.

    Parameters
    ----------
    learner
        An estimator, a spec, or a (name, estimator) pair.
    settings
        A mapping of parameters to lists of values (all combinations), a list of such mappings or of settings,
        ``ParameterGrid`` or ``ParameterSampler``.
    sources
        Where data are made: one of these or a list of them. The name of a simulated source, an object with
        ``sample``, or a function ``(n, seed) -> (X, y)``.
    n_train, training_sets, n_test
        How large training sets are, how many there are, and how large the test set is.
    time_limit, executor, scheduler
        As in :func:`foldproof.compare`.

    Examples
    --------
    >>> import foldproof as fp
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> found = fp.sweep(DecisionTreeClassifier(), {"max_depth": [1, 6]}, "source4", training_sets=10, n_train=200)
    >>> found.best("source4")
    ('max_depth=6',)
    """
    named = isinstance(learner, tuple) and len(learner) == 2 and isinstance(learner[0], str)
    base = gather_one(learner[1], learner[0]) if named else gather_one(learner)
    listed = listed_settings(settings, Address(seed, "sweep").integer("settings"))
    levels = {", ".join(f"{key}={_text(value)}" for key, value in sorted(s.items())): s for s in listed}
    if len(levels) < 2:
        raise InputError("a sweep compares at least two settings: give a parameter two values")
    allowed = base.estimator.get_params(deep=True)
    for key in {key for setting in levels.values() for key in setting}:
        if key not in allowed:
            raise unknown_name(f"parameter of {base.name!r}", key, allowed)
    if training_sets < 2 or n_train < 2 or n_test < 1:
        raise InputError(
            f"{training_sets} training sets of {n_train} and a test set of {n_test}: at least two training sets of two "
            "instances, and one test instance, are needed"
        )
    execution = Execution.of_fits(time_limit, executor, scheduler)
    chosen = procedure("disjoint-training-sets", runs=training_sets)
    members = tuple(_level(base, name, setting) for name, setting in levels.items())
    comparisons: dict[str, Comparison] = {}
    for item in sources if isinstance(sources, (list, tuple)) else [sources]:
        origin = origin_of(item, None, None)
        if origin.make is None:
            raise InputError(
                f"{origin.name} is one dataset: parameters are studied where data can be made, because on a dataset "
                "that is tuning; tune inside the training sets instead (tune=)"
            )
        if origin.name in comparisons:
            raise InputError(f"two sources are called {origin.name!r}: give each its own name")
        data, splits = _made(origin, n_train, training_sets, n_test, seed)
        setting = set_up(members, data, None, scoring, seed, None, None, True, None, execution=execution)
        comparisons[origin.name] = carry_out_comparison(
            setting, chosen, splits, alpha=alpha, adjust="holm", n_jobs=n_jobs, on_event=on_event
        )
    return Sweep(
        learner=base, levels=levels, comparisons=comparisons, n_train=n_train, training_sets=training_sets, seed=seed
    )


def _level(base: Learner, name: str, setting: Mapping[str, Any]) -> Learner:
    from sklearn.base import clone

    own = {key: clone(value, safe=False) for key, value in setting.items()}
    return Learner(name, clone(base.estimator).set_params(**own), f"{base.spec} with {name}")


def _made(
    origin: Origin, n_train: int, training_sets: int, n_test: int, seed: int
) -> tuple[Dataset, ExplicitPartitions]:
    """Return new data for the unbiased protocol, and how they are divided."""
    assert origin.make is not None
    total = n_test + training_sets * n_train
    data = origin.make(total, Address(seed, f"sweep {origin.fingerprint}"))
    test = np.arange(n_test)
    splits = ExplicitPartitions(
        tuple(((np.arange(n_test + i * n_train, n_test + (i + 1) * n_train), test),) for i in range(training_sets)),
        n_instances=total,
        scheme="independent training sets",
    )
    return data, splits


def _text(value: Any) -> str:
    """Return a value as text that is the same in every process."""
    return " ".join(repr(value.item() if isinstance(value, np.generic) else value).split())
