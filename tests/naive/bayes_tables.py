"""Naive Bayes of nominal data on all folds, in the slow twin of both kinds."""

from naive.bayes_folds import predictions

__all__ = ["predictions"]
