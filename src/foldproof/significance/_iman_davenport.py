"""The F form of Friedman's test, by Iman and Davenport."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy import special

from foldproof.domain.notices import declare
from foldproof.domain.over_datasets import FriedmanResult, Ties
from foldproof.significance._base import significance_test
from foldproof.significance._datasets import ranks_of, table_of_scores
from foldproof.significance._friedman import friedman

FULL_AGREEMENT = declare(
    "full_agreement",
    "all datasets agree on the order of the learners and F is infinite: p is the exact probability of that agreement",
)


@significance_test("iman-davenport", kind="sideless", takes="datasets")
def iman_davenport(scores: npt.ArrayLike, *, ties: Ties = "as-printed") -> FriedmanResult:
    """Test whether several learners have the same mean rank over many datasets, on the F distribution.

    Claim
    -----
    As ``friedman``, whose chi2 is turned into ``F = (N - 1) chi2 / (N (k - 1) - chi2)`` on k - 1 and (k - 1)(N - 1)
    degrees of freedom. With ``ties="corrected"`` it is the repeated-measures F of the ranks.

    When to use
    -----------
    Instead of ``friedman``'s chi-square, which is undesirably conservative. Where all datasets agree on the order F is
    infinite and would have p = 0, on two datasets as on fifty; p is then the exact probability that N orders at random
    agree, ``m^(1 - N)`` with m the number of orders, and the warning ``full_agreement`` stands. The rest is as there.

    Reference
    ---------
    Iman & Davenport (1980); Demsar (2006), section 3.2.2.

    Examples
    --------
    >>> result = iman_davenport([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.7, 0.8, 0.5], [0.9, 0.6, 0.6]])
    >>> round(result.statistic, 10), result.df
    (6.1428571429, (2.0, 6.0))
    """
    ranked = friedman(scores, ties=ties)
    n, k = ranked.datasets, len(ranked.mean_ranks)
    above, below = (n - 1) * ranked.statistic, n * (k - 1) - ranked.statistic
    df, told = (k - 1.0, (k - 1.0) * (n - 1)), ranked.warnings
    # Full agreement leaves nothing but rounding below.
    if below > 1e-9:
        statistic = above / below
        pvalue = float(special.fdtrc(*df, statistic)) if above > 0.0 else 1.0
    else:
        statistic, pvalue, told = math.inf, 1.0 / _orders(scores) ** (n - 1), (*told, FULL_AGREEMENT)
    return FriedmanResult(
        test="iman-davenport",
        statistic=statistic,
        df=df,
        pvalue=pvalue,
        mean_ranks=ranked.mean_ranks,
        datasets=n,
        warnings=told,
    )


def _orders(scores: npt.ArrayLike) -> int:
    """Return in how many ways the first row's ranks can be given to the learners."""
    ranks, _ = ranks_of(table_of_scores(scores, "Friedman's test"))
    _, sizes = np.unique(ranks[0], return_counts=True)
    return math.factorial(ranks.shape[1]) // math.prod(math.factorial(int(size)) for size in sizes)
