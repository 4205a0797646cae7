"""Setting: a dataset, learners and scorings, ready to be run on any partitions."""

from __future__ import annotations

from dataclasses import dataclass, field

from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError
from foldproof.domain.outcomes import Outcomes
from foldproof.domain.partitions import Splits
from foldproof.engine.describe import describe
from foldproof.engine.events import Listener
from foldproof.engine.execute import execute
from foldproof.engine.local import Local
from foldproof.engine.plan import Methods, Plan
from foldproof.learners.encoder import describe_encoding
from foldproof.learners.learner import Learner
from foldproof.workflows.execution import Execution
from foldproof.workflows.scoring import Scoring


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """A dataset, learners that fit it, and scorings: what does not change when partitions do."""

    dataset: Dataset
    learners: tuple[Learner, ...]
    scorings: tuple[Scoring, ...]
    seed: int
    encode: bool = True
    execution: Execution = field(default_factory=Execution)
    methods: Methods = field(default_factory=Methods)

    def run(
        self,
        partitions: Splits,
        *,
        repetition: int = 0,
        first_run: int = 0,
        n_jobs: int | None = None,
        on_event: Listener | None = None,
    ) -> dict[str, Outcomes]:
        """Fit and score every learner on every fold, but for what the store holds."""
        plan = Plan(
            dataset=self.dataset,
            splits=partitions,
            learners=self.learners,
            scorers={s.name: s.scorer for s in self.scorings},
            seed=self.seed,
            repetition=repetition,
            first_run=first_run,
            encode=self.encode,
            fast=self.execution.fast,
            time_limit=self.execution.time_limit,
            methods=self.methods,
        )
        executor = self.execution.executor or Local(n_jobs)
        return execute(plan, store=self.execution.store, executor=executor, on_event=on_event)

    def warnings(self) -> list[str]:
        """Return what can be said before anything is fitted."""
        found = list(self.dataset.notes)
        plain = [learner.name for learner in self.learners if not (learner.composed or learner.native)]
        if self.dataset.needs_encoding and plain:
            names = ", ".join(map(repr, plain))
            if not self.encode:
                raise InputError(
                    f"the data have nominal or missing values, which {names} cannot be given with encoding turned "
                    "off: put the learner into a pipeline that encodes, or let foldproof encode"
                )
            found.append(f"encoded: for {names}: {describe_encoding(self.dataset)}")
        for learner in self.learners:
            for key in learner.given_random_states:
                found.append(
                    f"random_state_kept: {learner.name!r} was given its own {key}, which is kept: every fit of it "
                    "draws the same, and the seed does not vary it"
                )
        if self.execution.store is not None:
            for learner in self.learners:
                unknown = describe(learner.estimator).unknown
                if unknown:
                    found.append(
                        f"not_found_again: {learner.name!r} holds {unknown[0]}, which cannot be told from another of "
                        "that name: its results are stored, and other programs will not find them; name a function or "
                        "class of a module instead"
                    )
        if self.dataset.sample_weight is not None:
            found.append("weights: sample weights are used in fitting; scores are not weighted")
        return found
