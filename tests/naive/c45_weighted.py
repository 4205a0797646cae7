"""Growing below a test of a missing value, in the slow twin of the whole learner, where all nodes are of this kind."""

from naive.c45 import C45

__all__ = ["C45"]
