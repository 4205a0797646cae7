"""Slow twins of the tests over many datasets: definitions, one step after the other."""

from fractions import Fraction
from itertools import permutations, product


def rank_row(row):
    """Rank one row, 1 for the highest, ties sharing the mean of their places."""
    return [Fraction(sum(v > w for v in row) * 2 + sum(v == w for v in row) + 1, 2) for w in row]


def mean_ranks(table):
    ranks = [rank_row(row) for row in table]
    return [sum(column, Fraction(0)) / len(table) for column in zip(*ranks, strict=True)]


def friedman(table, corrected):
    """Return chi-square as a fraction: between-learner squares of ranks over what they are expected to be."""
    n, k = len(table), len(table[0])
    ranks = [rank_row(row) for row in table]
    middle = Fraction(k + 1, 2)
    between = n * sum((r - middle) ** 2 for r in mean_ranks(table))
    if corrected:
        within = sum((r - middle) ** 2 for row in ranks for r in row) / (n * (k - 1))
    else:
        within = Fraction(k * (k + 1), 12)
    return between / within if within else Fraction(0)


def repeated_measures_f(table):
    """Return the F of the ranks, learners against the residual, by its sums of squares; None where it is infinite."""
    n, k = len(table), len(table[0])
    ranks = [rank_row(row) for row in table]
    middle, means = Fraction(k + 1, 2), mean_ranks(table)
    between = n * sum((m - middle) ** 2 for m in means) / (k - 1)
    residual = sum((r - m) ** 2 for row in ranks for r, m in zip(row, means, strict=True)) / ((k - 1) * (n - 1))
    return between / residual if residual else None


def wilcoxon(values, zeros):
    """Return W+, W- and the two-sided p by visiting every assignment of signs to what is not zero."""
    none = sum(v == 0 for v in values)
    keep = none // 2 * 2 if zeros == "split" else 0
    sizes = [0] * keep + sorted(abs(v) for v in values if v != 0)
    ranks = [Fraction(sum(v < w for v in sizes) * 2 + sum(v == w for v in sizes) + 1, 2) for w in sizes]
    of_size = dict(zip(sizes, ranks, strict=True))
    half = sum(ranks[:keep], Fraction(0)) / 2
    plus = half + sum(of_size[v] for v in values if v > 0)
    minus = half + sum(of_size[-v] for v in values if v < 0)
    moving = ranks[keep:]
    sums = [
        half + sum(r for r, up in zip(moving, ups, strict=True) if up) for ups in product((0, 1), repeat=len(moving))
    ]
    greater, less = sum(s >= plus for s in sums), sum(s <= plus for s in sums)
    return plus, minus, min(Fraction(1), 2 * Fraction(min(greater, less), len(sums)))


def agreement(table):
    """Return the probability that rows ranked at random all agree: every order of the first is tried against it."""
    first = rank_row(table[0])
    orders = set(permutations(first))
    return Fraction(1, len(orders)) ** (len(table) - 1)
