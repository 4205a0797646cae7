from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import foldproof as fp
from foldproof.domain.errors import InputError

REP = fp.replicability


def naive(x, alpha, alpha2, r_min, r_max):
    """The rule as it is written down."""
    k = x.shape[1]
    for r in range(r_min, min(r_max, len(x)) + 1):
        seen = x[:r]
        thr = stats.t.isf(alpha / 2, r * k - 1) * seen.std(ddof=1) * math.sqrt(1 / (r * k) + 1 / (k - 1))
        j = r - r_min + 1
        quantile = stats.t.isf(alpha2 / (j * (j + 1)), r - 1)
        stop = abs(abs(seen.mean()) - thr) > quantile * seen.mean(axis=1).std(ddof=1) / math.sqrt(r)
        if stop:
            break
    verdict = "none" if abs(seen.mean()) < thr else ("A" if seen.mean() > 0 else "B")
    return verdict, r, bool(stop)


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("shift", [0.0, 0.02, -0.02])
def test_against_the_rule(seed, shift):
    rng = np.random.default_rng(seed)
    x = rng.normal(shift, 0.03, (12, 10)) + rng.normal(0.0, 0.004, (12, 1))
    found = REP.sequential_partitions(x, alpha=0.05, r_max=10)
    assert (str(found.verdict), found.runs, found.settled) == naive(x, 0.05, 0.05, 3, 10)
    assert [look.runs for look in found.trace] == list(range(3, found.runs + 1))
    assert [look.stop for look in found.trace] == [False] * (len(found.trace) - 1) + [found.settled]


def test_later_runs_are_not_looked_at():
    x = np.random.default_rng(1).normal(0.05, 0.02, (10, 10))
    found = REP.sequential_partitions(x, alpha=0.05)
    other = x.copy()
    other[found.runs :] = -5.0
    again = REP.sequential_partitions(other, alpha=0.05)
    assert (again.verdict, again.runs, again.trace[-1].gap) == (found.verdict, found.runs, found.trace[-1].gap)


def test_the_cap_is_said():
    rng = np.random.default_rng(2)
    noise = stats.zscore(rng.normal(size=(4, 10)), axis=None, ddof=1)
    x = 0.03 * (noise + stats.t.isf(0.025, 39) * math.sqrt(1 / 40 + 1 / 9))  # on the threshold at the cap
    found = REP.sequential_partitions(x, alpha=0.05, r_min=4, r_max=4)
    assert (found.runs, found.settled) == (4, False)


@pytest.mark.parametrize(("fill", "verdict"), [(0.0, "none"), (0.02, "A"), (-0.02, "B")])
def test_equal_differences_settle_at_the_first_look(fill, verdict):
    found = REP.sequential_partitions(np.full((5, 10), fill), alpha=0.05)
    assert (str(found.verdict), found.runs, found.settled) == (verdict, 3, True)


def test_step_by_step_is_the_same():
    x = np.random.default_rng(3).normal(0.012, 0.03, (33, 10))
    whole = REP.sequential_partitions(x, alpha=0.05)
    steps = []
    for runs in range(3, 34):
        steps.append(REP.sequential_look(fp.Differences(x[:runs]), alpha=0.05))
        if steps[-1].stop:
            break
    assert tuple(steps) == whole.trace


def test_refusals():
    x = np.zeros((5, 10))
    with pytest.raises(InputError, match="r_min is 1"):
        REP.sequential_partitions(x, alpha=0.05, r_min=1)
    with pytest.raises(InputError, match="r_min is 5 and r_max 4"):
        REP.sequential_partitions(x, alpha=0.05, r_min=5, r_max=4)
    with pytest.raises(InputError, match="first look is after 6 runs"):
        REP.sequential_partitions(x, alpha=0.05, r_min=6)
    with pytest.raises(InputError, match="first look is after 3 runs; got 2"):
        REP.sequential_look(fp.Differences(x[:2]), alpha=0.05)
    with pytest.raises(InputError, match="got a flat list"):
        REP.sequential_look(fp.Differences(x[0], n_train=9, n_test=1), alpha=0.05)
