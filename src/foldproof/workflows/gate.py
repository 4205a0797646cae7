"""``fp.gate``: may the candidate replace the baseline? An answer for continuous integration."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from foldproof import significance
from foldproof.domain.differences import Differences
from foldproof.domain.errors import InputError, unknown_name
from foldproof.domain.notices import INCOMPLETE, STATISTIC_INFINITE
from foldproof.domain.partitions import Splits
from foldproof.domain.result import Claim, MarginResult, checked_level, finite_or_none
from foldproof.engine.events import Listener
from foldproof.engine.execute import Executor
from foldproof.learners.learner import Learner
from foldproof.ledger.standing import Standing
from foldproof.replicability._needed import Needed, needed_to_decide
from foldproof.store.base import Store
from foldproof.workflows.chosen import Tuning, tunings
from foldproof.workflows.comparison import LearnerSummary
from foldproof.workflows.execution import Execution, checked_limit, executor_of, opened
from foldproof.workflows.looks import check_ledger, enter_gate
from foldproof.workflows.procedures import DEFAULT, PROCEDURES, Procedure, Request
from foldproof.workflows.procedures.base import Conducted, pair_differences
from foldproof.workflows.provenance import provenance
from foldproof.workflows.setup import choose, set_up, small_classes

MODES = ("noninferiority", "superiority", "equivalence")
OUTCOMES = {Claim.HOLDS: "pass", Claim.FAILS: "fail", Claim.UNDECIDED: "undecided"}
EXIT_CODES = {"pass": 0, "fail": 1, "undecided": 4}
# Tests whose variance the margin tests share: the differences they take are those a gate may judge.
JUDGED = ("corrected-repeated-kfold-t", "corrected-resampled-t")


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Gate:
    """What :func:`foldproof.gate` found. Differences are candidate − baseline; positive: the candidate is better.

    ``outcome`` is ``"pass"``, ``"fail"`` or ``"undecided"``; ``needed`` says what an undecided one lacks.
    """

    mode: str
    min_effect: float
    alpha: float
    baseline: LearnerSummary
    candidate: LearnerSummary
    scoring: str
    greater_is_better: bool
    result: MarginResult | None
    differences: Differences | None
    needed: Needed | None
    dataset: Mapping[str, Any] | None
    procedure: Mapping[str, Any] | None
    seed: int | None
    failures: tuple[Mapping[str, Any], ...]
    warnings: tuple[str, ...]
    provenance: Mapping[str, Any]
    ledger: Standing | None = None
    tuning: tuple[Tuning, ...] = ()

    def __repr__(self) -> str:
        return self.to_text()

    @property
    def outcome(self) -> str:
        """``"pass"``, ``"fail"``, or ``"undecided"`` where the evidence is not enough for either."""
        return "undecided" if self.result is None else OUTCOMES[self.result.decide(alpha=self.alpha)]

    @property
    def exit_code(self) -> int:
        """0 for pass, 1 for fail, 4 for undecided, 3 where folds failed and nothing can be said."""
        return 3 if self.failures else EXIT_CODES[self.outcome]

    @property
    def instances_needed(self) -> int | None:
        """How many instances would decide it, where the data are known and some number would."""
        if self.needed is None or self.needed.times_the_data is None or self.dataset is None:
            return None
        return math.ceil(self.needed.times_the_data * int(self.dataset["instances"]))

    def to_dict(self) -> dict[str, Any]:
        """Return the gate as plain values, with the keys of the JSON output."""
        result, warnings = self.result, list(self.warnings)
        if result is not None and finite_or_none(result.statistic) is None:
            warnings.append(f"{STATISTIC_INFINITE}: the statistic is infinite and written as null")
        level = 1.0 - 2.0 * self.alpha
        return {
            "schema": "foldproof/gate/1",
            "mode": self.mode,
            "min_effect": self.min_effect,
            "alpha": self.alpha,
            "outcome": self.outcome,
            "exit_code": self.exit_code,
            "baseline": asdict(self.baseline),
            "candidate": asdict(self.candidate),
            "scoring": self.scoring,
            "greater_is_better": self.greater_is_better,
            "mean_difference": None if result is None else result.mean_difference,
            "confidence_level": level,
            "confidence_interval": [None, None] if result is None else list(result.confidence_interval(level)),
            "statistic": None if result is None else finite_or_none(result.statistic),
            "df": None if result is None else result.df,
            "pvalue": None if result is None else result.pvalue,
            "pvalue_against": None if result is None else result.pvalue_against,
            "needed": self._needed_dict(),
            "dataset": None if self.dataset is None else dict(self.dataset),
            "procedure": None if self.procedure is None else dict(self.procedure),
            "seed": self.seed,
            "failures": [dict(failure) for failure in self.failures],
            "ledger": None if self.ledger is None else self.ledger.to_dict(),
            "provenance": dict(self.provenance),
            "warnings": warnings,
            **({"tuning": [found.to_dict() for found in self.tuning]} if self.tuning else {}),
        }

    def _needed_dict(self) -> dict[str, Any] | None:
        if self.needed is None:
            return None
        return {
            "runs": self.needed.runs,
            "instances": self.instances_needed,
            "times_the_data": self.needed.times_the_data,
            "power": self.needed.power,
        }

    def to_text(self, *, width: int = 100, color: bool = False) -> str:
        """Return the sentences that the command line prints."""
        from foldproof.report.gate import gate_text

        return gate_text(self.to_dict(), width=width)

    def _repr_html_(self) -> str:
        from foldproof.report.notebook import gate_fragment

        return gate_fragment(self.to_dict())

    def to_html(self, path: str | Path | None = None) -> str:
        """Return the self-contained page, and write it where a path is given."""
        from foldproof.report.html import write_page
        from foldproof.report.notebook import gate_page

        page = gate_page(self.to_dict())
        if path is not None:
            write_page(page, Path(path))
        return page

    def to_markdown(self, path: str | Path | None = None) -> str:
        """Return a summary fit for a pull-request comment, and write it where a path is given."""
        from foldproof.report.gate import gate_markdown
        from foldproof.report.html import write_page

        text = gate_markdown(self.to_dict())
        if path is not None:
            write_page(text, Path(path))
        return text


def gate(
    baseline: Any,
    candidate: Any,
    X: Any,
    y: Any = None,
    *,
    min_effect: float,
    mode: str = "noninferiority",
    procedure: str = DEFAULT,
    scoring: Any = None,
    alpha: float = 0.05,
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
) -> Gate:
    """Say whether a candidate may replace the baseline: pass, fail, or undecided.

    Parameters
    ----------
    baseline, candidate
        Estimators, specs, or (name, estimator) pairs.
    X, y
        As in :func:`foldproof.compare`.
    min_effect
        The difference that matters, in units of the score, chosen before looking.
    mode
        ``"noninferiority"``: the candidate is not worse by more than ``min_effect``; ``"superiority"``: it is better
        by more than that; ``"equivalence"``: it is neither better nor worse by that much.
    procedure
        One whose differences the corrected t-test takes: repeated cross-validation or resampling.
    alpha
        The one-sided level of both answers: so often does a gate pass what should not, or fail what should pass.

    Everything else is as in :func:`foldproof.compare`, with one scoring.

    Examples
    --------
    >>> import foldproof as fp
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> found = fp.gate(GaussianNB(), ("stump", DecisionTreeClassifier(max_depth=1)), X, y, min_effect=0.02)
    >>> found.outcome, found.exit_code
    ('fail', 1)
    """
    check_gate(mode, min_effect, alpha)
    given = [named(baseline, "baseline"), named(candidate, "candidate")]
    running = executor_of(executor, scheduler)
    with opened(store) as kept:
        execution = Execution(kept, fast, checked_limit(time_limit), running, ledger, looks)
        setting = set_up(given, X, y, scoring, seed, groups, sample_weight, encode, name, tune, execution)
        if len(setting.scorings) > 1:
            raise InputError("a gate takes one scoring: it gives one answer")
        chosen, splits = choose(setting, procedure, runs, folds, cv)
        check_procedure(chosen)
        check_ledger(setting)
        request = Request(alpha=alpha, n_jobs=n_jobs, on_event=on_event, splits=splits)
        conducted = chosen.carry_out(setting, request)
        return judge_gate(chosen, conducted, splits, mode=mode, min_effect=min_effect, alpha=alpha)


def check_gate(mode: str, min_effect: float, alpha: float) -> None:
    """Refuse what no gate can be judged by, before anything is fitted."""
    if mode not in MODES:
        raise unknown_name("mode of a gate", mode, MODES)
    if not (isinstance(min_effect, (int, float)) and math.isfinite(min_effect) and min_effect >= 0.0):
        raise InputError(f"min_effect is {min_effect!r}: give the difference that matters, in units of the score")
    if mode == "equivalence" and min_effect == 0.0:
        raise InputError("min_effect is 0, within which nothing can be shown to lie: give a positive one")
    if checked_level(alpha) >= 0.5:
        raise InputError(f"alpha is {alpha!r}: the one-sided level of a gate lies below 0.5")


def check_procedure(chosen: Procedure) -> None:
    """Refuse a procedure whose evidence has no test against a margin."""
    if chosen.test not in JUDGED or chosen.conduct is not None:
        fit = [n for n, p in PROCEDURES.items() if p.test in JUDGED and p.conduct is None]
        raise InputError(
            f"the procedure {chosen.name!r} has no test against a margin: a gate takes one of {', '.join(fit)}"
        )


def named(item: Any, name: str) -> Any:
    """Return a learner with its name; one without is called by what it is here."""
    if isinstance(item, Learner) or (isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str)):
        return item
    if isinstance(item, str):
        from foldproof.learners.spec import parse_named

        own, _, _ = parse_named(item)
        return item if own else (name, item)
    return (name, item)


def margin_test(mode: str, differences: Differences, min_effect: float) -> MarginResult:
    """Apply the mode's test of ``foldproof.significance``."""
    found: MarginResult = significance.METHODS[mode].function(differences, margin=min_effect)
    return found


def judge_gate(
    chosen: Procedure, conducted: Conducted, splits: Splits | None, *, mode: str, min_effect: float, alpha: float
) -> Gate:
    """Judge what was conducted with the baseline first and the candidate second."""
    setting = conducted.setting
    dataset, scoring = setting.dataset, setting.scorings[0]
    outcomes = list(conducted.outcomes.values())
    warnings = [*setting.warnings(), *small_classes(dataset, chosen.folds), *(n for o in outcomes for n in o.notes)]
    old, new = (learner.name for learner in setting.learners)
    result, differences, needed = None, None, None
    if all(outcome.complete(scoring.name) for outcome in outcomes):
        differences = pair_differences(conducted, new, old, scoring.name)()
        result = margin_test(mode, differences, min_effect)
        warnings += sentences(result.warnings)
        if result.decide(alpha=alpha) is Claim.UNDECIDED:
            needed = needed_to_decide(differences, claim=mode, margin=min_effect, alpha=alpha)
        if scoring.name == "accuracy":
            warnings += unseen(differences, result, len(dataset), min_effect)
    else:
        warnings += sentences((INCOMPLETE,))
    asked = {"mode": mode, "min_effect": float(min_effect)}
    entered = enter_gate(setting, chosen, splits, result, asked=asked, outcomes=OUTCOMES, alpha=alpha)
    summaries = [LearnerSummary.of(x, conducted.outcomes[x.name], scoring) for x in setting.learners]
    return Gate(
        mode=mode,
        min_effect=float(min_effect),
        alpha=alpha,
        baseline=summaries[0],
        candidate=summaries[1],
        scoring=scoring.name,
        greater_is_better=scoring.greater_is_better,
        result=result,
        differences=differences,
        needed=needed,
        dataset={"name": dataset.name, "fingerprint": dataset.fingerprint, "instances": len(dataset)},
        procedure={"name": chosen.name, "test": mode, "runs": conducted.runs, "folds": conducted.folds},
        seed=setting.seed,
        failures=tuple(asdict(failure) for outcome in outcomes for failure in outcome.failures),
        warnings=tuple(dict.fromkeys([*warnings, *entered.notes])),
        ledger=entered.standing,
        provenance=provenance(conducted.partitions.fingerprint, conducted.outcomes.values()),
        tuning=tunings(setting.learners, [conducted.outcomes]),
    )


def unseen(differences: Differences, result: MarginResult, instances: int, min_effect: float) -> list[str]:
    """Return a warning where both are equally accurate in every fold, and there are too few instances to say so.

    Where two learners differ on a share of all instances, none of n shows it with a chance of (1 - share)^n, which is
    0.05 at a share of about 3/n.
    """
    share = 1.0 - 0.05 ** (1.0 / instances)
    if not result.zero_variance or differences.values.any() or share <= min_effect:
        return []
    return [
        f"effect_unseen: both have the same score in every fold, so there is no variance to go by: learners that agree "
        f"on {instances} instances may still differ on {100 * share:.2g} % of all, which is more than min_effect "
        f"({min_effect:g})"
    ]


def sentences(words: tuple[str, ...]) -> list[str]:
    """Return warning words with what they say."""
    from foldproof.domain.notices import MEANINGS

    return [f"{word}: {MEANINGS[word]}" for word in words]
