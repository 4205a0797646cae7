from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import foldproof as fp
from foldproof.domain.errors import InputError

RNG = np.random.default_rng(6)


@pytest.mark.parametrize("sizes", [(8, 8, 8), (3, 10, 5, 2), (2, 1)])
def test_one_way_against_scipy(sizes):
    groups = [RNG.normal(0.8 + 0.01 * i, 0.03, n) for i, n in enumerate(sizes)]
    oracle = stats.f_oneway(*groups)
    result = fp.significance.anova_oneway(groups)
    assert (result.statistic, result.pvalue) == pytest.approx((oracle.statistic, oracle.pvalue), rel=1e-9)
    assert result.df == (len(sizes) - 1, sum(sizes) - len(sizes))


def test_repeated_against_statsmodels():
    anova = pytest.importorskip("statsmodels.stats.anova").AnovaRM
    frame = pytest.importorskip("pandas").DataFrame
    scores = RNG.normal(0.8, 0.03, (4, 9)) + RNG.normal(0.0, 0.05, 9)
    rows = [(i, j, scores[i, j]) for i in range(4) for j in range(9)]
    oracle = anova(frame(rows, columns=["learner", "fold", "score"]), "score", "fold", within=["learner"]).fit()
    f, above, below, p = (oracle.anova_table[c].iloc[0] for c in ("F Value", "Num DF", "Den DF", "Pr > F"))
    result = fp.significance.anova_repeated(scores)
    assert (result.statistic, result.pvalue) == pytest.approx((f, p), rel=1e-9)
    assert result.df == (above, below)


def test_two_learners_are_the_paired_t_squared():
    a, b = RNG.normal(0.8, 0.03, (2, 10))
    t = fp.significance.paired_t(fp.Differences.of_scores(a, b))
    f = fp.significance.anova_repeated([a, b])
    assert f.statistic == pytest.approx(t.statistic**2)
    assert f.pvalue == pytest.approx(t.pvalue)


def test_without_spread():
    assert fp.significance.anova_oneway([[0.3, 0.3], [0.3, 0.1 + 0.2]]).pvalue == 1.0
    for test in (fp.significance.anova_oneway, fp.significance.anova_repeated):
        result = test([[0.3, 0.3], [0.4, 0.4]])
        assert (result.statistic, result.pvalue, result.warnings) == (math.inf, 0.0, ("zero_variance",))


def test_huge_scores():
    groups = RNG.normal(0.8, 0.03, (3, 5))
    for test in (fp.significance.anova_oneway, fp.significance.anova_repeated):
        assert test(1e250 * groups).pvalue == pytest.approx(test(groups).pvalue)


def test_refusals():
    with pytest.raises(InputError, match="at least two learners"):
        fp.significance.anova_oneway([[1.0, 2.0]])
    with pytest.raises(InputError, match="learner 1 is not finite"):
        fp.significance.anova_oneway([[1.0, 2.0], [1.0, math.nan]])
    with pytest.raises(InputError, match="so that there is a variance"):
        fp.significance.anova_oneway([[1.0], [2.0]])
    with pytest.raises(InputError, match="every learner the same folds"):
        fp.significance.anova_repeated([[1.0, 2.0], [1.0, 2.0, 3.0]])
    with pytest.raises(InputError, match="needs a list of scores"):
        fp.significance.anova_oneway([[1.0, 2.0], [[1.0]]])
