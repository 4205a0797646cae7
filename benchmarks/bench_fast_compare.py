"""``fp.compare`` of two recognised learners beside ``cross_validate`` on the same partitions of 1,000 x 20.

One process, interleaved. Time on the wall, for scikit-learn's neighbours use all cores; scores are checked to be equal
before any time is taken.
"""

import time
from statistics import median

import numpy as np
from sklearn.datasets import make_classification
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import foldproof as fp

LEARNERS = {"nb": GaussianNB(), "knn": KNeighborsClassifier(5)}


def main() -> None:
    """Print the ratios."""
    X, y = make_classification(n_samples=1000, n_features=20, random_state=0)
    found = fp.compare(LEARNERS, X, y, n_jobs=1)
    for name, learner in LEARNERS.items():
        theirs = cross_validate(learner, X, y, cv=found.partitions)["test_score"]
        assert np.array_equal(found.outcomes[name].scores["accuracy"].ravel(), theirs), name
    ways = {
        "fp.compare": lambda: fp.compare(LEARNERS, X, y, n_jobs=1),
        "fp.compare(fast=False)": lambda: fp.compare(LEARNERS, X, y, n_jobs=1, fast=False),
        "cross_validate": lambda: [cross_validate(learner, X, y, cv=found.partitions) for learner in LEARNERS.values()],
    }
    seconds = {name: [] for name in ways}
    for _ in range(9):
        for name, way in ways.items():
            begin = time.perf_counter()
            way()
            seconds[name].append(time.perf_counter() - begin)
    ours = median(seconds["fp.compare"])
    print("| two learners, 10 x 10 folds, 1,000 x 20 | time on the wall, in times of fp.compare |\n| --- | --- |")
    for name, taken in seconds.items():
        print(f"| {name} | {median(taken) / ours:.1f} |")


if __name__ == "__main__":
    main()
