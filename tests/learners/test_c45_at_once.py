"""C4.5 for all partitions at once: the predictions are those of fitting fold by fold, and of the slow twin."""

from pathlib import Path

import numpy as np
import pytest

from foldproof.data.arff import read_arff
from foldproof.data.sources import Wanted
from foldproof.domain.dataset import Attribute, Dataset
from foldproof.learners import C45
from foldproof.learners.recognised import at_once
from naive.c45_folds import predictions
from naive.mixtures import Mixture

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


def as_dataset(X, y, sizes, n_classes):
    """Return codes as a dataset; a size of 0 is a numeric attribute."""
    attributes = tuple(Attribute(f"x{j}", tuple(range(size)) if size else None) for j, size in enumerate(sizes))
    y = np.asarray(y)
    return Dataset("made", X, X, attributes, y, y.astype(float), "classification", "made", tuple(range(n_classes)))


def drawn(rng, n):
    """Return test folds: two runs of folds, two test sets that leave most rows out, and a lonely row."""
    folds = [rng.permutation(np.arange(n) % k) for k in (min(n, 5), 2)]
    parts = [np.where(rng.permutation(n) < max(1, n // size), 0, -1) for size in (3, 10)]
    return np.array([*folds, *parts, np.where(np.arange(n) == n // 2, 0, -1)], dtype=np.int32)


def fold_by_fold(dataset, test_fold, **options):
    answers = np.full(test_fold.shape, np.nan)
    for run, folds in enumerate(test_fold):
        for fold in range(folds.max() + 1):
            learner = C45(**options).with_declared(dataset.attributes, dataset.classes)
            learner.fit(dataset.codes[folds != fold], dataset.y[folds != fold])
            told = learner.predict(dataset.codes[folds == fold])
            answers[run, folds == fold] = [dataset.classes.index(label) for label in told.tolist()]
    return answers


def same(dataset, test_fold, **options):
    found = at_once(C45(**options), dataset).predict(test_fold)
    assert np.array_equal(found, fold_by_fold(dataset, test_fold, **options), equal_nan=True)
    return found


@pytest.mark.parametrize("seed", range(60))
def test_it_is_fold_by_fold_on_any_mixture(seed):
    data = Mixture(4000 + seed, n=(None, 30, 60)[seed % 3])
    sizes = [v or 0 for v in data.values]
    dataset = as_dataset(data.X, data.y, sizes, data.n_classes)
    test_fold = drawn(np.random.default_rng(seed), len(data.y))
    options = OPTIONS[seed // 3 % len(OPTIONS)]
    found = same(dataset, test_fold, **options)
    if seed % 5 == 0:
        slow = predictions(data.X.tolist(), data.labels, sizes, data.n_classes, test_fold.tolist(), **options)
        assert np.array_equal(found, np.array(slow, dtype=float), equal_nan=True)


def test_an_attribute_without_any_known_value_is_never_tested():
    X = np.column_stack([np.full(12, np.nan), np.arange(12.0), np.full(12, np.nan)])
    X[3, 2] = 1.0  # known once: in one fold's training set never
    data = as_dataset(X, np.arange(12) // 6, [0, 0, 0], 2)
    found = same(data, drawn(np.random.default_rng(0), 12))
    assert (found[0] == data.y).mean() > 0.8


# ---- what is not recognised ------------------------------------------------------------------------------------------


def small():
    return as_dataset(np.arange(12.0).reshape(6, 2), [0, 1, 0, 1, 1, 0], [0, 0], 2)


class MyTree(C45):
    pass


@pytest.mark.parametrize(
    "learner",
    [
        MyTree(),
        C45(classes=[1, 0]),
        C45(categorical_features=[0]),
        C45(categories=[]),
        C45(confidence=0.9),
        C45(variant="modern"),
    ],
    ids=repr,
)
def test_what_it_is_not_exact_for_is_fitted_fold_by_fold(learner):
    assert at_once(learner, small()) is None


def test_weighted_rows_and_regressions_are_fitted_fold_by_fold():
    from dataclasses import replace

    data = small()
    assert at_once(C45(), replace(data, sample_weight=np.ones(6))) is None
    assert at_once(C45(), replace(data, codes=None)) is None
    assert at_once(C45(), replace(data, task="regression", classes=None)) is None


def test_a_run_without_tests_of_an_instance_answers_nothing():
    told = at_once(C45(), small()).predict(np.array([[0, -1, -1, -1, -1, 0]], dtype=np.int32))
    assert np.isnan(told[0, 1:5]).all()
    assert not np.isnan(told[0, [0, 5]]).any()


# ---- published datasets ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["iris", "labor", "vote", "glass", "hepatitis", "zoo", "lymph", "heart-c", "colic"])
def test_it_is_fold_by_fold_on_published_data(shared, name):
    path = Path(shared("datasets", f"{name}.arff"))
    dataset = read_arff(path, Wanted(path.stem))
    rng = np.random.default_rng(6)
    n = len(dataset)
    test_fold = np.array(
        [rng.permutation(np.arange(n) % 10), rng.permutation(np.arange(n) % 10), rng.permutation(np.arange(n) % 10)]
    )
    test_fold[1] %= 2
    test_fold[2, test_fold[2] > 0] = -1
    same(dataset, test_fold.astype(np.int32))
