"""Naive Bayes with normal densities, the quick method: its parts, and that it says nothing the slower one does not."""

import math

import numpy as np
import pytest

from foldproof.kernels.bayes_cells import LOG_ROOT_2PI
from foldproof.kernels.bayes_numbers import number_folds
from foldproof.kernels.bayes_quick import FAR, add_series, ahead, fold_room, quick_folds, rank_classes
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


@pytest.mark.parametrize("h", [0.003, 0.05, 0.149, 0.151, 0.4, 0.8, 0.999, 1.5, 6.0])
def test_series_are_logarithms_of_the_mass(h):
    z = np.linspace(-FAR, FAR, 21)
    room = fold_room(1, 2, len(z))
    room.mean[:], room.h[:], room.loose[:], room.head[:] = 0.0, [[0.7, h]], 1e-12, 0.0
    room.multiple[0, : len(z)] = z / h
    peak = add_series(len(z), room)
    left_out = math.log(0.7) - LOG_ROOT_2PI
    told = room.head[1] + room.log[1, : len(z)] + left_out
    expected = [math.log(mass(-abs(v), h)) for v in z]
    np.testing.assert_allclose(told, expected, rtol=0, atol=3e-6)
    assert peak + left_out >= max(expected) - 1e-6
    np.testing.assert_allclose(room.over[1, : len(z)], z**2 if h <= 1 else 0.0, atol=1e-9)


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
    room = fold_room(1, 3, 2)
    room.mean[:], room.h[:], room.loose[:] = 0.0, 0.01, 1e-12
    room.head[:], room.off[:], room.multiple[:] = 0.0, 0.0, 900.0
    room.log[:, 0], room.over[:, 0] = [-1.0, -4.0, -0.5], [1.0, 1.0, 81.0]
    room.log[:, 1], room.over[:, 1] = [-1.0, -1.0 - 1e-9, -9.0], [1.0, 1.0, 1.0]
    rank_classes(2, room)
    assert room.first[0] == -np.inf  # the greatest sum is more than there is
    assert (room.first[1], room.second[1], room.who[1]) == (-1.0, -1.0 - 1e-9, 0)
    assert ahead(room, 0, 1e-6) == (0, -1.0)
    assert ahead(room, 1, 1e-6)[0] == -1
