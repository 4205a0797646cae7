"""``fp.randomization``: how much a whole methodology finds where there is nothing to find (Salzberg 1997, 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldproof import significance
from foldproof._version import __version__
from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError, unknown_name
from foldproof.domain.result import RandomizationResult
from foldproof.engine.events import Listener, TaskFinished
from foldproof.engine.execute import Executor
from foldproof.engine.local import workers
from foldproof.learners.learner import Learner, gather_one
from foldproof.learners.tuning import settings_tried, tuned
from foldproof.partitions import KFold, partition
from foldproof.workflows.execution import Execution
from foldproof.workflows.experiment import Setting
from foldproof.workflows.kept import Kept
from foldproof.workflows.provenance import provenance
from foldproof.workflows.scoring import Scoring, gather_scorings
from foldproof.workflows.setup import check_learners, dataset_of, settle_task
from foldproof.workflows.trials import relabelled

#: How labels are made random: in another order, or drawn as often as they occur.
LABELS = {"permuted": "permuted-labels", "drawn": "frequencies"}
Methodology = Callable[[Any, Any, int], float]


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Randomization:
    """What :func:`foldproof.randomization` found.

    Attributes
    ----------
    observed, reference
        The score on the labels as they are, and those on random labels.
    bias
        The mean of the reference less chance: what the methodology finds in nothing.
    adjusted
        The observed score less the bias.
    pvalue
        ``(1 + #{reference >= observed}) / (B + 1)``.
    selected
        The learner with the best score on the labels as they are, where there are several.
    """

    dataset: Dataset
    result: RandomizationResult
    reference: tuple[float, ...]
    chance: float
    scoring: str
    labels: str
    learners: tuple[tuple[str, str, int], ...]
    selected: str | None
    runs: int | None
    folds: int | None
    seed: int
    failures: int
    warnings: tuple[str, ...]
    provenance: Mapping[str, Any]

    def __repr__(self) -> str:
        return self.to_text()

    @property
    def observed(self) -> float:
        """The score on the labels as they are."""
        return self.result.statistic

    @property
    def bias(self) -> float:
        """What the methodology finds in nothing."""
        return self.result.bias

    @property
    def adjusted(self) -> float:
        """The observed score less the bias."""
        return self.result.adjusted

    @property
    def pvalue(self) -> float:
        """The share of scores on random labels that are at least as good, the observed one included."""
        return self.result.pvalue

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, with the keys of the JSON output."""
        return {
            "schema": "foldproof/randomize/1",
            "dataset": {
                "name": self.dataset.name,
                "fingerprint": self.dataset.fingerprint,
                "instances": len(self.dataset),
            },
            "learners": [{"name": n, "spec": s, "settings": k} for n, s, k in self.learners],
            "selected": self.selected,
            "scoring": self.scoring,
            "labels": self.labels,
            "relabelings": len(self.reference),
            "runs": self.runs,
            "folds": self.folds,
            "seed": self.seed,
            "observed": self.observed,
            "chance": self.chance,
            "bias": self.bias,
            "adjusted": self.adjusted,
            "pvalue": self.pvalue,
            "reference": list(self.reference),
            "failures": self.failures,
            "provenance": dict(self.provenance),
            "warnings": list(self.warnings),
        }

    def to_text(self, *, width: int = 100, color: bool = False) -> str:
        """Return the sentences that the command line prints."""
        from foldproof.report.randomization import randomization_text

        return randomization_text(self.to_dict(), width=width)


def randomization(
    methodology: Any,
    X: Any,
    y: Any = None,
    *,
    relabelings: int = 99,
    labels: str = "permuted",
    runs: int = 1,
    folds: int = 10,
    scoring: Any = None,
    chance: float | None = None,
    tune: Mapping[str, Any] | None = None,
    seed: int = 0,
    encode: bool = True,
    n_jobs: int | None = None,
    store: str | None = None,
    time_limit: float | None = None,
    executor: str | Executor = "local",
    scheduler: str | None = None,
    name: str | None = None,
    on_event: Listener | None = None,
) -> Randomization:
    """Run a whole methodology, tuning and selection included, on the data and on copies with random labels.

    What it scores above chance on the copies is its bias; how often it scores there as well as on the data is the
    p-value.

    Parameters
    ----------
    methodology
        A learner, cross-validated; several learners (a mapping or a list), of which the best score is taken, as
        somebody does who tries them all and reports the best; or a function ``(X, y, seed) -> score`` that does
        whatever you do.
    X, y
        As in :func:`foldproof.compare`. Labels must be classes.
    relabelings
        B, the number of copies; below 19 no p-value can reach 0.05.
    labels
        ``"permuted"``: the labels in another order; ``"drawn"``: each drawn as often as it occurs.
    runs, folds
        Of the cross-validation that gives a learner its score.
    chance
        The score of guessing: by default the largest class frequency for accuracy, and a half for the area under
        the curve.
    tune
        Learners' names to settings, chosen inside each training set.
    store
        A store's URL: finished copies are kept there, and the same call goes on where it was broken off. A function
        is known there by its name alone.
    n_jobs, executor, scheduler
        So many copies are under way at once. On a cluster are the fits of learners.
    time_limit
        Seconds that one fit of a learner may take.

    Examples
    --------
    >>> import foldproof as fp
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> found = fp.randomization(GaussianNB(), *load_iris(return_X_y=True), relabelings=19, folds=5)
    >>> found.pvalue, found.observed > 0.9 > found.adjusted + 0.2 * found.bias - 1
    (0.05, True)
    """
    if labels not in LABELS:
        raise unknown_name("way to make random labels", labels, LABELS)
    for what, value, least in (("relabelings", relabelings, 1), ("runs", runs, 1), ("folds", folds, 2)):
        if not isinstance(value, int) or value < least:
            raise InputError(f"{what} is {value!r}: give a whole number of at least {least}")
    execution = Execution.of_fits(time_limit, executor, scheduler)
    own = callable(methodology) and not hasattr(methodology, "get_params")
    if own and (execution.time_limit is not None or execution.executor is not None):
        raise InputError(
            "time_limit and executor are about fits of learners, and a function makes its own: leave them out"
        )
    learners = () if own else _gathered(methodology)
    data = dataset_of(
        X, y, task=settle_task(learners) if learners else None, groups=None, sample_weight=None, name=name
    )
    if data.classes is None:
        raise InputError("the target is a number: randomization testing is about classes, so turn it into some")
    (used,) = gather_scorings(scoring, data.task)[:1]
    if learners:
        check_learners(data, learners)
        if tune is not None:
            learners = tuned(learners, tune, scoring=used.scorer, seed=seed, fingerprint=data.fingerprint)
    elif tune is not None:
        raise InputError("tune is for learners: a function tunes for itself")
    level = _chance(data, used, chance, own)
    job = _Job(data, learners, methodology if own else None, used, LABELS[labels], runs, folds, seed, encode, execution)
    question = {
        "version": __version__,
        "dataset": data.fingerprint,
        "learners": [[x.name, " ".join(repr(x.estimator).split())] for x in learners]
        or str(getattr(methodology, "__qualname__", type(methodology).__name__)),
        "design": [used.name, labels, runs, folds, seed, encode],
        # A copy on which a fit took too long is another under another limit.
        **({} if execution.time_limit is None else {"time_limit": execution.time_limit}),
    }
    with Kept(store, "randomize", question) as kept:
        _run(job, relabelings, kept, n_jobs, on_event)
        records = [kept.known[number] for number in range(relabelings + 1)]
    reference = tuple(float(record["score"]) for record in records[1:])
    result = significance.METHODS["randomization-test"].function(float(records[0]["score"]), reference, chance=level)
    failures = sum(int(record["failures"]) for record in records)
    warnings = [f"{word}: {_meaning(word)}" for word in result.warnings]
    if failures:
        warnings.append(f"incomplete: {failures} folds failed and are left out of the means")
    return Randomization(
        dataset=data,
        result=result,
        reference=reference,
        chance=level,
        scoring=used.name,
        labels=labels,
        learners=tuple((x.name, x.spec, settings_tried(x.estimator)) for x in learners),
        selected=records[0]["selected"] if len(learners) > 1 else None,
        runs=None if own else runs,
        folds=None if own else folds,
        seed=seed,
        failures=failures,
        warnings=tuple(warnings),
        provenance={k: v for k, v in provenance("").items() if k in ("version", "python", "packages")},
    )


def _gathered(methodology: Any) -> tuple[Learner, ...]:
    if isinstance(methodology, Mapping):
        pairs: list[tuple[str | None, Any]] = [(str(key), value) for key, value in methodology.items()]
    elif isinstance(methodology, Sequence) and not isinstance(methodology, str):
        pairs = [(item[0], item[1]) if isinstance(item, tuple) else (None, item) for item in methodology]
    else:
        pairs = [(None, methodology)]
    found: list[Learner] = []
    for name, item in pairs:
        found.append(gather_one(item, name, found))
    if not found:
        raise InputError("there is no learner: give one at least")
    return tuple(found)


def _chance(data: Dataset, scoring: Scoring, given: float | None, own: bool) -> float:
    if given is not None:
        return float(given)
    assert data.classes is not None
    counts = np.bincount(data.target_codes.astype(np.intp), minlength=len(data.classes))
    known = {"accuracy": counts.max() / counts.sum(), "balanced_accuracy": 1.0 / np.count_nonzero(counts)}
    if scoring.name in known:
        return float(known[scoring.name])
    if scoring.name.startswith("roc_auc"):
        return 0.5
    raise InputError(f"what {scoring.name!r} of a guess is cannot be known: say it with chance=")


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """The methodology on the data as they are (number 0) or on a copy with random labels."""

    data: Dataset
    learners: tuple[Learner, ...]
    function: Methodology | None
    scoring: Scoring
    way: str
    runs: int
    folds: int
    seed: int
    encode: bool
    execution: Execution

    def __call__(self, number: int) -> dict[str, Any]:
        address = Address(self.seed, self.data.fingerprint, number)
        data = self.data if number == 0 else relabelled(self.data, self.way, address)
        if self.function is not None:
            score = float(self.function(data.X, data.y, address.integer("methodology")))
            return {"number": number, "score": score, "selected": None, "failures": 0}
        setting = Setting(data, self.learners, (self.scoring,), self.seed, self.encode, self.execution)
        partitions = partition(KFold(self.folds), data, seed=self.seed, runs=self.runs)
        outcomes = setting.run(partitions, n_jobs=1)
        failures = sum(len(outcome.failures) for outcome in outcomes.values())
        means = {}
        for learner, outcome in outcomes.items():
            known = outcome.scores[self.scoring.name]
            known = known[np.isfinite(known)]
            if known.size:
                means[learner] = float(known.mean())
        if not means:
            first = next(f for outcome in outcomes.values() for f in outcome.failures)
            raise InputError(f"no fold came out: {first.learner!r} failed with {first.message}")
        best = max(means, key=lambda learner: means[learner])
        return {"number": number, "score": means[best], "selected": best, "failures": failures}


def _run(job: _Job, relabelings: int, kept: Kept, n_jobs: int | None, on_event: Listener | None) -> None:
    from joblib import delayed

    missing = [number for number in range(relabelings + 1) if number not in kept.known]
    total, failures = relabelings + 1, 0
    made = workers(n_jobs, len(missing))(delayed(job)(number) for number in missing)
    for count, record in enumerate(made, start=total - len(missing) + 1):
        kept.add(record)
        failures += int(record["failures"])
        if on_event is not None:
            on_event(TaskFinished("labels", int(record["number"]), count, total, failures))


def _meaning(word: str) -> str:
    from foldproof.domain.notices import MEANINGS

    return MEANINGS[word]
