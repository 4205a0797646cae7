"""How good a test is, in the slow twin of the whole learner."""

from naive.c45 import C45

__all__ = ["C45"]
