"""Where predictions are kept until somebody asks for them: in few bytes here, or in the store."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from foldproof.domain.dataset import Dataset
from foldproof.store.base import Store, open_store
from foldproof.store.errors import StoreError
from foldproof.store.records import CellKey, Floats

# Stands for no prediction among codes, which are -1 at least.
_MISSING = -2


class Narrow:
    """A table of runs by instances: codes in as few bytes as they need, numbers as they are."""

    def __init__(self, dataset: Dataset, runs: int) -> None:
        self._codes = dataset.task == "classification"
        dtype: npt.DTypeLike = np.float64
        if self._codes:
            dtype = np.int8 if len(dataset.classes or ()) < 127 else np.int32
        self._table = np.empty((runs, len(dataset)), dtype=dtype)
        self._known = np.zeros(runs, dtype=np.bool_)

    def put(self, run: int, predictions: Floats) -> None:
        """Keep the predictions of a run."""
        self._table[run] = np.where(np.isnan(predictions), _MISSING, predictions) if self._codes else predictions
        self._known[run] = True

    @property
    def complete(self) -> bool:
        """Whether every run has its predictions."""
        return bool(self._known.all())

    def read(self) -> Floats:
        """Return them as numbers, NaN where there is none."""
        found = self._table.astype(np.float64)
        if self._codes:
            found[found == _MISSING] = np.nan
        return found


class Stored:
    """Predictions that are left in the store until they are asked for."""

    def __init__(self, store: Store, series: str, keys: Sequence[CellKey]) -> None:
        self._store, self._series, self._keys = store, series, keys

    def read(self) -> Floats:
        """Return them; a store that was closed is opened for it."""
        try:
            found = self._store.predictions(self._series)
        except StoreError:
            with open_store(self._store.url) as again:
                found = again.predictions(self._series)
        return np.stack([found[key] for key in self._keys])
