"""Friedman's test: do several learners rank equally over many datasets?"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.domain.errors import InputError
from foldproof.domain.over_datasets import FriedmanResult, Ties
from foldproof.significance._base import significance_test
from foldproof.significance._datasets import TIES_UNCORRECTED, floats, ranks_of, small, table_of_scores
from foldproof.significance._sideless import chi_square_tail


@significance_test("friedman", kind="sideless", takes="datasets")
def friedman(scores: npt.ArrayLike, *, ties: Ties = "as-printed") -> FriedmanResult:
    """Test whether several learners have the same mean rank over many datasets.

    Claim
    -----
    On every dataset all orders of the k learners are equally likely. Learners are ranked on each of N datasets, 1 for
    the best, ties sharing their mean rank; with mean ranks R_j, ``chi2 = 12 N / (k (k + 1)) (sum_j R_j^2 - k (k +
    1)^2 / 4)`` is referred to chi-square with k - 1 degrees of freedom. With ``ties="corrected"`` it is divided by
    ``1 - sum(t^3 - t) / (N k (k^2 - 1))`` over the groups of t tied learners, as in scipy and most packages; without
    ties both are the same. ``scores`` are datasets x learners, more is better.

    When to use
    -----------
    Before looking at pairs, with more than two learners and one score for each on every dataset: never over folds or
    runs of one dataset, which share their instances. The chi-square is conservative; ``iman_davenport`` is sharper.
    A warning stands where there are ties and they are not corrected for, and at ten datasets or fewer.

    Reference
    ---------
    Friedman (1937); Demsar (2006), section 3.2.2, prints the form without correction. Not in the papers: Salzberg
    (1997, section 3.1) misses a test for more than two learners.

    Examples
    --------
    >>> result = friedman([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.7, 0.8, 0.5], [0.9, 0.6, 0.6]])
    >>> result.mean_ranks, result.statistic, result.df
    ((1.25, 1.875, 2.875), 5.375, 2.0)
    """
    if ties not in ("as-printed", "corrected"):
        raise InputError(f"ties is {ties!r}: use 'as-printed' or 'corrected'")
    table = table_of_scores(scores, "Friedman's test")
    ranks, tied = ranks_of(table)
    n, k = table.shape
    # Twice a rank is a whole number, so that the sums are exact.
    sums = np.rint(2.0 * ranks).astype(np.int64).sum(axis=0)
    squares = int((sums**2).sum())
    statistic = 3.0 * (squares - k * (n * (k + 1)) ** 2) / (n * k * (k + 1))
    told = small(n)
    if tied and ties == "corrected":
        left = n * k * (k * k - 1) - tied
        statistic = statistic * (n * k * (k * k - 1)) / left if left else 0.0
    elif tied:
        told = (*told, TIES_UNCORRECTED)
    return FriedmanResult(
        test="friedman",
        statistic=statistic,
        df=k - 1.0,
        pvalue=chi_square_tail(statistic, k - 1.0),
        mean_ranks=floats(sums / (2.0 * n)),
        datasets=n,
        warnings=told,
    )
