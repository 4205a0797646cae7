"""The laws of partitions, over every registered scheme."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from foldproof.domain.address import Address
from foldproof.domain.errors import InputError
from foldproof.domain.partitions import Partitions
from foldproof.partitions import SCHEMES, Design, KFold, RandomSubsampling

FOLDING = ["k-fold", "5x2", "leave-one-out", "weka-k-fold"]


@st.composite
def designs(draw, groups=False):
    n = draw(st.integers(12, 60))
    classes = draw(st.integers(1, 4))
    strata = np.array(draw(st.lists(st.integers(0, classes - 1), min_size=n, max_size=n)))
    strata = np.unique(strata, return_inverse=True)[1]
    if not groups:
        return Design(n, strata)
    raw = np.array(draw(st.lists(st.integers(0, 9), min_size=n, max_size=n)))
    return Design(n, strata, np.unique(raw, return_inverse=True)[1])


addresses = st.builds(
    Address, st.integers(0, 10**6), st.sampled_from(["a", "b"]), st.integers(0, 3), st.integers(0, 40)
)


@pytest.mark.parametrize("name", list(SCHEMES))
@given(design=designs(), address=addresses)
def test_each_run_is_valid_and_its_own_address_makes_it_again(name, design, address):
    scheme = SCHEMES[name]()
    if name == "leave-one-out":
        address = Address(address.root, address.fingerprint, address.repetition)
    first, again = scheme.assign(design, address), scheme.assign(design, address)
    assert first.dtype == np.int32
    assert np.array_equal(first, again)
    partitions = Partitions(first[np.newaxis])
    for train, test in partitions.split():
        assert not set(train) & set(test)
        assert len(train) + len(test) == design.n
    assert partitions.covering == (name in FOLDING)


@given(design=designs(), address=addresses, folds=st.integers(2, 12), stratified=st.booleans())
def test_sizes_differ_by_at_most_one_and_so_do_classes_where_stratified(design, address, folds, stratified):
    test_fold = KFold(folds, stratified=stratified).assign(design, address)
    sizes = np.bincount(test_fold, minlength=folds)
    assert sizes.max() - sizes.min() <= 1
    if stratified:
        for stratum in range(design.strata.max() + 1):
            members = np.bincount(test_fold[design.strata == stratum], minlength=folds)
            assert members.max() - members.min() <= 1


@given(design=designs(groups=True), address=addresses, folds=st.integers(2, 6), stratified=st.booleans())
def test_groups_are_never_torn_apart(design, address, folds, stratified):
    assume(design.units >= folds)
    test_fold = KFold(folds, stratified=stratified).assign(design, address)
    for group in range(design.units):
        assert len(set(test_fold[design.groups == group])) == 1
    assert set(test_fold) == set(range(folds))


@given(design=designs(groups=True), address=addresses, stratified=st.booleans())
def test_resampling_keeps_groups_whole_too(design, address, stratified):
    assume(design.units >= 3)
    test_fold = RandomSubsampling(0.34, stratified=stratified).assign(design, address)
    for group in range(design.units):
        assert len(set(test_fold[design.groups == group])) == 1
    assert (test_fold == 0).any() and (test_fold == -1).any()


@given(design=designs(), address=addresses, percent=st.integers(10, 90), stratified=st.booleans())
def test_a_test_set_has_the_size_asked_for(design, address, percent, stratified):
    test_fold = RandomSubsampling(percent / 100, stratified=stratified).assign(design, address)
    assert (test_fold == 0).sum() == (percent * design.n + 50) // 100
    if stratified:
        for stratum in range(design.strata.max() + 1):
            members = test_fold[design.strata == stratum]
            assert abs((members == 0).sum() - len(members) * (test_fold == 0).sum() / design.n) < 1


@pytest.mark.parametrize("name", [n for n in SCHEMES if n != "leave-one-out"])
@pytest.mark.parametrize("change", [{"root": 8}, {"fingerprint": "other"}, {"repetition": 1}, {"run": 1}])
def test_other_addresses_give_other_partitions(name, change):
    design = Design(60, np.arange(60) % 3)
    base = {"root": 7, "fingerprint": "this", "repetition": 0, "run": 0}
    if name.startswith("weka") and not {"repetition", "run"} & set(change):
        pytest.skip("Weka's folds follow the run number alone")
    scheme = SCHEMES[name]()
    first, other = scheme.assign(design, Address(**base)), scheme.assign(design, Address(**{**base, **change}))
    assert not np.array_equal(first, other)


def test_the_bits_of_a_partition_are_promised():
    """A partition of this address may never change: published verdicts stand on it."""
    test_fold = KFold(3).assign(Design(12, np.arange(12) % 2), Address(0, "abc"))
    assert "".join(map(str, test_fold)) == "120120210012"


def test_leave_one_out_is_not_random():
    with pytest.raises(InputError, match="one run only: nothing in it is random"):
        SCHEMES["leave-one-out"]().assign(Design(5), Address(0, "f", run=1))


@pytest.mark.parametrize(
    ("scheme", "design", "sentence"),
    [
        (KFold(10), Design(9), "there are 9 instances for 10 folds: use at most 9 folds"),
        (KFold(4), Design(9, groups=np.arange(9) % 3), "there are 3 groups for 4 folds: use at most 3 folds"),
        (KFold(1), Design(9), "folds is 1: at least two are needed"),
        (RandomSubsampling(1.5), Design(9), "test_fraction is 1.5: it must lie between 0 and 1"),
        (RandomSubsampling(0.01), Design(9), "a test set of 0.01 of 9 instances leaves one side empty"),
        (SCHEMES["weka-k-fold"](), Design(5), "there are 5 instances for 10 folds: use 2 to 5"),
        (SCHEMES["weka-k-fold"](), Design(30, groups=np.arange(30)), "Weka's folds know no groups"),
    ],
)
def test_what_cannot_be_divided_is_told(scheme, design, sentence):
    with pytest.raises(InputError) as caught:
        scheme.assign(design, Address(0, "f"))
    assert sentence in str(caught.value)
