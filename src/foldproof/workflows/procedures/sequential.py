"""Runs are added until the verdict is settled, or the cap is reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np

from foldproof.domain.differences import Differences
from foldproof.domain.errors import InputError
from foldproof.domain.notices import declare
from foldproof.domain.outcomes import Outcomes, joined
from foldproof.domain.partitions import Partitions
from foldproof.partitions import KFold, partition
from foldproof.replicability._sequential import R_MAX, R_MIN, sequential_look
from foldproof.workflows.experiment import Setting
from foldproof.workflows.procedures.base import (
    Conducted,
    Judged,
    Procedure,
    Request,
    judged,
    register,
)

NOT_SETTLED = declare(
    "not_settled", "the cap on the number of runs was reached before the verdict was settled: more runs may change it"
)
Key = tuple[str, str, str]


def conduct_sequential(procedure: Procedure, setting: Setting, request: Request) -> Conducted:
    """Fit the first runs for all learners, then a run at a time for those whose pairs are not settled.

    A pair stops by itself, so its verdict does not depend on which other learners are there. What is fitted
    is kept: each added run costs its own fits only.
    """
    if request.splits is not None:
        raise InputError(f"the procedure {procedure.name!r} makes its own partitions: leave out cv")
    every = partition(
        procedure.scheme(procedure.folds),
        setting.dataset,
        seed=setting.seed,
        runs=procedure.runs,
        repetition=request.repetition,
    )
    names = [learner.name for learner in setting.learners]
    stopped: dict[Key, int] = {}
    settled: dict[Key, bool] = {}
    open_keys = [(s.name, a, b) for s in setting.scorings for a, b in combinations(names, 2)]
    outcomes: dict[str, Outcomes] = {}
    done = 0
    while open_keys and done < procedure.runs:
        batch = range(done, max(done + 1, R_MIN))
        wanted = {name for _, a, b in open_keys for name in (a, b)}
        needed = replace(setting, learners=tuple(x for x in setting.learners if x.name in wanted))
        part = Partitions(every.test_fold[batch.start : batch.stop], scheme=every.scheme)
        fresh = needed.run(
            part,
            repetition=request.repetition,
            first_run=done,
            n_jobs=request.n_jobs,
            on_event=request.on_event,
        )
        outcomes = {**outcomes, **{n: joined(outcomes.get(n), o, every.fingerprint) for n, o in fresh.items()}}
        done = batch.stop
        open_keys = [
            key for key in open_keys if not _stops(key, done, outcomes, every, request.alpha, stopped, settled)
        ]
    for key in open_keys:
        stopped[key], settled[key] = done, False
    in_order = {name: outcomes[name] for name in names}
    used = Partitions(every.test_fold[:done], scheme=every.scheme)
    return Conducted(setting, used, in_order, done, procedure.folds, stopped, settled)


def _stops(
    key: Key,
    runs: int,
    outcomes: Mapping[str, Outcomes],
    partitions: Partitions,
    alpha: float,
    stopped: dict[Key, int],
    settled: dict[Key, bool],
) -> bool:
    """Look at one pair; a pair with a failed fold stops too, because no verdict will be given."""
    scoring, a, b = key
    if not (outcomes[a].complete(scoring) and outcomes[b].complete(scoring)):
        stopped[key], settled[key] = runs, False
        return True
    look = sequential_look(_differences(outcomes, partitions, key, runs)(), alpha=alpha)
    if look.stop:
        stopped[key], settled[key] = runs, True
    return look.stop


def _differences(
    outcomes: Mapping[str, Outcomes], partitions: Partitions, key: Key, runs: int
) -> Callable[[], Differences]:
    scoring, a, b = key
    first, second = (np.asarray(outcomes[name].scores[scoring][:runs]) for name in (a, b))
    return partial(Differences.of_scores, first, second, n_train=partitions.n_train, n_test=partitions.n_test)


def judge_sequential(procedure: Procedure, conducted: Conducted, a: str, b: str, scoring: str, alpha: float) -> Judged:
    """Test a pair on the runs that settled it."""
    assert conducted.runs_of_pair is not None
    assert conducted.settled is not None
    assert isinstance(conducted.partitions, Partitions)
    key = (scoring, a, b)
    evidence = _differences(conducted.outcomes, conducted.partitions, key, conducted.runs_of_pair[key])
    settled = conducted.settled[key]
    found = judged(procedure, evidence, alpha, settled=settled)
    return found if settled else replace(found, warnings=(*found.warnings, NOT_SETTLED))


register(
    Procedure(
        name="sequential-cv",
        test="corrected-repeated-kfold-t",
        runs=R_MAX,
        folds=10,
        scheme=lambda folds: KFold(folds),
        conduct=conduct_sequential,
        judge=judge_sequential,
        design=(
            "up to {runs} x {folds}-fold cross-validation with the same partitions for all learners, adding runs until "
            "the verdict was settled"
        ),
        summary="runs of ten folds are added, 3 to 33, until the corrected verdict is settled",
    )
)
