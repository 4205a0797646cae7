"""``fp.calibrate``: how often a procedure errs, how often it finds what is there, and how often it says the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from foldproof._version import __version__
from foldproof.domain.address import Address
from foldproof.domain.errors import InputError
from foldproof.domain.partitions import ExplicitPartitions
from foldproof.domain.result import checked_level
from foldproof.engine.events import Listener, TaskFinished
from foldproof.engine.execute import Executor
from foldproof.engine.local import workers
from foldproof.learners.learner import Learner, gather, gather_one
from foldproof.workflows.calibration import Calibration, Estimate, row_of
from foldproof.workflows.execution import Execution
from foldproof.workflows.kept import Kept
from foldproof.workflows.procedures import DEFAULT, Procedure
from foldproof.workflows.procedures import procedure as named_procedure
from foldproof.workflows.provenance import provenance
from foldproof.workflows.setup import set_up
from foldproof.workflows.trials import Trial, checked_way, origin_of, own_copy

TEST_SET = 5000
# Scorings of which every learner expects the same where labels are drawn at random, all classes alike.
CHANCE = (None, "accuracy", "balanced_accuracy", "roc_auc")


def calibrate(
    learners: Any,
    X: Any = "source1",
    y: Any = None,
    *,
    way: str | None = None,
    procedure: str | Sequence[str] = DEFAULT,
    trials: int = 100,
    repetitions: int = 2,
    n: int = 300,
    null: bool | None = None,
    truth: int = 50,
    scoring: Any = None,
    alpha: float = 0.05,
    seed: int = 0,
    runs: int | None = None,
    folds: int | None = None,
    encode: bool = True,
    n_jobs: int | None = None,
    store: str | None = None,
    time_limit: float | None = None,
    executor: str | Executor = "local",
    scheduler: str | None = None,
    name: str | None = None,
    on_event: Listener | None = None,
) -> Calibration:
    """Measure the Type I error, power and R of procedures, by trials in which the truth is known.

    Parameters
    ----------
    learners
        Two learners, as in :func:`foldproof.compare`; or one, which is then compared with its own copy.
    X, y
        What trials are made of. Each is a sample of ``n`` instances of a simulated source (its name, or a list of
        names), of a source of yours (an object with ``sample``), or of a function ``(n, seed) -> (X, y)``; or each is
        made of one dataset (X and y, or a :class:`Dataset`).
    way
        ``"sampled"``: a new sample for every trial. ``"permuted-labels"``: one dataset, its labels in another order.
        ``"random-labels"``: one dataset, every label drawn anew, all classes alike, so that all learners have the
        same expected accuracy. ``"own-copy"``: one learner against its own copy with other internal seeds, on
        samples or on one dataset, divided anew in each trial. By default what fits.
    procedure
        One or several, by name.
    trials, repetitions
        How many trials, and how often the procedure is repeated with other seeds in each: R needs at least two.
    null
        Whether there is no difference, where you know; otherwise it is known where it follows from the way, and
        estimated for a source.
    truth
        How many training sets the difference on a source is estimated from; 0 for not at all.
    store
        A store's URL: finished trials are kept there, and the same call goes on where it was broken off. A function
        is known there by its name alone.
    n_jobs, executor, scheduler
        So many trials are under way at once. On a cluster are their fits.

    Everything else is as in ``compare``.

    Examples
    --------
    >>> import foldproof as fp
    >>> from sklearn.naive_bayes import BernoulliNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> learners = {"tree": DecisionTreeClassifier(max_depth=2), "bayes": BernoulliNB()}
    >>> found = fp.calibrate(learners, "source1", procedure="5x2cv", trials=20, n=60)
    >>> found.rows[0].null, found.rows[0].rejections.rate <= 0.25
    (True, True)
    """
    checked_level(alpha)
    for what, value, least in (("trials", trials, 2), ("repetitions", repetitions, 1), ("n", n, 10)):
        if not isinstance(value, int) or value < least:
            raise InputError(f"{what} is {value!r}: give a whole number of at least {least}")
    execution = Execution.of_fits(time_limit, executor, scheduler)
    pair = _two(learners)
    origins = [origin_of(item, y, name) for item in (X if _several_sources(X) else [X])]
    names = [procedure] if isinstance(procedure, str) else list(procedure)
    chosen = [named_procedure(each, runs=runs, folds=folds) for each in names]
    plans = []
    for origin in origins:
        own = checked_way(way, origin, len(pair))
        members = (pair[0], own_copy(pair[0])) if own == "own-copy" else pair
        plans += [
            Trial(origin, own, members, p, scoring, n, alpha, repetitions, seed, encode, execution) for p in chosen
        ]
    overall = _Progress(on_event, len(plans) * trials)
    rows = []
    for plan in plans:
        with Kept(store, "calibrate", _question(plan)) as kept:
            _run(plan, trials, kept, n_jobs, overall)
            records = [kept.known[number] for number in range(trials)]
        known = _known_null(plan, null)
        estimate = None
        if known is None and truth > 1 and plan.origin.make is not None:
            estimate = _true_difference(plan, truth, n_jobs)
        rows.append(row_of(plan, records, null=known, truth=estimate))
    return Calibration(
        rows=tuple(rows),
        alpha=alpha,
        seed=seed,
        trials=trials,
        repetitions=repetitions,
        scoring=_scoring_name(plans[0]),
        warnings=tuple(dict.fromkeys(word for row in rows for word in row.warnings)),
        provenance={k: v for k, v in provenance("").items() if k in ("version", "python", "packages")},
    )


def _two(learners: Any) -> tuple[Learner, ...]:
    """Return two learners, or the one that is to meet its own copy."""
    if isinstance(learners, Mapping):
        given: list[Any] = list(learners.items())
    elif isinstance(learners, list):
        given = learners
    else:
        given = [learners]
    if len(given) == 2:
        return gather(given)
    if len(given) != 1:
        raise InputError(f"a calibration takes two learners, or one against its own copy; got {len(given)}")
    named = isinstance(given[0], tuple) and len(given[0]) == 2
    return (gather_one(given[0][1], str(given[0][0])) if named else gather_one(given[0]),)


def _several_sources(X: Any) -> bool:
    return (
        isinstance(X, (list, tuple)) and bool(X) and all(isinstance(item, str) or hasattr(item, "sample") for item in X)
    )


def _run(plan: Trial, trials: int, kept: Kept, n_jobs: int | None, overall: _Progress) -> None:
    from joblib import delayed

    missing = [number for number in range(trials) if number not in kept.known]
    overall.already(trials - len(missing))
    made = workers(n_jobs, len(missing))(delayed(plan)(number) for number in missing)
    for record in made:
        kept.add(record)
        overall.one(plan.procedure.name, record)


def _question(plan: Trial) -> dict[str, Any]:
    """Return everything that a trial depends on, as plain values."""
    return {
        "version": __version__,
        "origin": plan.origin.fingerprint,
        "way": plan.way,
        "learners": [[x.name, " ".join(repr(x.estimator).split())] for x in plan.learners],
        "procedure": [plan.procedure.name, plan.procedure.test, plan.procedure.runs, plan.procedure.folds],
        "scoring": str(plan.scoring),
        "n": plan.n,
        "alpha": plan.alpha,
        "repetitions": plan.repetitions,
        "seed": plan.seed,
        "encode": plan.encode,
        # A trial in which a fit took too long is another under another limit.
        **({} if plan.execution.time_limit is None else {"time_limit": plan.execution.time_limit}),
    }


def _known_null(plan: Trial, null: bool | None) -> bool | None:
    """Return whether there is no difference, where that follows from how trials are made; None where it does not."""
    if null is not None:
        return null
    if plan.way == "own-copy":
        return True
    if plan.scoring not in CHANCE:
        return None
    if plan.way == "random-labels" or plan.origin.nothing_to_learn:
        return True
    if plan.way == "permuted-labels":
        data = plan.origin.data
        assert data is not None
        if data.classes is None:
            return None
        # With classes of other sizes, a learner that always says the most frequent one is better than one that guesses.
        counts = np.bincount(data.target_codes.astype(np.intp), minlength=len(data.classes))
        return True if counts.min() == counts.max() else None
    return None


def _true_difference(plan: Trial, training_sets: int, n_jobs: int | None) -> Estimate:
    """Return the expected difference at the procedure's training size: training sets of their own, one test set."""
    assert plan.origin.make is not None
    size = _training_size(plan.procedure, plan.n)
    total = TEST_SET + training_sets * size
    data = plan.origin.make(total, Address(plan.seed, f"truth {plan.origin.fingerprint}"))
    test = np.arange(TEST_SET)
    splits = ExplicitPartitions(
        tuple(
            ((np.arange(start, start + size), test),) for start in (TEST_SET + size * i for i in range(training_sets))
        ),
        n_instances=total,
    )
    setting = set_up(
        plan.learners, data, None, plan.scoring, plan.seed, None, None, plan.encode, None, execution=plan.execution
    )
    outcomes = setting.run(splits, n_jobs=n_jobs)
    scoring = setting.scorings[0].name
    a, b = (outcomes[learner.name].scores[scoring].ravel() for learner in plan.learners)
    return Estimate.of(a - b)


def _training_size(procedure: Procedure, n: int) -> int:
    parts = procedure.folds if procedure.folds > 1 else 10
    return max(2, round(n * (parts - 1) / parts))


def _scoring_name(plan: Trial) -> str:
    from foldproof.workflows.scoring import gather_scorings

    found = gather_scorings(plan.scoring, "classification" if plan.origin.data is None else plan.origin.data.task)
    if len(found) > 1:
        raise InputError("calibrate takes one scoring: call it once for each")
    return found[0].name


class _Progress:
    """Counts trials over all rows, and tells of each."""

    def __init__(self, on_event: Listener | None, total: int) -> None:
        self._on_event, self._total = on_event, total
        self._done = self._failures = 0

    def already(self, trials: int) -> None:
        """Count trials that were kept."""
        self._done += trials

    def one(self, name: str, record: Mapping[str, Any]) -> None:
        """Count one trial."""
        self._done += 1
        self._failures += int(record["failures"])
        if self._on_event is not None:
            self._on_event(TaskFinished(name, int(record["number"]), self._done, self._total, self._failures))
