"""The sign-flip permutation test."""

from __future__ import annotations

import numpy as np

from foldproof.domain.address import Address
from foldproof.domain.differences import Differences
from foldproof.domain.errors import InputError
from foldproof.domain.result import PermutationResult
from foldproof.significance._base import UNCORRECTED, significance_test
from foldproof.significance._moments import Floats, sample_moments, settle_flat
from foldproof.significance._paired_t import overlapping

# All patterns are visited up to here, 2^20 of them; beyond, a sample.
_EXACT = 20
_CHUNK = 1 << 14
# Sums that differ only by rounding are ties, and ties count as extreme.
_SLACK = 1e-12


def _sums_of_subsets(values: Floats) -> Floats:
    """Return the sum of every subset, by doubling."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums, sums + value])
    return sums


def _exact(values: Floats) -> tuple[int, int, int, int]:
    """Count the sign patterns: all, at least as large, at most as large, at least as extreme as observed."""
    observed = float(values.sum())
    slack = _SLACK * float(np.abs(values).sum())
    sums = float(np.abs(values).sum()) - 2.0 * _sums_of_subsets(np.abs(values))
    return (
        sums.size,
        int((sums >= observed - slack).sum()),
        int((sums <= observed + slack).sum()),
        int((np.abs(sums) >= abs(observed) - slack).sum()),
    )


def _sampled(values: Floats, patterns: int, seed: int) -> tuple[int, int, int, int]:
    """Count sampled sign patterns, the observed one among them; signs are raw bits of an addressed stream."""
    stream = Address(seed, "sign-flip-permutation").stream(int(values.size), patterns)
    observed = float(values.sum())
    slack = _SLACK * float(np.abs(values).sum())
    greater = less = extreme = 1
    words = -(-values.size // 64)
    for start in range(0, patterns, _CHUNK):
        rows = min(_CHUNK, patterns - start)
        bits = stream.words(rows * words).astype("<u8").view(np.uint8).reshape(rows, -1)
        signs = 1.0 - 2.0 * np.unpackbits(bits, axis=1, count=values.size).astype(np.float64)
        sums = np.einsum("ij,j->i", signs, values)
        greater += int((sums >= observed - slack).sum())
        less += int((sums <= observed + slack).sum())
        extreme += int((np.abs(sums) >= abs(observed) - slack).sum())
    return patterns + 1, greater, less, extreme


@significance_test("sign-flip-permutation", kind="other")
def sign_flip_permutation(differences: Differences, *, patterns: int = 100_000, seed: int = 0) -> PermutationResult:
    """Test differences by flipping their signs in all ways, or in many.

    Claim
    -----
    Every difference is as likely to be x as -x. p is the share of sign patterns whose mean is at least as extreme as
    the observed mean: all 2^n patterns up to n = 20, beyond that a sample of ``patterns`` with ``p = (1 + #{as
    extreme}) / (B + 1)``. Zeros may stay: they change no sum.

    When to use
    -----------
    Where the differences are independent and no distribution should be assumed: one hold-out per dataset, or disjoint
    training and test sets. Within one k-fold run it shares the elevated Type I error of the paired t, and over
    repeated runs that of the uncorrected test: the result then warns ``uncorrected_variance``. The smallest possible
    two-sided p is 2^(1-n).

    Reference
    ---------
    Fisher (1935), The Design of Experiments, section 21; not in the papers.

    Examples
    --------
    >>> from foldproof.domain.differences import Differences
    >>> result = sign_flip_permutation(Differences([0.01, 0.02, 0.03, 0.04, 0.05, 0.06]))
    >>> result.pvalue, result.pvalue_greater, result.arrangements, result.exact
    (0.03125, 0.015625, 64, True)
    """
    if not isinstance(patterns, int) or patterns < 1:
        raise InputError(f"patterns is {patterns!r}: give a whole number of at least 1")
    raw, _, flat, n = sample_moments(differences.values.reshape(1, -1), differences.scale)
    mean = float(settle_flat(raw, flat, differences.scale))
    values = differences.values.ravel()
    values = np.ldexp(values, -np.frexp(np.abs(values).max())[1]) if mean != 0.0 or not flat else np.zeros(n)
    exact = n <= _EXACT
    total, greater, less, extreme = _exact(values) if exact else _sampled(values, patterns, seed)
    pvalue = extreme / total
    return PermutationResult(
        test="sign-flip-permutation",
        statistic=mean,
        arrangements=total if exact else patterns,
        exact=exact,
        pvalue=pvalue,
        pvalue_greater=greater / total,
        pvalue_less=less / total,
        pvalue_signed=0.5 * pvalue if mean >= 0.0 else -0.5 * pvalue,
        warnings=(UNCORRECTED,) if overlapping(differences) else (),
    )
