"""What a store holds of a plan: read into what is gathered, and what is left to be done."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from foldproof.engine.cells import cell_of
from foldproof.engine.environment import environment, method_in
from foldproof.engine.from_predictions import Labels, score_predictions, scores_predictions
from foldproof.engine.gathered import Gathered
from foldproof.engine.keys import CellKeys, divisions, record_of, series_of
from foldproof.engine.plan import Plan, Tasks
from foldproof.engine.predictions import Stored
from foldproof.engine.remarks import Remarking
from foldproof.engine.task import TaskResult
from foldproof.store.base import Store
from foldproof.store.records import Cell, CellKey, Floats, Remark, Series

Places = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Keyed:
    """A plan and the keys of all its cells: those of the series, and where each run is found within them."""

    plan: Plan
    series: tuple[Series, ...]
    keys: Sequence[CellKey]

    @classmethod
    def of(cls, plan: Plan) -> Keyed:
        """Return the keys of a plan."""
        series = tuple(series_of(plan, learner) for learner in range(len(plan.learners)))
        return cls(plan, series, CellKeys(plan.first_run, divisions(plan.splits)))

    def cell(self, result: TaskResult) -> Cell:
        """Return a result as the store keeps it."""
        run, division = self.keys[result.run]
        return cell_of(result, self.series[result.learner].key, run, division, self.plan.splits.scheme)

    def announce(self, store: Store) -> None:
        """Let the store know of the dataset and the series that cells are to be written of."""
        store.add_dataset(record_of(self.plan.dataset))
        for series in self.series:
            store.add_series(series)


@dataclass(frozen=True, slots=True, eq=False)
class Left:
    """What a store does not hold of one learner: runs by the scorings that they lack, and scores that need no fit."""

    fits: dict[tuple[str, ...], Places]
    scores: dict[tuple[str, ...], dict[int, Floats]]


def read_held(store: Store, keyed: Keyed, learner: int, gathered: Gathered) -> Left:
    """Read one learner's cells into what is gathered, and return what is left."""
    plan, series = keyed.plan, keyed.series[learner].key
    keys = keyed.keys
    if plan.splits.complementary:
        gathered.stored = Stored(store, series, keys)
    remarks = store.remarks(series)
    expired = {key for key, own in remarks.items() if "" in own and _to_do_again(own[""], plan.time_limit)}
    lacking = np.zeros((len(keys), len(plan.scorers)), dtype=np.bool_)
    for column, scoring in enumerate(plan.scorers):
        rows = store.scores(series, scoring)
        for key in expired:
            rows.pop(key, None)
        table = gathered.scores[scoring]
        found = list(map(rows.get, keys))
        lacking[:, column] = [folds is None for folds in found] if None in found else False
        known = b"".join(filter(None, found))
        table[~lacking[:, column]] = np.frombuffer(known, dtype="<f8").reshape(-1, table.shape[1])
    fits: dict[tuple[str, ...], Places] = {}
    for pattern in np.unique(lacking[lacking.any(axis=1)], axis=0):
        scorings = tuple(name for name, missing in zip(plan.scorers, pattern, strict=True) if missing)
        fits[scorings] = np.flatnonzero((lacking == pattern).all(axis=1)).astype(np.int32)
    held = ~lacking.all(axis=1)
    if held.any():
        gathered.methods.update(m for told in store.environments(series) if (m := method_in(told)) is not None)
        for run in np.flatnonzero(held).tolist() if remarks else ():
            if keys[run] in remarks:
                gathered.remark(run, remarks[keys[run]])
    return _without_fits(store, keyed, series, fits, expired)


def _to_do_again(remark: Remark, time_limit: float | None) -> bool:
    """Whether a cell that failed for want of time may fare better now; one whose worker died may."""
    if remark.again is None:
        return False
    return remark.again == 0.0 or time_limit is None or time_limit > remark.again


def _without_fits(
    store: Store, keyed: Keyed, series: str, fits: dict[tuple[str, ...], Places], expired: set[CellKey]
) -> Left:
    """Take from what is to be fitted what stored predictions can be scored for."""
    plan, scores = keyed.plan, dict[tuple[str, ...], dict[int, Floats]]()
    cells = set(store.keys(series)) - expired if fits else ()
    labels = Labels.of(plan.dataset)
    # What a regressor predicted may have been of single precision; beside a target of double it makes no difference.
    same_numbers = labels is not None or plan.dataset.y.dtype == np.float64
    for scorings, runs in list(fits.items()):
        fitted = [run for run in runs.tolist() if keyed.keys[run] in cells]
        if not fitted or not same_numbers or not all(scores_predictions(plan.scorers[name]) for name in scorings):
            continue
        predictions = store.predictions(series)
        known = {run: predictions[key] for run in fitted if (key := keyed.keys[run]) in predictions}
        if labels is not None:
            known = {run: codes for run, codes in known.items() if labels.tell(codes[~np.isnan(codes)])}
        if known:
            scores[scorings] = known
            fits[scorings] = np.array([run for run in runs.tolist() if run not in known], dtype=np.int32)
    return Left({scorings: runs for scorings, runs in fits.items() if len(runs)}, scores)


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


def tasks_left(left: Sequence[Left]) -> dict[tuple[str, ...], Tasks]:
    """Return the tasks that have to be fitted, by the scorings that they lack, run by run."""
    found: dict[tuple[str, ...], dict[int, Places]] = {}
    for learner, own in enumerate(left):
        for scorings, runs in own.fits.items():
            found.setdefault(scorings, {})[learner] = runs
    return {scorings: Tasks.of_runs(runs) for scorings, runs in found.items()}
