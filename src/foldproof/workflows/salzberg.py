"""``fp.salzberg``: the recommended approach of Salzberg (1997, section 3.5), steps 1 to 5, as one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError, unknown_name
from foldproof.domain.verdict import Verdict
from foldproof.engine.events import Listener
from foldproof.engine.execute import Executor
from foldproof.learners.learner import gather
from foldproof.learners.tuning import settings_tried
from foldproof.store.base import Store
from foldproof.workflows.compare import carry_out_comparison, check_levels
from foldproof.workflows.comparison import Comparison, pair_dict
from foldproof.workflows.execution import Execution, opened
from foldproof.workflows.judge import decide
from foldproof.workflows.procedures import procedure
from foldproof.workflows.setup import set_up

TESTS = {"binomial": "binomial-sign", "mcnemar": "mcnemar"}


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Salzberg:
    """What :func:`foldproof.salzberg` found.

    Attributes
    ----------
    new, most_similar
        The new learner, and the one that was said to be most similar to it (None where that was not said).
    reasons
        Why each dataset was chosen; None where that was not said.
    comparisons
        By dataset, the :class:`Comparison` with accuracies, four cells and chosen parameters. Its verdicts are adjusted
        for all pairs on all datasets.
    """

    new: str
    most_similar: str | None
    reasons: Mapping[str, str | None]
    comparisons: Mapping[str, Comparison]
    test: str
    alpha: float
    seed: int
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return self.to_text()

    @property
    def comparison(self) -> Comparison:
        """The comparison, where there is one dataset."""
        if len(self.comparisons) > 1:
            raise InputError(f"there are {len(self.comparisons)} datasets: ask comparisons for one by its name")
        return next(iter(self.comparisons.values()))

    def verdict(self, a: str, b: str, dataset: str | None = None) -> Verdict:
        """Return the verdict on a pair, in the order the learners were given; ``dataset`` where there are several."""
        if dataset is None:
            return self.comparison.pair(a, b)
        if dataset not in self.comparisons:
            raise unknown_name("dataset of this protocol", dataset, self.comparisons)
        return self.comparisons[dataset].pair(a, b)

    @property
    def not_told(self) -> tuple[str, ...]:
        """What the protocol asks for and was not told, in sentences."""
        first = next(iter(self.comparisons.values()))
        return tuple(not_told(first, self.most_similar, self.reasons))

    @property
    def failures(self) -> list[dict[str, Any]]:
        """Every fold that did not come out, with its dataset."""
        return [{"dataset": name, **f} for name, found in self.comparisons.items() for f in found.failures]

    def to_dict(self) -> dict[str, Any]:
        """Return the protocol as plain values, with the keys of the JSON output."""
        first = next(iter(self.comparisons.values()))
        learners = first.conducted.setting.learners
        return {
            "schema": "foldproof/salzberg/1",
            "new": self.new,
            "most_similar": self.most_similar,
            "not_told": list(self.not_told),
            "test": self.test,
            "folds": first.conducted.folds,
            "alpha": self.alpha,
            "adjust": "bonferroni",
            "comparisons": sum(len(found.pairs) for found in self.comparisons.values()),
            "seed": self.seed,
            "learners": [{"name": x.name, "spec": x.spec, "settings": settings_tried(x.estimator)} for x in learners],
            "datasets": [self._dataset_dict(name, found) for name, found in self.comparisons.items()],
            "failures": self.failures,
            "provenance": {k: v for k, v in first.provenance.items() if k in ("version", "python", "packages")},
            "warnings": list(self.warnings),
        }

    def _dataset_dict(self, name: str, found: Comparison) -> dict[str, Any]:
        told = found.to_dict()
        return {
            **told["dataset"],
            "name": name,
            "reason": self.reasons[name],
            "partitions_fingerprint": found.partitions.fingerprint,
            "accuracies": [
                {
                    "learner": x.name,
                    "mean": x.mean_score,
                    "variance": None if x.sd is None else x.sd**2,
                }
                for x in found.scored[0].learners
            ],
            "pairs": [
                {
                    **pair_dict(pair, self.alpha),
                    "pvalue_greater": getattr(pair.result, "pvalue_greater", None),
                    "pvalue_less": getattr(pair.result, "pvalue_less", None),
                }
                for pair in found.pairs
            ],
            "tuning": told.get("tuning", []),
            "advice": [asdict(advice) for advice in found.advice()],
            "warnings": told["warnings"],
        }

    def to_text(self, *, width: int = 100, color: bool = False) -> str:
        """Return the tables and sentences of the protocol."""
        from foldproof.report.salzberg import salzberg_text

        return salzberg_text(self.to_dict(), width=width, color=color)


def salzberg(
    learners: Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: Any = None,
    *,
    most_similar: str | None = None,
    reason: str | Mapping[str, str] | None = None,
    tune: Mapping[str, Any] | None = None,
    folds: int = 10,
    test: str = "binomial",
    alpha: float = 0.05,
    seed: int = 0,
    groups: Any = None,
    encode: bool = True,
    n_jobs: int | None = None,
    store: str | Store | None = None,
    ledger: bool = True,
    looks: int | None = None,
    time_limit: float | None = None,
    executor: str | Executor = "local",
    scheduler: str | None = None,
    name: str | None = None,
    on_event: Listener | None = None,
) -> Salzberg:
    """Compare a new learner with others as Salzberg recommends, on one dataset or several.

    1. The learners: the first is the new one, and one of the others is the most similar to it. 2. The data, with a
    reason for choosing them. 3. k subsets. 4. For every subset: (A) T is the rest; (B) T is divided into T1 and T2 and
    the parameters are chosen on T2; (C) the learner is trained again on the whole of T; (D) its accuracy is measured
    on the subset; (E) the k accuracies give the mean and the variance. 5. The binomial test (or McNemar's) on the
    instances that exactly one of two learners got right, each tested once; p-values are multiplied by the number
    of pairs and datasets (Bonferroni).

    Parameters
    ----------
    learners
        As in :func:`foldproof.compare`, the new one first. A learner may tune itself (``GridSearchCV``); what it is
        given is the training set alone. One that brings something fitted elsewhere is refused.
    X, y
        As in ``compare``; or a mapping of names to (X, y) or :class:`Dataset`, for several datasets.
    most_similar
        The name of the learner that is most similar to the new one. Not said, the report says so.
    reason
        Why these data; a mapping of names to reasons where there are several datasets.
    tune
        Learners' names to settings: mappings of parameters to lists, ``ParameterGrid`` or ``ParameterSampler``.
    folds
        k: ten as a rule, more for small data.
    test
        ``"binomial"`` or ``"mcnemar"``.

    Everything else is as in ``compare``.

    Examples
    --------
    >>> import foldproof as fp
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> learners = {"tree": DecisionTreeClassifier(), "dummy": DummyClassifier()}
    >>> found = fp.salzberg(learners, X, y, tune={"tree": {"max_depth": [1, 2, 3]}}, reason="three easy classes")
    >>> found.verdict("tree", "dummy").verdict
    'tree'
    >>> found.not_told[0]
    'It was not said which learner is most similar to the new one, tree: name it with most_similar.'
    """
    check_levels(alpha, "bonferroni")
    if test not in TESTS:
        raise unknown_name("test of this protocol", test, TESTS)
    names = [learner.name for learner in gather(learners)]
    check_most_similar(most_similar, names)
    data = several(X, y, name)
    reasons = _reasons(reason, list(data))
    if groups is not None and len(data) > 1:
        raise InputError("groups are those of one dataset: with several, give each as a Dataset with its own groups")
    chosen = replace(procedure("salzberg", folds=folds), test=TESTS[test])
    comparisons = {}
    of_fits = Execution.of_fits(time_limit, executor, scheduler)
    with opened(store) as kept:
        execution = replace(of_fits, store=kept, ledger=ledger, looks=looks)
        for label, (instances, target) in data.items():
            setting = set_up(
                learners, instances, target, "accuracy", seed, groups, None, encode, label, tune, execution
            )
            comparisons[label] = carry_out_comparison(
                setting, chosen, None, alpha=alpha, adjust="none", n_jobs=n_jobs, on_event=on_event
            )
    return _together(comparisons, names[0], most_similar, reasons, test=test, alpha=alpha, seed=seed)


def _together(
    comparisons: dict[str, Comparison],
    new: str,
    most_similar: str | None,
    reasons: dict[str, str | None],
    *,
    test: str,
    alpha: float,
    seed: int,
) -> Salzberg:
    """Adjust all p-values as one family, and give every comparison its verdicts and what the protocol was told."""
    every = [(label, pair) for label, found in comparisons.items() for pair in found.pairs]
    decided = decide([pair for _, pair in every], alpha=alpha, adjust="bonferroni")
    family: dict[str, list[Verdict]] = {label: [] for label in comparisons}
    for (label, _), verdict in zip(every, decided, strict=True):
        family[label].append(verdict)
    told = {}
    for label, found in comparisons.items():
        scored = replace(found.scored[0], pairs=tuple(family[label]))
        one = as_protocol(
            replace(found, scored=(scored,), adjust="bonferroni"), most_similar=most_similar, reason=reasons[label]
        )
        told[label] = replace(one, protocol={**(one.protocol or {}), "comparisons": len(every)})
    return Salzberg(
        new=new,
        most_similar=most_similar,
        reasons=reasons,
        comparisons=told,
        test=TESTS[test],
        alpha=alpha,
        seed=seed,
    )


def check_most_similar(most_similar: str | None, names: Sequence[str]) -> None:
    """Refuse a learner that is none of the others, before anything is fitted."""
    if most_similar is None or most_similar in names[1:]:
        return
    if most_similar == names[0]:
        raise InputError(f"most_similar is {most_similar!r}, the new learner itself: name one of the others")
    raise unknown_name("learner that is most similar", most_similar, names[1:])


def as_protocol(comparison: Comparison, *, most_similar: str | None, reason: str | None) -> Comparison:
    """Return a comparison by the procedure ``salzberg`` with what the protocol was told, and what not."""
    names = [learner.name for learner in comparison.conducted.setting.learners]
    check_most_similar(most_similar, names)
    label = comparison.dataset.name
    return replace(
        comparison,
        protocol={
            "new": names[0],
            "most_similar": most_similar,
            "reason": reason,
            "comparisons": len(comparison.pairs),
            "not_told": not_told(comparison, most_similar, {label: reason}),
        },
    )


def several(X: Any, y: Any, name: str | None) -> dict[str, tuple[Any, Any]]:
    """Return the datasets of a front door that takes one or a mapping of several, by name."""
    if not isinstance(X, Mapping):
        label = name or (X.name if isinstance(X, Dataset) else "data")
        return {label: (X, y)}
    if y is not None or name is not None:
        raise InputError("X is a mapping of datasets, which bring their targets and names: leave out y and name")
    found: dict[str, tuple[Any, Any]] = {}
    for label, item in X.items():
        if isinstance(item, Dataset):
            found[str(label)] = (item, None)
        elif isinstance(item, tuple) and len(item) == 2:
            found[str(label)] = (item[0], item[1])
        else:
            raise InputError(f"the dataset {label!r} is {type(item).__name__}: give (X, y) or a Dataset")
    if not found:
        raise InputError("the mapping of datasets is empty: give at least one")
    return found


def _reasons(reason: str | Mapping[str, str] | None, names: list[str]) -> dict[str, str | None]:
    if reason is None or isinstance(reason, str):
        return dict.fromkeys(names, reason)
    for name in reason:
        if name not in names:
            raise unknown_name("dataset with a reason", name, names)
    return {name: reason.get(name) for name in names}


def not_told(comparison: Comparison, most_similar: str | None, reasons: Mapping[str, str | None]) -> list[str]:
    """Return what the protocol asks for and was not told."""
    learners = comparison.conducted.setting.learners
    found = []
    if most_similar is None:
        found.append(
            f"It was not said which learner is most similar to the new one, {learners[0].name}: name it with "
            "most_similar."
        )
    for name, reason in reasons.items():
        if not (reason or "").strip():
            found.append(f"It was not said why {name} was chosen: give a reason before looking at the results.")
    fixed = [x.name for x in learners if settings_tried(x.estimator) == 1]
    if fixed:
        found.append(
            f"No parameters are tuned for {', '.join(fixed)}: that is right where they were fixed before these "
            "data were seen, by whomever."
        )
    return found
