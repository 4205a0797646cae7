"""Why two combiners of partitions are rejected, as numbers anyone can run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from foldproof.domain.errors import InputError
from foldproof.domain.student import critical_value, upper_tail
from foldproof.significance._base import formula
from foldproof.significance._fisher_combine import fisher_combine
from foldproof.significance._signed_p_wilcoxon_ranks import signed_p_wilcoxon_ranks


@dataclass(frozen=True, slots=True)
class GrowthRow:
    """What each way of combining makes of the same p on every partition."""

    partitions: int
    fisher: float
    wilcoxon: float
    averaged: float


@formula
def combiner_growth(
    partitions: Iterable[int] = (1, 2, 5, 6, 8, 10, 20, 21, 55), *, pvalue: float = 0.25, df: float = 9.0
) -> tuple[GrowthRow, ...]:
    """Return the combined p-values where every partition gives the same p (Bradford & Brodley 2001, section 4).

    The same evidence seen again and again is no new evidence: the averaged t stays, the other two become significant.
    ``pvalue`` is a signed p (one tail), as in their figures; ``df`` is that of the single-partition test.

    >>> for row in combiner_growth((1, 6, 8, 10, 21, 55)):
    ...     print(row.partitions, round(row.fisher, 4), round(row.wilcoxon, 4), round(row.averaged, 4))
    1 0.25 1.0 0.25
    6 0.1638 0.0312 0.25
    8 0.1375 0.0078 0.25
    10 0.116 0.002 0.25
    21 0.0491 0.0 0.25
    55 0.0046 0.0 0.25
    """
    if not 0.0 < pvalue <= 0.5:
        raise InputError(f"pvalue is {pvalue!r}: give one tail, above 0 and at most 0.5")
    rows = []
    for count in partitions:
        same = np.full(count, pvalue)
        t = np.full(count, float(critical_value(pvalue, df)))
        rows.append(
            GrowthRow(
                partitions=count,
                fisher=fisher_combine(same).pvalue,
                wilcoxon=signed_p_wilcoxon_ranks(same).pvalue,
                averaged=float(upper_tail(t.mean(), df)),
            )
        )
    return tuple(rows)
