"""Any scikit-learn splitter, as a matrix where it is one and listed where it is not."""

import numpy as np
import pytest
from sklearn import model_selection as ms

from foldproof.domain.errors import InputError
from foldproof.domain.partitions import ExplicitPartitions, Partitions
from foldproof.partitions import partitions_from_splitter

X, Y, GROUPS = np.zeros((24, 2)), np.arange(24) % 2, np.arange(24) // 4


@pytest.mark.parametrize(
    ("cv", "runs", "folds"),
    [
        (ms.KFold(4), 1, 4),
        (ms.StratifiedKFold(4, shuffle=True, random_state=1), 1, 4),
        (ms.RepeatedKFold(n_splits=4, n_repeats=3, random_state=1), 3, 4),
        (ms.RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=1), 5, 2),
        (ms.GroupKFold(3), 1, 3),
        (ms.StratifiedGroupKFold(3), 1, 3),
        (ms.LeaveOneOut(), 1, 24),
        (ms.LeaveOneGroupOut(), 1, 6),
        (ms.ShuffleSplit(7, test_size=0.1, random_state=1), 7, 1),
        (ms.StratifiedShuffleSplit(3, test_size=0.25, random_state=1), 3, 1),
        (ms.GroupShuffleSplit(3, test_size=2, random_state=1), 3, 1),
        (ms.LeavePOut(2), 276, 1),
        (ms.PredefinedSplit([-1, 0, 0, 1, 1, 2] * 4), 1, 3),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "split") else None,
)
def test_complementary_splitters_become_the_matrix(cv, runs, folds):
    groups = GROUPS if "Group" in type(cv).__name__ else None
    found = partitions_from_splitter(cv, X, Y, groups)
    assert isinstance(found, Partitions)
    assert (found.runs, found.folds) == (runs, folds)
    for ours, theirs in zip(found.split(), cv.split(X, Y, groups), strict=True):
        assert [sorted(part) for part in ours] == [sorted(part) for part in theirs]


@pytest.mark.parametrize(
    "cv",
    [
        ms.TimeSeriesSplit(4),
        ms.ShuffleSplit(3, test_size=0.2, train_size=0.5, random_state=0),
        [(np.array([0, 0, 1, 5]), np.array([2, 3])), (np.array([2, 2, 3]), np.array([0, 1]))],
    ],
    ids=["time series", "partial sizes", "bootstrap"],
)
def test_other_splitters_are_listed_and_work_too(cv):
    found = partitions_from_splitter(cv, X, Y)
    assert isinstance(found, ExplicitPartitions)
    theirs = list(cv.split(X, Y)) if hasattr(cv, "split") else cv
    for ours, wanted in zip(found.split(), theirs, strict=True):
        assert [part.tolist() for part in ours] == [part.tolist() for part in wanted]


def test_boolean_masks_are_positions():
    mask = np.arange(24) < 12
    assert partitions_from_splitter([(mask, ~mask), (~mask, mask)], X).folds == 2


def test_partitions_pass_through():
    partitions = Partitions([np.arange(24) % 3])
    assert partitions_from_splitter(partitions, X) is partitions


@pytest.mark.parametrize(
    ("cv", "sentence"),
    [
        (5, "cv=5: a number of folds is given as procedure="),
        (3.5, "cv is 3.5: give a scikit-learn splitter or a list"),
        ([], "the splitter gave no split at all"),
        ("5", "cv is '5': give a scikit-learn splitter or a list"),
        ([1, 2], "cv: split 0 is no pair of training and test positions"),
        ([([0, 1], [2]), ([0, 1, 2],)], "cv: split 1 is no pair"),
        ([([0, 1], [24])], "cv: split 0 names position 24, and the data have 24 rows, 0 to 23"),
        ([([-1, 1], [2])], "cv: split 0 names position -1, and"),
        ([([0.5, 1], [2])], "cv: split 0 holds float64 of shape (2,): give whole-number positions"),
        ([([True, False], [2])], "cv: split 0 holds bool of shape (2,)"),
        (ms.KFold(30), "the splitter KFold cannot divide this dataset: Cannot have number of splits"),
    ],
)
def test_what_is_no_splitter_is_told(cv, sentence):
    with pytest.raises(InputError) as caught:
        partitions_from_splitter(cv, X, Y)
    assert sentence in str(caught.value)
