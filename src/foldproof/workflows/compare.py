"""``fp.compare``: learners on shared partitions, and a verdict for every pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from foldproof.domain.errors import InputError, NotInThisVersionError
from foldproof.domain.partitions import Splits
from foldproof.domain.result import checked_level
from foldproof.engine.events import Listener
from foldproof.partitions import partition, partitions_from_splitter
from foldproof.workflows.comparison import Comparison, LearnerSummary, Scored
from foldproof.workflows.experiment import (
    Setting,
    check_learners,
    dataset_of,
    gather_learners,
    small_classes,
)
from foldproof.workflows.judge import judge_pairs
from foldproof.workflows.procedures import DEFAULT, Procedure
from foldproof.workflows.procedures import procedure as named_procedure
from foldproof.workflows.provenance import provenance
from foldproof.workflows.scoring import gather_scorings


def compare(
    learners: Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: Any = None,
    *,
    procedure: str = DEFAULT,
    scoring: Any = None,
    alpha: float = 0.05,
    adjust: str = "holm",
    seed: int = 0,
    runs: int | None = None,
    folds: int | None = None,
    cv: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    encode: bool = True,
    n_jobs: int | None = None,
    store: str | None = None,
    time_limit: float | None = None,
    name: str | None = None,
    on_event: Listener | None = None,
) -> Comparison:
    """Compare learners on one dataset.

    Every learner is fitted once on every fold, and all pairs share the fits.

    Parameters
    ----------
    learners
        Names to scikit-learn estimators (or to specs such as ``"sklearn.svm.SVC(C=10)"``), or a list of either.
        They are cloned, never fitted in place.
    X, y
        Array, sparse matrix or dataframe, and a target; or a :class:`Dataset` alone.
    procedure
        A test with the partitions it needs, by name (``fp.list_procedures()``).
    scoring
        Anything scikit-learn takes, or a list. By default ``"accuracy"``, for regressors
        ``"neg_root_mean_squared_error"``.
    alpha, adjust
        The level, and how p-values are adjusted for the number of pairs. The adjusted p-value decides.
    seed
        The root of all randomness: the same seed gives the same verdict on every machine.
    runs, folds
        For procedures that leave them open, such as ``"corrected-repeated-cv"``.
    cv
        A scikit-learn splitter instead of the procedure's own partitions.
    groups, sample_weight
        One entry per row. Groups are never torn apart; weights are used in fitting.
    encode
        Whether nominal and missing values are encoded inside each training fold for plain estimators.
    n_jobs
        Processes, as joblib counts them; None follows ``joblib.parallel_config``.
    on_event
        Called with a :class:`~foldproof.engine.events.TaskFinished` after each run of a learner.

    Examples
    --------
    >>> import foldproof as fp
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> comparison = fp.compare({"bayes": GaussianNB(), "dummy": DummyClassifier()}, X, y)
    >>> comparison.pair("bayes", "dummy").verdict
    'bayes'
    """
    if store is not None:
        raise NotInThisVersionError("a store of results (store=)")
    if time_limit is not None:
        raise NotInThisVersionError("a time limit for fits (time_limit=)")
    checked_level(alpha)
    found, task = gather_learners(learners)
    dataset = dataset_of(X, y, task=task, groups=groups, sample_weight=sample_weight, name=name)
    check_learners(dataset, found)
    setting = Setting(dataset, found, gather_scorings(scoring, dataset.task), seed, encode)
    chosen, partitions = _partitions(setting, procedure, runs, folds, cv)
    warnings = setting.warnings() + small_classes(dataset, partitions.folds)
    outcomes = setting.run(partitions, n_jobs=n_jobs, on_event=on_event)
    scored = []
    for s in setting.scorings:
        verdicts = judge_pairs(outcomes, partitions, s.name, test=chosen.test, alpha=alpha, adjust=adjust)
        summaries = tuple(LearnerSummary.of(learner, outcomes[learner.name], s) for learner in found)
        scored.append(Scored(s.name, s.greater_is_better, summaries, verdicts))
    for outcome in outcomes.values():
        warnings.extend(outcome.notes)
    return Comparison(
        dataset=dataset,
        procedure=chosen,
        partitions=partitions,
        scored=tuple(scored),
        outcomes=outcomes,
        alpha=alpha,
        adjust=adjust,
        seed=seed,
        warnings=tuple(warnings),
        provenance=provenance(partitions.fingerprint),
    )


def _partitions(setting: Setting, name: str, runs: int | None, folds: int | None, cv: Any) -> tuple[Procedure, Splits]:
    """Return the procedure at its size and the partitions it runs on."""
    if cv is None:
        chosen = named_procedure(name, runs=runs, folds=folds)
        return chosen, partition(chosen.scheme(chosen.folds), setting.dataset, seed=setting.seed, runs=chosen.runs)
    if name != DEFAULT or runs is not None or folds is not None:
        raise InputError("cv= brings its own partitions: leave out procedure, runs and folds, or leave out cv")
    dataset = setting.dataset
    splits = partitions_from_splitter(cv, dataset.X, dataset.y, dataset.groups)
    base = named_procedure("corrected-repeated-cv", runs=splits.runs, folds=splits.folds)
    return base, splits
