"""Mean 10 x 10 accuracies of the classic learners beside scikit-learn's nearest relatives, as Markdown.

Run ``python benchmarks/classic_accuracies.py --data-dir FOLDER`` with the ARFF files of the UCI datasets in FOLDER.
A second table changes one thing at a time, to tell where the differences come from. Estimators of scikit-learn get
nominal and missing values encoded inside each training fold, as `foldproof compare` does it.
"""

import argparse
from pathlib import Path
from typing import Any, Self

from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import MinMaxScaler

import foldproof as fp
from foldproof.data.sources import Wanted, read_source
from foldproof.learners import C45, NaiveBayes

DATASETS = (
    "anneal",
    "balance-scale",
    "breast-cancer",
    "diabetes",
    "glass",
    "heart-statlog",
    "hepatitis",
    "ionosphere",
    "labor",
    "vote",
)


class Encoded(ClassifierMixin, BaseEstimator):
    """A learner that is handed encoded data, whether it needs them or not, and scaled ones if asked for."""

    def __init__(self, learner: Any, scaled: bool = False) -> None:
        self.learner = learner
        self.scaled = scaled

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the scaler and the learner."""
        self.scaler_ = MinMaxScaler().fit(X)
        self.learner_ = clone(self.learner).fit(self._prepared(X), y)
        self.classes_ = self.learner_.classes_
        return self

    def predict(self, X: Any) -> Any:
        """Return what the learner says."""
        return self.learner_.predict(self._prepared(X))

    def _prepared(self, X: Any) -> Any:
        return self.scaler_.transform(X) if self.scaled else X


LEARNERS = {
    "naive Bayes": "naive-bayes",
    "GaussianNB": "sklearn.naive_bayes.GaussianNB()",
    "C4.5": "c45",
    "DecisionTree": "sklearn.tree.DecisionTreeClassifier()",
    "1-NN": "nearest-neighbour",
    "KNeighbors(1)": "sklearn.neighbors.KNeighborsClassifier(n_neighbors=1)",
}
REASONS = {
    "naive Bayes, kernels": NaiveBayes(numeric="kernel"),
    "GaussianNB, scaled and smoothed": Encoded(GaussianNB(var_smoothing=0.1), scaled=True),
    "C4.5, unpruned": C45(unpruned=True),
    "C4.5, encoded": Encoded(C45()),
    "KNeighbors(1), scaled": Encoded(KNeighborsClassifier(n_neighbors=1), scaled=True),
}


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    for learners in (LEARNERS, REASONS):
        print("| dataset | " + " | ".join(learners) + " |")
        print("| --- |" + " ---: |" * len(learners))
        for name in DATASETS:
            dataset = read_source(str(options.data_dir / f"{name}.arff"), Wanted(name))
            summaries = fp.compare(learners, dataset, n_jobs=options.jobs, seed=0).scored[0].learners
            print(f"| {name} | " + " | ".join(f"{100 * learner.mean_score:.1f}" for learner in summaries) + " |")
        print(flush=True)


if __name__ == "__main__":
    main()
