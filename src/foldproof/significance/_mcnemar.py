"""McNemar's test (T8), and the four-cell table it reads."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from foldproof.domain.errors import InputError
from foldproof.domain.notices import declare
from foldproof.domain.result import CountResult
from foldproof.domain.verdict import FourCells
from foldproof.significance._base import formula, significance_test
from foldproof.significance._binomial_sign import count, exact_tails, signed
from foldproof.significance._sideless import chi_square_tail

Form = Literal["corrected", "exact", "uncorrected", "as-printed"]
FEW_DISCORDANT = declare(
    "few_discordant",
    "fewer than 25 instances on which exactly one learner is right: the chi-square is a poor approximation, use the "
    "exact form",
)


@significance_test("mcnemar", kind="counts", takes="counts")
def mcnemar(wins: int, losses: int, *, form: Form = "corrected") -> CountResult:
    """Test how many instances only A got right against how many only B got right, by chi-square.

    Claim
    -----
    Both learners have the same error rate on the test distribution. With s wins and f losses, ``(max(|s - f| - 1,
    0))^2 / (s + f)`` (``"corrected"``) or ``(s - f)^2 / (s + f)`` (``"uncorrected"``) is referred to chi-square with
    1 degree of freedom; ``"exact"`` is the binomial test, two-sided.

    When to use
    -----------
    On one test set; the exact form when s + f is below 25 (a warning says so). Without the clamp the printed ``(|s -
    f| - 1)^2 / (s + f)`` returns 1/(s + f) where s = f; the clamp returns 0, and ``"as-printed"`` is there to show
    it. It does not see the variation due to the choice of training set.

    Reference
    ---------
    Salzberg (1997), section 3.1; Bouckaert & Frank (2004), section 3.1; Bradford & Brodley (2001), section 2.

    Examples
    --------
    Salzberg's example, 35 wins and 15 losses:

    >>> result = mcnemar(35, 15)
    >>> result.statistic, round(result.pvalue, 10)
    (7.22, 0.0072095708)
    >>> round(mcnemar(35, 15, form="exact").pvalue, 10)
    0.006600448
    """
    s, f = count(wins, "wins"), count(losses, "losses")
    if form not in ("corrected", "exact", "uncorrected", "as-printed"):
        raise InputError(f"form is {form!r}: use 'corrected', 'exact', 'uncorrected' or 'as-printed'")
    gap, n = abs(s - f), s + f
    if form == "exact":
        statistic, df = float(s), None
        two_sided, greater, less = exact_tails(s, f)
    else:
        excess = {"corrected": max(gap - 1, 0), "uncorrected": gap, "as-printed": gap - 1}[form]
        statistic, df = (excess * excess / n if n else 0.0), 1.0
        two_sided = chi_square_tail(statistic, 1.0)
        larger = 1.0 - 0.5 * two_sided
        greater, less = (0.5 * two_sided, larger) if s >= f else (larger, 0.5 * two_sided)
    return CountResult(
        test="mcnemar",
        wins=s,
        losses=f,
        statistic=statistic,
        df=df,
        pvalue=two_sided,
        pvalue_greater=greater,
        pvalue_less=less,
        pvalue_signed=signed(two_sided, s, f),
        warnings=(FEW_DISCORDANT,) if n < 25 and form != "exact" else (),
    )


@formula
def four_cells(correct_a: npt.ArrayLike, correct_b: npt.ArrayLike) -> FourCells:
    """Count the instances both got right, only A, only B, neither (Salzberg 1997, section 3.1).

    >>> four_cells([True, True, False, False], [True, False, True, False])
    FourCells(both=1, a_only=1, b_only=1, neither=1)
    """
    a, b = np.asarray(correct_a), np.asarray(correct_b)
    if a.shape != b.shape or a.dtype != np.bool_ or b.dtype != np.bool_:
        raise InputError(
            f"four cells: give for both learners whether each same instance was right; got {a.dtype} {a.shape} and "
            f"{b.dtype} {b.shape}"
        )
    both, a_only, b_only = (int(cell.sum()) for cell in (a & b, a & ~b, b & ~a))
    return FourCells(both=both, a_only=a_only, b_only=b_only, neither=int(a.size) - both - a_only - b_only)
