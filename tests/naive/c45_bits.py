"""Trees from sets of instances are trees from lists of them."""

from naive.c45_folds import predictions

__all__ = ["predictions"]
