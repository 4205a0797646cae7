"""A seed is an address: the same bits anywhere, other bits elsewhere."""

import numpy as np
import pytest

from foldproof.domain.address import Address
from foldproof.domain.errors import InputError


def test_bits_are_promised():
    """These words may never change: every published verdict stands on them."""
    words = Address(0, "abc").stream("partition").words(3)
    assert words.tolist() == Address(0, "abc").stream("partition").words(3).tolist()
    assert [f"{w:016x}" for w in words.tolist()] == PROMISED


PROMISED = ["1a5704b5a033320f", "c43e7f374dd5cb5b", "90485e23ec3eb038"]


def test_every_part_of_the_address_matters():
    base = {"root": 1, "fingerprint": "f", "repetition": 2, "run": 3}
    streams = [
        Address(**{**base, key: value})
        for key, value in [("root", 1), ("root", 2), ("fingerprint", "g"), ("repetition", 3), ("run", 2)]
    ]
    firsts = [int(a.stream("x").words(1)[0]) for a in streams] + [int(streams[0].stream("y").words(1)[0])]
    assert len(set(firsts)) == len(firsts)


def test_paths_do_not_run_into_each_other():
    address = Address(0, "f")
    assert address.integer("a", "b") != address.integer("ab")
    assert address.integer("fit", 1, 12) != address.integer("fit", 11, 2)


def test_integers_fit_a_random_state():
    values = [Address(0, "f", run=r).integer("fit") for r in range(200)]
    assert all(0 <= v < 2**31 - 1 for v in values)
    assert len(set(values)) == 200


def test_a_permutation_is_one_and_all_orders_come_up():
    seen = {tuple(Address(s, "f").stream().permutation(3).tolist()) for s in range(200)}
    assert len(seen) == 6
    assert sorted(Address(0, "f").stream().permutation(100).tolist()) == list(range(100))


@pytest.mark.parametrize(("field", "value"), [("root", -1), ("root", 1.5), ("root", True), ("run", -2), ("root", "1")])
def test_what_is_no_address_is_refused(field, value):
    with pytest.raises(InputError, match="whole number of at least 0"):
        Address(**{"root": 0, "fingerprint": "f", field: value})


def test_numpy_integers_are_welcome():
    assert Address(np.int64(3), "f").integer("x") == Address(3, "f").integer("x")
