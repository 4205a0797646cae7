"""Superiority by a margin, on the corrected variance."""

from __future__ import annotations

from foldproof.domain.differences import Differences
from foldproof.domain.result import MarginResult
from foldproof.significance._base import significance_test
from foldproof.significance._margins import checked_margin, one_sided


@significance_test("superiority", kind="margin")
def superiority(differences: Differences, *, margin: float = 0.0) -> MarginResult:
    """Test the claim that A is better than B by more than a margin.

    Claim
    -----
    ``difference > margin``: ``t = (m - margin) / sqrt((1/n + n2/n1) s^2)`` on n - 1 df, one-sided.
    ``pvalue_against`` is that of ``difference < margin``.

    When to use
    -----------
    Where an improvement must be worth its cost. With a margin of 0 it is the one-sided corrected t-test.

    Reference
    ---------
    Variance of Nadeau & Bengio (2003). Not in the papers.

    Examples
    --------
    >>> from foldproof.domain.differences import Differences
    >>> x = [[0.051, 0.048, 0.053, 0.050, 0.049], [0.052, 0.049, 0.050, 0.051, 0.048]]
    >>> [str(superiority(Differences(x), margin=m).decide(alpha=0.05)) for m in (0.01, 0.05, 0.09)]
    ['holds', 'undecided', 'fails']
    """
    width = checked_margin(margin)
    return one_sided("superiority", differences, width, width)
