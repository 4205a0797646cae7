"""What every scheme is given and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError
from foldproof.domain.partitions import Ints, Partitions, narrowest
from foldproof.domain.registry import Registry

TestFold = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Design:
    """What a scheme may look at: the number of instances, their class and their group (0, 1, …), if any."""

    n: int
    strata: npt.NDArray[np.intp] | None = None
    groups: npt.NDArray[np.intp] | None = None

    @property
    def units(self) -> int:
        """How many things can be dealt out one by one: groups where they bind, else instances."""
        return self.n if self.groups is None else int(self.groups.max()) + 1

    @classmethod
    def of(cls, dataset: Dataset) -> Design:
        """Return the design of a dataset; a regression has no strata."""
        strata = dataset.target_codes.astype(np.intp) if dataset.task == "classification" else None
        return cls(len(dataset), strata, dataset.groups)


class Scheme(Protocol):
    """A way of dividing. ``assign`` is a pure function of the design and the address of one run."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def default_runs(self) -> int: ...  # noqa: D102
    def assign(self, design: Design, address: Address) -> TestFold: ...  # noqa: D102


@runtime_checkable
class OrderedScheme(Scheme, Protocol):
    """A scheme that also says in which order a run hands the instances to a learner."""

    def order(self, design: Design, address: Address) -> npt.NDArray[np.int64]: ...  # noqa: D102


SCHEMES: Registry[Any] = Registry("scheme", "foldproof.partitions")


def partition(
    scheme: Scheme, dataset: Dataset, *, seed: int = 0, runs: int | None = None, repetition: int = 0
) -> Partitions:
    """Return the partitions of a dataset: each run a function of (seed, fingerprint, repetition, run) alone.

    >>> import foldproof as fp, numpy as np
    >>> from foldproof.partitions import KFold
    >>> data = fp.dataset(np.arange(8.0).reshape(4, 2), [0, 1, 0, 1])
    >>> partition(KFold(folds=2), data, runs=3).test_fold.shape
    (3, 4)
    """
    count = scheme.default_runs if runs is None else runs
    if count < 1:
        raise InputError(f"runs is {count}: at least one is needed")
    design = Design.of(dataset)
    addresses = (Address(seed, dataset.fingerprint, repetition, run) for run in range(count))
    # Filled run by run, in integers no wider than they need be: many runs are then in memory once, and small.
    rows: Ints = np.empty((count, design.n), dtype=narrowest(0))
    order: Ints | None = None
    if isinstance(scheme, OrderedScheme):
        order = np.empty(rows.shape, dtype=narrowest(design.n))
    for run, address in enumerate(addresses):
        test_fold = scheme.assign(design, address)
        rows = rows.astype(np.promote_types(rows.dtype, narrowest(int(test_fold.max()))), copy=False)
        rows[run] = test_fold
        if order is not None and isinstance(scheme, OrderedScheme):
            order[run] = scheme.order(design, address)
    return Partitions(rows, scheme=scheme.name, order=order)
