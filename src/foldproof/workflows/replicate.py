"""``fp.replicate``: the same procedure on the same data with other seeds, and how often it says the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from foldproof import significance
from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError, unknown_name
from foldproof.domain.notebook import Shown
from foldproof.domain.outcomes import Failure, Outcomes
from foldproof.domain.result import checked_level
from foldproof.domain.verdict import NONE, Verdict
from foldproof.engine.events import Listener, TaskFinished
from foldproof.engine.execute import Executor
from foldproof.ledger.standing import Standing
from foldproof.replicability._agreement import interval_of_one, r_estimate
from foldproof.store.base import Store
from foldproof.workflows.chosen import Tuning, tunings
from foldproof.workflows.execution import Execution, checked_limit, executor_of, opened
from foldproof.workflows.experiment import Setting
from foldproof.workflows.judge import judge_pairs
from foldproof.workflows.looks import check_ledger, enter_replication
from foldproof.workflows.procedures import DEFAULT, Procedure, Request
from foldproof.workflows.provenance import provenance
from foldproof.workflows.setup import choose, set_up, small_classes


@dataclass(frozen=True, slots=True, kw_only=True)
class PairReplication(Shown):
    """How often a pair's verdict came out, over the repetitions. Verdicts are not adjusted for the number of pairs.

    ``r`` is the estimate R(k, n) of Bouckaert & Frank: the share of pairs of repetitions that agree to reject or not.
    It is not clipped at 0.5. ``flips`` tells that both learners won at least once.
    """

    a: str
    b: str
    repetitions: int
    rejections: int
    wins_a: int
    wins_b: int
    forecast_mean: float | None

    @property
    def none(self) -> int:
        """How many repetitions found no difference."""
        return self.repetitions - self.wins_a - self.wins_b

    @property
    def consistent(self) -> bool:
        """Whether every repetition had the same outcome (a rejection or none)."""
        return self.rejections in (0, self.repetitions)

    @property
    def almost_consistent(self) -> bool:
        """Whether at most one repetition had another outcome."""
        return min(self.rejections, self.repetitions - self.rejections) <= 1

    @property
    def r(self) -> float:
        """R(k, n)."""
        return r_estimate(self.rejections, self.repetitions)

    @property
    def r_interval(self) -> tuple[float, float]:
        """A 95 % interval for the probability that two repetitions agree."""
        return interval_of_one(self.rejections, self.repetitions)

    @property
    def flips(self) -> bool:
        """Whether the seed decided who wins."""
        return self.wins_a > 0 and self.wins_b > 0


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Replication:
    """What :func:`foldproof.replicate` found."""

    dataset: Dataset
    procedure: Procedure
    repetitions: int
    scoring: str
    alpha: float
    seed: int
    pairs: tuple[PairReplication, ...]
    verdicts: tuple[tuple[Verdict, ...], ...]
    failures: tuple[tuple[int, Failure], ...]
    warnings: tuple[str, ...]
    provenance: Mapping[str, Any]
    ledger: Standing | None = None
    tuning: tuple[Tuning, ...] = ()

    def __repr__(self) -> str:
        return self.to_text()

    def pair(self, a: str, b: str) -> PairReplication:
        """Return what was found for one pair, in the order the learners were given."""
        for found in self.pairs:
            if (found.a, found.b) == (a, b):
                return found
        raise unknown_name("pair of this replication", f"{a}, {b}", [f"{p.a}, {p.b}" for p in self.pairs])

    def to_dict(self) -> dict[str, Any]:
        """Return the replication as plain values, with the keys of the JSON output."""
        told: dict[str, Any] = {
            "schema": "foldproof/replicate/1",
            "dataset": {
                "name": self.dataset.name,
                "fingerprint": self.dataset.fingerprint,
                "instances": len(self.dataset),
                "attributes": len(self.dataset.attributes),
                "classes": None if self.dataset.classes is None else len(self.dataset.classes),
            },
            "procedure": {
                "name": self.procedure.name,
                "test": self.procedure.test,
                "runs": self.procedure.runs,
                "folds": self.procedure.folds,
            },
            "repetitions": self.repetitions,
            "scoring": self.scoring,
            "alpha": self.alpha,
            "seed": self.seed,
            "pairs": [
                {
                    "a": p.a,
                    "b": p.b,
                    "rejections": p.rejections,
                    "verdicts": {"a": p.wins_a, "b": p.wins_b, "none": p.none},
                    "consistent": p.consistent,
                    "almost_consistent": p.almost_consistent,
                    "r": p.r,
                    "r_interval": list(p.r_interval),
                    "forecast_mean": p.forecast_mean,
                }
                for p in self.pairs
            ],
            "ledger": None if self.ledger is None else self.ledger.to_dict(),
            "failures": [{"repetition": i, **asdict(failure)} for i, failure in self.failures],
            "provenance": dict(self.provenance),
            "warnings": list(self.warnings),
        }
        if self.tuning:
            told["tuning"] = [found.to_dict() for found in self.tuning]
        return told

    def to_text(self, *, width: int = 100, color: bool = False) -> str:
        """Return the table that the command line prints."""
        from foldproof.report.replication import replication_text

        return replication_text(self.to_dict(), width=width, color=color)

    def _repr_html_(self) -> str:
        from foldproof.report.notebook import replication_fragment

        return replication_fragment(self.to_dict())

    def to_html(self, path: str | Path | None = None) -> str:
        """Return the self-contained page, and write it where a path is given."""
        from foldproof.report.html import write_page
        from foldproof.report.notebook import replication_page

        page = replication_page(self.to_dict())
        if path is not None:
            write_page(page, Path(path))
        return page

    def r_by_runs(self, a: str, b: str) -> list[tuple[int, float, float, float]]:
        """Return R of the procedure's test on the first 1, 2, ... runs: (runs, R, low, high) with the 95 % interval.

        The first runs of a repetition are what fewer runs with the same seed would have been. Repetitions in which a
        fold failed are left out.
        """
        self.pair(a, b)
        every = [v.differences for found in self.verdicts for v in found if (v.a, v.b) == (a, b)]
        made = [d for d in every if d is not None]
        tables = [d.values if d.values.ndim == 2 else d.values[:, np.newaxis] for d in made]
        if significance.METHODS[self.procedure.test].arrays is None or len({t.shape for t in tables}) != 1:
            raise InputError(f"{self.procedure.name} has no growing number of runs: use a repeated cross-validation")
        if len(tables) < 2:
            raise InputError(f"{len(tables)} repetitions came out: agreement needs at least two")
        stacked, sizes, method = np.array(tables), made[0], significance.METHODS[self.procedure.test]
        found = []
        for runs in range(1, stacked.shape[1] + 1):
            part = stacked[:, :runs]
            if part.shape[1] * part.shape[2] < 2 or method.shape not in (None, part.shape[1:]):
                continue
            pvalues = significance.batch(
                self.procedure.test, part, n_train=sizes.n_train, n_test=sizes.n_test, scale=sizes.scale
            )["pvalue"]
            rejections = int((pvalues <= self.alpha).sum())
            low, high = interval_of_one(rejections, len(tables))
            found.append((runs, r_estimate(rejections, len(tables)), low, high))
        return found

    def plot(self, ax: Any = None) -> Any:
        """Draw R against the number of runs, a line for each pair; Axes in, Axes out."""
        from foldproof.report.figures.r_against_runs import plot_r_against_runs

        return plot_r_against_runs({f"{p.a} − {p.b}": self.r_by_runs(p.a, p.b) for p in self.pairs}, ax)


def replicate(
    learners: Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: Any = None,
    *,
    repetitions: int = 10,
    procedure: str = DEFAULT,
    scoring: Any = None,
    alpha: float = 0.05,
    seed: int = 0,
    runs: int | None = None,
    folds: int | None = None,
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
) -> Replication:
    """Repeat a whole procedure with other seeds and count its verdicts.

    Repetition 0 is what :func:`foldproof.compare` does with the same seed. Verdicts are those of single pairs, not
    adjusted. The parameters are those of ``compare``, with one scoring. In the ledger all repetitions are one look.

    Examples
    --------
    >>> import foldproof as fp
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> learners = {"bayes": GaussianNB(), "dummy": DummyClassifier()}
    >>> found = fp.replicate(learners, X, y, procedure="5x2cv", repetitions=3)
    >>> found.pair("bayes", "dummy").rejections, found.pair("bayes", "dummy").r
    (3, 1.0)
    """
    checked_level(alpha)
    if repetitions < 2:
        raise InputError(f"repetitions is {repetitions}: agreement needs at least two")
    running = executor_of(executor, scheduler)
    with opened(store) as kept:
        execution = Execution(kept, fast, checked_limit(time_limit), running, ledger, looks)
        setting = set_up(learners, X, y, scoring, seed, groups, sample_weight, encode, name, tune, execution)
        if len(setting.scorings) > 1:
            raise InputError("replicate takes one scoring: call it once for each")
        chosen, _ = choose(setting, procedure, runs, folds, None)
        return _repeated(setting, chosen, Request(alpha=alpha, n_jobs=n_jobs, on_event=on_event), repetitions)


def _repeated(setting: Setting, chosen: Procedure, first: Request, repetitions: int) -> Replication:
    """Carry out every repetition, and count."""
    scoring_name, alpha = setting.scorings[0].name, first.alpha
    check_ledger(setting)
    warnings = [*setting.warnings(), *small_classes(setting.dataset, chosen.folds)]
    verdicts: list[tuple[Verdict, ...]] = []
    failures: list[tuple[int, Failure]] = []
    told: dict[str, Any] = {}
    outcomes: list[Mapping[str, Outcomes]] = []
    for repetition in range(repetitions):
        listener = None if first.on_event is None else _overall(first.on_event, repetition, repetitions)
        conducted = chosen.carry_out(setting, replace(first, repetition=repetition, on_event=listener))
        verdicts.append(judge_pairs(chosen, conducted, scoring_name, alpha=alpha, adjust="none"))
        failures.extend((repetition, f) for outcome in conducted.outcomes.values() for f in outcome.failures)
        outcomes.append(conducted.outcomes)
        if repetition == 0:
            warnings.extend(note for outcome in conducted.outcomes.values() for note in outcome.notes)
            told = provenance(conducted.partitions.fingerprint, conducted.outcomes.values())
    pairs = []
    for a, b in combinations([learner.name for learner in setting.learners], 2):
        own = [v for found in verdicts for v in found if (v.a, v.b) == (a, b)]
        pairs.append(_counted(a, b, own, warnings))
    entered = enter_replication(setting, chosen, verdicts, alpha=alpha)
    return Replication(
        dataset=setting.dataset,
        procedure=chosen,
        repetitions=repetitions,
        scoring=scoring_name,
        alpha=alpha,
        seed=setting.seed,
        pairs=tuple(pairs),
        verdicts=tuple(verdicts),
        failures=tuple(failures),
        warnings=(*warnings, *entered.notes),
        provenance=told,
        ledger=entered.standing,
        tuning=tunings(setting.learners, outcomes),
    )


def _overall(on_event: Listener, repetition: int, repetitions: int) -> Listener:
    """Return a listener that tells of all repetitions together."""

    def listen(event: TaskFinished) -> None:
        done, total = repetition * event.total + event.done, repetitions * event.total
        on_event(replace(event, done=done, total=total))

    return listen


def _counted(a: str, b: str, verdicts: Sequence[Verdict], warnings: list[str]) -> PairReplication:
    """Count a pair's verdicts; repetitions in which a fold failed have none and count as no difference."""
    incomplete = sum(v.pvalue is None for v in verdicts)
    if incomplete:
        warnings.append(
            f"incomplete: {a} and {b}: {incomplete} of {len(verdicts)} repetitions have failed folds and count as none"
        )
    forecasts = [v.forecast for v in verdicts if v.forecast is not None]
    return PairReplication(
        a=a,
        b=b,
        repetitions=len(verdicts),
        rejections=sum(v.verdict != NONE for v in verdicts),
        wins_a=sum(v.verdict == a for v in verdicts),
        wins_b=sum(v.verdict == b for v in verdicts),
        forecast_mean=sum(forecasts) / len(forecasts) if forecasts else None,
    )
