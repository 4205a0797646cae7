from __future__ import annotations

import pytest
from scipy import optimize, stats

from foldproof.domain.errors import InputError
from foldproof.learners.pessimistic import c45_added_errors

# From the learners' specification: weight, errors, added.
TABLE = [
    (1, 0, 0.75),
    (6, 0, 1.2377968441),
    (9, 0, 1.2848041543),
    (16, 1, 1.4757146318),
    (14, 5, 1.7611198073),
    (10, 0.5, 1.3535279340),
    (15.27, 2.27, 1.6514625551),
    (30.96, 1, 1.5276340243),
    (3, 2, 0.7948616589),
    (3, 2.7, 0.3),
    (100, 30, 3.6879302497),
]


@pytest.mark.parametrize(("n", "errors", "added"), TABLE)
def test_the_table(n, errors, added):
    assert c45_added_errors(n, errors) == pytest.approx(added, abs=0.5e-10)


@pytest.mark.parametrize("n", [1, 5, 40])
@pytest.mark.parametrize("confidence", [0.1, 0.25, 0.5])
def test_no_errors_is_the_exact_binomial_bound(n, confidence):
    rate = optimize.brentq(lambda p: stats.binom.cdf(0, n, p) - confidence, 0, 1, xtol=1e-14)
    assert c45_added_errors(n, 0, confidence=confidence) == pytest.approx(n * rate)


@pytest.mark.parametrize(
    ("n", "errors", "confidence"), [(0, 0, 0.25), (3, 4, 0.25), (3, -1, 0.25), (3, 1, 0), (3, 1, 1)]
)
def test_refusals(n, errors, confidence):
    with pytest.raises(InputError, match="a leaf of weight"):
        c45_added_errors(n, errors, confidence=confidence)
