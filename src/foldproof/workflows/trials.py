"""One trial of a calibration: where its data come from, and what a procedure says on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from foldproof.data.bayesnet import BayesianNetwork
from foldproof.data.in_memory import dataset as make_dataset
from foldproof.data.simulated import sampled, simulated_source
from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset, fingerprint_dataset
from foldproof.domain.errors import InputError, unknown_name
from foldproof.domain.verdict import NONE
from foldproof.learners.learner import Learner
from foldproof.workflows.execution import Execution
from foldproof.workflows.judge import judge_pairs
from foldproof.workflows.plentiful import Source
from foldproof.workflows.procedures import Procedure, Request
from foldproof.workflows.setup import set_up

#: What makes each trial's data, or its null.
WAYS = ("sampled", "permuted-labels", "random-labels", "own-copy")


@dataclass(frozen=True, slots=True, eq=False)
class OwnCopy(Learner):
    """The same learner with other internal seeds: random states are drawn from an address of its own."""

    def fresh(self, address: Address, fold: int) -> Any:
        """Return an unfitted copy whose open random states are not those of the original."""
        return Learner.fresh(self, replace(address, fingerprint=f"{address.fingerprint}/copy"), fold)


def own_copy(learner: Learner) -> OwnCopy:
    """Return a learner's copy, by another name."""
    return OwnCopy(f"{learner.name}-copy", learner.estimator, f"{learner.spec} with other internal seeds")


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """Where the data of trials come from: a source that is sampled anew, or one dataset.

    ``make`` is given a size and an address, and answers a dataset; it is None where there is one dataset.
    """

    name: str
    fingerprint: str
    data: Dataset | None = None
    make: Callable[[int, Address], Dataset] | None = None
    nothing_to_learn: bool = False

    def dataset(self, way: str, n: int, address: Address) -> Dataset:
        """Return the data of one trial."""
        if self.make is not None:
            return self.make(n, address)
        assert self.data is not None
        return self.data if way == "own-copy" else relabelled(self.data, way, address)


def relabelled(data: Dataset, way: str, address: Address) -> Dataset:
    """Return a copy of a dataset whose labels have nothing to do with its attributes.

    ``"permuted-labels"`` are the labels in another order; ``"random-labels"`` are drawn, every class as often as any
    other, so that every learner's expected accuracy is the same; ``"frequencies"`` are drawn as often as they occur.
    """
    stream = address.stream("labels")
    n = len(data)
    if way == "permuted-labels":
        order = stream.permutation(n)
        target, y = data.target_codes[order], data.y[order]
    else:
        if data.classes is None:
            raise InputError("random labels are drawn from classes, and the target is a number: permute the labels")
        counts = np.bincount(data.target_codes.astype(np.intp), minlength=len(data.classes)).astype(float)
        shares = counts / n if way == "frequencies" else np.full(len(counts), 1.0 / len(counts))
        uniform = (stream.words(n) >> np.uint64(11)) * 2.0**-53
        codes = np.minimum(np.searchsorted(np.cumsum(shares), uniform, side="right"), len(counts) - 1)
        target = codes.astype(np.float64)
        y = _labels(data)[codes]
    matrix = data.codes if data.codes is not None else data.X.tocsc()
    return replace(
        data,
        y=y,
        target_codes=target,
        fingerprint=fingerprint_dataset(matrix, data.attributes, target, data.classes, data.groups, data.sample_weight),
    )


def _labels(data: Dataset) -> Any:
    """Return the class labels as the target holds them, by code; a class that never occurs by its name."""
    assert data.classes is not None
    labels = np.array(data.classes, dtype=data.y.dtype if data.y.dtype.kind != "U" else object)
    codes, first = np.unique(data.target_codes.astype(np.intp), return_index=True)
    labels[codes] = data.y[first]
    return labels


def origin_of(X: Any, y: Any, name: str | None) -> Origin:
    """Return the origin that a front door was given: a source's name, a source, a function, or data."""
    if isinstance(X, str):
        X = simulated_source(X)
    if isinstance(X, BayesianNetwork):
        network = X
        return Origin(
            network.name,
            f"network {network!r}",
            make=lambda n, address: sampled(network, n, address.stream("sample")),
            nothing_to_learn=all(
                tuple(table[: len(table) // 2]) == tuple(table[len(table) // 2 :]) for table in network.probabilities
            ),
        )
    if isinstance(X, Dataset) or (y is not None and not callable(X)):
        if isinstance(X, Dataset) and y is not None:
            raise InputError("a Dataset brings its own target: give nothing beside it")
        data = X if isinstance(X, Dataset) else make_dataset(X, y, name=name or "data")
        return Origin(name or data.name, data.fingerprint, data=data)
    if y is not None:
        raise InputError("a source makes its own target: leave out y")
    if hasattr(X, "sample"):
        return Origin(X.name, f"source {X.name}", make=_from_source(X))
    if callable(X):
        label = name or str(getattr(X, "__name__", type(X).__name__))
        return Origin(label, f"function {label}", make=_from_function(X, label))
    raise InputError(
        f"there is no target beside {type(X).__name__}: give X and y, a Dataset, the name of a simulated source, or a "
        "function (n, seed) -> (X, y)"
    )


def _from_source(source: Source) -> Callable[[int, Address], Dataset]:
    def make(n: int, address: Address) -> Dataset:
        X, y = source.sample(n, address.stream("sample"))
        return make_dataset(X, y, name=source.name)

    return make


def _from_function(function: Callable[[int, int], Any], label: str) -> Callable[[int, Address], Dataset]:
    def make(n: int, address: Address) -> Dataset:
        made = function(n, address.integer("sample"))
        if isinstance(made, Dataset):
            return made
        if not (isinstance(made, tuple) and len(made) == 2):
            raise InputError(f"{label}(n, seed) answered {type(made).__name__}: it must answer (X, y) or a Dataset")
        return make_dataset(made[0], made[1], name=label)

    return make


def checked_way(way: str | None, origin: Origin, learners: int) -> str:
    """Return the way trials are made, or say why it cannot be."""
    if way is None:
        way = "own-copy" if learners == 1 else "sampled" if origin.make is not None else "permuted-labels"
    if way not in WAYS:
        raise unknown_name("way to calibrate", way, WAYS)
    if way == "sampled" and origin.make is None:
        raise InputError("one dataset cannot be sampled anew: use permuted-labels, random-labels or own-copy")
    if way in ("permuted-labels", "random-labels") and origin.make is not None:
        raise InputError(f"{way} are for a dataset: a source with nothing to learn, such as source1, needs none")
    if (way == "own-copy") != (learners == 1):
        raise InputError(
            f"calibration by {way} takes {'one learner' if way == 'own-copy' else 'two learners'}; got {learners}"
        )
    return way


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """What every trial of one row shares; calling it with a number makes one."""

    origin: Origin
    way: str
    learners: tuple[Learner, ...]
    procedure: Procedure
    scoring: Any
    n: int
    alpha: float
    repetitions: int
    seed: int
    encode: bool
    execution: Execution

    def __call__(self, number: int) -> dict[str, Any]:
        """Return one trial as plain values: the verdict of each repetition, and what it rests on."""
        address = Address(self.seed, f"calibrate {self.origin.fingerprint}", number)
        data = self.origin.dataset(self.way, self.n, address)
        # One dataset is divided anew in every trial; fresh data have a fingerprint, and so streams, of their own.
        first = number * self.repetitions if data is self.origin.data else 0
        setting = set_up(
            self.learners, data, None, self.scoring, self.seed, None, None, self.encode, None, execution=self.execution
        )
        verdicts, means, nonzero, folds, failures = [], [], 0, 0, 0
        for repetition in range(first, first + self.repetitions):
            conducted = self.procedure.carry_out(setting, Request(alpha=self.alpha, repetition=repetition, n_jobs=1))
            (verdict,) = judge_pairs(
                self.procedure, conducted, setting.scorings[0].name, alpha=self.alpha, adjust="none"
            )
            failures += sum(len(outcome.failures) for outcome in conducted.outcomes.values())
            verdicts.append({NONE: "none", verdict.a: "a", verdict.b: "b"}[verdict.verdict])
            means.append(verdict.mean_difference)
            a, b = (conducted.outcomes[x.name].scores[setting.scorings[0].name] for x in self.learners)
            nonzero += int(np.count_nonzero(a != b))
            folds += a.size
        return {
            "number": number,
            "verdicts": verdicts,
            "means": means,
            "nonzero": nonzero,
            "folds": folds,
            "failures": failures,
        }
