"""From what a front door found to a look, and from there into the ledger of its store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldproof.domain.errors import InputError
from foldproof.domain.partitions import Splits
from foldproof.domain.result import Claim, MarginResult
from foldproof.domain.verdict import NONE, Verdict
from foldproof.engine.describe import describe
from foldproof.learners.tuning import settings_tried
from foldproof.ledger.book import enter, read
from foldproof.ledger.look import Look, LookLearner, LookPair, checked_plan
from foldproof.ledger.standing import Standing
from foldproof.workflows.experiment import Setting
from foldproof.workflows.procedures import Procedure

LEDGER_OFF = "ledger_off: the ledger was turned off (ledger=False, --no-ledger): this look is counted nowhere"
NOTHING_SEEN = "ledger_nothing_seen: folds of every pair failed, so this was no look and nothing is entered for it"


@dataclass(frozen=True, slots=True)
class Entered:
    """What came of entering a look: where it stands, or None where there is no ledger, and what is to be told."""

    standing: Standing | None = None
    notes: tuple[str, ...] = ()


def check_ledger(setting: Setting) -> None:
    """Refuse, before anything is fitted, a ledger that was changed and a plan that nobody would keep."""
    given = setting.execution
    checked_plan(given.looks)
    if given.looks is not None and (given.store is None or not given.ledger):
        raise InputError("looks= plans the looks in a ledger, and there is none: give a store, and leave the ledger on")
    if given.store is not None and given.ledger:
        read(given.store)


def enter_comparison(
    setting: Setting,
    procedure: Procedure,
    splits: Splits | None,
    scoring: str,
    verdicts: Sequence[Verdict],
    *,
    alpha: float,
) -> Entered:
    """Enter what ``compare`` saw under one scoring."""
    pairs = tuple(LookPair(v.a, v.b, v.pvalue, v.favours, v.verdict) for v in verdicts)
    return _enter(setting, "compare", _plain(procedure), splits, scoring, pairs, alpha=alpha)


def enter_replication(
    setting: Setting, procedure: Procedure, repetitions: Sequence[Sequence[Verdict]], *, alpha: float
) -> Entered:
    """Enter what ``replicate`` saw: one look, however many repetitions.

    Of a pair's p-values twice the median is entered. It is a p-value whatever the dependence between repetitions, which
    share their data; the smallest of them is none.
    """
    plain = {**_plain(procedure), "repetitions": len(repetitions)}
    pairs = tuple(_repeated(own) for own in zip(*repetitions, strict=True))
    return _enter(setting, "replicate", plain, None, setting.scorings[0].name, pairs, alpha=alpha)


def _repeated(own: Sequence[Verdict]) -> LookPair:
    a, b = own[0].a, own[0].b
    found = [v.pvalue for v in own if v.pvalue is not None]
    # A repetition that did not come out counts as one that shows nothing.
    values = [*found, *[1.0] * (len(own) - len(found))]
    pvalue = min(1.0, 2.0 * float(np.median(values))) if found else None
    leans = Counter(v.favours for v in own if v.favours is not None)
    said = Counter(v.verdict for v in own)
    most = max(said, key=lambda name: said[name])
    favours = None if leans[a] == leans[b] else max((a, b), key=lambda name: leans[name])
    return LookPair(a, b, pvalue, favours, most if 2 * said[most] > len(own) else NONE)


def enter_gate(
    setting: Setting,
    procedure: Procedure,
    splits: Splits | None,
    result: MarginResult | None,
    *,
    asked: Mapping[str, Any],
    outcomes: Mapping[Claim, str],
    alpha: float,
) -> Entered:
    """Enter what a gate saw: whether it leans to passing or failing, and how firmly."""
    old, new = (learner.name for learner in setting.learners)
    undecided = outcomes[Claim.UNDECIDED]
    pvalue, favours, said = None, None, undecided
    if result is not None:
        passes = result.pvalue <= result.pvalue_against
        pvalue = min(result.pvalue, result.pvalue_against)
        favours = outcomes[Claim.HOLDS if passes else Claim.FAILS]
        said = outcomes[result.decide(alpha=alpha)]
    # Who is the candidate is part of the question.
    plain = {**_plain(procedure), **asked, "candidate": describe(setting.learners[1].estimator).whole}
    pairs = (LookPair(new, old, pvalue, favours, said),)
    name = setting.scorings[0].name
    return _enter(setting, "gate", plain, splits, name, pairs, alpha=alpha, otherwise=undecided)


def _plain(procedure: Procedure) -> dict[str, Any]:
    # Sizes and seeds may have come as numpy's integers, which have no place in a line.
    runs, folds = int(procedure.runs), int(procedure.folds)
    return {"name": procedure.name, "test": procedure.test, "runs": runs, "folds": folds}


def _enter(
    setting: Setting,
    kind: str,
    procedure: Mapping[str, Any],
    splits: Splits | None,
    scoring: str,
    pairs: tuple[LookPair, ...],
    *,
    alpha: float,
    otherwise: str = NONE,
) -> Entered:
    store = setting.execution.store
    if not setting.execution.ledger:
        return Entered(notes=(LEDGER_OFF,))
    if store is None:
        return Entered()
    if all(pair.pvalue is None for pair in pairs):
        return Entered(notes=(NOTHING_SEEN,))
    look = Look(
        kind=kind,
        dataset=setting.dataset.fingerprint,
        dataset_name=setting.dataset.name,
        learners=tuple(
            LookLearner(x.name, describe(x.estimator).whole, settings_tried(x.estimator)) for x in setting.learners
        ),
        procedure=procedure,
        scoring=scoring,
        seed=int(setting.seed),
        alpha=float(alpha),
        pairs=pairs,
        splits=None if splits is None else splits.fingerprint,
        planned=setting.execution.looks,
        otherwise=otherwise,
    )
    standing = enter(store, look)
    return Entered(standing, standing.notes)
