"""Nemenyi's test: which pairs of learners differ in their mean ranks."""

from __future__ import annotations

import math
from itertools import combinations

import numpy.typing as npt

from foldproof.domain.over_datasets import NemenyiResult, RankPair, critical_distance
from foldproof.domain.studentized_range import range_tail
from foldproof.significance._base import formula, significance_test
from foldproof.significance._datasets import floats, ranks_of, small, table_of_scores


@formula
def critical_difference(learners: int, datasets: int, *, alpha: float) -> float:
    """Return the distance of mean ranks from which Nemenyi's test tells two learners apart.

    ``q sqrt(k (k + 1) / (6 N))``, with q the studentized range of k normals divided by the square root of two. Demsar
    (2006, Table 5 and section 3.2.2) has 2.569 for q and 1.25 for four learners on fourteen datasets:

    >>> round(critical_difference(4, 14, alpha=0.05), 2), round(critical_difference(4, 14, alpha=0.10), 2)
    (1.25, 1.12)
    """
    return critical_distance(learners, datasets, alpha)


@significance_test("nemenyi", kind="other", takes="datasets")
def nemenyi(scores: npt.ArrayLike) -> NemenyiResult:
    """Test which pairs of learners have different mean ranks over many datasets.

    Claim
    -----
    For every pair, the two learners have the same mean rank. The difference of mean ranks, divided by ``sqrt(k (k + 1)
    / (6 N))`` and multiplied by the square root of two, is referred to the range of k standard normals. The p-values
    hold for all pairs together. ``critical_difference(alpha)`` is the distance from which a pair differs; ``groups``
    are the bars of a critical-difference diagram.

    When to use
    -----------
    After ``friedman`` or ``iman_davenport``, where every pair is of interest; against one learner only,
    ``holm_control`` finds more. A pair's p-value depends on who else is in the table, and ties are not corrected for:
    both can be avoided with Wilcoxon's test on every pair, adjusted by Holm's method.

    Reference
    ---------
    Nemenyi (1963); Demsar (2006), section 3.2.2.

    Examples
    --------
    >>> result = nemenyi([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.7, 0.8, 0.5], [0.9, 0.6, 0.6]])
    >>> round(result.critical_difference(0.05), 3), round(result.pair(0, 2).pvalue, 4), result.groups(0.05)
    (1.657, 0.0561, ((0, 1, 2),))
    """
    table = table_of_scores(scores, "Nemenyi's test")
    ranks, _ = ranks_of(table)
    n, k = table.shape
    means, told = floats(ranks.mean(axis=0)), small(n)
    pairs = []
    for a, b in combinations(range(k), 2):
        difference = means[b] - means[a]
        z = difference / math.sqrt(k * (k + 1) / (6.0 * n))
        p = range_tail(math.sqrt(2.0) * abs(z), k)
        pairs.append(
            RankPair(
                test="nemenyi", a=a, b=b, difference=difference, statistic=z, pvalue=p, pvalue_adjusted=p, warnings=told
            )
        )
    return NemenyiResult(test="nemenyi", mean_ranks=means, datasets=n, pairs=tuple(pairs), warnings=told)
