"""Pruning where instances weigh 1, in the slow twin of the whole learner, which knows only weights."""

from naive.c45 import C45

__all__ = ["C45"]
