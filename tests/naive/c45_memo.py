"""A tree from counted conjunctions is the tree from rows."""

from naive.c45 import C45

__all__ = ["C45"]
