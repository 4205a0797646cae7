"""StoreReport: what ``fp.read_store`` returns, and its verbs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from foldproof.domain.errors import unknown_name
from foldproof.domain.outcomes import Failure
from foldproof.domain.verdict import Verdict
from foldproof.store.records import DatasetRecord
from foldproof.workflows.comparison import pair_dict
from foldproof.workflows.ledgers import LedgerView
from foldproof.workflows.provenance import versions


@dataclass(frozen=True, slots=True)
class HeldScore:
    """The mean of a score over the folds that came out, as scikit-learn turns it (more is better), and their sd."""

    scoring: str
    mean: float | None
    sd: float | None
    folds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldLearner:
    """What is held of a learner: ``learner`` is its canonical text, ``recipe`` whether it can be made again from it."""

    name: str
    learner: str
    series: str
    recipe: bool
    runs: int
    failed: int
    seconds: float
    scores: tuple[HeldScore, ...]


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """A verdict on the runs that two learners have in common."""

    runs: int
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Learners whose runs divided a dataset alike, and the verdicts on their pairs by scoring."""

    scheme: str
    folds: int
    seed: int
    repetition: int
    encode: bool
    learners: tuple[HeldLearner, ...]
    verdicts: Mapping[str, tuple[PairVerdict, ...]]

    def to_dict(self, alpha: float) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "scheme": self.scheme,
            "folds": self.folds,
            "seed": self.seed,
            "repetition": self.repetition,
            "encode": self.encode,
            "learners": [
                {**asdict(found), "scores": [asdict(score) for score in found.scores]} for found in self.learners
            ],
            "verdicts": [
                {
                    "scoring": scoring,
                    "pairs": [{**pair_dict(p.verdict, alpha), "runs": p.runs} for p in pairs],
                }
                for scoring, pairs in self.verdicts.items()
            ],
        }


@dataclass(frozen=True, slots=True)
class StoredDataset:
    """A dataset of a store, and its learners."""

    record: DatasetRecord
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class StoreReport:
    """What :func:`foldproof.read_store` found."""

    store: str
    alpha: float
    adjust: str
    cells: int
    datasets: tuple[StoredDataset, ...]
    failures: tuple[tuple[str, Failure], ...]
    environments: tuple[str, ...]
    ledger: LedgerView | None
    problem: str | None
    logs: tuple[str, ...]

    def __repr__(self) -> str:
        return self.to_text()

    @property
    def counted(self) -> str:
        """How much there is, in words."""
        from foldproof.report.stored import counted

        return counted(self.to_dict())

    def dataset(self, name: str) -> StoredDataset:
        """Return one dataset, by name."""
        for found in self.datasets:
            if found.record.name == name:
                return found
        raise unknown_name("dataset of this store", name, [d.record.name for d in self.datasets])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, with the keys of the JSON output."""
        return {
            "schema": "foldproof/report/1",
            "store": self.store,
            "cells": self.cells,
            "alpha": self.alpha,
            "adjust": self.adjust,
            "confidence_level": 1.0 - self.alpha,
            "datasets": [
                {**asdict(found.record), "blocks": [block.to_dict(self.alpha) for block in found.blocks]}
                for found in self.datasets
            ],
            "failures": [{"dataset": name, **asdict(failure)} for name, failure in self.failures],
            "environments": list(self.environments),
            "ledger": None
            if self.ledger is None
            else {k: v for k, v in self.ledger.to_dict().items() if k != "schema"},
            "ledger_problem": self.problem,
            "logs": list(self.logs),
            "provenance": versions(),
        }

    def to_text(self, *, width: int = 100, color: bool = False) -> str:
        """Return the tables and sentences that the command line prints."""
        from foldproof.report.stored import stored_text

        return stored_text(self.to_dict(), width=width, color=color)

    def to_html(self, path: str | Path | None = None) -> str:
        """Return the self-contained page, and write it where a path is given."""
        from foldproof.report.html import write_page
        from foldproof.report.stored import stored_page

        page = stored_page(self.to_dict())
        if path is not None:
            write_page(page, Path(path))
        return page
