"""What methods for the learners of this room have in common: data as the dataset declares them."""

from __future__ import annotations

from foldproof.domain.dataset import Dataset
from foldproof.learners._coded import CodedClassifier


def declares_nothing(estimator: CodedClassifier, dataset: Dataset) -> bool:
    """Return whether the data are classified and unweighted, and the learner knows of them what the dataset tells."""
    own = (estimator.categorical_features, estimator.categories, estimator.classes)
    if any(given is not None for given in own) or dataset.sample_weight is not None:
        return False
    return dataset.codes is not None and dataset.task == "classification" and dataset.classes is not None
