"""What has come together of one learner, run by run, whoever computed it: few bytes a task, and outcomes at the end."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from foldproof.domain.outcomes import Failure, Kept, Outcomes
from foldproof.engine.cells import CHOSEN, chosen_in
from foldproof.engine.plan import Plan
from foldproof.engine.predictions import Narrow, Stored
from foldproof.engine.task import TaskResult
from foldproof.store.records import Remark


class Gathered:
    """The scores of one learner as one array for each scoring, and whatever was odd about single runs."""

    def __init__(self, plan: Plan, learner: int) -> None:
        self._plan = plan
        self.name = plan.learners[learner].name
        shape = (plan.splits.runs, plan.splits.folds)
        self.scores = {scoring: np.full(shape, np.nan) for scoring in plan.scorers}
        self._narrow: Narrow | None = None
        # Where predictions are left in a store, and not kept here.
        self.stored: Stored | None = None
        self._remarks: dict[int, dict[str, Remark]] = {}
        self._chosen: dict[int, tuple[str | None, ...]] = {}
        self.methods: set[str] = set()

    def add(self, result: TaskResult) -> None:
        """Take in a result; of a run that was known in part, what is new."""
        for scoring, folds in result.scores.items():
            self.scores[scoring][result.run] = folds
        if result.predictions is not None and self.stored is None:
            if self._narrow is None:
                self._narrow = Narrow(self._plan.dataset, self._plan.splits.runs)
            self._narrow.put(result.run, result.predictions)
        if result.remarks:
            self.remark(result.run, result.remarks)
        if result.chosen is not None:
            self._chosen[result.run] = result.chosen
        if result.method is not None:
            self.methods.add(result.method)

    def remark(self, run: int, remarks: Mapping[str, Remark]) -> None:
        """Take in what is odd about a run."""
        self._remarks.setdefault(run, {}).update(remarks)
        chosen = chosen_in(remarks.get(""), self._plan.splits.folds)
        if chosen is not None:
            self._chosen[run] = chosen

    def failures(self) -> int:
        """How many folds have a fault."""
        return sum(len({f.fold for r in remarks.values() for f in r.faults}) for remarks in self._remarks.values())

    def outcomes(self) -> Outcomes:
        """Return the outcomes of all runs."""
        plan = self._plan
        failures, notes = self._told()
        chosen = None
        if self._chosen:
            nothing = (None,) * plan.splits.folds
            chosen = tuple(self._chosen.get(run, nothing) for run in range(plan.splits.runs))
        kept: Kept | None = self.stored
        if self._narrow is not None and self._narrow.complete:
            kept = self._narrow
        return Outcomes(
            learner=self.name,
            dataset=plan.dataset.fingerprint,
            partitions=plan.splits.fingerprint,
            scores=self.scores,
            kept=kept,
            chosen=chosen,
            failures=failures,
            notes=notes,
            fast_paths=tuple(f"{self.name}: {method}" for method in sorted(self.methods)),
        )

    def _told(self) -> tuple[tuple[Failure, ...], tuple[str, ...]]:
        """Return faults in order of run, fold and scoring, and a note for each kind of warning."""
        plan = self._plan
        order = {scoring: i for i, scoring in enumerate(["", *plan.scorers])}
        failures: list[Failure] = []
        grumbles: dict[str, tuple[str, set[tuple[int, int]]]] = {}
        for place, remarks in sorted(self._remarks.items()):
            run = plan.first_run + place
            known = sorted((order[where], remarks[where]) for where in remarks if where in order)
            faults = [(fault.fold, i, fault) for i, remark in known for fault in remark.faults]
            faults.sort(key=lambda found: found[:2])
            failures += [Failure(self.name, run, fold, fault.kind, fault.message) for fold, _, fault in faults]
            for _, remark in known:
                for grumble in remark.grumbles:
                    if grumble.kind != CHOSEN:
                        _, fits = grumbles.setdefault(grumble.kind, (grumble.text, set()))
                        fits.update((run, fold) for fold in grumble.folds)
        total = plan.splits.runs * plan.splits.folds
        notes = [self._note(kind, text, len(fits), total) for kind, (text, fits) in sorted(grumbles.items())]
        return tuple(failures), tuple(notes)

    def _note(self, kind: str, text: str, count: int, fits: int) -> str:
        code = "not_converged" if kind == "ConvergenceWarning" else "learner_warned"
        return f"{code}: {self.name!r} in {count} of {fits} fits: {kind}: {text}"
