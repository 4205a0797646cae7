"""Runs are addresses: any of them alone, any number of them, the same ones."""

import numpy as np
import pytest

import foldproof as fp
from foldproof.domain.errors import InputError
from foldproof.partitions import FiveByTwo, KFold, RandomSubsampling, partition


@pytest.fixture
def data(toy):
    return fp.dataset(*toy)


def test_run_seven_needs_no_runs_before_it(data):
    from foldproof.domain.address import Address
    from foldproof.partitions import Design

    all_runs = partition(KFold(5), data, seed=3, runs=10)
    alone = KFold(5).assign(Design.of(data), Address(3, data.fingerprint, run=7))
    assert np.array_equal(all_runs.test_fold[7], alone)


def test_the_first_ten_of_thirty_three_runs_are_the_ten(data):
    ten, more = (partition(KFold(10), data, runs=r).test_fold for r in (10, 33))
    assert np.array_equal(ten, more[:10])
    assert len(np.unique(more, axis=0)) == 33


def test_repetitions_are_other_partitions(data):
    first, second = (partition(KFold(10), data, repetition=i).test_fold for i in (0, 1))
    assert not np.array_equal(first, second)


def test_schemes_have_their_own_number_of_runs(data):
    assert partition(FiveByTwo(), data).runs == 5
    assert partition(RandomSubsampling(), data).runs == 100
    with pytest.raises(InputError, match="runs is 0: at least one is needed"):
        partition(KFold(), data, runs=0)


def test_a_regression_is_never_stratified(rng):
    data = fp.dataset(rng.normal(size=(30, 2)), rng.normal(size=30))
    stratified, plain = (partition(KFold(5, stratified=s), data).test_fold for s in (True, False))
    assert np.array_equal(stratified, plain)
