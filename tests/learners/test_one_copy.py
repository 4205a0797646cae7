"""One copy that learns fold after fold: which learners and data it is for, and that it draws what a fit draws."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

import foldproof as fp
from foldproof.domain.address import Address
from foldproof.domain.partitions import Partitions
from foldproof.learners import TDDT1, TDDT2, DiscretisedNaiveBayes, cross_predict
from foldproof.learners.recognised import at_once
from learners.partitioned import declared_dataset, mixed_dataset
from naive.mixtures import Mixture

THREE = pytest.mark.parametrize("kind", [TDDT1, TDDT2, DiscretisedNaiveBayes])


def a_mixture(seed=7, n=60):
    return mixed_dataset(Mixture(seed, n=n))


def folds_of(dataset, runs=3, k=4, seed=5):
    rng = np.random.default_rng(seed)
    return np.stack([rng.permutation(np.arange(len(dataset)) % k) for _ in range(runs)]).astype(np.int32)


@pytest.mark.parametrize(
    "learner",
    [
        TDDT1(penalty="leaves-1", inner_folds=3, factor_between="itself"),
        TDDT1(inner_stratified=True, standard_errors=0.0),
        TDDT1(factor=0.1),
        TDDT1(random_state=3),
        TDDT2(correction="c45", slack=0.1, min_split=1),
        TDDT2(criterion="gain-ratio", threshold_ties="lowest", zero_gain=False),
        DiscretisedNaiveBayes(counts="half-of-none", unknown="value"),
        DiscretisedNaiveBayes(min_interval=3, cut_ties="lowest", prior_laplace=False, counts="plain"),
    ],
    ids=repr,
)
def test_options_are_those_of_a_fit(learner):
    for seed in range(6):
        dataset = a_mixture(seed)
        partitions = Partitions(folds_of(dataset, seed=seed))
        assert at_once(learner, dataset) is not None
        fast = cross_predict(learner, dataset, partitions, seed=seed)
        assert np.array_equal(fast, cross_predict(learner, dataset, partitions, fast=False, seed=seed))


def test_inner_folds_come_from_the_address_of_the_fit():
    """Another root, another run, another fold: other inner folds; the same address, the same ones."""
    dataset = next(d for d in map(a_mixture, range(100)) if self_contradicting(d))
    test_fold = np.repeat(folds_of(dataset, runs=1, k=2), 20, axis=0)
    told = at_once(TDDT1(), dataset).drawn(test_fold, None, [Address(0, "d", 0, run) for run in range(20)])
    assert len(np.unique(told, axis=0)) > 1
    again = at_once(TDDT1(), dataset).drawn(test_fold[:1], None, [Address(0, "d", 0, 7)])
    assert np.array_equal(again[0], told[7])
    fixed = at_once(TDDT1(random_state=1), dataset).predict(test_fold)
    assert len(np.unique(fixed, axis=0)) == 1


def self_contradicting(dataset):
    """Whether TDDT-1 tells different things of these data with different inner folds."""
    partitions = Partitions(folds_of(dataset, runs=1, k=2))
    told = [cross_predict(TDDT1(random_state=seed), dataset, partitions) for seed in range(8)]
    return len(np.unique(np.stack(told), axis=0)) > 1


@THREE
def test_several_threads_may_ask_one_method(kind):
    dataset = a_mixture(n=90)
    method, test_fold = at_once(kind(), dataset), folds_of(dataset, runs=4)
    alone = method.predict(test_fold)
    with ThreadPoolExecutor(4) as pool:
        assert all(np.array_equal(found, alone) for found in pool.map(method.predict, [test_fold] * 8))


@THREE
def test_comparisons_use_it_and_say_so(kind, toy):
    X, y = toy
    found = fp.compare({"one": kind(), "other": DiscretisedNaiveBayes(min_interval=5)}, X, y, seed=3)
    slow = fp.compare({"one": kind(), "other": DiscretisedNaiveBayes(min_interval=5)}, X, y, seed=3, fast=False)
    assert found.to_dict()["provenance"]["fast_paths"]
    assert not slow.to_dict()["provenance"]["fast_paths"]
    assert found.pair("one", "other").pvalue == slow.pair("one", "other").pvalue


@THREE
def test_what_it_is_not_for_is_fitted_fold_by_fold(kind):
    class Mine(kind):
        pass

    data = declared_dataset(np.arange(12.0).reshape(6, 2), [0, 1, 0, 1, 1, 0], [0, 0], 2)
    assert at_once(kind(), data) is not None
    assert at_once(Mine(), data) is None
    assert at_once(kind(classes=[1, 0]), data) is None
    assert at_once(kind(categorical_features=[0]), data) is None
    assert at_once(kind(), replace(data, sample_weight=np.ones(6))) is None
    assert at_once(kind(), replace(data, task="regression", classes=None)) is None
    infinite = data.codes.copy()
    infinite[0, 0] = np.inf
    assert at_once(kind(), replace(data, X=infinite, codes=infinite)) is None


@pytest.mark.parametrize(
    "learner",
    [
        TDDT1(random_state=np.random.RandomState(1)), TDDT1(penalty="none"), TDDT2(slack=-1), TDDT2(min_split=0),
        DiscretisedNaiveBayes(min_interval=0),
    ],
    ids=["random-state", "penalty", "slack", "min-split", "min-interval"],
)  # fmt: skip
def test_options_that_a_fit_refuses_or_copies(learner):
    assert at_once(learner, a_mixture()) is None
