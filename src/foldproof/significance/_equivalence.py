"""Equivalence by two one-sided tests (TOST) on the corrected variance."""

from __future__ import annotations

from foldproof.domain.differences import Differences
from foldproof.domain.errors import InputError
from foldproof.domain.result import MarginResult
from foldproof.significance._base import significance_test
from foldproof.significance._margins import checked_margin, margin_result, moments_at, tails


@significance_test("equivalence", kind="margin")
def equivalence(differences: Differences, *, margin: float) -> MarginResult:
    """Test the claim that the true difference is smaller than a margin, either way.

    Claim
    -----
    ``-margin < difference < margin``, shown by rejecting both ``difference <= -margin`` and ``difference >= margin``
    with the corrected t: ``t = (m -/+ margin) / sqrt((1/n + n2/n1) s^2)`` on n - 1 df. p is the larger of the two
    one-sided p-values. ``pvalue_against`` is that of the opposite, a difference beyond the margin (twice the smaller
    of its sides).

    When to use
    -----------
    Where a test that does not reject would be read as "no difference": it may as well mean "not enough evidence".
    ``decide(alpha=)`` tells them apart: ``holds`` (no difference that matters), ``fails`` (one that does),
    ``undecided``. The margin must be chosen before looking.

    Reference
    ---------
    Schuirmann (1987), two one-sided tests; variance of Nadeau & Bengio (2003). Not in the papers.

    Examples
    --------
    >>> from foldproof.domain.differences import Differences
    >>> x = [[0.001, -0.002, 0.003, 0.0, -0.001], [0.002, -0.001, 0.0, 0.001, -0.002]]
    >>> result = equivalence(Differences(x), margin=0.01)
    >>> str(result.decide(alpha=0.05)), str(equivalence(Differences(x), margin=0.0005).decide(alpha=0.05))
    ('holds', 'undecided')
    """
    width = checked_margin(margin)
    if width == 0.0:
        raise InputError("equivalence: the margin is 0, within which nothing can be shown to lie; give a positive one")
    moments = moments_at(differences, "equivalence")
    lower, above_lower, below_lower = tails(moments, -width)
    upper, above_upper, below_upper = tails(moments, width)
    pvalue, statistic = max((above_lower, lower), (below_upper, upper))
    against = min(1.0, 2.0 * min(below_lower, above_upper))
    return margin_result("equivalence", differences, moments, width, statistic, pvalue, against)
