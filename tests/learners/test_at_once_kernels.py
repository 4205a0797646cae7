"""Kernels for all folds: each against its slow twin."""

import numpy as np
import pytest

from foldproof.kernels.bernoulli import bernoulli_folds, counts_below
from foldproof.kernels.folds import by_fold, in_order, most_tested
from foldproof.kernels.gaussian import gaussian_folds
from foldproof.kernels.neighbours import away, near_lists, neighbour_folds
from naive import bernoulli as slow_bernoulli
from naive import folds as slow_folds
from naive import gaussian as slow_gaussian
from naive import neighbours as slow_neighbours


def divided(rng, n, runs=3, folds=4):
    """Return partitions in which some instances are never tested."""
    matrix = rng.integers(-1, folds, (runs, n)).astype(np.int32)
    matrix[:, :folds] = np.arange(folds)
    return matrix


def table(seed, n=40, m=3, classes=3):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = rng.normal(size=(n, m)) * rng.choice([1.0, 100.0], m) + y[:, None] * rng.normal(size=m)
    return rng, X, y


def as_found(told):
    return np.array([np.nan if v is None else v for v in told], dtype=float)


def test_instances_by_fold():
    matrix = divided(np.random.default_rng(1), 30)
    for row in matrix:
        order, start = by_fold(row, 4)
        assert (order.tolist(), start.tolist()) == slow_folds.by_fold(row.tolist(), 4)
        handed = np.random.default_rng(2).permutation(30).astype(np.int32)
        order, start = in_order(row, handed, 4)
        assert (order.tolist(), start.tolist()) == slow_folds.in_order(row.tolist(), handed.tolist(), 4)
    assert most_tested(matrix) == slow_folds.most_tested(matrix.tolist())


@pytest.mark.parametrize("standardised", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_gaussian_naive_bayes(seed, standardised):
    rng, X, y = table(seed)
    matrix = divided(rng, len(X))
    found, doubtful = np.full(matrix.shape, np.nan), np.zeros((len(matrix), 4), bool)
    middle = X.mean(axis=0)
    centres = np.stack([X[y == c].mean(axis=0) for c in range(3)]) - middle
    gaussian_folds(X - middle, y, centres, np.abs(X).max(axis=0), matrix, 1e-9, standardised, found, doubtful)
    assert not doubtful.any()
    for row, told in zip(matrix, found, strict=True):
        slow = slow_gaussian.predictions(X.tolist(), y.tolist(), row.tolist(), 1e-9, standardised)
        np.testing.assert_array_equal(told, as_found(slow))


def test_gaussian_naive_bayes_says_where_rounding_decides():
    X = np.array([[-1.0], [-3.0], [1.0], [3.0], [0.0], [0.0]])  # the last two are as near to one class as to the other
    y = np.array([0, 0, 1, 1, 0, 1])
    matrix = np.array([[0, 0, 0, 0, 1, 1]], np.int32)
    found, doubtful = np.full(matrix.shape, np.nan), np.zeros((1, 2), bool)
    centres = np.array([[-2.0], [2.0]])
    gaussian_folds(X, y, centres, np.array([3.0]), matrix, 1e-9, False, found, doubtful)
    assert doubtful[0, 1]


@pytest.mark.parametrize("power", [0.0, 1.0, 2.0, 3.0])
def test_lists(power):
    _, X, _ = table(5)
    X[7] = X[3]  # equally far from everybody
    who, distance = np.empty((40, 6), np.int32), np.empty((40, 6))
    near_lists(np.ascontiguousarray(X.T), 0, 40, power, who, distance)
    slow = slow_neighbours.near_lists(X.tolist(), power, 6)
    assert who.tolist() == [[j for _, j in row] for row in slow]
    assert distance == pytest.approx(np.array([[d for d, _ in row] for row in slow]))
    assert away(-3.0, power) == 3.0 ** max(power, 1.0)


@pytest.mark.parametrize("standardised", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("mean", [False, True])
@pytest.mark.parametrize("power", [0.0, 1.0, 2.0, 3.0])
def test_neighbours(power, mean, weighted, standardised):
    rng, X, y = table(int(power) + 10)
    X /= np.abs(X).max(axis=0)  # so that lengths and a product lose no digits that matter
    if standardised:
        X = (X - X.mean(axis=0)) / X.std(axis=0)
    target = rng.normal(size=len(X)) + 5.0
    matrix = divided(rng, len(X))
    for k, length in ((1, 12), (4, 12), (4, 5)):  # short lists run out
        who, distance = np.empty((40, length), np.int32), np.empty((40, length))
        near_lists(np.ascontiguousarray(X.T), 0, 40, power, who, distance)
        found, doubtful = np.full(matrix.shape, np.nan), np.zeros((len(matrix), 4), bool)
        neighbour_folds(
            X, y, target, who, distance, False, matrix, k, power, power == 2.0, weighted, 0 if mean else 3,
            standardised, np.abs(X).max(axis=0), found, doubtful,
        )  # fmt: skip
        assert not doubtful.any()
        for row, told in zip(matrix, found, strict=True):
            labels = target.tolist() if mean else y.tolist()
            slow = slow_neighbours.predictions(
                X.tolist(), labels, row.tolist(), k, power, weighted=weighted, mean=mean, standardised=standardised
            )
            np.testing.assert_allclose(told, as_found(slow), rtol=1e-12)


def test_neighbours_say_where_equally_far_ones_decide():
    X, y = np.array([[0.0], [1.0], [-1.0], [9.0]]), np.array([0, 0, 1, 1])
    matrix = np.array([[0, 1, 1, 1]], np.int32)
    who, distance = np.empty((4, 3), np.int32), np.empty((4, 3))
    near_lists(np.ascontiguousarray(X.T), 0, 4, 2.0, who, distance)
    for labels, doubt in ((y, True), (np.array([0, 1, 1, 0]), False)):
        found, doubtful = np.full(matrix.shape, np.nan), np.zeros((1, 2), bool)
        neighbour_folds(
            X, labels, labels.astype(float), who, distance, True, matrix, 1, 2.0, True, False, 2, False, np.ones(1),
            found, doubtful,
        )  # fmt: skip
        assert doubtful[0, 0] == doubt


@pytest.mark.parametrize("learns_prior", [False, True])
@pytest.mark.parametrize("by_mean", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_bernoulli_naive_bayes(seed, by_mean, learns_prior):
    rng, X, y = table(seed)
    matrix = divided(rng, len(X))
    ascending, before = counts_below(np.ascontiguousarray(X.T), y, 3)
    assert ascending.tolist() == np.sort(X.T).tolist()
    assert before[:, -1].tolist() == [np.bincount(y, minlength=3).tolist()] * X.shape[1]
    found, doubtful = np.full(matrix.shape, np.nan), np.zeros((len(matrix), 4), bool)
    bernoulli_folds(X, y, ascending, before, 0.3, by_mean, 0.5, learns_prior, matrix, found, doubtful)
    for run, row in enumerate(matrix):
        slow = as_found(
            slow_bernoulli.predictions(
                X.tolist(),
                y.tolist(),
                row.tolist(),
                threshold=0.3,
                by_mean=by_mean,
                alpha=0.5,
                learns_prior=learns_prior,
            )
        )
        sure = ~np.isnan(slow) & ~np.isnan(found[run])
        assert sure.sum() > 0.8 * (row >= 0).sum()
        np.testing.assert_array_equal(found[run, sure], slow[sure])
        for i in np.flatnonzero((row >= 0) & np.isnan(found[run])):
            assert doubtful[run, row[i]]


def test_bernoulli_says_where_a_value_is_the_mean():
    X, y = np.array([[1.0], [1.0], [1.0], [1.0]]), np.array([0, 1, 0, 1])
    ascending, before = counts_below(np.ascontiguousarray(X.T), y, 2)
    found, doubtful = np.full((1, 4), np.nan), np.zeros((1, 2), bool)
    bernoulli_folds(X, y, ascending, before, 0.0, True, 1.0, True, np.array([[0, 1, 1, 1]], np.int32), found, doubtful)
    assert doubtful.all()
