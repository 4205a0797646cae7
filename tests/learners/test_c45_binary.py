"""C4.5 of nominal data, from counted conjunctions and from sets: the predictions are those of fitting fold by fold."""

from unittest.mock import patch

import numpy as np
import pytest

from foldproof.kernels.c45_cube import count_conjunctions
from foldproof.learners import C45, binary
from foldproof.learners.at_once import c45
from foldproof.learners.at_once.c45 import Binary, Nominal
from foldproof.learners.recognised import at_once
from learners.partitioned import declared_dataset, divided
from naive import c45_bits, c45_cube, c45_cube_folds

OPTIONS = (
    {},
    {"variant": "current"},
    {"unpruned": True},
    {"unpruned": True, "collapse": False},
    {"subtree_raising": False},
    {"deviations": "table"},
    {"confidence": 0.05},
    {"confidence": 0.5, "min_instances": 1},
    {"min_instances": 4.5},
    {"collapse": False, "min_instances": 3},
)


def made(seed, n=None, m=None):
    """Return binary data: from noise to nearly none, from rare values to even ones, with many alike."""
    rng = np.random.default_rng(seed)
    n, m = n or int(rng.integers(2, 90)), m or int(rng.integers(1, 8))
    X = (rng.random((n, m)) < rng.random(m)).astype(float)
    signal = (X @ rng.normal(size=m) > rng.normal() * 0.3) ^ (X[:, 0] > X[:, -1])
    y = np.where(rng.random(n) < rng.uniform(0.3, 1.0), signal, rng.random(n) < rng.random()).astype(int)
    return declared_dataset(X, y, [2] * m, 2)


def by_sorting(dataset, matrix, **options):
    """Return what the trees of any data predict, which their own tests hold against the slow twin."""
    with patch.object(c45, "is_binary", lambda data: False), patch.object(c45, "is_nominal", lambda data: False):
        return at_once(C45(**options), dataset).predict(matrix)


def same(seed, dataset, options):
    method = at_once(C45(**options), dataset)
    assert isinstance(method.predict.__self__, Binary)
    for matrix in divided(np.random.default_rng(seed), len(dataset)):
        assert np.array_equal(method.predict(matrix), by_sorting(dataset, matrix, **options), equal_nan=True)


@pytest.mark.parametrize("seed", range(40))
def test_it_is_the_tree_of_any_data(seed):
    same(seed, made(seed), OPTIONS[seed % len(OPTIONS)])


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 3000, 250))
def test_it_is_the_tree_of_any_data_thousands_of_times(start):
    for seed in range(start, start + 250):
        same(seed, made(seed), OPTIONS[seed % len(OPTIONS)])


@pytest.mark.parametrize("seed", range(6))
def test_it_is_the_slow_twin(seed):
    dataset = made(100 + seed, n=40)
    matrix = divided(np.random.default_rng(seed), 40)[0]
    slow = c45_cube_folds.predictions(
        dataset.codes.astype(int).tolist(), dataset.y.tolist(), [2] * dataset.codes.shape[1], 2, matrix.tolist()
    )
    assert np.array_equal(at_once(C45(), dataset).predict(matrix), np.array(slow, dtype=float))


@pytest.mark.parametrize("few", [-1, 0, 1, 5])
@pytest.mark.parametrize("room", [(1 << 16, 1 << 13, 1 << 16), (4200, 1 << 13, 1 << 9)])
def test_what_is_remembered_changes_nothing(monkeypatch, few, room):
    monkeypatch.setattr(binary, "FEW", few)
    for name, size in zip(("KEPT", "FREE", "SLOTS"), room, strict=True):
        monkeypatch.setattr(binary, name, size)
    dataset = made(7, n=80, m=7)
    rng = np.random.default_rng(3)
    matrix = np.stack([rng.permutation(np.arange(80) % 8) for _ in range(12)]).astype(np.int32)
    assert np.array_equal(at_once(C45(), dataset).predict(matrix), by_sorting(dataset, matrix))


def test_where_there_is_no_room_folds_are_fitted(monkeypatch):
    monkeypatch.setattr(binary, "FREE", 1)
    monkeypatch.setattr(binary, "FEW", -1)
    dataset = made(7, n=80, m=7)
    matrix = (np.arange(80, dtype=np.int32) % 4)[None, :]
    assert np.array_equal(at_once(C45(), dataset).predict(matrix), by_sorting(dataset, matrix))


def test_more_held_out_than_a_word_holds():
    dataset = made(11, n=300, m=6)
    rng = np.random.default_rng(5)
    matrix = np.stack([rng.permutation(np.arange(300) % k) for k in (2, 2, 3)]).astype(np.int32)
    assert np.array_equal(at_once(C45(), dataset).predict(matrix), by_sorting(dataset, matrix))


@pytest.mark.parametrize("seed", range(5))
def test_conjunctions_are_counted(seed):
    dataset = made(seed)
    m = dataset.codes.shape[1]
    rows = dataset.codes.astype(int)
    values = (rows << np.arange(m)).sum(axis=1)
    found = count_conjunctions(values, dataset.y.astype(np.int64), m)
    slow = c45_cube.count_conjunctions(rows.tolist(), dataset.y.tolist(), m)
    assert [(c & 0xFFFF, c >> 16) for c in found.tolist()] == slow


# ---- nominal data, as sets -------------------------------------------------------------------------------------------


def nominal(seed, n=None):
    """Return nominal data with unused values and classes, from noise to nearly none."""
    rng = np.random.default_rng(seed)
    n, m, classes = n or int(rng.integers(2, 120)), int(rng.integers(1, 7)), int(rng.integers(2, 5))
    sizes = rng.integers(1, 6, m).tolist()
    X = np.column_stack([rng.integers(0, max(1, size - (seed % 3 == 0)), n) for size in sizes]).astype(float)
    signal = (X @ rng.integers(0, 3, m)).astype(int) % classes
    y = np.where(rng.random(n) < rng.uniform(0.3, 1.0), signal, rng.integers(0, classes, n))
    return declared_dataset(X, y, sizes, classes)


def sets_same(seed, dataset, options):
    method = at_once(C45(**options), dataset)
    assert isinstance(method.predict.__self__, Nominal) or binary.is_binary(dataset)
    for matrix in divided(np.random.default_rng(seed), len(dataset)):
        assert np.array_equal(method.predict(matrix), by_sorting(dataset, matrix, **options), equal_nan=True)


@pytest.mark.parametrize("seed", range(40))
def test_sets_make_the_tree_of_any_data(seed):
    sets_same(seed, nominal(seed), OPTIONS[seed % len(OPTIONS)])


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 2000, 250))
def test_sets_make_the_tree_of_any_data_thousands_of_times(start):
    for seed in range(start, start + 250):
        sets_same(seed, nominal(seed), OPTIONS[seed % len(OPTIONS)])


@pytest.mark.parametrize("seed", range(6))
def test_sets_make_the_tree_of_the_slow_twin(seed):
    dataset = nominal(100 + seed, n=40)
    matrix = divided(np.random.default_rng(seed), 40)[0]
    sizes = [len(attribute.categories) for attribute in dataset.attributes]
    slow = c45_bits.predictions(
        dataset.codes.astype(int).tolist(), dataset.y.tolist(), sizes, len(dataset.classes), matrix.tolist()
    )
    assert np.array_equal(at_once(C45(), dataset).predict(matrix), np.array(slow, dtype=float))


def test_wide_binary_data_are_sets():
    sets_same(1, made(1, n=70, m=14), {})


@pytest.mark.parametrize("name", ["monk1-full", "monk2", "monk3-full", "tic-tac-toe"])
def test_published_nominal_data(shared, name):
    from foldproof.data.arff import read_arff
    from foldproof.data.sources import Wanted

    dataset = read_arff(shared("datasets", f"{name}.arff"), Wanted(name))
    rng = np.random.default_rng(6)
    matrix = np.stack([rng.permutation(np.arange(len(dataset)) % k) for k in (10, 2)]).astype(np.int32)
    for options in ({}, {"variant": "current"}):
        method = at_once(C45(**options), dataset)
        assert isinstance(method.predict.__self__, Nominal)
        assert np.array_equal(method.predict(matrix), by_sorting(dataset, matrix, **options))


# ---- what is not binary ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "classes", "hidden"), [([2, 3], 2, False), ([2, 0], 2, False), ([2, 2], 3, False), ([2, 2], 2, True)]
)
def test_other_data_are_not_counted(sizes, classes, hidden):
    X = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]])
    if hidden:
        X[0, 0] = np.nan
    assert not binary.is_binary(declared_dataset(X, np.array([0, 1, 0, 1]), sizes, classes))


def test_wide_data_are_not_counted():
    assert binary.is_binary(made(1, n=20, m=12))
    assert not binary.is_binary(made(1, n=20, m=13))
