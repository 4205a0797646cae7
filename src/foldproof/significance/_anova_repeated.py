"""Repeated-measures analysis of variance (T10): folds are blocks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from foldproof.domain.errors import InputError
from foldproof.domain.result import SidelessResult
from foldproof.significance._anova_oneway import rounding_free, score_lists
from foldproof.significance._base import significance_test
from foldproof.significance._sideless import f_result


@significance_test("anova-repeated", kind="sideless", takes="scores")
def anova_repeated(groups: Sequence[npt.ArrayLike]) -> SidelessResult:
    """Test whether several learners, scored on the same folds, have the same mean score.

    Claim
    -----
    All g learners have the same mean on b shared folds. ``F = (SS_learners / (g - 1)) / (SS_residual / ((g - 1)(b -
    1)))`` where the residual is what neither learner nor fold explains, referred to F with g - 1 and (g - 1)(b - 1)
    df. With two learners it is the square of the paired t.

    When to use
    -----------
    Where the learners share folds (blocks), one list of scores for each in the same fold order. Folds share
    training data, so it inherits the elevated Type I error of the paired t on one k-fold run; never pool several
    runs. It assumes equal variances of all pairwise differences (sphericity). Not in the papers, which ask for
    distinct samples.

    Reference
    ---------
    Salzberg (1997), section 3.1, names analysis of variance; the blocked form is beyond it.

    Examples
    --------
    >>> result = anova_repeated([[1.0, 2.0, 3.0, 4.0], [2.0, 3.0, 4.0, 6.0]])
    >>> round(result.statistic, 10), result.df, round(result.pvalue, 10)
    (25.0, (1.0, 3.0), 0.0153924381)
    """
    lists = score_lists(groups, "anova")
    if len({values.size for values in lists}) != 1 or lists[0].size < 2:
        raise InputError(
            f"anova: give every learner the same folds, at least two; got {[values.size for values in lists]} scores"
        )
    scores = np.array(lists)
    largest = float(np.abs(scores).max())
    scores = scores - scores[0, 0]
    learners, folds = scores.shape
    means = scores.mean(axis=1)
    residual = scores - means[:, np.newaxis] - scores.mean(axis=0) + scores.mean()
    between = rounding_free(np.sqrt(folds) * (means - means.mean()), largest) / (learners - 1)
    within = rounding_free(residual, largest) / ((learners - 1) * (folds - 1))
    return f_result("anova-repeated", between, within, (learners - 1.0, float((learners - 1) * (folds - 1))))
