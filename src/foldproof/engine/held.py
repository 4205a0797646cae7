"""What a store holds of a plan: read into what is gathered, and what is left to be done."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from foldproof.engine.cells import cell_of
from foldproof.engine.environment import environment, method_in
from foldproof.engine.from_predictions import Labels, score_predictions, scores_predictions
from foldproof.engine.gathered import Gathered
from foldproof.engine.keys import divisions, record_of, series_of
from foldproof.engine.plan import Plan, Task
from foldproof.engine.remarks import Remarking
from foldproof.engine.task import TaskResult
from foldproof.store.base import Store
from foldproof.store.records import Cell, CellKey, Floats, Remark, Series


@dataclass(frozen=True, slots=True, eq=False)
class Keyed:
    """A plan and the keys of all its cells."""

    plan: Plan
    series: tuple[Series, ...]
    divisions: Sequence[bytes]

    @classmethod
    def of(cls, plan: Plan) -> Keyed:
        """Return the keys of a plan."""
        return cls(plan, tuple(series_of(plan, i) for i in range(len(plan.learners))), divisions(plan.splits))

    def key(self, run: int) -> CellKey:
        """Return where a run is found within its series."""
        return self.plan.first_run + run, self.divisions[run]

    def cell(self, result: TaskResult) -> Cell:
        """Return a result as the store keeps it."""
        run, division = self.key(result.run)
        return cell_of(result, self.series[result.learner].key, run, division, self.plan.splits.scheme)

    def announce(self, store: Store) -> None:
        """Let the store know of the dataset and the series that cells are to be written of."""
        store.add_dataset(record_of(self.plan.dataset))
        for series in self.series:
            store.add_series(series)


@dataclass(frozen=True, slots=True, eq=False)
class Left:
    """What a store does not hold of one learner: runs by the scorings that they lack, and scores that need no fit."""

    fits: dict[tuple[str, ...], list[int]]
    scores: dict[tuple[str, ...], dict[int, Floats]]


def read_held(store: Store, keyed: Keyed, learner: int, gathered: Gathered) -> Left:
    """Read one learner's cells into what is gathered, and return what is left."""
    plan, series = keyed.plan, keyed.series[learner].key
    keys = [keyed.key(run) for run in range(plan.splits.runs)]
    remarks = store.remarks(series)
    expired = {key for key, own in remarks.items() if "" in own and _to_do_again(own[""], plan.time_limit)}
    lacking: dict[int, list[str]] = {}
    for scoring in plan.scorers:
        rows = store.scores(series, scoring)
        found = [rows.get(key) for key in keys]
        if not expired and None not in found:
            packed = b"".join(found)  # type: ignore[arg-type]
            gathered.scores[scoring][:] = np.frombuffer(packed, dtype="<f8").reshape(gathered.scores[scoring].shape)
            continue
        for run, (key, folds) in enumerate(zip(keys, found, strict=True)):
            if folds is None or key in expired:
                lacking.setdefault(run, []).append(scoring)
            else:
                gathered.scores[scoring][run] = np.frombuffer(folds, dtype="<f8")
    every = tuple(plan.scorers)
    fits: dict[tuple[str, ...], list[int]] = {}
    for run, scorings in lacking.items():
        fits.setdefault(tuple(scorings), []).append(run)
    if len(fits.get(every, ())) < len(keys):
        gathered.methods.update(m for told in store.environments(series) if (m := method_in(told)) is not None)
        _rest(store, keyed, series, gathered, remarks, expired, fits.get(every, []))
    return _without_fits(store, keyed, series, fits, expired)


def _to_do_again(remark: Remark, time_limit: float | None) -> bool:
    """Whether a cell that failed for want of time may fare better now; one whose worker died may."""
    if remark.again is None:
        return False
    return remark.again == 0.0 or time_limit is None or time_limit > remark.again


def _rest(
    store: Store,
    keyed: Keyed,
    series: str,
    gathered: Gathered,
    remarks: dict[CellKey, dict[str, Remark]],
    expired: set[CellKey],
    undone: list[int],
) -> None:
    """Read what is beside scores: remarks and predictions of the runs that are held."""
    without = set(undone)
    predictions = store.predictions(series)
    for run in range(keyed.plan.splits.runs):
        key = keyed.key(run)
        if run in without or key in expired:
            continue
        if key in remarks:
            gathered.remark(run, remarks[key])
        if key in predictions:
            gathered.predicted(run, predictions[key])


def _without_fits(
    store: Store, keyed: Keyed, series: str, fits: dict[tuple[str, ...], list[int]], expired: set[CellKey]
) -> Left:
    """Take from what is to be fitted what stored predictions can be scored for."""
    plan, scores = keyed.plan, dict[tuple[str, ...], dict[int, Floats]]()
    labels = Labels.of(plan.dataset)
    # What a regressor predicted may have been of single precision; beside a target of double it makes no difference.
    same_numbers = labels is not None or plan.dataset.y.dtype == np.float64
    for scorings, runs in list(fits.items()):
        if not same_numbers or not all(scores_predictions(plan.scorers[name]) for name in scorings):
            continue
        predictions = store.predictions(series)
        known = {run: predictions[key] for run in runs if (key := keyed.key(run)) in predictions and key not in expired}
        if labels is not None:
            known = {run: codes for run, codes in known.items() if labels.tell(codes[~np.isnan(codes)])}
        if known:
            scores[scorings] = known
            fits[scorings] = [run for run in runs if run not in known]
    return Left({scorings: runs for scorings, runs in fits.items() if runs}, scores)


def score_stored(keyed: Keyed, learner: int, left: Left) -> Iterator[TaskResult]:
    """Yield results that hold the scores which stored predictions lacked; nothing is fitted."""
    for scorings, known in left.scores.items():
        plan = replace(keyed.plan, scorers={name: keyed.plan.scorers[name] for name in scorings})
        for run, predictions in known.items():
            started, remarking = time.perf_counter(), Remarking()
            (scores,) = score_predictions(plan, learner, [run], predictions[None, :], [remarking])
            yield TaskResult(
                learner=learner,
                run=run,
                scores=scores,
                remarks=remarking.remarks(),
                seconds=time.perf_counter() - started,
                finished=time.time(),
                environment=environment(),
            )


def tasks_left(left: Sequence[Left]) -> dict[tuple[str, ...], list[Task]]:
    """Return the tasks that have to be fitted, by the scorings that they lack, run by run."""
    found: dict[tuple[str, ...], list[Task]] = {}
    for learner, own in enumerate(left):
        for scorings, runs in own.fits.items():
            found.setdefault(scorings, []).extend((learner, run) for run in runs)
    return {scorings: sorted(tasks, key=lambda task: (task[1], task[0])) for scorings, tasks in found.items()}
