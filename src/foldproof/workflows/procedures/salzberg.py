"""Salzberg's recommended approach (1997, section 3.5, steps 3 to 5) as a procedure."""

from __future__ import annotations

from typing import Any

from foldproof.domain.errors import InputError
from foldproof.partitions import KFold
from foldproof.workflows.experiment import Setting
from foldproof.workflows.procedures.base import Conducted, Procedure, Request, register
from foldproof.workflows.procedures.counted import ONE_PARTITION, conduct_counts, judge_counts


def _one_run(procedure: Procedure) -> Procedure:
    if procedure.runs != 1:
        raise InputError(
            f"the procedure 'salzberg' has one run and {procedure.runs} were asked for: over repeated runs the same "
            "instances would be counted again, and such trials are highly interdependent; choose folds instead"
        )
    if procedure.folds < 2:
        raise InputError(f"folds is {procedure.folds}: the data are divided into at least 2 subsets")
    return procedure


def _fitted_before(estimator: Any) -> str | None:
    """Return the parameter through which an estimator brings something that is fitted already."""
    from sklearn.base import BaseEstimator

    parts: dict[str, Any] = {"": estimator, **estimator.get_params(deep=True)}
    for key, value in parts.items():
        if isinstance(value, str) and value == "prefit":
            return key
        # scikit-learn's mark of an estimator that fit() leaves as it is.
        if isinstance(value, BaseEstimator) and type(value).__name__ == "FrozenEstimator":
            return key or "estimator"
    return None


def conduct_protocol(procedure: Procedure, setting: Setting, request: Request) -> Conducted:
    """Conduct the one run, after refusing learners that may have met the test instances before.

    A learner is handed the training set of each fold and nothing else, so whatever tunes itself in ``fit`` tunes there.
    The one way around this is to bring something that was fitted elsewhere.
    """
    if request.splits is not None:
        raise InputError("the procedure 'salzberg' makes its own partitions: leave out cv and choose folds")
    for learner in setting.learners:
        key = _fitted_before(learner.estimator)
        if key is not None:
            raise InputError(
                f"learner {learner.name!r} brings something that is fitted already ({key}), which may have seen the "
                "test instances: everything must be fitted and tuned inside each training set"
            )
    return conduct_counts(procedure, setting, request)


register(
    Procedure(
        name="salzberg",
        test="binomial-sign",
        runs=1,
        folds=10,
        scheme=lambda folds: KFold(folds),
        fixed=False,
        resize=_one_run,
        conduct=conduct_protocol,
        judge=judge_counts,
        advice=(ONE_PARTITION,),
        keeps_level=False,
        design=(
            "one run of {folds}-fold cross-validation with the same partitions for all learners, tuning inside each "
            "training set only"
        ),
        summary="Salzberg's protocol: one run of folds, tuning inside each training set, binomial test on instances",
    )
)
