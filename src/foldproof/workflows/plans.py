"""``fp.run_plan``: many datasets, many learners, one procedure or several, in one store that the work goes on from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from foldproof.data.fingerprints import KnownFiles
from foldproof.data.sources import Wanted
from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset, Task
from foldproof.domain.errors import InputError, unknown_name
from foldproof.engine.events import DatasetFinished, DatasetStarted, ManyListener, TaskFinished
from foldproof.engine.execute import Executor
from foldproof.learners.learner import Learner
from foldproof.ledger.look import checked_plan
from foldproof.store.base import Store
from foldproof.store.errors import StoreError
from foldproof.workflows.compare import carry_out_comparison, check_levels
from foldproof.workflows.comparison import Comparison
from foldproof.workflows.execution import Execution, checked_limit, executor_of, opened
from foldproof.workflows.experiment import Setting
from foldproof.workflows.many import ManyComparison
from foldproof.workflows.plan_file import ExperimentPlan, PlannedDataset, read_plan
from foldproof.workflows.plan_result import PlanPart, PlanRun
from foldproof.workflows.procedures import Procedure
from foldproof.workflows.procedures import procedure as named_procedure
from foldproof.workflows.setup import gather_learners, set_up

NO_STORE = "memory://"


def run_plan(
    plan: str | Path | Mapping[str, Any] | ExperimentPlan,
    *,
    store: str | Store | None = None,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    executor: str | Executor | None = None,
    scheduler: str | None = None,
    on_event: ManyListener | None = None,
) -> PlanRun:
    """Carry out a plan: every learner on every dataset under every procedure, and tests over the datasets.

    What the store holds is not fitted again, so the same call goes on where an earlier one stopped, and whatever is
    added to the plan (learners, datasets, runs, metrics) costs its own fits only. All procedures share the fits.

    Parameters
    ----------
    plan
        A TOML file, a mapping with the same keys (:func:`read_plan`), or a plan that was read.
    store
        Where results are kept, instead of the plan's own ``store``. Without either, a plan from a file has the
        SQLite file of its name beside it, and a plan from a mapping is kept in memory.
    n_jobs, time_limit, executor, scheduler
        As in :func:`compare`, instead of the plan's ``jobs``, ``time_limit``, ``executor`` and ``scheduler``.
    on_event
        Called with a ``DatasetStarted``, ``TaskFinished`` or ``DatasetFinished`` as they come.

    Examples
    --------
    >>> import foldproof as fp
    >>> done = fp.run_plan({
    ...     "datasets": {"iris": "sklearn:iris", "wine": "sklearn:wine"},
    ...     "learners": {"bayes": "sklearn.naive_bayes.GaussianNB()", "dummy": "sklearn.dummy.DummyClassifier()"},
    ...     "procedures": ["10-fold-cv", "5x2cv"],
    ... })
    >>> done.many("5x2cv").comparison("wine").pair("bayes", "dummy").verdict
    'bayes'
    """
    given = read_plan(plan)
    procedures = {p.label: named_procedure(p.name, runs=p.runs, folds=p.folds) for p in given.procedures}
    with told_of(given):
        check_levels(given.alpha, given.adjust)
        Address(given.seed, "plan")  # refuses what is no seed
        checked_plan(given.looks)
        limit = checked_limit(given.time_limit if time_limit is None else time_limit)
        running = executor_of(executor or given.executor, scheduler or given.scheduler)
        learners, task = gather_learners(given.learners)
        names = [learner.name for learner in learners]
        if given.control is not None and given.control not in names:
            raise unknown_name("learner to be the control", given.control, names)
    for planned in given.datasets:
        _check_source(given, planned)
    with opened(store if store is not None else store_of(given)) as kept:
        assert kept is not None
        execution = Execution(kept, given.fast, limit, running, given.ledger, given.looks)
        files = KnownFiles(kept.mark, _keeping(kept))
        settings = {p.name: _setting(given, p, learners, task, execution, files) for p in given.datasets}
        _check_scorings(given, settings)
        work = _Work(given, procedures, given.jobs if n_jobs is None else n_jobs, on_event)
        return PlanRun(given, kept.url, *work.carry_out(settings))


def store_of(plan: ExperimentPlan) -> str:
    """Return the store of a plan: its own, a file's seen from the plan, or the file of its name beside it."""
    if plan.place is None:
        return plan.store or NO_STORE
    if plan.store is None:
        return f"sqlite:///{plan.place.with_suffix('.db')}"
    scheme, separator, rest = plan.store.partition(":///")
    if separator and scheme != "sqlite":
        return plan.store
    if not separator and "://" in plan.store:
        return plan.store
    return f"sqlite:///{plan.place.parent / (rest if separator else plan.store)}"


def _keeping(store: Store) -> Callable[[str, str], None]:
    """Return how a fingerprint is kept: in the store, or not at all where that can only be read."""

    def keep(key: str, value: str) -> None:
        with suppress(StoreError):
            store.set_mark(key, value)

    return keep


@contextmanager
def told_of(plan: ExperimentPlan) -> Iterator[None]:
    """Say of which plan something is wrong."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{plan.place or 'the plan'}: {error}") from None


def _place(plan: ExperimentPlan, source: str) -> str:
    """Return a source as it is seen from here: a file of a plan stands beside the plan."""
    if plan.place is None or not (_looks_like_a_file(source)):
        return source
    return str(plan.place.parent / source)


def _looks_like_a_file(source: str) -> bool:
    return "." in Path(source).name and not Path(source).is_absolute()


def _check_source(plan: ExperimentPlan, planned: PlannedDataset) -> None:
    """Refuse a file that is not there, before hours are spent on the others."""
    if isinstance(planned.source, str) and ":" not in planned.source:
        place = Path(_place(plan, planned.source))
        if place.suffix and not place.is_file():
            raise InputError(
                f"{plan.place or 'the plan'}: datasets.{planned.name}: there is no file {str(place)!r}: check "
                "the name; paths are seen from the plan's folder"
            )


def _setting(
    plan: ExperimentPlan,
    planned: PlannedDataset,
    learners: Sequence[Learner],
    task: Task | None,
    execution: Execution,
    files: KnownFiles,
) -> Setting:
    try:
        data = planned.source
        if isinstance(data, str):
            place = _place(plan, data)
            data = files.read(place, Wanted(place, planned.target, planned.groups, task or "auto"))
        X, y = (data, None) if isinstance(data, Dataset) else data
        return set_up(
            {learner.name: learner for learner in learners},
            replace(X, name=planned.name) if isinstance(X, Dataset) else X,
            y,
            plan.scoring or None,
            plan.seed,
            None,
            None,
            plan.encode,
            None if isinstance(X, Dataset) else planned.name,
            plan.tune or None,
            execution,
        )
    except InputError as error:
        raise InputError(f"{plan.place or 'the plan'}: datasets.{planned.name}: {error}") from None


def _check_scorings(plan: ExperimentPlan, settings: Mapping[str, Setting]) -> None:
    found = {name: tuple(s.name for s in setting.scorings) for name, setting in settings.items()}
    first, *others = found
    for other in others:
        if found[other] != found[first]:
            raise InputError(
                f"{plan.place or 'the plan'}: {first} is scored by {', '.join(found[first])} and {other} by "
                f"{', '.join(found[other])}: name one scoring for all datasets, or make two plans"
            )


@dataclass(slots=True)
class _Work:
    """The steps of a plan, and what is told of them."""

    plan: ExperimentPlan
    procedures: Mapping[str, Procedure]
    n_jobs: int | None
    on_event: ManyListener | None
    fitted: int = field(default=0, init=False)

    def carry_out(self, settings: Mapping[str, Setting]) -> tuple[tuple[PlanPart, ...], int, int]:
        """Return the results, how many runs of learners they stand on, and how many of these were fitted now."""
        plan = self.plan
        steps = [(dataset, label) for dataset in settings for label in self.procedures]
        sizes = [self.procedures[label].runs * len(settings[dataset].learners) for dataset, label in steps]
        found: dict[str, dict[str, Comparison]] = {label: {} for label in self.procedures}
        tasks = 0
        for number, (dataset, label) in enumerate(steps):
            place = (dataset, label, number + 1, len(steps))
            self._tell(DatasetStarted(*place, sum(sizes[:number]), sum(sizes)))
            before = self.fitted
            try:
                comparison = carry_out_comparison(
                    settings[dataset],
                    self.procedures[label],
                    None,
                    alpha=plan.alpha,
                    adjust=plan.adjust,
                    n_jobs=self.n_jobs,
                    on_event=self._count,
                )
            except InputError as error:
                raise InputError(f"{plan.place or 'the plan'}: datasets.{dataset}, {label}: {error}") from None
            found[label][dataset] = comparison
            own = sum(len(next(iter(o.scores.values()))) for o in comparison.outcomes.values())
            tasks += own
            if label == steps[-1][1]:  # the last procedure on this dataset
                settings[dataset].methods.forget()
            self._tell(DatasetFinished(*place, own, self.fitted - before))
        parts = [PlanPart(label, many) for label, own in found.items() for many in self._over(own)]
        return tuple(parts), tasks, self.fitted

    def _over(self, comparisons: Mapping[str, Comparison]) -> Iterator[ManyComparison]:
        """Yield all datasets together, once for each scoring."""
        plan = self.plan
        for i in range(len(next(iter(comparisons.values())).scored)):
            own = {name: replace(c, scored=(c.scored[i],)) for name, c in comparisons.items()}
            yield ManyComparison(
                comparisons=own, alpha=plan.alpha, adjust=plan.adjust, control=plan.control, rope=plan.rope
            )

    def _tell(self, event: DatasetStarted | DatasetFinished) -> None:
        if self.on_event is not None:
            self.on_event(event)

    def _count(self, event: TaskFinished) -> None:
        self.fitted += 1
        if self.on_event is not None:
            self.on_event(event)
