"""The corrected repeated k-fold t-test in forty digits."""

import mpmath

mpmath.mp.dps = 40


def student_tail(t, df):
    x = mpmath.mpf(df) / (mpmath.mpf(df) + mpmath.mpf(t) ** 2)
    return mpmath.betainc(mpmath.mpf(df) / 2, mpmath.mpf(1) / 2, 0, x, regularized=True) / 2


def corrected_t(values, ratio):
    """Return t, df and the two-sided p for a flat list of exact doubles."""
    x = [mpmath.mpf(float(v)) for v in values]
    n = len(x)
    mean = mpmath.fsum(x) / n
    variance = mpmath.fsum((v - mean) ** 2 for v in x) / (n - 1)
    t = mean / mpmath.sqrt((mpmath.mpf(1) / n + mpmath.mpf(ratio)) * variance)
    return t, n - 1, 2 * student_tail(abs(t), n - 1)
