"""The exact Wilcoxon signed-rank test."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from foldproof.domain.errors import InputError
from foldproof.domain.result import RankResult
from foldproof.significance._base import significance_test
from foldproof.significance._combiners import midranks, rank_result, slack_of


@significance_test("wilcoxon-signed-rank", kind="combiner", takes="values")
def wilcoxon_signed_rank(
    differences: npt.ArrayLike, *, independent: bool = False, zeros: Literal["drop", "split"] = "drop"
) -> RankResult:
    """Test whether differences are symmetric about zero by the ranks of their sizes, exactly.

    Claim
    -----
    Every difference is as likely to be x as -x. W+ is the sum of the ranks of the positive differences; equal sizes
    share their mean rank, and p is exact given these ranks: ``min(1, 2 min(P(W+ >= w), P(W+ <= w)))``. Zeros are
    dropped; with ``zeros="split"`` they are ranked, lowest, and half of their ranks goes to either side, one of an odd
    number being dropped.

    When to use
    -----------
    One value per dataset (``independent=True``). Not over partitions of one dataset, which reuse the same instances:
    six equal-signed partitions are significant at 0.05 and eight at 0.01, however small the difference
    (``combiner_growth``); the result then warns ``rejected_combiner``.

    Reference
    ---------
    Bradford & Brodley (2001), section 4. Demsar (2006, section 3.1.3) splits zeros.

    Examples
    --------
    Six differences of one sign are just significant, and eight at 0.01:

    >>> wilcoxon_signed_rank([1, 2, 3, 4, 5, 6]).pvalue, wilcoxon_signed_rank([1, 2, 3, 4, 5, 6, 7, 8]).pvalue
    (0.03125, 0.0078125)
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim != 1 or values.size == 0 or not np.isfinite(values).all():
        raise InputError(f"Wilcoxon's test: give a list of finite differences; got shape {values.shape}")
    if zeros not in ("drop", "split"):
        raise InputError(f"zeros is {zeros!r}: use 'drop' or 'split'")
    slack = slack_of(values)
    kept = values[np.abs(values) > slack]
    ordered = kept[np.argsort(np.abs(kept), kind="stable")]
    ranks = midranks(np.abs(ordered), slack) if ordered.size else ordered
    split = (values.size - kept.size) // 2 * 2 if zeros == "split" else 0
    found = rank_result("wilcoxon-signed-rank", ordered, ranks + split, ordered > 0.0, independent)
    if split == 0:
        return found
    # The zeros hold the ranks 1 to split: the same half for either side, whatever the signs, so that p stands.
    half = 0.25 * split * (split + 1)
    return replace(
        found,
        ordered=(0.0,) * split + found.ordered,
        signed_ranks=(0.0,) * split + found.signed_ranks,
        w_plus=found.w_plus + half,
        w_minus=found.w_minus + half,
    )
