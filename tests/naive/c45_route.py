"""Where instances go below a test, in the slow twin of the whole learner: branch, tabulate, route."""

from naive.c45 import C45

__all__ = ["C45"]
