"""Evidence: every learner's score on every fold of every run and repetition of the protocols, on one dataset.

One pool of partitions serves all tests, levels and numbers of runs: fewer runs are the first of more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from foldproof import significance
from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError
from foldproof.domain.study import Folds, Formulas, NotAvailableError, Protocol
from foldproof.engine.events import TaskFinished
from foldproof.learners.learner import Learner
from foldproof.partitions import SCHEMES, partition
from foldproof.store.base import Store
from foldproof.workflows.execution import Execution
from foldproof.workflows.experiment import Setting
from foldproof.workflows.scoring import gather_scorings
from foldproof.workflows.studies.verdicts import SCORING, Verdicts, gather_verdicts

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """The scores of one protocol: by learner, repetitions x runs x folds; and the mean sizes of its sets."""

    scores: Mapping[str, Floats]
    n_train: float
    n_test: float


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What one dataset brings to a study."""

    name: str
    instances: int
    attributes: int
    classes: int
    protocols: Mapping[str, Scored | Verdicts]
    failures: tuple[str, ...] = ()
    fast_paths: tuple[str, ...] = ()

    def differences(self, protocol: str, pair: tuple[str, str]) -> Floats:
        """Return a − b, repetitions x runs x folds."""
        scores = self.scored(protocol).scores
        found: Floats = scores[pair[0]] - scores[pair[1]]
        return found

    def scored(self, protocol: str) -> Scored:
        """Return the scores of a protocol that divides the data."""
        found = self.protocols[protocol]
        if not isinstance(found, Scored):
            raise InputError(f"the protocol {protocol!r} carries out procedures: choose one that names a scheme")
        return found

    def verdicts(self, protocol: str) -> Verdicts:
        """Return the verdicts of a protocol that carries out procedures."""
        found = self.protocols[protocol]
        if not isinstance(found, Verdicts):
            raise InputError(f"the protocol {protocol!r} divides the data: choose one that names procedures")
        return found

    def pvalues(
        self, test: str, protocol: str, pair: tuple[str, str], *, runs: int | None = None, formulas: Formulas
    ) -> tuple[Floats, Floats]:
        """Return p-values and statistics of a test on the first runs of each repetition (an array of repetitions).

        Where a test has no replication variant, its printed formula is used.
        """
        tables = self.differences(protocol, pair)[:, :runs]
        method = significance.METHODS[test]
        own = self.scored(protocol)
        # Sizes are what folds do not tell by themselves: k-fold has the ratio 1/(k - 1) exactly.
        sizes = {"n_train": own.n_train, "n_test": own.n_test} if tables.shape[2] == 1 else {}
        if tables.shape[2] == 1:
            tables = tables.transpose(0, 2, 1)
        found = significance.batch(
            test, tables, **sizes, variant=formulas if method.as_run is not None else "as-printed"
        )
        return found["pvalue"], found["statistic"]


Told = Callable[[TaskFinished], None]


class _Teller:
    """Counts what was done of one protocol, and tells of it."""

    def __init__(self, dataset: str, total: int, failures: list[str], on_event: Told | None) -> None:
        self._dataset, self._total, self._failures, self._on_event = dataset, total, failures, on_event
        self._done = 0

    def __call__(self, protocol: str) -> None:
        self._done += 1
        if self._on_event is not None:
            event = TaskFinished(
                f"{self._dataset}, {protocol}", self._done - 1, self._done, self._total, len(self._failures)
            )
            self._on_event(event)


def gather_evidence(
    dataset: Dataset,
    learners: tuple[Learner, ...],
    protocols: Mapping[str, Protocol],
    *,
    folds: Folds,
    repetitions: int,
    seed: int,
    alpha: float = 0.05,
    store: Store | None = None,
    n_jobs: int | None = 1,
    on_event: Told | None = None,
) -> Evidence:
    """Run every learner on every repetition of every protocol, but for what the store holds."""
    done: dict[str, Scored | Verdicts] = {}
    failures: list[str] = []
    paths: list[str] = []
    for name, protocol in protocols.items():
        members = tuple(x for x in learners if not protocol.learners or x.name in protocol.learners)
        times = protocol.repeated(repetitions)
        told = _Teller(dataset.name, times, failures, on_event)
        if protocol.procedures:
            found = gather_verdicts(
                dataset, members, protocol, repetitions=times, alpha=alpha, seed=seed, store=store, told=told
            )
            done[name] = found
            failures += [f"{name}, {failure}" for failure in found.failures]
            continue
        setting = Setting(dataset, members, gather_scorings(SCORING, "classification"), seed, True, Execution(store))
        scheme_name, options = protocol.schemes[folds]
        scheme = SCHEMES[scheme_name](**options)
        tables: dict[str, list[Floats]] = {learner.name: [] for learner in members}
        for repetition in range(times):
            splits = partition(scheme, dataset, seed=seed, runs=protocol.runs, repetition=repetition)
            outcomes = setting.run(splits, repetition=repetition, n_jobs=n_jobs)
            for learner, outcome in outcomes.items():
                tables[learner].append(np.asarray(outcome.scores[SCORING]))
                failures += [f"{name}, repetition {repetition}: {f.learner}: {f.message}" for f in outcome.failures]
                paths += outcome.fast_paths
            told(name)
        done[name] = Scored({k: np.stack(v) for k, v in tables.items()}, splits.n_train, splits.n_test)
    if failures:
        raise NotAvailableError(
            dataset.name,
            f"{len(failures)} folds failed, the first: {failures[0]}",
            "repair the learner or the data and run again; what was finished is in the store, if one was given",
        )
    return Evidence(
        name=dataset.name,
        instances=len(dataset),
        attributes=len(dataset.attributes),
        classes=len(np.unique(dataset.target_codes)),
        protocols=done,
        failures=tuple(failures),
        fast_paths=tuple(dict.fromkeys(paths)),
    )
