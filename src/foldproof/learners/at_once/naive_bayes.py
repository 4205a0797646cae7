"""Our naive Bayes: a training set's counts are those of all data, less what the fold holds back."""

from __future__ import annotations

from functools import cached_property
from threading import local
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from foldproof.domain.dataset import Dataset
from foldproof.learners._naive_bayes import NUMERIC, VARIANTS, NaiveBayes
from foldproof.learners.at_once._own import declares_nothing
from foldproof.learners.at_once._plain import matrix_of, n_folds
from foldproof.learners.at_once._settle import settle
from foldproof.learners.recognised import AT_ONCE, AtOnce, Codes, Order, TestFold

if TYPE_CHECKING:
    from foldproof.kernels.bayes_numbers import Numbers
    from foldproof.kernels.bayes_steps import Alike, Steps
    from foldproof.kernels.bayes_tables import Packed, Tables

# Attributes are looked up together as long as their values have no more combinations than this.
COMBINATIONS = 32
# Up to so many values of an attribute that a fold holds all of, precisions are kept.
GONE = 512
# Instances times numeric attributes, up to which it is known which instances share values.
ROOM = 20_000_000


@AT_ONCE.register("foldproof.learners._naive_bayes.NaiveBayes")
def naive_bayes(estimator: NaiveBayes, dataset: Dataset) -> AtOnce | None:
    """Recognise it on unweighted data without declarations of its own, where numbers, if any, have normal densities."""
    if not declares_nothing(estimator, dataset) or not dataset.attributes or not len(dataset):
        return None
    if estimator.numeric not in NUMERIC or estimator.variant not in VARIANTS:
        return None
    if all(attribute.nominal for attribute in dataset.attributes):
        method = _Nominal(estimator, dataset)
        return AtOnce("naive-bayes", method.predict)
    codes = dataset.codes
    if estimator.numeric != "normal" or codes is None or np.nanmax(np.abs(codes), initial=0.0) > 1e100:
        return None
    return AtOnce("naive-bayes", (mixed := _Mixed(estimator, dataset)).predict, mixed.ordered)


class _Nominal:
    def __init__(self, estimator: NaiveBayes, dataset: Dataset) -> None:
        self._estimator, self._dataset = estimator, dataset
        self._tables, self._logs = _tables(dataset, list(range(len(dataset.attributes))))
        self._packed = _packed(self._tables)

    def predict(self, test_fold: TestFold) -> Codes:
        from foldproof.kernels.bayes_tables import nominal_folds

        test_fold = matrix_of(test_fold)
        found = np.full(test_fold.shape, np.nan)
        doubtful = np.zeros((len(test_fold), n_folds(test_fold)), dtype=np.bool_)
        nominal_folds(self._tables, self._packed, self._logs, test_fold, found, doubtful)
        # Counts are the same in any order.
        return settle(self._estimator, self._dataset, test_fold, None, found, doubtful)


class _Mixed:
    def __init__(self, estimator: NaiveBayes, dataset: Dataset) -> None:
        self._estimator, self._dataset = estimator, dataset
        nominal = [j for j, attribute in enumerate(dataset.attributes) if attribute.nominal]
        numeric = [j for j, attribute in enumerate(dataset.attributes) if not attribute.nominal]
        self._tables, self._logs = _tables(dataset, nominal)
        self._numbers = _numbers(dataset, numeric)
        self._slot = np.empty(len(dataset.attributes), np.int64)
        self._most_values = int(np.diff(self._numbers.first).max(initial=1))
        self._mine = local()  # precisions that come up are added, by each thread to its own
        self._slot[nominal], self._slot[numeric] = np.arange(len(nominal)), -1 - np.arange(len(numeric))

    def predict(self, test_fold: TestFold) -> Codes:
        return self._answers(test_fold, None)

    def ordered(self, test_fold: TestFold, order: Order) -> Codes:
        return self._answers(test_fold, order)

    @cached_property
    def _alike(self) -> Alike | None:
        return _alike(self._numbers)

    @property
    def _steps(self) -> Steps:
        from foldproof.kernels.bayes_steps import steps_room

        if not hasattr(self._mine, "steps"):
            room, k = max(4096, 128 * len(self._numbers.x)), len(self._tables.classes)
            self._mine.steps = steps_room(self._numbers, k, room, min(self._most_values, GONE) + 1)
        steps: Steps = self._mine.steps
        return steps

    def _answers(self, test_fold: TestFold, order: Order | None) -> Codes:
        from foldproof.kernels.bayes_numbers import number_folds
        from foldproof.kernels.bayes_quick import quick_folds
        from foldproof.kernels.folds import most_tested

        test_fold = matrix_of(test_fold)
        found = np.full(test_fold.shape, np.nan)
        doubtful = np.zeros((len(test_fold), n_folds(test_fold)), dtype=np.bool_)
        left = np.ones_like(doubtful)
        most = most_tested(test_fold)
        # Large folds hold all of so many values that hardly two have the same precision.
        if most * self._most_values <= 0.8 * GONE * test_fold.shape[1] and self._alike is not None:
            quick_folds(self._tables, self._numbers, self._alike, self._steps, self._logs, test_fold, most, found, left)
        if left.any():
            number_folds(self._tables, self._numbers, self._slot, self._logs, test_fold, left, found, doubtful)
        return settle(self._estimator, self._dataset, test_fold, order, found, doubtful)


def _alike(numbers: Numbers) -> Alike | None:
    """Return which instances share values; None where some are missing, or sums of multiples were not exact."""
    from foldproof.kernels.bayes_steps import Alike

    q, n = numbers.x.shape
    most = np.diff(numbers.first).max(initial=1)
    if (numbers.value < 0).any() or n * float(most) ** 2 > 2.0**50 or n * q > ROOM or q > 500:
        return None
    alone = numbers.often == 1
    who = np.empty(len(numbers.distinct), np.int32)
    rows = np.broadcast_to(np.arange(n, dtype=np.int32), (q, n))
    who[numbers.value.ravel()] = rows.ravel()
    shared = np.flatnonzero(~alone)
    group = np.full(len(alone), -1, np.int64)
    group[shared] = np.arange(len(shared))
    who[shared] = n + np.arange(len(shared))
    of_group = group[numbers.value.ravel()]
    member = np.argsort(of_group, kind="stable")[np.count_nonzero(of_group < 0) :]
    start = np.concatenate(([0], np.cumsum(numbers.often[shared]))).astype(np.int64)
    attribute = np.searchsorted(numbers.first, shared, side="right") - 1
    return Alike(
        who, np.ascontiguousarray(alone[numbers.value].T.astype(np.int32)), (member % n).astype(np.int32), start,
        attribute.astype(np.int64), np.array([bool((row == np.rint(row)).all()) for row in numbers.x]),
    )  # fmt: skip


def _tables(dataset: Dataset, columns: list[int]) -> tuple[Tables, npt.NDArray[np.float64]]:
    """Return the nominal attributes' counts, and logarithms of whole numbers."""
    from foldproof.kernels.bayes_tables import Tables

    assert dataset.codes is not None
    assert dataset.classes is not None
    sizes = np.array([len(dataset.attributes[j].categories or ()) for j in columns], dtype=np.int64)
    first = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    n, k, rows = len(dataset), len(dataset.classes), int(first[-1])
    codes = dataset.codes[:, columns]
    missing = np.isnan(codes)
    place = np.where(missing, rows, np.where(missing, 0.0, codes) + first[:-1]).astype(np.int32)
    y = dataset.target_codes.astype(np.int64)
    counts = np.bincount((place * np.int64(k) + y[:, None]).ravel(), minlength=(rows + 1) * k)
    logs = np.log(np.maximum(np.arange(n + int(sizes.max(initial=0)) + k + 2.0), 1.0))
    return Tables(
        np.ascontiguousarray(place), first, counts.reshape(rows + 1, k).astype(np.int64),
        np.bincount(y, minlength=k).astype(np.int64), y,
    ), logs  # fmt: skip


def _packed(tables: Tables) -> Packed:
    """Return the instances as the kernel counts and looks them up."""
    from foldproof.kernels.bayes_tables import Packed

    first, rows = tables.first, int(tables.first[-1])
    missing = tables.place == rows
    wide = (rows + 7) // 8 * 8 + 8  # the last word is for missing values, and is let go
    has = np.zeros(len(tables.y) * wide, np.uint8)
    has[np.where(missing, wide - 1, tables.place) + wide * np.arange(len(tables.y))[:, np.newaxis]] = 1
    word = np.ascontiguousarray(has.view("<i8").reshape(len(tables.y), -1)[:, :-1].T, np.int64)
    size = np.diff(first) + missing.any(axis=0)
    value = np.ascontiguousarray(np.where(missing, size - 1, tables.place - first[:-1]).T)
    member, begin, codes, above, plus = [0], [0], [], [-1], [-1]
    for j, values in enumerate(size.tolist()):
        if j > member[-1] and (len(above) - begin[-1]) * values > COMBINATIONS:
            member.append(j)
            begin.append(len(above))
            above.append(-1)
            plus.append(-1)
        here, entries = begin[-1], len(above) - begin[-1]
        if j == member[-1]:
            codes.append(value[j])
        else:
            codes[-1] = codes[-1] + entries * value[j]
        for v in range(1, values):
            row = first[j] + v if first[j] + v < first[j + 1] else rows + j
            above += range(here, here + entries)
            plus += [int(row)] * entries
    return Packed(
        np.ascontiguousarray(word), np.array(codes, np.int32), np.array([*member, len(size)], np.int64),
        np.array([*begin, len(above)], np.int64), np.array(above, np.int32), np.array(plus, np.int32),
    )  # fmt: skip


def _numbers(dataset: Dataset, columns: list[int]) -> Numbers:
    """Return the numeric attributes, all sorted at once."""
    from foldproof.kernels.bayes_numbers import Numbers

    assert dataset.codes is not None
    x = np.ascontiguousarray(dataset.codes[:, columns].T)
    order = np.argsort(x, axis=1)
    ordered = np.take_along_axis(x, order, axis=1)
    known = ~np.isnan(ordered)
    # Where a value comes up that the attribute has not had, and how far it is from the one before.
    new, gaps = known.copy(), np.zeros_like(x)
    new[:, 1:] &= ordered[:, 1:] != ordered[:, :-1]
    gaps[:, 1:] = np.where(new[:, 1:], ordered[:, 1:] - ordered[:, :-1], 0.0)
    place = np.where(known, new.cumsum().reshape(x.shape) - 1, -1).astype(np.int32)
    value = np.empty_like(place)
    np.put_along_axis(value, order, place, axis=1)
    values = np.count_nonzero(new, axis=1)
    # Gap by gap, as ``precision`` sums them; those of 0 change nothing.
    steps = np.where(values > 1, gaps.cumsum(axis=1)[:, -1] / np.maximum(values - 1, 1), 0.01)
    numbers = np.nan_to_num(x)
    y = dataset.target_codes.astype(np.int64)
    k = len(dataset.classes or ())
    by_class = np.argsort(y, kind="stable")
    of_class = np.array([np.bincount(y[row >= 0], minlength=k) for row in value], dtype=np.float64)
    return Numbers(
        x, value, ordered[new], np.concatenate(([0], np.cumsum(values))).astype(np.int64),
        np.bincount(place[known], minlength=int(values.sum())).astype(np.int64), np.rint(numbers / steps[:, None]),
        steps, np.abs(numbers).max(axis=1, initial=0.0), np.ascontiguousarray(numbers[:, by_class]),
        np.searchsorted(y[by_class], np.arange(k + 1)), of_class,
    )  # fmt: skip
