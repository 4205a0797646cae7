"""Sorting a sample once, in the slow twin of the whole learner, which sorts at every node."""

from naive.c45 import C45

__all__ = ["C45"]
