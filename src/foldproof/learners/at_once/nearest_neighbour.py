"""Our nearest neighbour: one list per instance serves all folds; ranges that grow are met by lower bounds."""

from __future__ import annotations

import math
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from foldproof.domain.dataset import Dataset
from foldproof.learners._nearest_neighbour import NearestNeighbour
from foldproof.learners.at_once._own import declares_nothing
from foldproof.learners.at_once._plain import matrix_of
from foldproof.learners.recognised import AT_ONCE, AtOnce, Codes, Order, TestFold

if TYPE_CHECKING:
    from foldproof.kernels.nearest_first import Firsts
    from foldproof.kernels.nearest_narrow import Lists
    from foldproof.kernels.nearest_ranges import Space

# How many instances at either end of an attribute are known by name.
ENDS = 16
# Lists of all instances together hold at most so many neighbours, of 12 bytes each.
ROOM = 40_000_000


@AT_ONCE.register("foldproof.learners._nearest_neighbour.NearestNeighbour")
def nearest_neighbour(estimator: NearestNeighbour, dataset: Dataset) -> AtOnce | None:
    """Recognise it with any options on unweighted data, as long as it declares nothing beside the dataset."""
    if not declares_nothing(estimator, dataset) or len(dataset) < 2:
        return None
    k = estimator.k
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1:
        return None
    if estimator.ties not in ("first", "vote") or estimator.ranges not in ("single", "cumulative"):
        return None
    assert dataset.codes is not None
    with np.errstate(over="ignore"):
        if np.isinf(np.fmax.reduce(dataset.codes, axis=0) - np.fmin.reduce(dataset.codes, axis=0)).any():
            return None
    method = _Method(estimator, dataset)
    return AtOnce("nearest-neighbour", method.predict, method.ordered)


class _Method:
    def __init__(self, estimator: NearestNeighbour, dataset: Dataset) -> None:
        from foldproof.kernels.nearest_narrow import Vote

        assert dataset.codes is not None
        assert dataset.classes is not None
        first = estimator.ties == "first"
        self._vote = Vote(int(estimator.k), not first, estimator.ranges == "cumulative")
        self._space = _space(dataset, 1e-6 if first else 0.0)
        self._y = dataset.target_codes.astype(np.int64)
        self._n_classes = len(dataset.classes)
        self._bytes = _as_bytes(dataset)
        self._lock = Lock()
        self._lists: tuple[Lists, Firsts] | None = None

    def predict(self, test_fold: TestFold) -> Codes:
        return self._answers(test_fold, np.empty((0, 0), np.int32))

    def ordered(self, test_fold: TestFold, order: Order) -> Codes:
        return self._answers(test_fold, matrix_of(order))

    def _answers(self, test_fold: TestFold, order: Order) -> Codes:
        from foldproof.kernels.folds import most_tested
        from foldproof.kernels.nearest_folds import nearest_folds

        test_fold = matrix_of(test_fold)
        found = np.full(test_fold.shape, np.nan)
        share = most_tested(test_fold) / len(self._y)
        k = min(self._vote.k, len(self._y))
        wanted = 32.0 + (k + 4.0 * math.sqrt(k * share)) / max(1.0 - share, 1.0 / len(self._y))
        begin, size = 0, 1
        while begin < len(test_fold):
            lists, firsts = self._near(wanted)
            part = slice(begin, begin + size)
            ran_out = nearest_folds(
                self._space, lists, firsts, self._y, self._n_classes, test_fold[part], order[part], self._vote,
                found[part],
            )  # fmt: skip
            # Bounds are as good as the data let them be; where they often are not, longer lists are cheaper.
            if ran_out > 0.02 * test_fold[part].size:
                wanted = 4.0 * lists.who.shape[1]
            begin, size = begin + size, 2 * size
        return found

    def _near(self, wanted: float) -> tuple[Lists, Firsts]:
        """Return lists of at least some length, as far as there is room, and what their heads tell."""
        from foldproof.kernels.nearest_first import firsts_of
        from foldproof.kernels.nearest_narrow import Lists

        n = len(self._y)
        length = min(math.ceil(min(wanted, n)), n - 1, max(ROOM // n, 32))
        with self._lock:
            if self._lists is None or self._lists[0].who.shape[1] < length:
                who, distance = np.empty((n, length), np.int32), np.empty((n, length))
                self._fill(who, distance)
                lists = Lists(who, distance, length == n - 1)
                self._lists = lists, firsts_of(lists, self._y, self._space.raw.shape[1])
            return self._lists

    def _fill(self, who: npt.NDArray[np.int32], distance: npt.NDArray[np.float64]) -> None:
        from foldproof.kernels.nearest_lists import mixed_lists, nominal_lists

        if self._bytes is not None:
            nominal_lists(self._bytes, 0, len(who), who, distance)
            return
        columns = np.ascontiguousarray(self._space.shares.T)
        mixed_lists(columns, self._space.kind, 0, len(who), who, distance)


def _space(dataset: Dataset, slack: float) -> Space:
    from foldproof.kernels.nearest_lists import NOMINAL, NUMERIC, NUMERIC_WITH_MISSING
    from foldproof.kernels.nearest_ranges import Space

    assert dataset.codes is not None
    raw = np.array(dataset.codes, dtype=np.float64, order="C")
    n, m = raw.shape
    missing = np.isnan(raw)
    kind = np.where(missing.any(axis=0), NUMERIC_WITH_MISSING, NUMERIC).astype(np.int8)
    kind[[attribute.nominal for attribute in dataset.attributes]] = NOMINAL
    low, high = np.full(m, np.inf), np.full(m, -np.inf)
    ends = min(ENDS, n)
    lowest, highest = np.full((m, ends), -1, np.int32), np.full((m, ends), -1, np.int32)
    shares = raw.copy()
    for j in np.flatnonzero(kind != NOMINAL):
        known = np.flatnonzero(~missing[:, j])
        if not len(known):
            continue
        column = raw[known, j]
        order = known[np.argsort(column, kind="stable")]
        lowest[j, : len(order)], highest[j, : len(order)] = order[:ends], order[::-1][:ends]
        low[j], high[j] = column.min(), column.max()
        width = high[j] - low[j]
        # As the kernel scales: no width, no share.
        shares[known, j] = (column - low[j]) / width if width > 0.0 and not width < slack else 0.0
    return Space(raw, shares, kind, low, high, lowest, highest, (n - missing.sum(axis=0)).astype(np.int64), slack)


def _as_bytes(dataset: Dataset) -> npt.NDArray[np.uint8] | None:
    """Return nominal codes as bytes, attribute after attribute, 255 where missing; None where there are others."""
    if any(a.categories is None or len(a.categories) >= 255 for a in dataset.attributes) or len(dataset) == 0:
        return None
    assert dataset.codes is not None
    codes = np.where(np.isnan(dataset.codes), 255.0, dataset.codes)
    return np.ascontiguousarray(codes.T.astype(np.uint8))
