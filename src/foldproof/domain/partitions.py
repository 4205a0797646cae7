"""Partitions: how a dataset was divided, as one small integer matrix; and the explicit type for all else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from foldproof.domain.canonical import Canonical
from foldproof.domain.errors import InputError

Indices = npt.NDArray[np.intp]
Ints = npt.NDArray[np.signedinteger[Any]]
Matrix = npt.NDArray[np.int32]


def narrowest(most: int) -> np.dtype[np.signedinteger[Any]]:
    """Return the smallest type for whole numbers from -1 to this one.

    >>> narrowest(9), narrowest(128)
    (dtype('int8'), dtype('int16'))
    """
    return np.min_scalar_type(-max(int(most), 0) - 1)


@runtime_checkable
class Splits(Protocol):
    """What both types of partitions answer: who is tested when, and on what the rest trains."""

    @property
    def runs(self) -> int: ...  # noqa: D102
    @property
    def folds(self) -> int: ...  # noqa: D102
    @property
    def n_instances(self) -> int: ...  # noqa: D102
    @property
    def scheme(self) -> str: ...  # noqa: D102
    @property
    def fingerprint(self) -> str: ...  # noqa: D102
    @property
    def complementary(self) -> bool: ...  # noqa: D102
    @property
    def n_train(self) -> float: ...  # noqa: D102
    @property
    def n_test(self) -> float: ...  # noqa: D102
    def train_test(self, run: int, fold: int) -> tuple[Indices, Indices]: ...  # noqa: D102
    def split(self, X: Any = None, y: Any = None, groups: Any = None) -> Iterator[tuple[Indices, Indices]]: ...  # noqa: D102
    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int: ...  # noqa: D102


class _CvVerbs:
    """The scikit-learn ``cv`` protocol, on top of ``train_test``: splits in order of runs, then folds."""

    __slots__ = ()

    def split(self: Any, X: Any = None, y: Any = None, groups: Any = None) -> Iterator[tuple[Indices, Indices]]:
        """Yield (training, test) positions of every fold of every run."""
        if X is not None and hasattr(X, "shape") and X.shape[0] != self.n_instances:
            raise InputError(
                f"these partitions divide {self.n_instances} instances and X has {X.shape[0]}: "
                "make partitions for this dataset"
            )
        for run in range(self.runs):
            for fold in range(self.folds):
                yield self.train_test(run, fold)

    def get_n_splits(self: Any, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits."""
        return int(self.runs * self.folds)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Partitions(_CvVerbs):
    """``test_fold[run, instance]``: the fold in which the instance is tested in that run, or -1 for never.

    A fold trains on the rest: every instance that it does not test. k-fold, r x k-fold, 5x2, hold-out,
    leave-one-out and random subsampling are all this matrix. It is a scikit-learn ``cv`` object.

    ``order[run]``, where given, lists the instances in the order in which learners are handed them: some learners
    decide ties by it. Otherwise a fold's instances come in the dataset's order.

    Both are kept in the smallest integers that hold them (``int8`` up to 127 folds), since plans may have many runs;
    :meth:`matrices` gives the wide ones that learners take.

    >>> p = Partitions(np.array([[0, 1, 0, 1]]), scheme="k-fold")
    >>> p.runs, p.folds, p.n_train, p.n_test
    (1, 2, 2.0, 2.0)
    >>> [(train.tolist(), test.tolist()) for train, test in p.split()]
    [([1, 3], [0, 2]), ([0, 2], [1, 3])]
    """

    test_fold: Ints
    scheme: str = "custom"
    order: Ints | None = None
    #: How many test sets each run has.
    folds: int = field(init=False)
    fingerprint: str = field(init=False)

    def __post_init__(self) -> None:
        matrix = np.asarray(self.test_fold)
        if matrix.ndim != 2 or matrix.size == 0:
            raise InputError(f"partitions are a matrix of runs by instances; got an array of shape {matrix.shape}")
        if matrix.min() < -1:
            raise InputError(f"a test fold is -1 (never tested) or counts from 0; got {matrix.min()}")
        folds = int(matrix.max()) + 1
        if folds == 0:
            raise InputError("run 0 tests nothing: give at least one instance a fold of 0 or more")
        matrix = matrix.astype(narrowest(folds - 1), order="C")
        for run, row in enumerate(matrix):
            tested = np.bincount(row[row >= 0], minlength=folds)
            if (tested == 0).any():
                empty = int(np.flatnonzero(tested == 0)[0])
                raise InputError(f"run {run} never tests fold {empty}: every run needs the folds 0..{folds - 1}")
            if (tested == matrix.shape[1]).any():
                raise InputError(f"run {run} leaves nothing to train on: use at least two folds")
        matrix.flags.writeable = False
        object.__setattr__(self, "test_fold", matrix)
        object.__setattr__(self, "folds", folds)
        canonical = Canonical("partitions").indices(matrix)
        if self.order is not None:
            order = np.asarray(self.order)
            every = np.arange(matrix.shape[1])
            if order.shape != matrix.shape or not all(np.array_equal(np.sort(row), every) for row in order):
                raise InputError("the order of each run must list every instance once: give one permutation per run")
            order = order.astype(narrowest(matrix.shape[1]), order="C")
            order.flags.writeable = False
            object.__setattr__(self, "order", order)
            canonical.indices(order)
        object.__setattr__(self, "fingerprint", canonical.hexdigest())

    def __repr__(self) -> str:
        return f"Partitions({self.scheme}: {self.runs} x {self.folds} on {self.n_instances}, {self.fingerprint[:12]})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Partitions) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    @property
    def runs(self) -> int:
        """How many times the dataset was divided."""
        return int(self.test_fold.shape[0])

    @property
    def n_instances(self) -> int:
        """How many instances are divided."""
        return int(self.test_fold.shape[1])

    @property
    def complementary(self) -> bool:
        """Whether each training set is the rest: here always, and what the corrected tests are derived for."""
        return True

    @property
    def covering(self) -> bool:
        """Whether every run tests every instance once."""
        return bool((self.test_fold >= 0).all())

    @property
    def n_test(self) -> float:
        """Mean size of a test set."""
        return float(np.count_nonzero(self.test_fold >= 0)) / (self.runs * self.folds)

    @property
    def n_train(self) -> float:
        """Mean size of a training set."""
        splits = self.runs * self.folds
        return float(self.n_instances * splits - np.count_nonzero(self.test_fold >= 0)) / splits

    def matrices(self, runs: Sequence[int] | slice = slice(None)) -> tuple[Matrix, Matrix | None]:
        """Return ``test_fold`` and ``order`` of some runs, as wide as learners and kernels take them."""
        order = None if self.order is None else self.order[runs].astype(np.int32)
        return self.test_fold[runs].astype(np.int32), order

    def train_test(self, run: int, fold: int) -> tuple[Indices, Indices]:
        """Return the positions on which one fold trains, and those that it tests, in the run's order or ascending."""
        tested = self.test_fold[run] == fold
        if self.order is None:
            return np.flatnonzero(~tested), np.flatnonzero(tested)
        order = self.order[run].astype(np.intp)
        return order[~tested[order]], order[tested[order]]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ExplicitPartitions(_CvVerbs):
    """Splits whose training set is not the rest (time series, bootstrap, partial sizes): both sets are listed.

    ``splits[run][fold]`` is (training positions, test positions). The corrected tests' derivation does not
    cover such splits, and they say so.
    """

    splits: tuple[tuple[tuple[Indices, Indices], ...], ...]
    n_instances: int
    scheme: str = "explicit"

    def __post_init__(self) -> None:
        runs = tuple(
            tuple((np.asarray(tr, dtype=np.intp), np.asarray(te, dtype=np.intp)) for tr, te in run)
            for run in self.splits
        )
        if not runs or not runs[0] or len({len(run) for run in runs}) != 1:
            raise InputError("explicit partitions need at least one split, and as many folds in every run")
        for r, run in enumerate(runs):
            for f, (train, test) in enumerate(run):
                if len(train) == 0 or len(test) == 0:
                    raise InputError(f"run {r}, fold {f} has an empty training or test set")
                both = np.concatenate([train, test])
                if both.min() < 0 or both.max() >= self.n_instances:
                    raise InputError(f"run {r}, fold {f} names an instance outside 0..{self.n_instances - 1}")
                if np.intersect1d(train, test).size:
                    raise InputError(f"run {r}, fold {f} trains on instances that it tests")
        object.__setattr__(self, "splits", runs)

    def __repr__(self) -> str:
        return f"ExplicitPartitions({self.scheme}: {self.runs} x {self.folds} on {self.n_instances})"

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return len(self.splits)

    @property
    def folds(self) -> int:
        """How many test sets each run has."""
        return len(self.splits[0])

    @property
    def complementary(self) -> bool:
        """Never: that is what the other type is for."""
        return False

    @property
    def n_test(self) -> float:
        """Mean size of a test set."""
        return float(np.mean([len(test) for run in self.splits for _, test in run]))

    @property
    def n_train(self) -> float:
        """Mean size of a training set."""
        return float(np.mean([len(train) for run in self.splits for train, _ in run]))

    @property
    def fingerprint(self) -> str:
        """Hash of all index arrays."""
        canonical = Canonical("explicit-partitions").integer(self.n_instances).integer(self.runs)
        for run in self.splits:
            for train, test in run:
                canonical.indices(train).indices(test)
        return canonical.hexdigest()

    def train_test(self, run: int, fold: int) -> tuple[Indices, Indices]:
        """Return the positions on which one fold trains, and those that it tests, in the order given."""
        return self.splits[run][fold]


def stack_runs(rows: Sequence[Matrix], scheme: str) -> Partitions:
    """Return the partitions whose runs are the given rows."""
    return Partitions(np.stack(rows), scheme=scheme)
