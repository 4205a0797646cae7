"""The Bayesian sign test over datasets."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import special

from foldproof.domain.errors import InputError
from foldproof.domain.over_datasets import DatasetPosterior
from foldproof.significance._base import significance_test
from foldproof.significance._combiners import slack_of
from foldproof.significance._datasets import list_of_values


def checked_rope(rope: float, prior: float) -> None:
    """Refuse a region of equivalence or a prior that is none."""
    if not (math.isfinite(rope) and rope >= 0.0):
        raise InputError(f"rope is {rope!r}: give the largest difference that does not matter, at least 0")
    if not (math.isfinite(prior) and prior > 0.0):
        raise InputError(f"prior is {prior!r}: give its strength in datasets, more than 0")


def largest_probabilities(alphas: Sequence[float]) -> tuple[float, ...]:
    """Return, for each part of a Dirichlet vector, the probability that it is the largest.

    The parts are independent gamma variables but for their sum, so the i-th is the largest with probability
    ``∫ g_i(x) prod_j G_j(x) dx``; on the scale of log x the trapezoid rule converges to the last digits. A part with
    alpha 0 is zero, and never the largest.

    >>> [round(p, 6) for p in largest_probabilities([1.0, 1.0, 2.0])]
    [0.194444, 0.194444, 0.611111]
    """
    least = min(1.0, sum(alphas))
    most = max(alphas)
    low, high = -41.0 / least - 5.0, math.log(most + 40.0 * math.sqrt(most) + 60.0)
    log_x = np.arange(low, high, min(0.02, 0.1 / math.sqrt(most)))
    x = np.exp(log_x)
    below = [special.gammainc(a, x) if a > 0.0 else np.ones_like(x) for a in alphas]
    found = []
    for i, a in enumerate(alphas):
        if a == 0.0:
            found.append(0.0)
            continue
        density = np.exp(a * log_x - x - special.gammaln(a))
        others = np.prod([part for j, part in enumerate(below) if j != i], axis=0)
        found.append(float((density * others).sum() * (log_x[1] - log_x[0])))
    return tuple(found)


@significance_test("bayesian-sign", kind="bayesian", takes="values")
def bayesian_sign(differences: npt.ArrayLike, *, rope: float = 0.0, prior: float = 1.0) -> DatasetPosterior:
    """Return how probable it is that A is better on most datasets, that neither is, that B is.

    Claim
    -----
    A dataset's difference lies above ``rope``, within ``[-rope, rope]`` or below ``-rope`` with unknown probabilities,
    whose posterior is Dirichlet with the three counts, to the middle one of which the prior adds ``prior`` datasets.
    The three results are the posterior probabilities that each of the three is the largest; they are computed, not
    sampled.

    When to use
    -----------
    On one difference per dataset, to say how probable it is that A is practically better on another dataset of the
    same kind than not, rather than whether "no difference at all" can be rejected. With ``rope=0`` the middle one still
    holds the prior and the ties.

    Reference
    ---------
    Benavoli, Corani, Demsar & Zaffalon (2017), section 4.2.1; not in the papers. The computation agrees with baycomp's
    sample.

    Examples
    --------
    >>> result = bayesian_sign([0.03, 0.02, 0.05, 0.00, -0.002, 0.04, 0.03, -0.01], rope=0.01)
    >>> round(result.p_a, 4), round(result.p_rope, 4), round(result.p_b, 4)
    (0.6367, 0.3633, 0.0)
    """
    checked_rope(rope, prior)
    values = list_of_values(differences, "the Bayesian sign test")
    slack = slack_of(values)
    wins, losses = int((values > rope + slack).sum()), int((values < -rope - slack).sum())
    p_a, p_rope, p_b = largest_probabilities([wins, values.size - wins - losses + prior, losses])
    return DatasetPosterior(
        test="bayesian-sign", p_a=p_a, p_rope=p_rope, p_b=p_b, rope=float(rope), datasets=int(values.size)
    )
