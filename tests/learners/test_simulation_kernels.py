"""What a simulated training set goes through, held against slow twins: words, orders, both learners."""

import numpy as np
import pytest

from foldproof.data.simulated import sampled, simulated_source
from foldproof.domain.address import Address, stream_keys
from foldproof.domain.partitions import Partitions
from foldproof.kernels.bayes_bits import bayes_class, bayes_right, learn_odds
from foldproof.kernels.c45_cube import held_room, hold_out
from foldproof.kernels.simulation import Right, divide_and_learn
from foldproof.kernels.streams import deal_by_class, draw_words, first_of_order, sort_words
from foldproof.kernels.words import multiply_high, popcount
from foldproof.learners import C45, NaiveBayes, cross_predict
from foldproof.learners.binary import cube_of, workspace
from foldproof.partitions import FiveByTwo, KFold, RandomSubsampling, partition
from learners.partitioned import declared_dataset, divided
from naive import bayes_bits as slow_bayes
from naive import simulation as slow_simulation
from naive import streams as slow_streams
from naive import words as slow_words


def test_words():
    words = [0, 1, 2**62, 2**63 - 1, 0x5555555555555555]
    assert [popcount(w) for w in words] == [slow_words.popcount(w) for w in words]
    for a in (0, 1, 2**64 - 1, 0xD2E7470EE14C6C93):
        for b in (1, 3, 2**63, 2**64 - 1):
            assert int(multiply_high(np.uint64(a), np.uint64(b))) == slow_words.multiply_high(a, b)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 40])
def test_streams(n):
    for seed in range(5):
        key = stream_keys(seed, "data", 2, 2, "partition")[1, 1]
        words = np.empty(n, np.uint64)
        draw_words(key[0], key[1], words)
        assert words.tolist() == slow_streams.words(int(key[0]) | int(key[1]) << 64, n)
        assert words.tolist() == Address(seed, "data", 1, 1).stream("partition").words(n).tolist()


@pytest.mark.parametrize("seed", range(8))
def test_orders(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    words = rng.integers(0, 2**64, n, dtype=np.uint64) >> np.uint64(rng.choice([0, 50, 63]))  # some of them equal
    words <<= np.uint64(rng.choice([0, 60]))
    y = rng.integers(0, 2, n)
    starts, order, positions = np.empty(513, np.int32), np.empty(n, np.intp), np.empty(n, np.int32)
    sort_words(words, starts, order)
    slow = slow_streams.order(words.tolist())
    assert order.tolist() == slow
    deal_by_class(order, y, positions)
    assert positions.tolist() == slow_streams.positions(words.tolist(), y.tolist())
    place = rng.permutation(n).astype(np.intp)
    for count in {1, n // 2 or 1, n}:
        chosen = np.empty(count, np.intp)
        first_of_order(words, count, place, starts, order, chosen)
        assert chosen.tolist() == sorted(chosen.tolist())
        assert sorted(place[chosen].tolist()) == sorted(slow[:count])


@pytest.mark.parametrize("seed", range(12))
def test_naive_bayes_of_bits(seed):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, 70)), int(rng.integers(1, 8))
    X = (rng.random((n, m)) < rng.random(m)).astype(float)
    X[n // 2 :] = X[: n - n // 2] if seed % 2 else 1 - X[: n - n // 2]  # ties
    y = np.arange(n) // max(1, n // 2) % 2 if seed % 3 else rng.integers(0, 2, n)
    dataset = declared_dataset(X, y, [2] * m, 2)
    cube, place = cube_of(dataset.codes, y.astype(np.int64))
    logs = np.log(np.maximum(np.arange(n + 3.0), 1.0))
    held, ones, odds = held_room(m, n), np.zeros(m + 1, np.int64), np.zeros((2, 1 << (m + 1) // 2))
    for matrix in divided(rng, n):
        told = cross_predict(NaiveBayes(), dataset, Partitions(matrix), fast=False)
        assert np.array_equal(cross_predict(NaiveBayes(), dataset, Partitions(matrix)), told, equal_nan=True)
        for run, fold in np.argwhere(np.array([[(row == f).any() for f in range(matrix.max() + 1)] for row in matrix])):
            rows = np.flatnonzero(matrix[run][place] == fold)
            learn_odds(cube, held, hold_out(cube, rows, held), logs, ones, odds)
            found = [bayes_class(ones, odds, cube.values[p]) for p in rows]
            assert found == told[run, place[rows]].tolist()
            assert bayes_right(cube, rows, ones, odds) == (np.array(found) == cube.y[rows]).sum()
        if seed < 3:
            slow = slow_bayes.predictions(X.astype(int).tolist(), y.tolist(), [2] * m, matrix.tolist(), n_classes=2)
            assert np.array_equal(told, np.array(slow, dtype=float), equal_nan=True)


def in_one_go(data, seed, repetitions, runs):
    n = len(data)
    cube, place = cube_of(data.codes, data.target_codes.astype(np.int64))
    shapes = ((2, repetitions, runs, 1), (2, repetitions, 2, 10), (2, repetitions, 1, 2))
    classes = np.zeros((2, 2 ** data.codes.shape[1]), np.int32)
    right = Right(*(np.zeros(shape, np.int32) for shape in shapes), classes)
    keys = stream_keys(seed, data.fingerprint, repetitions, runs, "partition")
    assert divide_and_learn(cube, place, keys, n // 10, workspace(cube, n, C45()._options(), 50), right)
    return right


@pytest.mark.parametrize(("source", "n"), [("source1", 60), ("source3", 61), ("null_informative", 40)])
def test_a_training_set_goes_through_all_of_it(source, n):
    data = sampled(simulated_source(source), n, Address(5, "a test").stream("sample"))
    right = in_one_go(data, 9, 2, 3)
    rows, y = data.codes.astype(int).tolist(), data.target_codes.astype(int).tolist()
    for repetition in range(2):
        for scheme, found in (
            (RandomSubsampling(), right.tenths),
            (KFold(10), right.folds),
            (FiveByTwo(), right.halves),
        ):
            runs, folds = found.shape[2:]
            matrix = partition(scheme, data, seed=9, runs=runs, repetition=repetition).test_fold
            assert found[:, repetition].tolist() == slow_simulation.right(rows, y, matrix.tolist(), folds)


def test_it_says_where_there_is_no_room(monkeypatch):
    from foldproof.learners import binary

    monkeypatch.setattr(binary, "FREE", 1)
    monkeypatch.setattr(binary, "FEW", -1)
    data = sampled(simulated_source("source3"), 300, Address(5, "a test").stream("sample"))
    cube, place = cube_of(data.codes, data.target_codes.astype(np.int64))
    right = Right(
        *(np.zeros(s, np.int32) for s in ((2, 1, 2, 1), (2, 1, 1, 10), (2, 1, 1, 2))), np.zeros((2, 512), np.int32)
    )
    keys = stream_keys(0, data.fingerprint, 1, 2, "partition")
    assert not divide_and_learn(cube, place, keys, 30, workspace(cube, 300, C45()._options(), 50), right)
