"""The randomization test (T11): its p-value from a reference sample."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from foldproof.domain.errors import InputError
from foldproof.domain.notices import declare
from foldproof.domain.result import RandomizationResult
from foldproof.significance._base import significance_test

FEW_REFERENCES = declare(
    "few_references",
    "fewer than 19 runs on random labels: the p-value cannot reach 0.05, whatever was observed",
)


@significance_test("randomization-test", kind="other", takes="other")
def randomization_test(observed: float, reference: npt.ArrayLike, *, chance: float = 0.5) -> RandomizationResult:
    """Compare an observed accuracy with those of the same methodology on random labels.

    Claim
    -----
    The labels have nothing to do with the attributes. With B accuracies on random labels,
    ``p = (1 + #{reference >= observed}) / (B + 1)``. The bias of the methodology is ``mean(reference) - chance``, the
    adjusted accuracy ``observed - bias``. Give as ``chance`` the largest class frequency: 0.5 is that of two balanced
    classes.

    When to use
    -----------
    To see how much of an accuracy the whole methodology, with its tuning and selection, finds in nothing: every
    reference value comes from running ALL of it on a copy of the data with permuted labels. B below 19 cannot reach
    0.05 and warns.

    Reference
    ---------
    Salzberg (1997), section 3.1, after Cohen & Jensen.

    Examples
    --------
    >>> result = randomization_test(0.521, [0.48, 0.53, 0.50, 0.49, 0.52, 0.47, 0.51, 0.50, 0.46])
    >>> result.pvalue, round(result.bias, 10), round(result.adjusted, 10), result.warnings
    (0.2, -0.0044444444, 0.5254444444, ('few_references',))
    """
    sample = np.asarray(reference, dtype=np.float64)
    if sample.ndim != 1 or sample.size == 0:
        raise InputError(f"randomization test: give a list of reference scores; got shape {sample.shape}")
    if not (np.isfinite(sample).all() and math.isfinite(observed) and math.isfinite(chance)):
        raise InputError("randomization test: a score is not finite: repair or remove it")
    bias = float(sample.mean()) - chance
    return RandomizationResult(
        test="randomization-test",
        statistic=float(observed),
        bias=bias,
        adjusted=observed - bias,
        pvalue=(1 + int((sample >= observed).sum())) / (sample.size + 1),
        warnings=(FEW_REFERENCES,) if sample.size < 19 else (),
    )
