"""All learners against one, by their mean ranks, with Holm's adjustment."""

from __future__ import annotations

import math

import numpy.typing as npt

from foldproof.domain.errors import InputError
from foldproof.domain.over_datasets import RankPair, RankPairsResult
from foldproof.domain.student import upper_tail
from foldproof.significance._adjust_p import Method as Adjustment
from foldproof.significance._adjust_p import adjust_p
from foldproof.significance._base import significance_test
from foldproof.significance._datasets import floats, ranks_of, small, table_of_scores


@significance_test("holm-control", kind="other", takes="datasets")
def holm_control(scores: npt.ArrayLike, *, control: int = 0, adjust: Adjustment = "holm") -> RankPairsResult:
    """Test which learners differ from a control in their mean ranks over many datasets.

    Claim
    -----
    Every learner has the mean rank of the control. ``z = (R_control - R_j) / sqrt(k (k + 1) / (6 N))`` is referred to
    the normal distribution, and the k - 1 two-sided p-values are adjusted by Holm's method (``adjust="bonferroni"``
    gives the Bonferroni-Dunn test). Pairs are (control, other), and positive where the control is better.

    When to use
    -----------
    After ``friedman`` or ``iman_davenport``, where a new learner is compared with others, named before the scores
    were seen. Choosing the control afterwards (the best, say) makes it a comparison of all pairs: use ``nemenyi``.
    The remarks there on other learners in the table and on ties hold here too.

    Reference
    ---------
    Holm (1979); Demsar (2006), section 3.2.2.

    Examples
    --------
    >>> result = holm_control([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.7, 0.8, 0.5], [0.9, 0.6, 0.6]])
    >>> [(pair.b, round(pair.pvalue, 4), round(pair.pvalue_adjusted, 4)) for pair in result.pairs]
    [(1, 0.3768, 0.3768), (2, 0.0216, 0.0431)]
    """
    table = table_of_scores(scores, "Holm's test against a control")
    n, k = table.shape
    if isinstance(control, bool) or control not in range(k):
        raise InputError(f"control is {control!r}: give the place of a learner, 0 to {k - 1}")
    ranks, _ = ranks_of(table)
    means, told = floats(ranks.mean(axis=0)), small(n)
    others = [j for j in range(k) if j != control]
    statistics = [(means[j] - means[control]) / math.sqrt(k * (k + 1) / (6.0 * n)) for j in others]
    pvalues = [min(1.0, 2.0 * float(upper_tail(z, math.inf))) for z in statistics]
    adjusted = adjust_p(pvalues, method=adjust)
    pairs = tuple(
        RankPair(
            test="holm-control",
            a=control,
            b=j,
            difference=means[j] - means[control],
            statistic=z,
            pvalue=p,
            pvalue_adjusted=float(q),
            warnings=told,
        )
        for j, z, p, q in zip(others, statistics, pvalues, adjusted, strict=True)
    )
    return RankPairsResult(test="holm-control", mean_ranks=means, datasets=n, pairs=pairs, warnings=told)
