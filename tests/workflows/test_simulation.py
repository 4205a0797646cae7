"""The mass simulation: what it says is what a calibration with the same seed says, and any part can be made alone."""

import sqlite3

import numpy as np
import pytest

import foldproof as fp
from foldproof.data.bayesnet import BayesianNetwork
from foldproof.data.simulated import simulated_source
from foldproof.domain.errors import InputError
from foldproof.learners import binary
from foldproof.workflows.simulated_sets import DIVIDED, Sets, Together
from foldproof.workflows.simulation import simulate
from foldproof.workflows.trials import origin_of

COIN = BayesianNetwork("coin", 0.5, ((), (0,)), ((0.2, 0.7), (0.1, 0.9, 0.4, 0.6)))


@pytest.fixture(scope="module")
def small():
    return simulate("source3", sets=3, repetitions=2, instances=60)


def test_a_calibration_with_the_same_seed_says_the_same(small):
    for test in ("5x2cv", "10-fold-cv"):
        told = fp.calibrate(
            {"a": "naive-bayes", "b": "c45"}, "source3", procedure=test, trials=3, repetitions=2, n=60, truth=0
        )
        assert told.rows[0].rejections.rate * 100 == pytest.approx(small.rejections(test).rate)
        assert told.rows[0].wins_a.rate == pytest.approx((small.verdicts[test] == 1).mean())
        assert told.rows[0].consistent.rate * 100 == pytest.approx(small.consistency(test).rate)


def test_the_first_training_sets_of_many_are_the_first(small):
    less = simulate("source3", sets=2, repetitions=2, instances=60, n_jobs=2)
    for test, found in small.verdicts.items():
        assert np.array_equal(less.verdicts[test], found[:2])
    assert np.array_equal(less.accuracies, small.accuracies[:2])


def test_other_seeds_and_more_repetitions(small):
    assert not np.array_equal(simulate("source3", sets=3, instances=60, seed=1).accuracies, small.accuracies)
    more = simulate("source3", sets=3, repetitions=3, instances=60)
    assert all(np.array_equal(more.verdicts[test][:, :2], found) for test, found in small.verdicts.items())


def test_it_goes_on_from_a_store(small, tmp_path):
    url = f"sqlite:///{tmp_path / 'kept.db'}"
    told = []
    first = simulate("source3", sets=2, repetitions=2, instances=60, store=url)
    again = simulate("source3", sets=2, repetitions=2, instances=60, store=url, on_event=told.append)
    assert told == []
    assert np.array_equal(first.accuracies, again.accuracies)
    more = simulate("source3", sets=3, repetitions=2, instances=60, store=url, on_event=told.append)
    assert (told[-1].done, told[-1].total) == (3, 3)
    assert all(np.array_equal(more.verdicts[test], found) for test, found in small.verdicts.items())
    with sqlite3.connect(tmp_path / "kept.db") as base:
        assert "simulate/" in "".join(base.iterdump())


def test_a_network_of_yours_and_a_test_set():
    found = simulate(COIN, sets=2, repetitions=2, instances=40)
    drawn = simulate(COIN, sets=2, repetitions=2, instances=40, test_instances=20_000)
    assert found.accuracies == pytest.approx(drawn.accuracies, abs=0.02)
    assert not np.array_equal(found.accuracies, drawn.accuracies)
    best = COIN.joint().max(axis=0).sum()
    assert (found.accuracies <= best + 1e-12).all()


def test_what_it_tells(small):
    told = small.to_dict()
    assert [row["test"] for row in told["tests"]] == list(small.verdicts)
    assert small.difference.rate == pytest.approx(100 * (small.accuracies[:, 0] - small.accuracies[:, 1]).mean())
    assert all(0 <= small.flips(test).rate <= 100 for test in small.verdicts)
    assert "source3, 3 training sets" in repr(small)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"sets": 0}, "sets is 0: give a whole number of at least 1"),
        ({"instances": 5}, "instances is 5"),
        ({"repetitions": 1.5}, "repetitions is 1.5"),
        ({"variant": "as-was"}, "variant is 'as-was': use 'as-printed', or 'as-run'"),
        ({"test_instances": 0}, "test_instances is 0"),
        ({"alpha": 2}, "alpha"),
    ],
)
def test_what_it_refuses(options, said):
    with pytest.raises(InputError, match=said):
        simulate("source1", **options)


def test_what_is_no_network():
    with pytest.raises(InputError, match="there is no simulated source 'source9'|source9"):
        simulate("source9")
    with pytest.raises(InputError, match="a simulation needs a BayesianNetwork"):
        simulate(lambda n, seed: None)
    with pytest.raises(InputError, match="test of this simulation"):
        simulate(COIN, sets=1, repetitions=1, instances=20).consistency("z-test")


@pytest.mark.parametrize("source", ["source1", "source4"])
@pytest.mark.parametrize("instances", [60, 63])
def test_all_partitions_at_once_are_the_learners_one_by_one(source, instances):
    sets = Sets(origin_of(source, None, None), simulated_source(source), instances, 2, 0.05, 3, "as-printed")
    for number in range(2):
        data = sets.dataset(number)
        fast, classes = Together(sets)(data)
        slow, answers = sets.one_by_one(data)
        assert np.array_equal(classes, answers)
        assert all(np.array_equal(fast[name], slow[name]) for name in DIVIDED)


def test_where_there_is_no_room_learners_go_one_by_one(monkeypatch, small):
    monkeypatch.setattr(binary, "FREE", 0)
    monkeypatch.setattr(binary, "FEW", -1)
    again = simulate("source3", sets=1, repetitions=2, instances=60)
    assert all(np.array_equal(again.verdicts[test], found[:1]) for test, found in small.verdicts.items())


def test_wide_networks_are_learnt_from_one_by_one():
    wide = BayesianNetwork("wide", 0.5, ((),) * 13, ((0.3, 0.6),) * 13)
    assert simulate(wide, sets=1, repetitions=1, instances=20).accuracies.shape == (1, 2)
