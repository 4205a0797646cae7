"""One-way analysis of variance (T10)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from foldproof.domain.errors import InputError
from foldproof.domain.result import SidelessResult
from foldproof.significance._base import significance_test
from foldproof.significance._moments import ROUNDING, Floats
from foldproof.significance._sideless import f_result


def score_lists(groups: Sequence[npt.ArrayLike], test: str) -> list[Floats]:
    """Return the scores of every learner, checked; divided by one power of two, so that squares are safe."""
    lists = [np.asarray(group, dtype=np.float64) for group in groups]
    if len(lists) < 2:
        raise InputError(f"{test}: give the scores of at least two learners; got {len(lists)}")
    for position, values in enumerate(lists):
        if values.ndim != 1 or values.size == 0:
            raise InputError(f"{test}: learner {position} needs a list of scores; got shape {values.shape}")
        if not np.isfinite(values).all():
            raise InputError(f"{test}: a score of learner {position} is not finite: repair or remove it")
    exponent = np.frexp(max(float(np.abs(values).max()) for values in lists))[1]
    return [np.ldexp(values, -exponent) for values in lists]


def rounding_free(deviations: Floats, largest: float) -> float:
    """Return the sum of squares of deviations, 0 where they are only rounding."""
    if float(np.abs(deviations).max(initial=0.0)) <= ROUNDING * largest:
        return 0.0
    return float(np.einsum("i,i->", deviations.ravel(), deviations.ravel()))


@significance_test("anova-oneway", kind="sideless", takes="scores")
def anova_oneway(groups: Sequence[npt.ArrayLike]) -> SidelessResult:
    """Test whether several learners, each scored on its own random samples, have the same mean score.

    Claim
    -----
    All g learners have the same mean. ``F = (SSB / (g - 1)) / (SSW / (N - g))``, referred to F with g - 1 and N - g
    degrees of freedom.

    When to use
    -----------
    Salzberg's alternative for more than two learners: DISTINCT random training and test samples for every learner.
    Where learners share folds the samples are not independent: use the repeated-measures form. It says that there
    is a difference, not whose.

    Reference
    ---------
    Salzberg (1997), section 3.1.

    Examples
    --------
    >>> result = anova_oneway([[1.0, 2.0, 3.0], [2.0, 3.0, 4.0], [5.0, 6.0, 7.0]])
    >>> round(result.statistic, 10), result.df, round(result.pvalue, 10)
    (13.0, (2.0, 6.0), 0.0065917969)
    """
    lists = score_lists(groups, "anova")
    total = sum(values.size for values in lists)
    if total <= len(lists):
        raise InputError("anova: give at least one learner two scores, so that there is a variance")
    largest = max(float(np.abs(values).max()) for values in lists)
    shifted = [values - lists[0][0] for values in lists]
    means = np.array([values.mean() for values in shifted])
    sizes = np.array([values.size for values in shifted], dtype=np.float64)
    grand = float(sizes @ means) / total
    between = rounding_free(np.sqrt(sizes) * (means - grand), largest) / (len(lists) - 1)
    residuals = np.concatenate([values - mean for values, mean in zip(shifted, means, strict=True)])
    within = rounding_free(residuals, largest) / (total - len(lists))
    return f_result("anova-oneway", between, within, (len(lists) - 1.0, float(total - len(lists))))
