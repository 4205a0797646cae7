"""Training sets of a simulation: drawn, divided, learnt from, and tested."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from foldproof import significance
from foldproof.data.bayesnet import BayesianNetwork
from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset
from foldproof.domain.partitions import Partitions
from foldproof.learners import C45, NaiveBayes, cross_predict
from foldproof.partitions import FiveByTwo, KFold, RandomSubsampling, Scheme, partition
from foldproof.partitions.resampling import part_of
from foldproof.workflows.trials import Origin

Floats = npt.NDArray[np.float64]
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
        shares: dict[str, list[Floats]] = {name: [] for name in DIVIDED}
        accuracies = []
        for number in range(first, first + count):
            if stop.is_set():
                break
            data = self.dataset(number)
            accuracies.append(self._accuracies(data))
            for name, found in self.differences(data).items():
                shares[name].append(found)
        tables = {name: np.stack(found) for name, found in shares.items() if found}
        return Found(
            {name: self._verdicts(simulated, tables) for name, simulated in TESTS.items()} if tables else {},
            np.array(accuracies),
        )

    def differences(self, data: Dataset) -> dict[str, Floats]:
        """Return the differences of accuracy for each way to divide, repetitions x runs x folds."""
        found = {}
        for name, (scheme, runs) in DIVIDED.items():
            parts = [
                partition(scheme, data, seed=self.seed, runs=runs, repetition=repetition)
                for repetition in range(self.repetitions)
            ]
            together = Partitions(np.concatenate([part.test_fold for part in parts]), scheme=scheme.name)
            a, b = (accuracy_of(data, together, learner) for learner in (NaiveBayes(), C45()))
            found[name] = (a - b).reshape(self.repetitions, runs, -1)
        return found

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

    def _accuracies(self, data: Dataset) -> list[float]:
        """Return the accuracies of both learners, trained on a whole training set."""
        codes = np.arange(2**self.network.n_attributes)
        every = ((codes[:, np.newaxis] >> np.arange(self.network.n_attributes)) & 1).astype(np.float64)
        told = []
        for learner in (NaiveBayes(), C45()):
            fitted = learner.with_declared(data.attributes, data.classes).fit(data.codes, data.y)
            predicted = fitted.predict(every).astype(np.intp)
            told.append(float(self._cells[predicted, codes].sum()))
        return told


def accuracy_of(data: Dataset, partitions: Partitions, learner: object) -> Floats:
    """Return the accuracies of a learner, runs x folds."""
    right = cross_predict(learner, data, partitions) == data.target_codes
    folds = np.arange(partitions.folds)
    tested = partitions.test_fold[:, :, np.newaxis] == folds
    return np.asarray((tested & right[:, :, np.newaxis]).sum(axis=1) / tested.sum(axis=1))
