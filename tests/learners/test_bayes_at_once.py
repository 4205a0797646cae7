"""Naive Bayes for all partitions at once: the predictions are those of fitting fold by fold, and of the slow twin."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtr

from foldproof.domain.partitions import Partitions
from foldproof.kernels import bayes_cells
from foldproof.kernels.bayes_tables import decided
from foldproof.learners import NaiveBayes, cross_predict
from foldproof.learners._likelihoods import precision
from foldproof.learners.at_once import _settle
from foldproof.learners.at_once import naive_bayes as method
from foldproof.learners.fitting import fitting
from foldproof.learners.recognised import at_once
from learners.partitioned import declared_dataset, divided, mixed_dataset
from naive import bayes_folds as naive
from naive.mixtures import Mixture


def both_ways(learner, dataset, test_fold, order=None):
    assert at_once(learner, dataset) is not None
    partitions = Partitions(test_fold, order=order)
    found = cross_predict(learner, dataset, partitions)
    np.testing.assert_array_equal(found, cross_predict(learner, dataset, partitions, fast=False))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_it_is_fold_by_fold_and_its_slow_twin(seed):
    data = Mixture(7000 + seed, n=(None, 30, 60)[seed % 3])
    dataset = mixed_dataset(data)
    rng = np.random.default_rng(seed)
    for test_fold in divided(rng, len(dataset)):
        order = np.stack([rng.permutation(len(dataset)) for _ in test_fold]) if seed % 2 else None
        found = both_ways(NaiveBayes(), dataset, test_fold, order)
        if seed % 6 == 0:
            slow = naive.predictions(
                data.rows, data.labels, data.values, test_fold.tolist(), None if order is None else order.tolist(),
                n_classes=data.n_classes,
            )  # fmt: skip
            slow = np.array(slow, dtype=float)
            sure = ~np.isnan(slow)
            assert sure.sum() > 0.6 * (test_fold >= 0).sum()
            np.testing.assert_array_equal(found[sure], slow[sure])


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("seed", range(6))
def test_of_categories(seed, classes):
    rng = np.random.default_rng([seed, classes])
    n, sizes = 48, [2, 3, 4, 2, 6]
    X = np.column_stack([rng.integers(0, size, n) for size in sizes]).astype(float)
    X[rng.random(X.shape) < (0.0, 0.2)[seed % 2]] = np.nan
    y = np.where(rng.random(n) < 0.5, np.nan_to_num(X[:, 0]), rng.integers(0, classes, n)).astype(int) % classes
    dataset = declared_dataset(X, y, sizes, classes + 1)  # one class more than occurs
    for test_fold in divided(rng, n):
        found = both_ways(NaiveBayes(), dataset, test_fold)
        rows = [[None if v != v else int(v) for v in row] for row in X]
        slow = naive.predictions(rows, y.tolist(), sizes, test_fold.tolist(), n_classes=classes + 1)
        np.testing.assert_array_equal(found, np.array(slow, dtype=float))


def test_equal_products_and_products_that_differ_in_the_last_bit():
    """All combinations of two mirrored classes: every product of one is a product of the other in another order."""
    codes = np.array([[i >> j & 1 for j in range(5)] for i in range(32)], dtype=float)
    X = np.vstack([codes, 1.0 - codes])
    dataset = declared_dataset(X, [0] * 32 + [1] * 32, [2] * 5, 2)
    rng = np.random.default_rng(5)
    for test_fold in divided(rng, 64):
        both_ways(NaiveBayes(), dataset, test_fold)
    three = declared_dataset(np.vstack([X, codes]), [0] * 32 + [1] * 32 + [2] * 32, [2] * 5, 3)
    for test_fold in divided(rng, 96):
        both_ways(NaiveBayes(), three, test_fold)


def hostile(kind, rng, n=40):
    y = rng.integers(0, 3, n)
    if kind == "far":
        return rng.normal(size=(n, 3)) + 1e8, y
    if kind == "separate":  # in the upper tail nothing is left of a difference but rounding, then the floor
        return rng.normal(size=(n, 3)) * 0.05 + y[:, None] * [0.4, 3.0, 90.0], y
    if kind == "constant":
        return np.column_stack([np.full(n, 7.0), y + 0.0, rng.integers(0, 2, n)]), y
    if kind == "wide":
        return rng.standard_cauchy((n, 60)) + y[:, None], y
    if kind == "tiny":
        return rng.normal(size=(n, 2)) * 1e-13, y
    if kind == "halves":
        return np.column_stack([rng.integers(0, 9, n) / 2.0, rng.choice([0.0, 1.0, 91.5], n)]), y
    X = rng.normal(size=(n, 2))
    X[rng.random((n, 2)) < 0.9] = np.nan
    return X, y


@pytest.mark.parametrize("kind", ["far", "separate", "constant", "wide", "tiny", "halves", "unknown"])
@pytest.mark.parametrize("seed", range(3))
def test_numbers_that_are_hard_to_bear(kind, seed):
    rng = np.random.default_rng([seed, len(kind)])
    X, y = hostile(kind, rng)
    dataset = declared_dataset(X, y, [0] * X.shape[1], 4)
    for test_fold in divided(rng, len(y)):
        both_ways(NaiveBayes(), dataset, test_fold)


def test_hardly_any_fold_is_fitted_on_ordinary_data(monkeypatch):
    fitted = []
    monkeypatch.setattr(_settle, "fitting", lambda *a, **k: fitted.append(a) or fitting(*a, **k))
    rng = np.random.default_rng(8)
    y = rng.integers(0, 3, 120)
    X = np.column_stack([rng.normal(size=(120, 3)) + y[:, None], rng.integers(0, 3, 120)])
    dataset = declared_dataset(X, y, [0, 0, 0, 3], 3)
    both_ways(NaiveBayes(), dataset, (np.arange(120) % 10).astype(np.int32)[None, :])
    assert not fitted


# ---- the parts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("z", [-20.0, -18.5, -6.0, -1.0, 0.0, 0.3, 2.0, 5.0, 7.9, 8.2, 8.29, 8.5, 30.0])
@pytest.mark.parametrize("h", [1e-3, 0.04, 0.5, 6.0])
def test_a_cell_holds_what_the_distribution_function_gives(z, h):
    middle, half = bayes_cells.cell(z, h, 0.0, 0.0)
    told = math.log(max(1e-75, ndtr(z + h / 2) - ndtr(z - h / 2)))
    assert middle - half - 1e-12 <= told <= middle + half + 1e-12
    true = naive.mass(z, h)
    if true > 1e-14 and abs(z) < 8.0:
        assert math.exp(middle) == pytest.approx(true, rel=2e-3 if h > 1 else 1e-6, abs=1e-15)
    if abs(z) <= 4.0 and h <= bayes_cells.FINE:
        a, b, c, error = bayes_cells.density(h, 0.0, 0.0)
        assert abs(a + b * z * z + c * z**4 - told) <= error


def test_in_the_upper_tail_the_rounding_itself_is_told():
    """What is left of a difference there is a few times 1.1e-16, or nothing."""
    told, spans = 0, []
    for z in np.linspace(2.0, 8.6, 400).tolist():
        middle, half = bayes_cells.cell(z, 0.01, 1e-14, 1e-14)
        exact = math.log(max(1e-75, ndtr(z + 0.005) - ndtr(z - 0.005)))
        assert middle - half - 1e-9 <= exact <= middle + half + 1e-9
        told += abs(middle - exact) < 1e-9
        spans.append(half)
    assert told > 390 and np.mean(np.array(spans) < 1e-6) > 0.95


def test_a_mean_that_may_be_off_widens_the_cell():
    middle, half = bayes_cells.cell(1.0, 0.1, 1e-4, 1e-4)
    for shift in (-1e-4, 1e-4):
        told = math.log(naive.mass((1.0 + shift) * (1.0 + shift), 0.1 * (1.0 + shift)))
        assert middle - half <= told <= middle + half


def test_gaps_and_moments():
    rng = np.random.default_rng(2)
    distinct = np.sort(rng.normal(size=9))
    often = np.array([1, 0, 2, 1, 0, 0, 3, 1, 1])
    kept = distinct[1:8][often[1:8] > 0]
    assert bayes_cells.mean_gap(distinct, often, 1, 8) == precision(kept)
    assert bayes_cells.mean_gap(distinct, often, 0, 2) == 0.01
    values, d = rng.normal(size=30) * 3.0, 0.25
    q = np.rint(values / d)
    mean, deviation, loose_mean, loose_deviation = bayes_cells.moments(30.0, q.sum(), (q * q).sum(), d, 9.0)
    assert (mean, deviation) == pytest.approx(naive.moments(values.tolist(), d), rel=1e-12)
    assert 0.0 < loose_mean < 1e-12 and 0.0 < loose_deviation < 1e-12
    assert bayes_cells.moments(0.0, 0.0, 0.0, d, 9.0)[:2] == naive.moments([], d)
    assert bayes_cells.moments(5.0, 5.0, 5.0, d, 9.0)[1] == d / 6.0


def test_who_is_greatest_once_shares_are_divided_by_their_sum():
    assert decided(np.array([0.2, 0.5, 0.3])) == 1
    assert decided(np.array([0.5, 0.5])) == 0
    rng = np.random.default_rng(4)
    for _ in range(500):
        product = np.full(2, rng.random())
        product[1] = np.nextafter(product[1], 2.0)
        assert decided(product) == np.argmax(product / product.sum())
    for _ in range(500):
        product = rng.random(4) * 0.1
        product[1] = rng.random()
        product[2] = np.nextafter(product[1], 2.0)
        assert decided(product) in (-1, np.argmax(product / product.sum()))


# ---- what is not recognised ------------------------------------------------------------------------------------------


class Own(NaiveBayes):
    pass


def test_what_it_is_not_exact_for_is_fitted_fold_by_fold():
    data = declared_dataset(np.arange(12.0).reshape(6, 2), [0, 1, 0, 1, 1, 0], [0, 0], 2)
    strangers = [
        Own(), NaiveBayes(numeric="kernel"), NaiveBayes(numeric="discretised"), NaiveBayes(numeric="odd"),
        NaiveBayes(variant="modern"), NaiveBayes(classes=[1, 0]), NaiveBayes(categorical_features=[0]),
    ]  # fmt: skip
    assert [at_once(learner, data) for learner in strangers] == [None] * len(strangers)
    assert at_once(NaiveBayes(), replace(data, sample_weight=np.ones(6))) is None
    assert at_once(NaiveBayes(), replace(data, task="regression", classes=None)) is None
    assert at_once(NaiveBayes(), declared_dataset([[1e200], [0.0]], [0, 1], [0], 2)) is None
    assert at_once(NaiveBayes(), data).ordered is not None
    nominal = declared_dataset([[0.0], [1.0]], [0, 1], [2], 2)
    assert at_once(NaiveBayes(numeric="kernel"), nominal) is not None
    assert method.NUMERIC == ("normal", "kernel", "discretised")
