"""Differences: what a paired test takes, with the design that made them."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from foldproof.domain.errors import InputError


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Differences:
    """Differences of two learners' scores on the same folds; positive where a is better.

    Parameters
    ----------
    values
        Runs x folds; a flat list is accepted where the run structure does not matter (n resamplings).
    n_train, n_test
        Mean sizes of training and test sets. For k-fold they may be left out: the ratio is 1/(k - 1).
    scale
        The largest absolute score behind the differences: what "equal up to rounding" is measured by.
    complementary
        Whether every training set was the rest of the data.
    independent
        Whether no two differences share training data, as where data are plentiful.

    >>> Differences([[0.02, 0.01], [0.03, 0.00]], n_train=90, n_test=10).ratio
    0.1111111111111111
    """

    values: npt.NDArray[np.float64]
    _: KW_ONLY
    n_train: float | None = None
    n_test: float | None = None
    scale: float = 1.0
    complementary: bool = True
    independent: bool = False

    def __post_init__(self) -> None:
        try:
            values = np.array(self.values, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise InputError(f"differences are numbers, runs x folds, as many folds in every run: {error}") from None
        if values.ndim not in (1, 2) or values.size == 0:
            raise InputError(f"differences are a list or a matrix of runs x folds; got shape {values.shape}")
        if not np.isfinite(values).all():
            where = tuple(int(i) for i in np.argwhere(~np.isfinite(values))[0])
            raise InputError(
                f"the difference at {where} is {values[where]}: scores must be finite; repair or remove both "
                "learners' scores of that fold"
            )
        for name in ("n_train", "n_test", "scale"):
            size = getattr(self, name)
            if size is not None and not (np.isfinite(size) and size > 0):
                raise InputError(f"{name} is {size!r}: give a positive number")
        if (self.n_train is None) != (self.n_test is None):
            raise InputError("give both n_train and n_test, or neither")
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    @classmethod
    def of_scores(cls, a: npt.ArrayLike, b: npt.ArrayLike, **design: Any) -> Differences:
        """Return the differences a - b of two score tables, with their scale."""
        first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
        if first.shape != second.shape:
            raise InputError(
                f"unpaired scores: one table is {first.shape}, the other {second.shape}; both learners need "
                "a score for every fold of every run"
            )
        largest = max(float(np.abs(first).max(initial=0.0)), float(np.abs(second).max(initial=0.0)))
        return cls(first - second, scale=largest or 1.0, **design)

    def __repr__(self) -> str:
        return f"Differences({' x '.join(map(str, self.values.shape))}, n_train={self.n_train}, n_test={self.n_test})"

    def __len__(self) -> int:
        return int(self.values.size)

    @property
    def runs(self) -> int | None:
        """How many runs, or None where the structure is not known."""
        return int(self.values.shape[0]) if self.values.ndim == 2 else None

    @property
    def folds(self) -> int | None:
        """How many folds in a run, or None where the structure is not known."""
        return int(self.values.shape[1]) if self.values.ndim == 2 else None

    @property
    def ratio(self) -> float:
        """n_test / n_train, or 1/(k - 1) for k-fold cross-validation whose sizes were not given."""
        if self.n_train is not None and self.n_test is not None:
            return self.n_test / self.n_train
        if self.folds is None or self.folds < 2:
            raise InputError("this test needs the sizes of the training and test sets: give n_train and n_test")
        return 1.0 / (self.folds - 1)
