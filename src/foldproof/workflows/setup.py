"""From what the user gave to a setting and a procedure: what every front door does first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from foldproof.data.in_memory import dataset as make_dataset
from foldproof.domain.dataset import Dataset, Task
from foldproof.domain.errors import InputError
from foldproof.domain.partitions import Splits
from foldproof.learners.fitting import last_step
from foldproof.learners.learner import Learner, gather
from foldproof.learners.tuning import tuned
from foldproof.partitions import partitions_from_splitter
from foldproof.workflows.execution import Execution
from foldproof.workflows.experiment import Setting
from foldproof.workflows.procedures import DEFAULT, Procedure
from foldproof.workflows.procedures import procedure as named_procedure
from foldproof.workflows.scoring import gather_scorings


def set_up(
    learners: Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: Any,
    scoring: Any,
    seed: int,
    groups: Any,
    sample_weight: Any,
    encode: bool,
    name: str | None,
    tune: Mapping[str, Any] | None = None,
    execution: Execution | None = None,
) -> Setting:
    """Return the setting of a front door's arguments, after refusing what cannot work."""
    found, task = gather_learners(learners)
    dataset = dataset_of(X, y, task=task, groups=groups, sample_weight=sample_weight, name=name)
    check_learners(dataset, found)
    scorings = gather_scorings(scoring, dataset.task)
    if tune is not None:
        found = tuned(found, tune, scoring=scorings[0].scorer, seed=seed, fingerprint=dataset.fingerprint)
    return Setting(dataset, found, scorings, seed, encode, execution or Execution())


def choose(
    setting: Setting, name: str, runs: int | None, folds: int | None, cv: Any
) -> tuple[Procedure, Splits | None]:
    """Return the procedure at its size, and the user's own splits where there are any."""
    if cv is None:
        return named_procedure(name, runs=runs, folds=folds), None
    if name != DEFAULT or runs is not None or folds is not None:
        raise InputError("cv= brings its own partitions: leave out procedure, runs and folds, or leave out cv")
    dataset = setting.dataset
    splits = partitions_from_splitter(cv, dataset.X, dataset.y, dataset.groups)
    if splits.runs * splits.folds < 2:
        raise InputError("the splitter gives one split only: at least two differences are required for a test")
    return named_procedure("corrected-repeated-cv", runs=splits.runs, folds=splits.folds), splits


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

        from foldproof.learners._tuned import Tuned

        for learner in learners:
            last = last_step(learner.estimator)
            if isinstance(last, Tuned):
                last = last_step(last.estimator)
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
    small = int(np.count_nonzero((counts > 0) & (counts < folds)))
    if small > 3:
        doubt = "; is the target a number to predict?" if small > len(dataset) / 4 else ""
        return [
            f"small_class: {small} of {len(dataset.classes)} classes have fewer members than there are folds "
            f"({folds}): some test sets hold none of them{doubt}"
        ]
    return [
        f"small_class: class {label!r} has {count} member{'s' * (count != 1)} and there are {folds} folds: some test "
        "sets hold none of it"
        for label, count in zip(dataset.classes, counts.tolist(), strict=True)
        if 0 < count < folds
    ]
