"""Encoding learns from the training fold alone."""

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin

import foldproof as fp
from foldproof.learners.encoder import describe_encoding, encoded

FRAME = pd.DataFrame({"n": [1.0, 2.0, np.nan, 100.0], "c": ["u", "v", None, "w"]})


class Keeper(ClassifierMixin, BaseEstimator):
    """Keeps what it is given."""

    def fit(self, X, y):
        self.seen_, self.classes_ = X, np.unique(y)
        return self

    def predict(self, X):
        self.asked_ = X
        return np.zeros(len(X), dtype=int)


def test_the_training_fold_alone_decides():
    data = fp.dataset(FRAME, [0, 1, 0, 1])
    model = encoded(data, Keeper()).fit(data.codes[:3], data.y[:3])
    # median of 1 and 2; the most frequent of u and v (first of equals); columns for u and v only
    assert model[-1].seen_.tolist() == [[1.0, 1, 0], [2.0, 0, 1], [1.5, 1, 0]]
    model.predict(data.codes[3:])
    assert model[-1].asked_.tolist() == [[100.0, 0, 0]]


def test_a_column_unknown_in_the_training_fold_does_not_break_it():
    data = fp.dataset(FRAME, [0, 1, 0, 1])
    model = encoded(data, Keeper()).fit(data.codes[[2, 2]], [0, 1])
    assert np.isfinite(model[-1].seen_).all()


def test_what_is_done_is_told():
    told = describe_encoding(fp.dataset(FRAME, [0, 1, 0, 1]))
    assert told.startswith("1 nominal attribute one-hot encoded and 2 missing values filled in")
