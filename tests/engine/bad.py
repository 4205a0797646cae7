"""Learners that do what learners should not; worker processes import them from here."""

import hashlib
import os
import signal
import time
import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB


class Bad(ClassifierMixin, BaseEstimator):
    """Does something bad where a certain instance is not trained on."""

    def __init__(self, how="sleep"):
        self.how = how

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if not (X[:, -1] == 5).any():
            if self.how == "sleep":
                time.sleep(600)
            if self.how == "never":
                import re

                re.match(r"(a+)+b", "a" * 60)  # inside C, and holding the interpreter
            if self.how == "busy":
                hashlib.pbkdf2_hmac("sha256", b"inside C", b"others may run", 2**31 - 1)
            if self.how == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            if self.how == "exit":
                os._exit(7)
            if self.how == "memory":
                import resource

                before = resource.getrlimit(resource.RLIMIT_AS)
                resource.setrlimit(resource.RLIMIT_AS, (2**28, before[1]))
                try:
                    self.much_ = np.ones(2**34)
                finally:
                    resource.setrlimit(resource.RLIMIT_AS, before)
        print("fitted", flush=True)
        warnings.warn("careful", UserWarning, stacklevel=1)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


class Unreadable(GaussianNB):
    """Cannot be read in another process."""

    def __setstate__(self, state):
        raise RuntimeError("not here")
