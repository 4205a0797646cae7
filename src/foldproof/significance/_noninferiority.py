"""Non-inferiority on the corrected variance."""

from __future__ import annotations

from foldproof.domain.differences import Differences
from foldproof.domain.result import MarginResult
from foldproof.significance._base import significance_test
from foldproof.significance._margins import checked_margin, one_sided


@significance_test("noninferiority", kind="margin")
def noninferiority(differences: Differences, *, margin: float) -> MarginResult:
    """Test the claim that A is not worse than B by more than a margin.

    Claim
    -----
    ``difference > -margin``: ``t = (m + margin) / sqrt((1/n + n2/n1) s^2)`` on n - 1 df, one-sided.
    ``pvalue_against`` is that of ``difference < -margin``.

    When to use
    -----------
    Before replacing B by a cheaper or simpler A. ``decide(alpha=)`` answers ``holds``, ``fails``, or ``undecided``
    where the evidence is not enough for either. The margin must be chosen before looking.

    Reference
    ---------
    One side of Schuirmann (1987); variance of Nadeau & Bengio (2003). Not in the papers.

    Examples
    --------
    >>> from foldproof.domain.differences import Differences
    >>> x = [[0.001, -0.002, 0.003, 0.0, -0.001], [0.002, -0.001, 0.0, 0.001, -0.002]]
    >>> str(noninferiority(Differences(x), margin=0.01).decide(alpha=0.05))
    'holds'
    """
    width = checked_margin(margin)
    return one_sided("noninferiority", differences, -width, width)
