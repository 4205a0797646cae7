"""Simulated sources against enumeration, and against the stored networks."""

import json
from itertools import product

import numpy as np
import pytest

from foldproof.data.bayesnet import BayesianNetwork, random_network
from foldproof.domain.address import Address
from foldproof.domain.errors import InputError

NET = BayesianNetwork("small", 0.3, ((), (0,), (0, 1)), ((0.2, 0.7), (0.1, 0.9, 0.4, 0.6), tuple(np.arange(8) / 10)))


def test_the_joint_table_is_the_product_of_the_conditional_ones():
    joint = NET.joint()
    for label, a, b, c in product((0, 1), repeat=4):
        one = [
            NET.probabilities[0][label],
            NET.probabilities[1][2 * label + a],
            NET.probabilities[2][4 * label + 2 * a + b],
        ]
        chance = 0.3 if label else 0.7
        for value, p in zip((a, b, c), one, strict=True):
            chance *= p if value else 1 - p
        assert joint[label, a + 2 * b + 4 * c] == pytest.approx(chance, rel=1e-14)


def test_samples_follow_the_joint_table_and_their_stream():
    X, y = NET.sample(200_000, Address(1, "net").stream())
    codes = (X @ [1, 2, 4]).astype(int)
    found = np.bincount(y * 8 + codes, minlength=16) / len(y)
    error = np.sqrt(NET.joint().ravel() / len(y))
    assert (np.abs(found - NET.joint().ravel()) <= 4.5 * error + 1e-12).all()
    again = NET.sample(200_000, Address(1, "net").stream())
    assert np.array_equal(X, again[0])


def test_accuracy_is_exact():
    best = NET.joint().argmax(axis=0)
    assert NET.accuracy(best) == pytest.approx(NET.joint().max(axis=0).sum())
    assert NET.accuracy(np.zeros(8)) == pytest.approx(0.7)


def test_the_stored_networks(shared):
    stored = json.loads(shared("specs", "golden_statistics.json").read_text())["sources"]
    assert len(stored) == 5
    for source in stored:
        net, expected = BayesianNetwork.from_mapping(source), source["expected"]
        joint = net.joint()
        assert joint.sum() == pytest.approx(expected["joint_total"], rel=1e-12)
        assert net.accuracy(joint.argmax(axis=0)) == pytest.approx(expected["bayes_accuracy"], rel=1e-9)
        assert joint[1, 0] == pytest.approx(expected["joint_class1_all_zero"], rel=1e-9)
        assert joint[0, -1] == pytest.approx(expected["joint_class0_all_one"], rel=1e-9)
        bits = (np.arange(512)[:, np.newaxis] >> np.arange(9)) & 1
        assert joint.sum(axis=0) @ bits == pytest.approx(expected["marginal_attribute_one"], rel=1e-9)


@pytest.mark.parametrize(
    ("parents", "probabilities", "sentence"),
    [
        ((), (), "one at least"),
        (((0,),), ((0.1, 0.2, 0.3, 0.4),), "the parents of attribute 0 are (0,): they must be lower ones"),
        (((),), ((0.1,),), "attribute 0 needs 2 probabilities; got 1"),
        (((),), ((0.1, 1.2),), "probabilities must lie between 0 and 1"),
    ],
)
def test_what_is_no_network(parents, probabilities, sentence):
    with pytest.raises(InputError) as caught:
        BayesianNetwork("x", 0.5, parents, probabilities)
    assert sentence in str(caught.value)


# ---- random networks -------------------------------------------------------------------------------------------------


def test_a_random_network_is_its_seed():
    assert random_network(18, 3) == random_network(18, 3)
    assert random_network(18, 3) != random_network(18, 4)
    joint = random_network(36, 1).joint()
    assert joint.sum() == pytest.approx(1.0)
    assert joint.sum(axis=1) == pytest.approx([0.5, 0.5])


def test_a_random_network_without_arcs_from_the_class_has_nothing_to_learn():
    joint = random_network(None, 2).joint()
    np.testing.assert_allclose(joint[0], joint[1])
    told = random_network(0, 2).joint()
    assert np.abs(told[0] - told[1]).max() > 1e-4


def test_probabilities_follow_their_distribution():
    from scipy import stats

    drawn = [p for seed in range(40) for table in random_network(9, seed, beta=(2, 2)).probabilities for p in table]
    assert stats.kstest(drawn, stats.beta(2, 2).cdf).pvalue > 0.01
    flat = [p for seed in range(40) for table in random_network(9, seed).probabilities for p in table]
    assert stats.kstest(flat, "uniform").pvalue > 0.01


@pytest.mark.parametrize(
    ("arcs", "options", "said"),
    [
        (37, {}, "37 arcs between 9 attributes"),
        (-1, {}, "-1 arcs"),
        (0, {"attributes": 0}, "there must be an attribute"),
        (1, {"beta": (0, 1)}, "beta is \\(0, 1\\): give two positive numbers"),
    ],
)
def test_what_no_random_network_has(arcs, options, said):
    with pytest.raises(InputError, match=said):
        random_network(arcs, **options)
