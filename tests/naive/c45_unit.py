"""Growing, in the slow twin of the whole learner: choose, grow."""

from naive.c45 import C45

__all__ = ["C45"]
