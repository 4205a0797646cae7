"""Slow twins: obvious implementations that import nothing of ours, to hold the fast ones against."""
