"""Naive Bayes with normal densities, the quick method: its parts, and that it says nothing the slower one does not."""

import math

import numpy as np
import pytest

from foldproof.kernels.bayes_cells import LOG_ROOT_2PI, narrow
from foldproof.kernels.bayes_numbers import number_folds
from foldproof.kernels.bayes_quick import DEEP, decide, quick_folds, rank_classes
from foldproof.kernels.bayes_series import FAR, add_series, at_far, part_room
from foldproof.kernels.bayes_steps import gone, steps_of_folds
from foldproof.kernels.folds import by_fold
from foldproof.learners import NaiveBayes
from foldproof.learners._likelihoods import precision
from foldproof.learners.at_once.naive_bayes import _Mixed
from learners.partitioned import declared_dataset
from naive.bayes_folds import mass


def table(seed, n=90, m=5, classes=3, places=2):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = np.clip(np.round(rng.normal(size=(n, m)) + 0.4 * y[:, None], places), -1.5, 2)
    X[:, 0] = np.round(4 * X[:, 0])
    return rng, declared_dataset(X, y, [0] * m, classes)


def divided(rng, n, runs=3, folds=5):
    return np.stack([rng.permutation(np.arange(n) % folds) for _ in range(runs)]).astype(np.int32)


@pytest.mark.parametrize("h", [0.003, 0.05, 0.249, 0.251, 0.4, 0.8, 0.999, 1.5, 6.0])
def test_series_are_logarithms_of_the_mass(h):
    z = np.linspace(-FAR, FAR, 21)
    part = part_room(1, 1, 2, len(z))
    part.mean[:], part.h[:], part.loose[:] = 0.0, [[[0.7, h]]], 1e-12
    part.head[:], part.peak[:], part.margin[:] = 0.0, 0.0, 0.0
    part.multiple[0, 0, : len(z)] = z / h
    add_series(np.array([0, 10, 21]), part)
    left_out = math.log(0.7) - LOG_ROOT_2PI
    told = part.head[0, 1] + part.log[0, 1, : len(z)] + left_out
    expected = [math.log(mass(-abs(v), h)) for v in z]
    np.testing.assert_allclose(told, expected, rtol=0, atol=3e-6)
    assert part.peak[0] + left_out >= max(expected) - 1e-6
    np.testing.assert_allclose(part.over[0, 1, : len(z)], z**2 if h <= 1 else 0.0, atol=1e-9)
    if h <= 1:
        assert at_far(h) + math.log(h) - LOG_ROOT_2PI == pytest.approx(told[0], abs=1e-9)


@pytest.mark.parametrize("h", [0.02, 0.1, 0.15, 0.2, 0.25])
def test_how_far_the_series_of_narrow_cells_is_off(h):
    """A cell's mass over h φ(z) is the mean of exp(-z t - t²/2) in it, here by Gauss's quadrature."""
    nodes, weights = np.polynomial.legendre.leggauss(24)
    t = 0.5 * h * nodes
    for z in np.linspace(0.0, FAR, 11):
        expected = math.log((weights * np.exp(-z * t - 0.5 * t * t)).sum() / 2.0) - 0.5 * z * z
        told = sum(b * z ** (2 * power) for power, b in enumerate(narrow(h * h)))
        assert abs(told - expected) <= 0.08 * h**8 + 1e-14


def test_logarithms_of_products():
    """Six attributes alike, each of whose cells is wide."""
    part = part_room(1, 6, 1, 3)
    part.mean[:], part.h[:], part.loose[:] = 0.0, 0.9, 1e-12
    part.head[:], part.peak[:], part.margin[:] = 0.0, 0.0, 0.0
    part.multiple[0, :, :3] = [0.0, 2.0, 5.0]
    add_series(np.array([0, 3]), part)
    one = [math.log(mass(-0.9 * v, 0.9)) - math.log(0.9) + LOG_ROOT_2PI for v in (0.0, 2.0, 5.0)]
    np.testing.assert_allclose(part.log[0, 0, :3], 6 * np.array(one), rtol=0, atol=1e-5)


def test_precisions_and_sums_of_every_fold():
    """Values with few digits often lie half between two multiples, where gaps are summed one by one."""
    exact = 0
    for seed in range(6):
        rng, dataset = table(seed, places=(1, 2, 3)[seed % 3])
        made = _Mixed(NaiveBayes(), dataset)
        numbers, alike, steps = made._numbers, made._alike, made._steps
        y, k, folds = dataset.target_codes.astype(int), 3, 5
        own = divided(rng, len(dataset), 1, folds)[0]
        order, start = by_fold((own * k + y).astype(np.int32), folds * k)
        lost, use = np.empty((folds, 5), np.int32), np.empty((folds, 5), np.int32)
        holder, sure = np.empty(len(own) + len(alike.attribute), np.int32), np.empty(folds, np.bool_)
        gone(alike, own, order, start, k, lost, holder)
        steps_of_folds(numbers, alike, steps, holder, lost, use, sure)
        for fold, a in np.ndindex(folds, 5):
            train = own != fold
            assert lost[fold, a] == len(set(dataset.codes[:, a])) - len(set(dataset.codes[train, a]))
            if sure[fold]:
                at, d = use[fold, a], precision(dataset.codes[train, a])
                assert steps.size[at] == pytest.approx(d, rel=1e-13)
                exact += steps.size[at] == d
                multiples = np.rint(dataset.codes[:, a] / d) - steps.centre[at]
                for c in range(k):
                    assert steps.total[at, c] == multiples[y == c].sum()
                    assert steps.squares[at, c] == (multiples[y == c] ** 2).sum()
    assert exact > 60


@pytest.mark.parametrize("seed", range(12))
def test_it_says_what_the_slower_method_says(seed):
    rng, dataset = table(100 + seed, n=(40, 90)[seed % 2], m=(1, 5, 24)[seed % 3], places=seed % 4)
    made = _Mixed(NaiveBayes(), dataset)
    test_fold = divided(rng, len(dataset))
    shape = (len(test_fold), 5)
    left, doubtful = np.ones(shape, np.bool_), np.zeros(shape, np.bool_)
    quick, slower = np.full(test_fold.shape, np.nan), np.full(test_fold.shape, np.nan)
    quick_folds(made._tables, made._numbers, made._alike, made._steps, made._logs, test_fold, 60, quick, left)
    number_folds(
        made._tables, made._numbers, made._slot, made._logs, test_fold, np.ones_like(left), slower, doubtful
    )  # fmt: skip
    both = ~np.isnan(quick) & ~np.isnan(slower)
    assert both.mean() > 0.5
    np.testing.assert_array_equal(quick[both], slower[both])


def test_who_is_ahead():
    """The third class is far off in its attribute, so that it has less than its sum says."""
    part = part_room(1, 1, 3, 2)
    part.mean[:], part.h[:], part.loose[:] = 0.0, 0.01, 1e-12
    part.head[:], part.peak[:], part.margin[:] = 0.0, 0.0, 1e-6
    part.off[:], part.multiple[:] = 0.0, 900.0
    part.log[0, :, 0], part.over[0, :, 0] = [-1.0, -4.0, -0.5], [1.0, 1.0, 81.0]
    part.log[0, :, 1], part.over[0, :, 1] = [-1.0, -1.0 - 1e-9, -9.0], [1.0, 1.0, 1.0]
    start, order = np.array([0, 1, 1, 2]), np.array([1, 0])
    rank_classes(start, part)
    assert np.isnan(part.first[0, 0])  # the greatest sum is more than there is
    assert (part.first[0, 1], part.second[0, 1], part.who[0, 1]) == (-1.0, -1.0 - 1e-9, 0)
    found, left = np.full(2, np.nan), np.ones(1, np.bool_)
    decide(order, start, 3, part, found, left)
    assert left[0]
    assert found[1] == 0
    assert np.isnan(found[0])
    part.log[0, 1, 1] = -1.1
    rank_classes(start, part)
    decide(order, start, 3, part, found, left)
    assert not left[0]
    assert found.tolist() == [0, 0]
    part.peak[:] = DEEP  # as if another class's product were so much greater on the way
    left[:] = True
    decide(order, start, 3, part, found, left)
    assert left[0]
