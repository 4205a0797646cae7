"""Training sets of a simulation: drawn, divided, learnt from, and tested."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from foldproof import significance
from foldproof.data.bayesnet import BayesianNetwork
from foldproof.domain.address import Address, stream_keys
from foldproof.domain.dataset import Dataset
from foldproof.domain.partitions import Partitions
from foldproof.learners import C45, NaiveBayes, cross_predict
from foldproof.learners.binary import MOST_ATTRIBUTES, MOST_INSTANCES, cube_of, workspace
from foldproof.partitions import FiveByTwo, KFold, RandomSubsampling, Scheme, partition
from foldproof.partitions.resampling import part_of
from foldproof.workflows.trials import Origin

if TYPE_CHECKING:
    from foldproof.kernels.simulation import Workspace

Floats = npt.NDArray[np.float64]
Classes = npt.NDArray[np.intp]
LEARNERS = ("naive-bayes", "c45")


@dataclass(frozen=True, slots=True)
class Simulated:
    """A test of the simulation: how its partitions are made, how many of their runs it takes, and which test it is."""

    scheme: str
    runs: int
    test: str


#: The tests of Table 5, in its order, by the names of their procedures.
TESTS: Mapping[str, Simulated] = {
    "5x2cv": Simulated("halves", 5, "five-by-two-cv-t"),
    "corrected-resampling-10": Simulated("tenths", 10, "corrected-resampled-t"),
    "corrected-resampling-100": Simulated("tenths", 100, "corrected-resampled-t"),
    "10-fold-cv": Simulated("folds", 1, "paired-t"),
    "corrected-10x10-cv": Simulated("folds", 10, "corrected-repeated-kfold-t"),
}

#: How a training set is divided, and how often; tests share partitions, as a run's address does not name the scheme.
DIVIDED: Mapping[str, tuple[Scheme, int]] = {
    "halves": (FiveByTwo(), 5),
    "tenths": (RandomSubsampling(), 100),
    "folds": (KFold(10), 10),
}
FOLDS: Mapping[str, int] = {"halves": 2, "tenths": 1, "folds": 10}
#: Trees of one repetition.
TREES = sum(runs * FOLDS[name] for name, (_, runs) in DIVIDED.items())


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What came out on some training sets: by test, verdicts (sets x repetitions); accuracies of both learners."""

    verdicts: Mapping[str, npt.NDArray[np.int8]]
    accuracies: Floats


@dataclass(frozen=True, eq=False)
class Sets:
    """The training sets of a simulation, by number."""

    origin: Origin
    network: BayesianNetwork
    instances: int
    repetitions: int
    alpha: float
    seed: int
    variant: str
    test_instances: int | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def dataset(self, number: int) -> Dataset:
        """Return one training set: that of the trial of this number in a calibration."""
        return self.origin.dataset(
            "sampled", self.instances, Address(self.seed, f"calibrate {self.origin.fingerprint}", number)
        )

    def make(self, first: int, count: int, stop: threading.Event) -> Found:
        """Return what comes out on ``count`` training sets from ``first`` on (fewer if told to stop)."""
        ways = self.ways()
        tables: dict[str, list[Floats]] = {name: [] for name in DIVIDED}
        accuracies = []
        for number in range(first, first + count):
            if stop.is_set():
                break
            data = self.dataset(number)
            differences, classes = ways(data)
            accuracies.append([float(self._cells[told, np.arange(len(told))].sum()) for told in classes])
            for name, found in differences.items():
                tables[name].append(found)
        stacked = {name: np.stack(found) for name, found in tables.items() if found}
        verdicts = {name: self._verdicts(simulated, stacked) for name, simulated in TESTS.items()} if stacked else {}
        return Found(verdicts, np.array(accuracies))

    def ways(self) -> Callable[[Dataset], tuple[dict[str, Floats], Classes]]:
        """Return the function that divides a training set and learns from it, the quick one where it serves."""
        if self.network.n_attributes <= MOST_ATTRIBUTES and self.instances <= MOST_INSTANCES:
            return Together(self)
        return self.one_by_one

    def one_by_one(self, data: Dataset) -> tuple[dict[str, Floats], Classes]:
        """Return differences of accuracy (repetitions x runs x folds), and what both learners answer to each code."""
        found = {}
        for name, (scheme, runs) in DIVIDED.items():
            parts = [
                partition(scheme, data, seed=self.seed, runs=runs, repetition=repetition)
                for repetition in range(self.repetitions)
            ]
            together = Partitions(np.concatenate([part.test_fold for part in parts]), scheme=scheme.name)
            a, b = (accuracy_of(data, together, learner) for learner in (NaiveBayes(), C45()))
            found[name] = (a - b).reshape(self.repetitions, runs, -1)
        codes = np.arange(2**self.network.n_attributes)
        every = ((codes[:, np.newaxis] >> np.arange(self.network.n_attributes)) & 1).astype(np.float64)
        fitted = [
            learner.with_declared(data.attributes, data.classes).fit(data.codes, data.y)
            for learner in (NaiveBayes(), C45())
        ]
        return found, np.stack([learner.predict(every).astype(np.intp) for learner in fitted])

    def _verdicts(self, simulated: Simulated, tables: Mapping[str, Floats]) -> npt.NDArray[np.int8]:
        method = significance.METHODS[simulated.test]
        n_test = float(part_of(0.1, self.instances)) if simulated.scheme == "tenths" else self.instances / 10
        told = significance.batch(
            simulated.test,
            tables[simulated.scheme][:, :, : simulated.runs],
            n_train=self.instances - n_test,  # the 5x2 cv test does not look at sizes
            n_test=n_test,
            variant="as-run" if self.variant == "as-run" and method.as_run is not None else "as-printed",
        )
        return np.where(told["pvalue"] <= self.alpha, np.sign(told["statistic"]), 0).astype(np.int8)

    @cached_property
    def _cells(self) -> Floats:
        """The chance of each class and code, or the shares of a test set."""
        if self.test_instances is None:
            return self.network.joint()
        X, y = self.network.sample(
            self.test_instances, Address(self.seed, f"simulate {self.origin.fingerprint}").stream("test")
        )
        codes = (X.astype(np.int64) << np.arange(self.network.n_attributes)).sum(axis=1)
        counts = np.bincount(y * 2**self.network.n_attributes + codes, minlength=2 ** (self.network.n_attributes + 1))
        return counts.reshape(2, -1) / self.test_instances


class Together:
    """All partitions of a training set at once; its room is used again for the next one, so each thread has its own."""

    def __init__(self, sets: Sets) -> None:
        self._sets = sets
        self._work: Workspace | None = None

    def __call__(self, data: Dataset) -> tuple[dict[str, Floats], Classes]:
        """Return what ``Sets.one_by_one`` does."""
        from foldproof.kernels.c45_memo import forget
        from foldproof.kernels.simulation import Right, divide_and_learn

        sets, n = self._sets, self._sets.instances
        assert data.codes is not None
        cube, place = cube_of(data.codes, data.target_codes.astype(np.int64))
        if self._work is None:
            self._work = workspace(cube, n, C45()._options(), TREES * sets.repetitions)
        forget(self._work.memo)
        shapes = {name: (2, sets.repetitions, runs, FOLDS[name]) for name, (_, runs) in DIVIDED.items()}
        right = Right(
            tenths=np.zeros(shapes["tenths"], dtype=np.int32),
            folds=np.zeros(shapes["folds"], dtype=np.int32),
            halves=np.zeros(shapes["halves"], dtype=np.int32),
            classes=np.zeros((2, 2**sets.network.n_attributes), dtype=np.int32),
        )
        keys = stream_keys(sets.seed, data.fingerprint, sets.repetitions, DIVIDED["tenths"][1], "partition")
        if not divide_and_learn(cube, place, keys, part_of(0.1, n), self._work, right):
            return sets.one_by_one(data)
        found = {}
        for name, counts in (("halves", right.halves), ("tenths", right.tenths), ("folds", right.folds)):
            size = np.bincount(np.arange(n) % FOLDS[name]) if name != "tenths" else part_of(0.1, n)
            shares = counts / size
            found[name] = shares[0] - shares[1]
        return found, right.classes.astype(np.intp)


def accuracy_of(data: Dataset, partitions: Partitions, learner: object) -> Floats:
    """Return the accuracies of a learner, runs x folds."""
    right = cross_predict(learner, data, partitions) == data.target_codes
    folds = np.arange(partitions.folds)
    tested = partitions.test_fold[:, :, np.newaxis] == folds
    return np.asarray((tested & right[:, :, np.newaxis]).sum(axis=1) / tested.sum(axis=1))
