"""What is left of a normal density's cell after rounding, in the slow twin of all folds."""

from naive.bayes_folds import predictions

__all__ = ["predictions"]
