"""Cochran's Q."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.domain.errors import InputError
from foldproof.domain.result import SidelessResult
from foldproof.significance._base import significance_test
from foldproof.significance._sideless import chi_square_tail


@significance_test("cochran-q", kind="sideless", takes="answers")
def cochran_q(correct: npt.ArrayLike) -> SidelessResult:
    """Test whether several learners are right equally often on the same test instances.

    Claim
    -----
    All g learners are right with the same probability. ``Q = (g - 1) (g sum_j C_j^2 - N^2) / (g N - sum_i R_i^2)``,
    with C_j the instances learner j gets right, R_i the learners that get instance i right and N their total, is
    referred to chi-square with g - 1 degrees of freedom. Instances on which all agree do not matter.

    When to use
    -----------
    For more than two learners on one test set, before looking at pairs; with two it is McNemar's test without
    correction. It shares that test's limits: trials are test instances, each once, and the choice of training set
    is ignored.

    Reference
    ---------
    Cochran (1950); not in the papers, where Salzberg (1997, section 3.1) misses a test for more than two learners.

    Examples
    --------
    >>> table = [[True, True, False]] * 6 + [[True, False, False]] * 3 + [[False, False, True]] * 2 + [[True] * 3] * 9
    >>> result = cochran_q(table)
    >>> round(result.statistic, 10), result.df, round(result.pvalue, 10)
    (6.7272727273, 2.0, 0.0346091783)
    """
    table = np.asarray(correct)
    if table.ndim != 2 or table.shape[1] < 2 or table.shape[0] == 0 or not np.isin(table, (0, 1)).all():
        raise InputError(
            "Cochran's Q: give instances x learners, true where a learner is right, at least two learners; got "
            f"{table.dtype} of shape {table.shape}"
        )
    right = table.astype(np.int64)
    learners = right.shape[1]
    by_learner, by_instance = right.sum(axis=0), right.sum(axis=1)
    total = int(right.sum())
    above = (learners - 1) * (learners * int((by_learner**2).sum()) - total * total)
    below = learners * total - int((by_instance**2).sum())
    statistic = above / below if below else 0.0
    df = learners - 1.0
    return SidelessResult(test="cochran-q", statistic=statistic, df=df, pvalue=chi_square_tail(statistic, df))
