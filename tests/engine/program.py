"""A program to be killed: three learners on many runs, kept in a store.

``python program.py STORE RUNS JOBS [SCHEDULER]``: three tasks a run, of at least ten milliseconds each; one of the
learners warns, and fails in some folds.
"""

import sys
import time
import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp


class Slow(ClassifierMixin, BaseEstimator):
    """Takes its time; warns; and fails where a certain instance is missing, if it is told to."""

    def __init__(self, failing=False):
        self.failing = failing

    def fit(self, X, y):
        time.sleep(0.004)
        warnings.warn("careful", UserWarning, stacklevel=1)
        if self.failing and not (X[:, -1] == 5).any():
            raise RuntimeError("not today")
        self.classes_, counts = np.unique(y, return_counts=True)
        self.most_ = self.classes_[counts.argmax()]
        return self

    def predict(self, X):
        return np.where(X[:, 0] > 0, self.most_, self.classes_[0])


def main(store, runs, jobs, scheduler=None):
    where = {"n_jobs": int(jobs)} if scheduler is None else {"executor": "dask", "scheduler": scheduler}
    rng = np.random.default_rng(7)
    y = np.arange(50) % 2
    X = np.column_stack([rng.normal(size=(50, 2)) + y[:, None], np.arange(50)])
    found = fp.compare(
        {"slow": Slow(), "odd": Slow(failing=True), "tree": DecisionTreeClassifier(max_depth=2)},
        X, y, procedure="corrected-repeated-cv", runs=int(runs), folds=3,
        store=store, ledger=False, **where,
    )  # fmt: skip
    print(found.pair("slow", "tree").pvalue)


if __name__ == "__main__":
    main(*sys.argv[1:])
