"""Fisher's combination of p-values, rejected for partitions."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from foldproof.domain.result import SidelessResult
from foldproof.significance._base import significance_test
from foldproof.significance._combiners import REJECTED_COMBINER, checked_p
from foldproof.significance._sideless import chi_square_tail


@significance_test("fisher-combine", kind="combiner", takes="p-values")
def fisher_combine(p: npt.ArrayLike, *, independent: bool = False) -> SidelessResult:
    """Combine p-values by the sum of their logarithms; right only for independent ones.

    Claim
    -----
    All null hypotheses are true. ``-2 sum ln P_i`` is referred to chi-square with 2n degrees of freedom. A p of 0 gives
    an infinite statistic.

    When to use
    -----------
    Not over partitions of one dataset: they reuse the same instances, and p = 0.25 on every partition becomes 0.116
    at 10 partitions, falls below 0.05 at 21 and is 0.0046 at 55, while the averaged t stays at 0.25
    (``combiner_growth``). The result warns ``rejected_combiner`` unless ``independent=True`` says that every p comes
    from other data. Nor is it symmetric: 0.15, 0.10, 0.10 give 0.043, their complements 0.993.

    Reference
    ---------
    Bradford & Brodley (2001), section 4, which gives 10 degrees of freedom for 55 p-values (they are 110), and p =
    0.05 for the example (0.0430).

    Examples
    --------
    >>> result = fisher_combine([0.15, 0.10, 0.10])
    >>> round(result.statistic, 8), result.df, round(result.pvalue, 8), result.warnings
    (13.00458034, 6.0, 0.04296327, ('rejected_combiner',))
    """
    values = checked_p(p, "Fisher's combination")
    with np.errstate(divide="ignore"):
        statistic = -2.0 * math.fsum(np.log(values)) if values.min() > 0.0 else math.inf
    df = 2.0 * values.size
    return SidelessResult(
        test="fisher-combine",
        statistic=statistic + 0.0,
        df=df,
        pvalue=chi_square_tail(statistic, df),
        warnings=() if independent else (REJECTED_COMBINER,),
    )
