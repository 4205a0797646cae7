"""The familywise error of real ledgers of null comparisons, and the table of rules beside the specification's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from benchmark_module import benchmark_module


@pytest.fixture(scope="module")
def bench():
    return benchmark_module("ledger_familywise")


@pytest.mark.statistical
@pytest.mark.slow
@pytest.mark.parametrize("case", [0, 2, 5])
def test_a_thousand_ledgers_of_null_comparisons_keep_their_level(case, bench):
    what, given = bench.CASES[case]
    found = bench.entered(what, **given)
    assert found.ledgers == 1000
    assert found.familywise <= 0.05 + 2 * (0.05 * 0.95 / 1000) ** 0.5
    # Not because nothing can be shown: it is what theory says, and far from what no correction gives.
    band = 4 * (found.theory * (1 - found.theory) / found.ledgers) ** 0.5
    assert abs(found.familywise - found.theory) <= band
    assert found.uncorrected > 0.2


@pytest.mark.statistical
def test_the_rules_side_by_side(bench):
    found = {row.rule: row for row in bench.rules(ledgers=4000)}
    error = {name: row.familywise for name, row in found.items()}
    # Exact where statistics are independent.
    band = 4 * (0.05 * 0.95 / 4000) ** 0.5
    spent = 1 - np.prod([1 - 0.05 / (j * (j + 1)) for j in range(1, 51)])
    assert error["Holm, K known"][1] == pytest.approx(1 - (1 - 0.05 / 50) ** 50, abs=band)
    assert error["spending 1/(j(j+1)), K unknown"][1] == pytest.approx(spent, abs=band)
    assert error["no correction"][1] == pytest.approx(1 - 0.95**50, abs=4 * (0.923 * 0.077 / 4000) ** 0.5)
    for name, rates in error.items():
        if name != "no correction":
            assert max(rates) <= 0.05 + band
    # The first look of an open ledger has half of the level; one of fifty planned has a fiftieth.
    powers = {
        "spending 1/(j(j+1)), K unknown": stats.norm.sf(stats.norm.isf(0.0125) - 3.5),
        "Bonferroni, K known": stats.norm.sf(stats.norm.isf(0.0005) - 3.5),
    }
    for name, power in powers.items():
        assert found[name].power_first == pytest.approx(power, abs=4 * (power * (1 - power) / 4000) ** 0.5)
