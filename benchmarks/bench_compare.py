"""What a comparison costs beside scikit-learn: the same learners on the same splits, one process, interleaved.

"pair by pair" is what a script does that tests each of the three pairs with its own ``cross_val_score`` calls;
"learner by learner" calls it once for each learner.
"""

import time
from itertools import combinations
from statistics import median

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp

LEARNERS = {
    "bayes": GaussianNB(),
    "knn": KNeighborsClassifier(),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
}


def main() -> None:
    """Print the ratios."""
    X, y = load_breast_cancer(return_X_y=True)
    splits = fp.compare(LEARNERS, X, y).partitions
    ways = {
        "fp.compare": lambda: fp.compare(LEARNERS, X, y, n_jobs=1),
        "pair by pair": lambda: [
            cross_val_score(LEARNERS[name], X, y, cv=splits) for pair in combinations(LEARNERS, 2) for name in pair
        ],
        "learner by learner": lambda: [cross_val_score(learner, X, y, cv=splits) for learner in LEARNERS.values()],
    }
    seconds = {name: [] for name in ways}
    for _ in range(5):
        for name, way in ways.items():
            begin = time.thread_time()
            way()
            seconds[name].append(time.thread_time() - begin)
    ours = median(seconds["fp.compare"])
    print("| three learners, 10 x 10 folds, breast cancer | processor time, in times of fp.compare |\n| --- | --- |")
    for name, taken in seconds.items():
        print(f"| {name} | {median(taken) / ours:.2f} |")


if __name__ == "__main__":
    main()
