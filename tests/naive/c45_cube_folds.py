"""All folds of binary data are all folds of any data."""

from naive.c45_folds import predictions

__all__ = ["predictions"]
