"""Pruning, in the slow twin of the whole learner: collapse, extra, prune, recompute."""

from naive.c45 import C45

__all__ = ["C45"]
