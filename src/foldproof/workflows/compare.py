"""``fp.compare``: learners on shared partitions, and a verdict for every pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from foldproof.domain.errors import unknown_name
from foldproof.domain.partitions import Splits
from foldproof.domain.result import checked_level
from foldproof.engine.events import Listener
from foldproof.engine.execute import Executor
from foldproof.significance._adjust_p import METHODS as ADJUSTMENTS
from foldproof.store.base import Store
from foldproof.workflows.comparison import Comparison, LearnerSummary, Scored
from foldproof.workflows.execution import Execution, checked_limit, executor_of, opened
from foldproof.workflows.experiment import Setting
from foldproof.workflows.judge import judge_pairs
from foldproof.workflows.looks import check_ledger, enter_comparison
from foldproof.workflows.procedures import DEFAULT, Procedure, Request
from foldproof.workflows.provenance import provenance
from foldproof.workflows.setup import choose, set_up, small_classes


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
    tune: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    store: str | Store | None = None,
    ledger: bool = True,
    looks: int | None = None,
    fast: bool = True,
    time_limit: float | None = None,
    executor: str | Executor = "local",
    scheduler: str | None = None,
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
    tune
        Learners' names to settings (a mapping of parameters to lists, a ``ParameterGrid`` or ``ParameterSampler``),
        chosen inside each training set on a part of it: see :class:`foldproof.learners.Tuned`.
    n_jobs
        Processes, as joblib counts them; None follows ``joblib.parallel_config``.
    store
        Where results are kept: a URL such as ``"sqlite:///results.db"``, or an open store. What it holds already is not
        fitted again; an interrupted call goes on from there.
    ledger
        Whether this look at the dataset is entered in the store's ledger, which tells what level is left. Turned off,
        that is noted in the result.
    looks
        How many looks at this dataset are planned, if that is known at the first.
    fast
        Whether learners that are recognised may be evaluated on all partitions at once. The scores are the same.
    time_limit
        Seconds that one fit may take. A learner that takes longer is stopped, and that run of it counts as failed.
    executor, scheduler
        ``"local"``, or ``"dask"`` with the address of a scheduler. The scores do not depend on it.
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
    check_levels(alpha, adjust)
    running = executor_of(executor, scheduler)
    with opened(store) as kept:
        execution = Execution(kept, fast, checked_limit(time_limit), running, ledger, looks)
        setting = set_up(learners, X, y, scoring, seed, groups, sample_weight, encode, name, tune, execution)
        chosen, splits = choose(setting, procedure, runs, folds, cv)
        found = carry_out_comparison(
            setting, chosen, splits, alpha=alpha, adjust=adjust, n_jobs=n_jobs, on_event=on_event
        )
        setting.methods.forget()
        return found


def check_levels(alpha: float, adjust: str) -> None:
    """Refuse a level or an adjustment that is none, before anything is fitted."""
    checked_level(alpha)
    if adjust not in ADJUSTMENTS:
        raise unknown_name("adjustment", adjust, ADJUSTMENTS)


def carry_out_comparison(
    setting: Setting,
    chosen: Procedure,
    splits: Splits | None,
    *,
    alpha: float,
    adjust: str,
    n_jobs: int | None = None,
    on_event: Listener | None = None,
) -> Comparison:
    """Make the evidence, judge every pair under every scoring, and tell what there is to tell."""
    check_levels(alpha, adjust)
    check_ledger(setting)
    warnings = [*setting.warnings(), *small_classes(setting.dataset, chosen.folds)]
    request = Request(alpha=alpha, n_jobs=n_jobs, on_event=on_event, splits=splits)
    conducted = chosen.carry_out(setting, request)
    scored = []
    ledger_notes: list[str] = []
    for s in setting.scorings:
        verdicts = judge_pairs(chosen, conducted, s.name, alpha=alpha, adjust=adjust)
        summaries = tuple(LearnerSummary.of(x, conducted.outcomes[x.name], s) for x in setting.learners)
        entered = enter_comparison(setting, chosen, splits, s.name, verdicts, alpha=alpha)
        scored.append(Scored(s.name, s.greater_is_better, summaries, verdicts, entered.standing))
        ledger_notes.extend(entered.notes)
    for outcome in conducted.outcomes.values():
        warnings.extend(outcome.notes)
    return Comparison(
        procedure=chosen,
        conducted=conducted,
        scored=tuple(scored),
        alpha=alpha,
        adjust=adjust,
        warnings=(*warnings, *dict.fromkeys(ledger_notes)),
        provenance=provenance(conducted.partitions.fingerprint, conducted.outcomes.values()),
    )
