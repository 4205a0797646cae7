"""C4.5's pessimistic estimate of the errors of a leaf."""

from __future__ import annotations

import math

from scipy import special

from foldproof.domain.errors import InputError


def c45_added_errors(n: float, errors: float, *, confidence: float = 0.25) -> float:
    """Return what pessimistic pruning adds to the training errors of a leaf of weight n.

    The upper end of a one-sided binomial interval at ``confidence``: exact at 0 errors, linear below 1, and Wilson's
    with a continuity correction of one half from there on.

    >>> round(c45_added_errors(6, 0), 10), round(c45_added_errors(14, 5), 10)
    (1.2377968441, 1.7611198073)
    """
    if not (n > 0.0 and 0.0 <= errors <= n and 0.0 < confidence < 1.0):
        raise InputError(
            f"a leaf of weight {n!r} with {errors!r} errors at confidence {confidence!r}: give a positive weight, "
            "errors between 0 and it, and a confidence between 0 and 1"
        )
    if errors < 1.0:
        none = -n * math.expm1(math.log(confidence) / n)
        return none if errors == 0.0 else none + errors * (c45_added_errors(n, 1.0, confidence=confidence) - none)
    if errors + 0.5 >= n:
        return max(n - errors, 0.0)
    z = -float(special.ndtri(confidence))
    share = (errors + 0.5) / n
    spread = z * math.sqrt(share / n - share * share / n + z * z / (4.0 * n * n))
    return n * (share + z * z / (2.0 * n) + spread) / (1.0 + z * z / n) - errors
