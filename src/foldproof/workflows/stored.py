"""``fp.read_store``: what is in a store, and what its scores say of every pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations

import numpy as np

from foldproof.domain.differences import Differences
from foldproof.domain.errors import FoldproofError
from foldproof.domain.outcomes import Failure
from foldproof.ledger.book import read as read_book
from foldproof.store.base import Store
from foldproof.store.records import Cell, CellKey, DatasetRecord, Floats, Series
from foldproof.workflows.compare import check_levels
from foldproof.workflows.judge import decide, unadjusted
from foldproof.workflows.ledgers import LedgerView, existing_store
from foldproof.workflows.procedures import procedure as named_procedure
from foldproof.workflows.procedures.base import judged
from foldproof.workflows.stored_result import (
    Block,
    HeldLearner,
    HeldScore,
    PairVerdict,
    StoredDataset,
    StoreReport,
)

TEST = "corrected-repeated-cv"
# Folds that differ by less than this do not differ: it is what adding them up leaves.
_ROUNDING = 1e-12
# What divides a dataset: scheme, folds, seed, repetition, whether values are encoded.
Kind = tuple[str, int, int, int, bool]


def read_store(store: str | Store, *, alpha: float = 0.05, adjust: str = "holm") -> StoreReport:
    """Return what is in a store: datasets, learners, runs, scores, failures and looks; and a verdict for every pair.

    A pair has a verdict where two learners were tested on the same runs of whole folds: the corrected repeated k-fold
    cross-validation t-test. Nothing is fitted, and reading is no look: nothing is entered into the ledger.

    Parameters
    ----------
    store
        A URL such as ``"sqlite:///results.db"``, or an open store.
    alpha, adjust
        The level, and how p-values are adjusted for the number of pairs of one dataset and scoring.
    """
    check_levels(alpha, adjust)
    with existing_store(store) as opened:
        gathered: dict[str, dict[Kind, list[_Held]]] = {}
        failures: list[tuple[str, Failure]] = []
        names = {record.fingerprint: record.name for record in opened.datasets()}
        environments: set[str] = set()
        for series in opened.series():
            own: dict[Kind, _Held] = {}
            for cell in opened.cells(series.key):
                folds = len(next(iter(cell.scores.values())))
                kind = (cell.scheme, folds, series.seed, series.repetition, series.encode)
                own.setdefault(kind, _Held(series)).add(cell)
                failures += [(names[series.dataset], f) for f in _failures(series, cell)]
            for kind, held in own.items():
                gathered.setdefault(series.dataset, {}).setdefault(kind, []).append(held)
            environments.update(opened.environments(series.key))
        datasets = [
            StoredDataset(record, tuple(_blocks(record, gathered.get(record.fingerprint, {}), alpha, adjust)))
            for record in opened.datasets()
        ]
        ledger, problem = _ledger(opened)
        return StoreReport(
            store=opened.url,
            alpha=alpha,
            adjust=adjust,
            cells=opened.count(),
            datasets=tuple(datasets),
            failures=tuple(failures),
            environments=tuple(sorted(environments)),
            ledger=ledger,
            problem=problem,
            logs=tuple(name for name in opened.logs() if name != "ledger"),
        )


def _ledger(store: Store) -> tuple[LedgerView | None, str | None]:
    """Return the ledger, or what is wrong with it."""
    try:
        book = read_book(store)
    except FoldproofError as error:
        return None, str(error)
    return LedgerView(store.url, book, tuple(book.datasets())), None


def _failures(series: Series, cell: Cell) -> Iterator[Failure]:
    for where in sorted(cell.remarks):
        for fault in cell.remarks[where].faults:
            yield Failure(series.name, cell.run, fault.fold, fault.kind, fault.message)


@dataclass(slots=True)
class _Held:
    """The cells of one learner that were divided alike, as arrays."""

    series: Series
    keys: list[CellKey] = field(default_factory=list)
    scores: dict[str, dict[CellKey, Floats]] = field(default_factory=dict)
    whole: bool = True
    failed: int = 0
    seconds: float = 0.0

    def add(self, cell: Cell) -> None:
        self.keys.append(cell.key)
        self.seconds += cell.seconds
        failed = {fault.fold for remark in cell.remarks.values() for fault in remark.faults}
        self.failed += len(failed)
        for name, folds in cell.scores.items():
            self.scores.setdefault(name, {})[cell.key] = folds
        if not failed:  # every instance is tested once in a run of whole folds
            self.whole &= cell.predictions is not None and not np.isnan(cell.predictions).any()

    def summary(self, name: str) -> HeldLearner:
        scores = []
        for scoring, own in sorted(self.scores.items()):
            every = np.concatenate(list(own.values()))
            known = every[np.isfinite(every)]
            mean = float(known.mean()) if known.size else None
            sd = float(known.std(ddof=1)) if known.size > 1 else None
            if sd is not None and sd <= _ROUNDING * np.abs(known).max():
                sd = 0.0
            scores.append(HeldScore(scoring, mean, sd, int(known.size)))
        return HeldLearner(
            name=name,
            learner=self.series.learner,
            series=self.series.key,
            recipe=self.series.recipe is not None,
            runs=len(self.keys),
            failed=self.failed,
            seconds=self.seconds,
            scores=tuple(scores),
        )


def _blocks(record: DatasetRecord, gathered: dict[Kind, list[_Held]], alpha: float, adjust: str) -> Iterator[Block]:
    for kind, held in sorted(gathered.items()):
        scheme, folds, seed, repetition, encode = kind
        held.sort(key=lambda own: (own.series.name, own.series.key))
        names = _names(held)
        verdicts: dict[str, tuple[PairVerdict, ...]] = {}
        if folds > 1:
            for scoring in sorted({name for own in held for name in own.scores}):
                found = _verdicts(record, held, names, scoring, folds, alpha, adjust)
                if found:
                    verdicts[scoring] = found
        yield Block(
            scheme=scheme,
            folds=folds,
            seed=seed,
            repetition=repetition,
            encode=encode,
            learners=tuple(own.summary(name) for own, name in zip(held, names, strict=True)),
            verdicts=verdicts,
        )


def _names(held: Sequence[_Held]) -> list[str]:
    """Return the learners' names; of several of one name each with the beginning of its key."""
    plain = [own.series.name for own in held]
    return [
        name if plain.count(name) == 1 else f"{name} ({own.series.key[:8]})"
        for own, name in zip(held, plain, strict=True)
    ]


def _verdicts(
    record: DatasetRecord,
    held: Sequence[_Held],
    names: Sequence[str],
    scoring: str,
    folds: int,
    alpha: float,
    adjust: str,
) -> tuple[PairVerdict, ...]:
    """Test every pair that was tested on the same whole folds; a run in which one of them failed is left out."""
    runs, verdicts = [], []
    for i, j in combinations(range(len(held)), 2):
        one, other = held[i], held[j]
        if not (one.whole and other.whole):
            continue
        first, second = one.scores.get(scoring, {}), other.scores.get(scoring, {})
        common = [
            key
            for key in sorted(set(first) & set(second))
            if np.isfinite(first[key]).all() & np.isfinite(second[key]).all()
        ]
        if not common or len(common) * folds < 3:
            continue
        evidence = partial(
            Differences.of_scores,
            np.array([first[key] for key in common]),
            np.array([second[key] for key in common]),
            n_train=record.instances * (folds - 1) / folds,
            n_test=record.instances / folds,
        )
        found = judged(named_procedure(TEST, runs=len(common), folds=folds), evidence, alpha)
        runs.append(len(common))
        # What the differences are made of is let go: a store may have many pairs, and no fold of them is shown.
        verdicts.append(unadjusted(names[i], names[j], replace(found, evidence=None)))
    decided = decide(verdicts, alpha=alpha, adjust=adjust)
    return tuple(PairVerdict(n, verdict) for n, verdict in zip(runs, decided, strict=True))
