"""The sign test over datasets: on how many is A better?"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from foldproof.domain.errors import InputError
from foldproof.domain.result import CountResult
from foldproof.significance._base import significance_test
from foldproof.significance._binomial_sign import exact_tails, signed
from foldproof.significance._combiners import slack_of
from foldproof.significance._datasets import list_of_values


@significance_test("sign-test", kind="counts", takes="values")
def sign_test(differences: npt.ArrayLike, *, ties: Literal["drop", "split"] = "drop") -> CountResult:
    """Test on how many datasets A is better against how many B is, exactly.

    Claim
    -----
    On every dataset either learner is better with probability 1/2. With s wins and f losses, p is that of
    ``binomial_sign``. Differences that are only rounding are ties: ``"drop"`` throws them out; ``"split"`` gives half
    of them to either side, an odd one thrown out, which is more conservative.

    When to use
    -----------
    On one difference per dataset, where not even their sizes can be compared; Wilcoxon's test finds more. On
    instances of one dataset use ``binomial_sign`` or ``mcnemar``.

    Reference
    ---------
    Salzberg (1997), section 3.1, drops ties; Demsar (2006), section 3.1.4, splits them. Sheskin (2000).

    Examples
    --------
    Demsar's table of critical values: 11 wins of 14 are significant at 0.10 and 12 at 0.05.

    >>> eleven, twelve = [1.0] * 11 + [-1.0] * 3, [1.0] * 12 + [-1.0] * 2
    >>> sign_test(eleven).pvalue < 0.10, sign_test(twelve).pvalue < 0.05
    (True, True)
    """
    if ties not in ("drop", "split"):
        raise InputError(f"ties is {ties!r}: use 'drop' or 'split'")
    values = list_of_values(differences, "the sign test")
    slack = slack_of(values)
    wins, losses = int(np.count_nonzero(values > slack)), int(np.count_nonzero(values < -slack))
    if ties == "split":
        half = (values.size - wins - losses) // 2
        wins, losses = wins + half, losses + half
    pvalue, greater, less = exact_tails(wins, losses)
    return CountResult(
        test="sign-test",
        wins=wins,
        losses=losses,
        statistic=float(wins),
        df=None,
        pvalue=pvalue,
        pvalue_greater=greater,
        pvalue_less=less,
        pvalue_signed=signed(pvalue, wins, losses),
    )
