"""Nearest neighbours under a fold's own ranges, in the slow twin of all folds."""

from naive.nearest_folds import predictions

__all__ = ["predictions"]
