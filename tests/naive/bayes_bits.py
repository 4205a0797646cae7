"""Naive Bayes of binary data is naive Bayes of nominal data."""

from naive.bayes_folds import predictions

__all__ = ["predictions"]
