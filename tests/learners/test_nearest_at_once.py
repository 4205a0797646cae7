"""Nearest neighbour for all partitions at once: the predictions are those of fitting fold by fold, and of the twin."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from foldproof.domain.partitions import Partitions
from foldproof.kernels.nearest_lists import alone, insert, mixed_lists, nominal_lists
from foldproof.learners import NearestNeighbour, cross_predict
from foldproof.learners.at_once import nearest_neighbour as method
from foldproof.learners.recognised import at_once
from learners.partitioned import declared_dataset, divided, mixed_dataset
from naive import nearest_folds as naive
from naive.mixtures import Mixture

OPTIONS = [
    dict(zip(("k", "ties", "ranges"), options, strict=True))
    for options in product((1, 3), ("first", "vote"), ("single", "cumulative"))
]


def both_ways(learner, dataset, test_fold, order=None):
    partitions = Partitions(test_fold, order=order)
    found = cross_predict(learner, dataset, partitions)
    np.testing.assert_array_equal(found, cross_predict(learner, dataset, partitions, fast=False))
    return found


@pytest.mark.parametrize("seed", range(64))
def test_it_is_fold_by_fold_and_its_slow_twin(seed):
    data = Mixture(6000 + seed, n=(None, 30, 60)[seed % 3])
    dataset = mixed_dataset(data)
    n = len(dataset)
    rng = np.random.default_rng(seed)
    options = OPTIONS[seed % 8]
    for test_fold in divided(rng, n):
        order = np.stack([rng.permutation(n) for _ in test_fold]) if seed // 8 % 2 else None
        found = both_ways(NearestNeighbour(**options), dataset, test_fold, order)
        if seed % 4 == 0 and n <= 30:
            slow = naive.predictions(
                data.rows, data.labels, data.values, test_fold.tolist(), None if order is None else order.tolist(),
                n_classes=data.n_classes, k=options["k"], all_tied=options["ties"] == "vote",
                slack=1e-6 if options["ties"] == "first" else 0.0, cumulative=options["ranges"] == "cumulative",
            )  # fmt: skip
            np.testing.assert_array_equal(found, np.array(slow, dtype=float))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_lists_that_are_short_run_out_and_all_are_looked_at(options, monkeypatch):
    rng = np.random.default_rng(3)
    n = 90
    X = np.column_stack([rng.standard_cauchy(n), rng.integers(0, 3, n), rng.normal(size=n), rng.integers(0, 2, n)])
    X[rng.random((n, 4)) < 0.1] = np.nan
    dataset = declared_dataset(X, rng.integers(0, 3, n), [0, 3, 0, 2], 3)
    monkeypatch.setattr(method, "ENDS", 1)
    monkeypatch.setattr(method._Method, "_near", lambda made, wanted: lists_of(made, 3))
    for test_fold in divided(rng, n):
        both_ways(NearestNeighbour(**options), dataset, test_fold)


def lists_of(made, length):
    from foldproof.kernels.nearest_first import firsts_of
    from foldproof.kernels.nearest_narrow import Lists

    n = len(made._y)
    who, distance = np.empty((n, length), np.int32), np.empty((n, length))
    made._fill(who, distance)
    lists = Lists(who, distance, False)
    return lists, firsts_of(lists, made._y, made._space.raw.shape[1])


def test_ranges_too_narrow_to_count():
    """Without the last instance the first column is narrower than Weka's slack of 1e-6."""
    X = np.array([[0.0, 0.0], [4e-7, 0.3], [8e-7, 0.1], [5e-7, 0.2], [2e-6, 1.0]])
    dataset = declared_dataset(X, [0, 1, 2, 1, 0], [0, 0], 3)
    for options in OPTIONS:
        for fold in (np.array([[0, 1, 2, 3, 4]]), np.array([[-1, -1, 0, 0, 0]]), np.array([[0, -1, -1, -1, 0]])):
            both_ways(NearestNeighbour(**options), dataset, fold.astype(np.int32))


def test_a_column_that_only_the_test_fold_knows():
    X = np.array([[1.0, np.nan], [2.0, np.nan], [1.5, 3.0], [1.6, 9.0], [1.2, 5.0]])
    dataset = declared_dataset(X, [0, 1, 0, 1, 1], [0, 0], 2)
    for options in OPTIONS:
        both_ways(NearestNeighbour(**options), dataset, np.array([[-1, -1, 0, 0, 0]], dtype=np.int32))


def test_first_of_equals_is_first_in_the_order_of_the_run():
    dataset = declared_dataset(np.array([[0.0], [1.0], [1.0], [1.0]]), [0, 1, 2, 0], [2], 3)
    test_fold = np.array([[-1, -1, -1, 0]] * 2, dtype=np.int32)
    found = both_ways(NearestNeighbour(), dataset, test_fold, np.array([[0, 1, 2, 3], [3, 2, 1, 0]]))
    assert found[:, 3].tolist() == [1.0, 2.0]


def test_more_neighbours_than_instances_are_all_of_them():
    dataset = declared_dataset(np.arange(6.0)[:, None], [0, 1, 1, 0, 0, 1], [0], 2)
    for ties in ("first", "vote"):
        both_ways(NearestNeighbour(k=50, ties=ties), dataset, np.array([[0, 1, 0, 1, 2, 2]], dtype=np.int32))


# ---- the lists -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("slack", [0.0, 1e-6])
def test_lists(seed, slack):
    data = Mixture(seed, n=40)
    made = method._space(mixed_dataset(data), slack)
    who, distance = np.empty((40, 7), np.int32), np.empty((40, 7))
    mixed_lists(np.ascontiguousarray(made.shares.T), made.kind, 0, 25, who, distance)
    mixed_lists(np.ascontiguousarray(made.shares.T), made.kind, 25, 40, who, distance)
    slow = naive.lists(data.rows, data.values, 7, slack)
    assert who.tolist() == [[j for _, j in row] for row in slow]
    assert distance.tolist() == [[d for d, _ in row] for row in slow]


@pytest.mark.parametrize("misled", [False, True])
def test_lists_that_a_sample_foretells(misled):
    """The sample looks at every n/64-th; where just these are near each other it foretells too little."""
    n = 320
    X = np.random.default_rng(1).normal(size=(n, 5)) * 10.0
    if misled:
        X[:: n // 64] *= 1e-3
    made = method._space(declared_dataset(X, np.zeros(n, int), [0] * 5, 1), 0.0)
    who, distance = np.empty((n, 90), np.int32), np.empty((n, 90))
    mixed_lists(np.ascontiguousarray(made.shares.T), made.kind, 0, n, who, distance)
    for i in range(0, n, 15):
        slow = [sum((a - b) ** 2 for a, b in zip(made.shares[i], row, strict=True)) for row in made.shares.tolist()]
        order = [j for j in sorted(range(n), key=lambda j: (slow[j], j)) if j != i][:90]
        assert who[i].tolist() == order
        assert distance[i] == pytest.approx(np.array(slow)[order], rel=1e-12)


@pytest.mark.parametrize("m", [1, 5, 300])
def test_lists_of_categories_are_counted(m):
    rng = np.random.default_rng(m)
    codes = rng.choice([0, 1, 2, 254, 255], (30, m)).astype(np.uint8)
    who, distance = np.empty((30, 9), np.int32), np.empty((30, 9))
    nominal_lists(np.ascontiguousarray(codes.T), 0, 30, who, distance)
    rows = [[None if v == 255 else int(v) for v in row] for row in codes]
    slow = naive.lists(rows, [255] * m, 9, 0.0)
    assert who.tolist() == [[j for _, j in row] for row in slow]
    assert distance.tolist() == [[d for d, _ in row] for row in slow]


def test_inserting_keeps_the_earlier_of_equals_first():
    distance, who = np.empty(3), np.empty(3, np.int32)
    filled = 0
    for i, d in enumerate([2.0, 1.0, 1.0, 0.5]):
        filled = insert(distance, who, filled, d, i)
    assert (filled, who.tolist(), distance.tolist()) == (3, [3, 1, 2], [0.5, 1.0, 1.0])
    assert (alone(0.25), alone(0.5), alone(0.9)) == (0.5625, 0.25, 0.81)


# ---- what is not recognised ------------------------------------------------------------------------------------------


class Own(NearestNeighbour):
    pass


@pytest.mark.parametrize(
    "learner",
    [
        Own(),
        NearestNeighbour(0),
        NearestNeighbour(True),
        NearestNeighbour(ties="last"),
        NearestNeighbour(ranges="all"),
        NearestNeighbour(classes=[1, 0]),
        NearestNeighbour(categorical_features=[0]),
    ],
    ids=repr,
)
def test_what_it_is_not_exact_for_is_fitted_fold_by_fold(learner):
    assert at_once(learner, declared_dataset(np.arange(6.0)[:, None], [0, 1, 0, 1, 1, 0], [0], 2)) is None


def test_data_that_it_is_not_exact_for():
    data = declared_dataset(np.arange(6.0)[:, None], [0, 1, 0, 1, 1, 0], [0], 2)
    assert at_once(NearestNeighbour(), replace(data, sample_weight=np.ones(6))) is None
    assert at_once(NearestNeighbour(), replace(data, task="regression", classes=None)) is None
    wide = np.array([[-1.7e308], [1.7e308], [0.0], [1.0], [2.0], [3.0]])
    assert at_once(NearestNeighbour(), declared_dataset(wide, [0, 1, 0, 1, 1, 0], [0], 2)) is None
