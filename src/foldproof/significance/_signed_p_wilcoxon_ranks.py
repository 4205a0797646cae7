"""Wilcoxon's test on signed p-values, rejected for partitions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.domain.result import RankResult
from foldproof.significance._base import significance_test
from foldproof.significance._combiners import checked_p, midranks, rank_result, slack_of


@significance_test("signed-p-wilcoxon-ranks", kind="combiner", takes="p-values")
def signed_p_wilcoxon_ranks(signed_p: npt.ArrayLike, *, independent: bool = False) -> RankResult:
    """Rank signed p-values by the strength of their evidence and test their signs.

    Claim
    -----
    Evidence for either learner is equally likely at every strength. The largest ``|p|``, the weakest evidence, has
    rank 1; W is the smaller of the rank sums of positive and negative values; p is exact and two-sided.

    When to use
    -----------
    Not over partitions of one dataset: see the Wilcoxon signed-rank test, whose warning it shares.

    Reference
    ---------
    Bradford & Brodley (2001), section 4, the example with W = 2.

    Examples
    --------
    >>> result = signed_p_wilcoxon_ranks([-0.2, 0.3, 0.05])
    >>> result.ordered, result.signed_ranks, result.statistic, result.pvalue
    ((0.3, -0.2, 0.05), (1.0, -2.0, 3.0), 2.0, 0.75)
    """
    values = checked_p(signed_p, "Wilcoxon's test on signed p-values", signed=True)
    ordered = values[np.argsort(-np.abs(values), kind="stable")]
    ranks = midranks(-np.abs(ordered), slack_of(values))
    return rank_result("signed-p-wilcoxon-ranks", ordered, ranks, ~np.signbit(ordered), independent)
