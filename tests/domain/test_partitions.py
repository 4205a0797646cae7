"""Partitions are valid, immutable, fingerprinted, and a scikit-learn ``cv`` object."""

import hashlib
import struct

import numpy as np
import pytest
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB

from foldproof.domain.errors import InputError
from foldproof.domain.partitions import ExplicitPartitions, Partitions

MATRIX = np.array([[0, 1, 0, 1, 2, 2], [2, 1, 0, 0, 1, 2]])


def test_it_is_a_cv_object(toy):
    X, y = toy
    partitions = Partitions(np.arange(40)[np.newaxis] % 4)
    scores = cross_validate(GaussianNB(), X, y, cv=partitions)["test_score"]
    assert len(scores) == 4 == partitions.get_n_splits()


def test_splits_come_run_by_run_and_train_on_the_rest():
    splits = list(Partitions(MATRIX).split())
    assert len(splits) == 6
    for number, (train, test) in enumerate(splits):
        run, fold = divmod(number, 3)
        assert test.tolist() == np.flatnonzero(MATRIX[run] == fold).tolist()
        assert sorted([*train, *test]) == list(range(6))


def test_an_instance_that_is_never_tested_is_trained_on():
    partitions = Partitions([[0, -1, -1, -1]])
    assert [part.tolist() for part in partitions.train_test(0, 0)] == [[1, 2, 3], [0]]
    assert (partitions.n_train, partitions.n_test, partitions.covering) == (3.0, 1.0, False)


def test_mean_sizes_of_uneven_folds_have_the_ratio_of_the_specification():
    partitions = Partitions([np.arange(569) % 10])
    assert partitions.n_test / partitions.n_train == pytest.approx(1 / 9, rel=1e-15)


def test_the_matrix_cannot_be_changed_and_is_not_shared():
    source = MATRIX.astype(np.int32)
    partitions = Partitions(source)
    with pytest.raises(ValueError, match="read-only"):
        partitions.test_fold[0, 0] = 1
    source[0, 0] = 1
    assert partitions.test_fold[0, 0] == 0


def test_fingerprints_follow_content():
    assert Partitions(MATRIX) == Partitions(MATRIX.tolist(), scheme="other")
    assert Partitions(MATRIX).fingerprint == Partitions(MATRIX.astype(np.int64)).fingerprint
    assert Partitions(MATRIX).fingerprint != Partitions(MATRIX[::-1]).fingerprint
    assert Partitions(MATRIX).fingerprint != Partitions(MATRIX.reshape(3, 4) % 2).fingerprint


@pytest.mark.parametrize(
    ("matrix", "sentence"),
    [
        ([[0, 0, 2]], "run 0 never tests fold 1: every run needs the folds 0..2"),
        ([[0, 1, 1], [0, 0, 0]], "run 1 never tests fold 1"),
        ([[0, 0, 0]], "run 0 leaves nothing to train on"),
        ([[0, -2, 1]], "a test fold is -1 (never tested) or counts from 0; got -2"),
        ([0, 1], "partitions are a matrix of runs by instances; got an array of shape (2,)"),
        ([[-1, -1]], "run 0"),
    ],
)
def test_what_is_no_partition_is_refused(matrix, sentence):
    with pytest.raises(InputError) as caught:
        Partitions(matrix)
    assert sentence in str(caught.value)


def test_other_data_than_it_divides_is_refused():
    with pytest.raises(InputError, match="divide 6 instances and X has 5"):
        next(Partitions(MATRIX).split(np.zeros((5, 1))))


def test_explicit_partitions_have_the_same_verbs():
    splits = (((np.array([0, 1]), np.array([2])), (np.array([0, 1, 2]), np.array([3]))),)
    partitions = ExplicitPartitions(splits, n_instances=4)
    assert (partitions.runs, partitions.folds, partitions.complementary) == (1, 2, False)
    assert (partitions.n_train, partitions.n_test) == (2.5, 1.0)
    assert [test.tolist() for _, test in partitions.split()] == [[2], [3]]
    assert partitions.fingerprint != ExplicitPartitions(splits, n_instances=5).fingerprint


@pytest.mark.parametrize(
    ("train", "test", "sentence"),
    [([0, 1], [1], "trains on instances that it tests"), ([0], [9], "outside 0..3"), ([], [1], "empty")],
)
def test_explicit_partitions_refuse_nonsense(train, test, sentence):
    with pytest.raises(InputError, match=sentence):
        ExplicitPartitions((((np.array(train), np.array(test)),),), n_instances=4)


def test_an_order_is_how_a_fold_is_handed_over():
    plain = Partitions(np.array([[0, 1, 0, 1]]))
    ordered = Partitions(np.array([[0, 1, 0, 1]]), order=np.array([[3, 2, 1, 0]]))
    assert [side.tolist() for side in ordered.train_test(0, 0)] == [[3, 1], [2, 0]]
    assert ordered.fingerprint != plain.fingerprint
    assert ordered != plain


def test_an_order_lists_every_instance_once():
    with pytest.raises(InputError, match="the order of each run must list every instance once"):
        Partitions(np.array([[0, 1, 0, 1]]), order=np.array([[3, 2, 1, 1]]))


def test_they_are_kept_narrow_and_handed_out_wide():
    few, many = Partitions(np.arange(256)[None, :] % 128), Partitions(np.arange(256)[None, ::-1] % 129)
    assert (few.test_fold.dtype, many.test_fold.dtype) == (np.int8, np.int16)
    ordered = Partitions(MATRIX, order=np.array([[5, 4, 3, 2, 1, 0]] * 2))
    assert ordered.order.dtype == np.int8
    folds, order = ordered.matrices([1])
    assert (folds.dtype, order.dtype, folds.flags.writeable) == (np.int32, np.int32, True)
    assert (folds.tolist(), order.tolist()) == (MATRIX[1:].tolist(), [[5, 4, 3, 2, 1, 0]])
    assert many.matrices()[0].tolist() == (np.arange(256)[None, ::-1] % 129).tolist()
    assert many.matrices()[1] is None


def test_what_they_are_kept_in_has_no_part_in_the_fingerprint():
    """The layout is one of integers of four bytes, whatever they are kept in, and also across portions."""
    matrix = np.arange(300_000, dtype="<i4")[None, :] % 1000
    written = b"foldproof/partitions/1\na" + struct.pack("<QQQ", 2, 1, 300_000) + matrix.tobytes()
    assert Partitions(matrix).fingerprint == hashlib.sha256(written).hexdigest()
