"""The exact Wilcoxon signed-rank test."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.domain.errors import InputError
from foldproof.domain.result import RankResult
from foldproof.significance._base import significance_test
from foldproof.significance._combiners import midranks, rank_result, slack_of


@significance_test("wilcoxon-signed-rank", kind="combiner", takes="other")
def wilcoxon_signed_rank(differences: npt.ArrayLike, *, independent: bool = False) -> RankResult:
    """Test whether differences are symmetric about zero by the ranks of their sizes, exactly.

    Claim
    -----
    Every difference is as likely to be x as -x. W+ is the sum of the ranks of the positive differences; zeros are
    dropped, equal sizes share their mean rank, and p is exact given these ranks: ``min(1, 2 min(P(W+ >= w), P(W+ <=
    w)))``.

    When to use
    -----------
    One value per dataset (``independent=True``). Not over partitions of one dataset, which reuse the same instances:
    six equal-signed partitions are significant at 0.05 and eight at 0.01, however small the difference
    (``combiner_growth``); the result then warns ``rejected_combiner``.

    Reference
    ---------
    Bradford & Brodley (2001), section 4.

    Examples
    --------
    Six differences of one sign are just significant, and eight at 0.01:

    >>> wilcoxon_signed_rank([1, 2, 3, 4, 5, 6]).pvalue, wilcoxon_signed_rank([1, 2, 3, 4, 5, 6, 7, 8]).pvalue
    (0.03125, 0.0078125)
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim != 1 or values.size == 0 or not np.isfinite(values).all():
        raise InputError(f"Wilcoxon's test: give a list of finite differences; got shape {values.shape}")
    slack = slack_of(values)
    kept = values[np.abs(values) > slack]
    ordered = kept[np.argsort(np.abs(kept), kind="stable")]
    ranks = midranks(np.abs(ordered), slack) if ordered.size else ordered
    return rank_result("wilcoxon-signed-rank", ordered, ranks, ordered > 0.0, independent)
