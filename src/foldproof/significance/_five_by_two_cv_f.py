"""The combined 5x2cv F test (T12)."""

from __future__ import annotations

import numpy as np

from foldproof.domain.differences import Differences
from foldproof.domain.result import SidelessResult
from foldproof.significance._base import significance_test
from foldproof.significance._five_by_two_cv_t import SHAPE, five_by_two, run_halves
from foldproof.significance._moments import ROUNDING
from foldproof.significance._sideless import f_result


@significance_test("five-by-two-cv-f", kind="sideless", exchangeable=False, shape=SHAPE)
def five_by_two_cv_f(differences: Differences) -> SidelessResult:
    """Test five runs of 2-fold cross-validation with all ten differences in the numerator.

    Claim
    -----
    The learners differ nowhere. ``F = sum x^2 / (2 sum_j s_j^2)`` with ``s_j^2 = (x1j - x2j)^2 / 2``, referred to F
    with 10 and 5 degrees of freedom. Folds may be exchanged within a run and runs among each other.

    When to use
    -----------
    Instead of the 5x2cv t-test, whose verdict rests on one difference. It has no side: look at the sign of the mean
    difference. Like that test it concerns learners trained on half the data.

    Reference
    ---------
    Alpaydin (1999), Combined 5x2 cv F test for comparing supervised classification learning algorithms, section 3.
    Not in Bouckaert & Frank (2004).

    Examples
    --------
    Golden case 22:

    >>> from foldproof.domain.differences import Differences
    >>> x = [[0.0093, -0.0711], [0.017, 0.1068], [0.0313, 0.0361], [0.0147, 0.0541], [0.0104, 0.0197]]
    >>> result = five_by_two_cv_f(Differences(x))
    >>> round(result.statistic, 10), result.df, round(result.pvalue, 10)
    (1.4057358545, (10.0, 5.0), 0.371268081)
    """
    table = five_by_two(differences, "5x2cv F")
    half, exponent = run_halves(table)
    scaled = np.ldexp(table, -exponent)
    within = float(np.einsum("i,i->", half, half))
    if 0.5 * float(np.abs(table[:, 0] - table[:, 1]).max()) <= ROUNDING * differences.scale:
        within = 0.0
    total = float(np.einsum("ij,ij->", scaled, scaled))
    if within == 0.0 and float(np.abs(table).max()) <= ROUNDING * differences.scale:
        total = 0.0
    return f_result("five-by-two-cv-f", total, within, (10.0, 5.0))
