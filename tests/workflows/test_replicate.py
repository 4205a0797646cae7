"""Repetitions: repetition 0 is compare, counts add up, R is the estimate of the paper."""

import json

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.domain.errors import InputError

LEARNERS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=1), "dummy": DummyClassifier()}


@pytest.fixture(scope="module")
def near():
    rng = np.random.default_rng(11)
    X, y = rng.normal(size=(100, 3)), np.arange(100) % 2
    X[:, 0] += 0.9 * y
    return X, y


@pytest.fixture(scope="module")
def found(near):
    return fp.replicate(LEARNERS, *near, procedure="corrected-repeated-cv", runs=2, repetitions=6, seed=4)


def test_compare_is_repetition_zero(near, found):
    comparison = fp.compare(LEARNERS, *near, procedure="corrected-repeated-cv", runs=2, seed=4, adjust="none")
    ours = [(v.statistic, v.verdict) for v in found.verdicts[0]]
    assert ours == [(v.statistic, v.verdict) for v in comparison.pairs]
    assert found.provenance["partitions_fingerprint"] == comparison.provenance["partitions_fingerprint"]


def test_counts_come_from_the_verdicts(found):
    for pair in found.pairs:
        own = [v.verdict for verdicts in found.verdicts for v in verdicts if (v.a, v.b) == (pair.a, pair.b)]
        assert (pair.wins_a, pair.none, pair.wins_b) == (own.count(pair.a), own.count("none"), own.count(pair.b))
        assert pair.rejections == pair.wins_a + pair.wins_b
        k, n = pair.rejections, 6
        assert pair.r == pytest.approx((k * (k - 1) + (n - k) * (n - k - 1)) / (n * (n - 1)))
        assert pair.consistent == (k in (0, n))
        assert pair.almost_consistent == (k in (0, 1, n - 1, n))


def test_repetitions_are_other_partitions(found):
    statistics = [verdicts[0].statistic for verdicts in found.verdicts]
    assert len(set(statistics)) == 6


def test_the_keys_of_the_contract(found):
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["schema"] == "foldproof/replicate/1"
    assert told["repetitions"] == 6
    assert set(told["pairs"][0]) == {
        "a",
        "b",
        "rejections",
        "verdicts",
        "consistent",
        "almost_consistent",
        "r",
        "r_interval",
        "forecast_mean",
    }
    assert "R is the share of pairs of repetitions that agree" in found.to_text()


def test_progress_tells_of_all_repetitions(near):
    told = []
    fp.replicate(LEARNERS, *near, procedure="5x2cv", repetitions=2, on_event=told.append)
    assert [event.done for event in told] == list(range(1, 31))
    assert {event.total for event in told} == {30}


def test_bad_usage(near):
    with pytest.raises(InputError, match="repetitions is 1: agreement needs at least two"):
        fp.replicate(LEARNERS, *near, repetitions=1)
    with pytest.raises(InputError, match="replicate takes one scoring"):
        fp.replicate(LEARNERS, *near, scoring=["accuracy", "f1"])
