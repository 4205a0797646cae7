"""The 5x2cv t and F tests."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import foldproof as fp

RNG = np.random.default_rng(3)


@pytest.mark.parametrize("seed", range(5))
def test_against_the_formulas(seed):
    x = np.random.default_rng(seed).normal(0.01, 0.03, (5, 2))
    s2 = x.var(axis=1, ddof=1)
    t = x[0, 0] / math.sqrt(s2.mean())
    result = fp.significance.five_by_two_cv_t(fp.Differences(x))
    assert result.statistic == pytest.approx(t, rel=1e-12)
    assert result.pvalue == pytest.approx(2 * stats.t.sf(abs(t), 5), rel=1e-10)
    assert fp.significance.five_by_two_cv_t_variances(fp.Differences(x)) == pytest.approx(tuple(s2))
    f = (x**2).sum() / (2 * s2.sum())
    combined = fp.significance.five_by_two_cv_f(fp.Differences(x))
    assert combined.statistic == pytest.approx(f, rel=1e-12)
    assert combined.pvalue == pytest.approx(stats.f.sf(f, 10, 5), rel=1e-10)


def test_only_the_first_fold_of_the_first_run_is_in_the_numerator():
    x = RNG.normal(0.01, 0.03, (5, 2))
    plain = fp.significance.five_by_two_cv_t(fp.Differences(x))
    turned = fp.significance.five_by_two_cv_t(fp.Differences(x[:, ::-1]))
    assert plain.estimate == x[0, 0]
    assert turned.estimate == x[0, 1]
    assert plain.standard_error == pytest.approx(turned.standard_error)
    # The F test uses all ten.
    both = [fp.significance.five_by_two_cv_f(fp.Differences(y)).statistic for y in (x, x[::-1, ::-1])]
    assert both[0] == pytest.approx(both[1])


def test_as_run_has_four_degrees_of_freedom():
    """Table 1 pins the critical value to 2.7727 .. 2.7854."""
    x = RNG.normal(0.01, 0.03, (5, 2))
    printed, run = (fp.significance.five_by_two_cv_t(fp.Differences(x), variant=v) for v in ("as-printed", "as-run"))
    assert (printed.df, run.df) == (5.0, 4.0)
    assert run.statistic == printed.statistic
    assert 2.7727 < stats.t.isf(0.025, run.df) < 2.7854


def test_f_without_spread():
    assert fp.significance.five_by_two_cv_f(fp.Differences(np.zeros((5, 2)))).pvalue == 1.0
    flat = fp.significance.five_by_two_cv_f(fp.Differences(np.full((5, 2), 0.1)))
    assert (flat.statistic, flat.pvalue, flat.warnings) == (math.inf, 0.0, ("zero_variance",))
    assert flat.decide(alpha=0.05)


def test_against_mlxtend():
    """Its 5x2cv functions train by themselves; their formulas are run on a learner that plays back our scores."""
    evaluate = pytest.importorskip("mlxtend.evaluate")
    from sklearn.base import BaseEstimator, ClassifierMixin

    scores = RNG.uniform(0.5, 1.0, (10, 2))

    class Playback(ClassifierMixin, BaseEstimator):
        def __init__(self, which=0):
            self.which = which
            self.position = 0

        def fit(self, X, y):
            self.classes_ = np.unique(y)
            return self

        def predict(self, X):
            return np.zeros(len(X))

    def play(estimator, X, y):
        estimator.position += 1
        return scores[estimator.position - 1, estimator.which]

    X, y = RNG.normal(size=(20, 2)), np.arange(20) % 2
    x = (scores[:, 0] - scores[:, 1]).reshape(5, 2)
    t, p = evaluate.paired_ttest_5x2cv(Playback(0), Playback(1), X, y, scoring=play, random_seed=1)
    result = fp.significance.five_by_two_cv_t(fp.Differences(x))
    assert (result.statistic, result.pvalue) == pytest.approx((t, p))
    f, p = evaluate.combined_ftest_5x2cv(Playback(0), Playback(1), X, y, scoring=play, random_seed=1)
    combined = fp.significance.five_by_two_cv_f(fp.Differences(x))
    assert (combined.statistic, combined.pvalue) == pytest.approx((f, p))
