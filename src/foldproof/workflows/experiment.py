"""From what the user gave to outcomes: the part that every workflow with fits begins with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldproof.data.in_memory import dataset as make_dataset
from foldproof.domain.dataset import Dataset, Task
from foldproof.domain.errors import InputError
from foldproof.domain.outcomes import Outcomes
from foldproof.domain.partitions import Splits
from foldproof.engine.events import Listener
from foldproof.engine.local import execute
from foldproof.engine.plan import Plan
from foldproof.learners.encoder import describe_encoding
from foldproof.learners.learner import Learner, gather
from foldproof.workflows.scoring import Scoring


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """A dataset, learners that fit it, and scorings: what does not change when partitions do."""

    dataset: Dataset
    learners: tuple[Learner, ...]
    scorings: tuple[Scoring, ...]
    seed: int
    encode: bool = True

    def run(
        self,
        partitions: Splits,
        *,
        repetition: int = 0,
        first_run: int = 0,
        n_jobs: int | None = None,
        on_event: Listener | None = None,
    ) -> dict[str, Outcomes]:
        """Fit and score every learner on every fold."""
        plan = Plan(
            dataset=self.dataset,
            partitions=partitions,
            learners=self.learners,
            scorers={s.name: s.scorer for s in self.scorings},
            seed=self.seed,
            repetition=repetition,
            first_run=first_run,
            encode=self.encode,
        )
        return execute(plan, n_jobs=n_jobs, on_event=on_event)

    def warnings(self) -> list[str]:
        """Return what can be said before anything is fitted."""
        found = list(self.dataset.notes)
        plain = [learner.name for learner in self.learners if not learner.composed]
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
        if self.dataset.sample_weight is not None:
            found.append("weights: sample weights are used in fitting; scores are not weighted")
        return found


def settle_task(learners: Sequence[Learner]) -> Task | None:
    """Return what the learners are for, or None where they do not say."""
    from sklearn.base import is_classifier, is_regressor

    classifiers = [learner.name for learner in learners if is_classifier(learner.estimator)]
    regressors = [learner.name for learner in learners if is_regressor(learner.estimator)]
    if classifiers and regressors:
        raise InputError(
            f"{classifiers[0]!r} is a classifier and {regressors[0]!r} a regressor: compare learners of one kind"
        )
    if classifiers:
        return "classification"
    return "regression" if regressors else None


def gather_learners(learners: Mapping[str, Any] | Sequence[Any]) -> tuple[tuple[Learner, ...], Task | None]:
    """Return the learners and what they are for."""
    found = gather(learners)
    return found, settle_task(found)


def check_learners(dataset: Dataset, learners: Sequence[Learner]) -> None:
    """Refuse what cannot work in any fold."""
    if dataset.sample_weight is not None:
        from sklearn.utils.validation import has_fit_parameter

        for learner in learners:
            last = learner.estimator.steps[-1][1] if hasattr(learner.estimator, "steps") else learner.estimator
            if not has_fit_parameter(last, "sample_weight"):
                raise InputError(
                    f"learner {learner.name!r} takes no sample weights: leave them out, or leave the learner out"
                )
    if settle_task(learners) == "classification" and dataset.y.dtype.kind == "f":
        odd = dataset.y[dataset.y != np.rint(dataset.y)]
        if len(odd):
            raise InputError(
                f"the target {dataset.target_name!r} holds numbers such as {odd[0]:g} and the learners are "
                "classifiers: choose regressors, or turn the target into classes"
            )


def dataset_of(X: Any, y: Any, *, task: Task | None, groups: Any, sample_weight: Any, name: str | None) -> Dataset:
    """Return the dataset of a front door's arguments; a Dataset may stand in for X."""
    if isinstance(X, Dataset):
        if y is not None or groups is not None or sample_weight is not None:
            raise InputError("a Dataset brings its own target, groups and weights: give nothing beside it")
        return X
    if y is None:
        raise InputError("no target was given: call compare(learners, X, y)")
    return make_dataset(X, y, task=task or "auto", name=name or "data", groups=groups, sample_weight=sample_weight)


def small_classes(dataset: Dataset, folds: int) -> list[str]:
    """Return a warning for each class that cannot be in every fold."""
    if dataset.task != "classification" or dataset.classes is None:
        return []
    counts = np.bincount(dataset.target_codes.astype(np.intp), minlength=len(dataset.classes))
    return [
        f"small_class: class {label!r} has {count} member{'s' * (count != 1)} and there are {folds} folds: some test "
        "sets hold none of it"
        for label, count in zip(dataset.classes, counts.tolist(), strict=True)
        if 0 < count < folds
    ]
