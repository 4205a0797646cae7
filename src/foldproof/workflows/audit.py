"""``fp.audit``: stored cells are computed again, each fold by itself, and must be the same to the last bit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError
from foldproof.engine.describe import describe
from foldproof.engine.environment import environment
from foldproof.engine.events import Listener, TaskFinished
from foldproof.engine.keys import given as handed_over
from foldproof.engine.plan import Plan
from foldproof.engine.task import TaskResult, run_task
from foldproof.learners.learner import Learner
from foldproof.store.base import Store
from foldproof.store.packing import pack_predictions, pack_scores
from foldproof.store.records import Cell, CellKey, Floats, Series
from foldproof.workflows.audit_result import Audit, CellDifference, NotAudited, VersionDifference
from foldproof.workflows.ledgers import existing_store
from foldproof.workflows.remake import (
    NotRemadeError,
    check_given,
    remade_dataset,
    remade_learner,
    remade_partitions,
    without_versions,
)

Place = tuple[str, CellKey]


def audit(
    store: str | Store,
    *,
    sample: int | None = 20,
    seed: int = 0,
    data: Mapping[str, Any] | None = None,
    learners: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    on_event: Listener | None = None,
) -> Audit:
    """Compute stored cells again and compare scores, predictions and failures to the last bit.

    A cell is one learner on one run. Everything comes from what the store knows: where the dataset was read, the
    learner's recipe, the scheme, the seed, the repetition and the run. Each fold is fitted by itself, also where the
    stored predictions were made for all partitions at once.

    Parameters
    ----------
    store
        A URL such as ``"sqlite:///results.db"``, or an open store.
    sample
        How many cells are drawn at random; None for all.
    seed
        Which cells are drawn.
    data
        Datasets whose origin the store does not know, by name or fingerprint: a source, ``(source, target)``,
        ``(X, y)`` or a :class:`Dataset`. What is not the same data is refused.
    learners
        Learners without a recipe, by the name in the store.

    Examples
    --------
    >>> import foldproof as fp
    >>> from foldproof.store import open_store
    >>> store = open_store("memory://")
    >>> plan = {"datasets": {"iris": "sklearn:iris"}, "learners": ["sklearn.naive_bayes.GaussianNB()", "naive-bayes"]}
    >>> done = fp.run_plan({**plan, "procedures": "10-fold-cv"}, store=store)
    >>> fp.audit(store, sample=None).ok
    True
    """
    if sample is not None and sample < 1:
        raise InputError(f"sample is {sample}: give a whole number of at least 1, or all of them")
    with existing_store(store) as opened:
        work = _Auditor(opened, data or {}, learners or {})
        places = work.places()
        chosen = places if sample is None else _drawn(places, sample, seed)
        checked, different = 0, []
        for found in work.carry_out(chosen, n_jobs, on_event):
            checked += 1
            if found is not None:
                different.append(found)
        return Audit(
            store=opened.url,
            sample=sample,
            seed=seed,
            cells=opened.count(),
            recomputable=len(places),
            checked=checked,
            different=tuple(different),
            not_audited=tuple(work.reasons()),
        )


def _drawn(places: Sequence[Place], sample: int, seed: int) -> list[Place]:
    """Return so many places, drawn without replacement, in the order of the store."""
    order = Address(seed, "audit").stream("sample").permutation(len(places))
    return [places[i] for i in sorted(order[:sample].tolist())]


class _Auditor:
    """What can be made again from a store, and what cannot, with the reason."""

    def __init__(self, store: Store, data: Mapping[str, Any], learners: Mapping[str, Any]) -> None:
        self._store, self._learners, self._data = store, learners, data
        self._records = {record.fingerprint: record for record in store.datasets()}
        check_given(data, {fingerprint: record.name for fingerprint, record in self._records.items()})
        self._datasets: dict[str, Dataset] = {}
        self._series: dict[str, tuple[Series, Learner]] = {}
        self._why: dict[tuple[str, str, str], int] = {}
        self._lost: dict[str, str] = {}

    def places(self) -> list[Place]:
        """Return every cell whose dataset and learner can be made again."""
        found: list[Place] = []
        for series in self._store.series():
            keys = self._store.keys(series.key)
            try:
                self._series[series.key] = (series, self._made(series))
            except NotRemadeError as error:
                self._not(series, str(error), len(keys))
                continue
            remarks = self._store.remarks(series.key)
            again = {key for key, own in remarks.items() if "" in own and own[""].again is not None}
            if again:
                self._not(series, "they ended for want of time, or their worker died: they hold no result", len(again))
            found += [(series.key, key) for key in keys if key not in again]
        return found

    def _made(self, series: Series) -> Learner:
        fingerprint = series.dataset
        if fingerprint in self._lost:
            raise NotRemadeError(self._lost[fingerprint])
        if fingerprint not in self._datasets:
            try:
                self._datasets[fingerprint] = remade_dataset(self._records[fingerprint], self._data)
            except NotRemadeError as error:
                self._lost[fingerprint] = str(error)
                raise
        return remade_learner(series, self._learners)

    def _not(self, series: Series, why: str, cells: int) -> None:
        if cells:
            key = (self._records[series.dataset].name, series.name, why)
            self._why[key] = self._why.get(key, 0) + cells

    def reasons(self) -> Iterator[NotAudited]:
        """Yield what could not be computed again."""
        for (dataset, learner, why), cells in self._why.items():
            yield NotAudited(dataset=dataset, learner=learner, cells=cells, why=why)

    def carry_out(
        self, places: Sequence[Place], n_jobs: int | None, on_event: Listener | None
    ) -> Iterator[CellDifference | None]:
        """Yield, for each cell that could be computed again, what is different, or None."""
        from joblib import Parallel, delayed

        cells = list(self._cells(places))
        workers = Parallel(n_jobs=n_jobs, return_as="generator")
        different = 0
        made = workers(delayed(_again)(plan, cell.run) for plan, _, cell, _ in cells)
        for done, (result, (plan, series, cell, unknown)) in enumerate(zip(made, cells, strict=True), 1):
            found = self._compared(plan, series, cell, result, unknown)
            different += found is not None
            if on_event is not None:
                on_event(TaskFinished(series.name, cell.run, done, len(cells), different, plan.dataset.name))
            yield found

    def _cells(self, places: Sequence[Place]) -> Iterator[tuple[Plan, Series, Cell, list[str]]]:
        """Yield the drawn cells with the plan that computes each again, and the scorings that it has no scorer for."""
        wanted: dict[str, set[CellKey]] = {}
        for key, place in places:
            wanted.setdefault(key, set()).add(place)
        for key, own in wanted.items():
            series, learner = self._series[key]
            dataset = self._datasets[series.dataset]
            for cell in self._store.cells(key):
                if cell.key not in own:
                    continue
                try:
                    splits = remade_partitions(cell, series, dataset)
                except NotRemadeError as error:
                    self._not(series, str(error), 1)
                    continue
                scorers, unknown = _scorers(cell)
                plan = Plan(
                    dataset=dataset,
                    splits=splits,
                    learners=(learner,),
                    scorers=scorers,
                    seed=series.seed,
                    repetition=series.repetition,
                    first_run=cell.run,
                    encode=series.encode,
                    fast=False,
                )
                yield plan, series, cell, unknown

    def _compared(
        self, plan: Plan, series: Series, cell: Cell, result: TaskResult, unknown: list[str]
    ) -> CellDifference | None:
        for name in unknown:
            self._not(series, f"the score {name!r} is a function of the caller's own; the rest is compared", 1)
        what = [said for name in plan.scorers if (said := _differs(name, cell.scores[name], result.scores[name]))]
        if cell.predictions is not None and result.predictions is not None:
            same = pack_predictions(cell.predictions) == pack_predictions(result.predictions)
            if not same:
                changed = ~(
                    (cell.predictions == result.predictions) | _both_missing(cell.predictions, result.predictions)
                )
                what.append(f"{int(changed.sum())} of {len(changed)} predictions")
        if _faults(cell.remarks, plan) != _faults(result.remarks, plan):
            what.append("which folds failed")
        if not what:
            return None
        return CellDifference(
            dataset=plan.dataset.name,
            learner=series.name,
            run=cell.run,
            what=tuple(what),
            versions=tuple(_versions(cell, series, plan)),
        )


def _again(plan: Plan, run: int) -> TaskResult:
    """Compute a cell again: the one run of its plan."""
    assert plan.first_run == run
    return run_task(plan, 0, 0)


def _scorers(cell: Cell) -> tuple[dict[str, Any], list[str]]:
    from sklearn.metrics import get_scorer, get_scorer_names

    known = [name for name in cell.scores if name in get_scorer_names()]
    return {name: get_scorer(name) for name in known}, [name for name in cell.scores if name not in known]


def _both_missing(a: Floats, b: Floats) -> Any:
    return np.isnan(a) & np.isnan(b)


def _differs(name: str, stored: Floats, now: Floats) -> str | None:
    """Return in how many folds a score is not the same, and by how much."""
    if len(stored) != len(now):
        return f"{name}: {len(stored)} folds were stored and there are {len(now)}"
    if pack_scores(stored) == pack_scores(now):
        return None
    changed = [i for i in range(len(stored)) if pack_scores(stored[i : i + 1]) != pack_scores(now[i : i + 1])]
    sizes = np.abs(stored[changed] - now[changed])
    known = sizes[np.isfinite(sizes)]
    most = f", by at most {known.max():.3g}" if known.size else ""
    return f"{name} in {len(changed)} of {len(stored)} folds{most}"


def _faults(remarks: Mapping[str, Any], plan: Plan) -> set[tuple[str, int, str]]:
    """Return what failed where; the wording of errors may change with a version and is left out."""
    return {
        (where, fault.fold, fault.kind)
        for where, remark in remarks.items()
        if where == "" or where in plan.scorers
        for fault in remark.faults
    }


def _versions(cell: Cell, series: Series, plan: Plan) -> Iterator[VersionDifference]:
    """Yield the versions that are not those that the cell was computed with."""
    then, now = (_told(text) for text in (cell.environment, environment()))
    for name in sorted({*then, *now} - {"method"}):
        if then.get(name) != now.get(name):
            yield VersionDifference(name, then.get(name), now.get(name))
    learner = plan.learners[0]
    text, stored = describe(learner.estimator).whole, series.learner.rpartition(" on ")[0]
    if text != stored and without_versions(text) == without_versions(stored):
        yield VersionDifference("learner", stored.rpartition(" [")[2].rstrip("]"), text.rpartition(" [")[2].rstrip("]"))
    kind, was = handed_over(learner, plan.dataset, encode=plan.encode), series.learner.rpartition(" on ")[2]
    if kind != was:
        yield VersionDifference("kind of data", was, kind)


def _told(text: str) -> dict[str, Any]:
    found = json.loads(text)
    return found if isinstance(found, dict) else {}
