"""The z-test of two proportions (T9)."""

from __future__ import annotations

import math

import numpy as np

from foldproof.domain.errors import InputError
from foldproof.domain.notices import declare
from foldproof.domain.result import TResult
from foldproof.significance._base import Moments, significance_test, t_result
from foldproof.significance._binomial_sign import count

SAME_INSTANCES = declare(
    "same_test_instances",
    "both learners were tested on the same instances, but this test assumes independent test sets: use mcnemar",
)


@significance_test("two-proportions-z", kind="t", takes="proportions")
def two_proportions_z(correct_a: int, correct_b: int, *, n_a: int, n_b: int, paired: bool = False) -> TResult:
    """Test two accuracies as proportions of independent test sets.

    Claim
    -----
    Both learners have the same accuracy. ``z = (pa - pb) / sqrt(pbar (1 - pbar) (1/na + 1/nb))``, with pbar the pooled
    proportion, is referred to the normal distribution (df is infinite). ``zero_variance`` cannot decide here: two
    accuracies that are both 0 or both 1 give z = 0.

    When to use
    -----------
    Where the two accuracies come from different test instances. Two learners tested on the same instances are not
    independent (``paired=True`` says so and the result warns): use McNemar's test. Like that test it ignores the
    variation due to the choice of training set. It is not the binomial test, whatever it is called.

    Reference
    ---------
    Bouckaert & Frank (2004), section 3.1; Bradford & Brodley (2001), section 2 (named, not recommended).

    Examples
    --------
    >>> result = two_proportions_z(85, 78, n_a=100, n_b=100)
    >>> round(result.statistic, 10), round(result.pvalue, 10)
    (1.2747304897, 0.2024046512)
    """
    a, b, size_a, size_b = (
        count(value, name)
        for value, name in ((correct_a, "correct_a"), (correct_b, "correct_b"), (n_a, "n_a"), (n_b, "n_b"))
    )
    if size_a == 0 or size_b == 0 or a > size_a or b > size_b:
        raise InputError(f"two proportions: {a} of {size_a} and {b} of {size_b} are not proportions")
    pooled = (a + b) / (size_a + size_b)
    wrong = (size_a + size_b - a - b) / (size_a + size_b)
    error = math.sqrt(pooled * wrong * (1.0 / size_a + 1.0 / size_b))
    moments = Moments(
        mean=np.asarray((a * size_b - b * size_a) / (size_a * size_b)),
        error=np.asarray(error),
        df=np.asarray(math.inf),
        flat=np.asarray(False),
    )
    return t_result("two-proportions-z", moments, (SAME_INSTANCES,) if paired else ())
