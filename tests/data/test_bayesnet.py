"""Simulated sources against enumeration, and against the stored networks."""

import json
from itertools import product

import numpy as np
import pytest

from foldproof.data.bayesnet import BayesianNetwork
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
