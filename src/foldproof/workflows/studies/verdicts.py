"""What whole procedures say of a dataset: again and again with other seeds, or where there is nothing to find."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError
from foldproof.domain.study import Protocol
from foldproof.domain.verdict import Verdict
from foldproof.learners.learner import Learner
from foldproof.store.base import Store
from foldproof.workflows.execution import Execution, opened
from foldproof.workflows.experiment import Setting
from foldproof.workflows.judge import judge_pairs
from foldproof.workflows.procedures import Conducted, Procedure, Request, procedure
from foldproof.workflows.scoring import gather_scorings
from foldproof.workflows.trials import own_copy, relabelled

Pair = tuple[str, str]
SCORING = "accuracy"


@dataclass(frozen=True, slots=True, eq=False)
class Spoken:
    """What one procedure said of one dataset: a column for each pair, a row for each repetition or trial.

    ``codes`` are 1 where the pair's first learner was found better, −1 where its second was, 0 where neither.
    ``forecasts`` are NaN where the procedure has none. ``fits`` counts fits of one learner, ``nonzero`` is the share of
    scores in which the two differ.
    """

    pairs: tuple[Pair, ...]
    codes: npt.NDArray[np.int8]
    forecasts: npt.NDArray[np.float64]
    fits: npt.NDArray[np.float64]
    nonzero: npt.NDArray[np.float64]

    def of(self, pair: Pair) -> int:
        """Return the column of a pair."""
        return self.pairs.index(pair)


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """What the procedures of one protocol said; ``refused`` holds those that this dataset is not fit for, and why."""

    spoken: Mapping[str, Spoken]
    refused: Mapping[str, str]
    failures: tuple[str, ...] = ()


def gather_verdicts(
    dataset: Dataset,
    learners: Sequence[Learner],
    protocol: Protocol,
    *,
    repetitions: int,
    alpha: float,
    seed: int,
    store: Store | None = None,
    told: Callable[[str], None] = lambda name: None,
) -> Verdicts:
    """Carry out every procedure of a protocol; they share their fits, in the store or for as long as this lasts."""
    wanted = {name: procedure(name) for name in protocol.procedures}
    rows: dict[str, list[list[tuple[int, float, float, float]]]] = {name: [] for name in wanted}
    refused: dict[str, str] = {}
    failures: list[str] = []
    names: list[str] = []
    for setting, repetition in _settings(dataset, learners, protocol, repetitions, seed, store):
        names = [learner.name for learner in setting.learners]
        for name in [n for n in wanted if n not in refused]:
            try:
                row = _said(wanted[name], setting, alpha, repetition, failures)
            except InputError as error:
                refused[name] = str(error)
                continue
            rows[name].append(row)
        told(protocol.name)
    pairs = tuple(combinations(names, 2))
    spoken = {}
    for name, found in rows.items():
        if name not in refused:
            table = np.array(found, dtype=np.float64).reshape(len(found), len(pairs), 4)
            spoken[name] = Spoken(pairs, table[..., 0].astype(np.int8), table[..., 1], table[..., 2], table[..., 3])
    return Verdicts(spoken, refused, tuple(failures))


def _settings(
    dataset: Dataset,
    learners: Sequence[Learner],
    protocol: Protocol,
    repetitions: int,
    seed: int,
    store: Store | None,
) -> Iterator[tuple[Setting, int]]:
    """Yield what is compared on what, once for each repetition or trial, and the number of its repetition."""
    scorings = gather_scorings(SCORING, "classification")
    if protocol.null is None:
        with opened(store or "memory://") as kept:
            setting = Setting(dataset, tuple(learners), scorings, seed, True, Execution(kept))
            yield from ((setting, repetition) for repetition in range(repetitions))
    elif protocol.null == "own-copy":
        # To a store a learner and its copy are the same.
        both = Setting(dataset, (learners[0], own_copy(learners[0])), scorings, seed)
        yield from ((both, repetition) for repetition in range(repetitions))
    else:
        for trial in range(repetitions):
            address = Address(seed, f"study null {dataset.fingerprint}", trial)
            drawn = relabelled(dataset, protocol.null, address)
            with opened(store or "memory://") as kept:
                yield Setting(drawn, tuple(learners), scorings, seed, True, Execution(kept)), 0


def _said(
    chosen: Procedure, setting: Setting, alpha: float, repetition: int, failures: list[str]
) -> list[tuple[int, float, float, float]]:
    """Carry out a procedure once; return for each pair its code, forecast, fits, and share of different scores."""
    conducted = chosen.carry_out(setting, Request(alpha=alpha, repetition=repetition, n_jobs=1))
    failures += [
        f"{chosen.name}, repetition {repetition}: {failure.learner}: {failure.message}"
        for outcome in conducted.outcomes.values()
        for failure in outcome.failures
    ]
    verdicts = judge_pairs(chosen, conducted, SCORING, alpha=alpha, adjust="none")
    return [_row(conducted, verdict) for verdict in verdicts]


def _row(conducted: Conducted, verdict: Verdict) -> tuple[int, float, float, float]:
    a, b = (conducted.outcomes[name].scores[SCORING] for name in (verdict.a, verdict.b))
    runs = conducted.runs
    if conducted.runs_of_pair is not None:
        runs = conducted.runs_of_pair[SCORING, verdict.a, verdict.b]
        a, b = a[:runs], b[:runs]
    code = {verdict.a: 1, verdict.b: -1}.get(verdict.verdict, 0)
    forecast = np.nan if verdict.forecast is None else verdict.forecast
    nonzero = float(np.mean(a != b)) if a.shape == b.shape else np.nan
    return code, forecast, float(runs * conducted.folds), nonzero
