"""Conjunctions of binary attributes, counted one by one."""

from itertools import product


def count_conjunctions(rows, y, m):
    """Return, by ternary code (0 open, 1 for a 0, 2 for a 1; the first attribute counts least), both classes' counts."""
    found = []
    for digits in product(range(3), repeat=m):
        digits = digits[::-1]
        met = [
            c for row, c in zip(rows, y, strict=True) if all(d in (0, v + 1) for d, v in zip(digits, row, strict=True))
        ]
        found.append((met.count(0), met.count(1)))
    return found
