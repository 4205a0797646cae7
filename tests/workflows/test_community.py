"""Communities: against theory, and against the numbers of the paper."""

from __future__ import annotations

import pytest

import foldproof as fp
from benchmark_module import benchmark_module
from foldproof.domain.errors import InputError
from foldproof.workflows.community import BONFERRONI, NEW_DATA, ONCE, SAME_DATA, simulate_community, split_share


@pytest.fixture(scope="module")
def bench():
    return benchmark_module("community")


@pytest.mark.statistical
@pytest.mark.parametrize("given", [{}, {"alpha": 0.01}, {"runs": 1}, {"effect": 2.0, "folds": 5}], ids=str)
def test_every_rule_is_as_theory_says(given, bench):
    found = simulate_community(100, communities=4000, seed=3, **given)
    theory = bench.of_theory(found)
    for row in found.rows:
        chance = theory[row.rule]
        se = (chance * (1 - chance) / 100 / 4000) ** 0.5
        assert row.teams / 100 == pytest.approx(chance, abs=4 * se), row.rule
        one = 1 - (1 - chance) ** 100
        assert row.at_least_one == pytest.approx(one, abs=4 * (one * (1 - one) / 4000) ** 0.5 + 1e-9), row.rule


@pytest.mark.statistical
@pytest.mark.parametrize(("alpha", "expected", "at_least_one"), [(0.05, 5, 0.99408), (0.01, 1, 0.63397)])
def test_of_a_hundred_teams_five_and_one_find_what_is_not_there(alpha, expected, at_least_one):
    found = fp.simulate_community(100, alpha=alpha, communities=4000).row(ONCE)
    assert fp.significance.expected_false_positives(100, alpha) == expected
    assert fp.significance.familywise_error(100, alpha) == pytest.approx(at_least_one, abs=5e-6)
    assert found.teams == pytest.approx(expected, abs=4 * (expected / 4000) ** 0.5)
    assert found.at_least_one == pytest.approx(at_least_one, abs=4 * (at_least_one * (1 - at_least_one) / 4000) ** 0.5)


@pytest.mark.statistical
def test_dividing_the_same_data_anew_confirms_what_new_data_refute():
    found = simulate_community(100, communities=4000, seed=1)
    once, same, new = (found.row(rule).teams for rule in (ONCE, SAME_DATA, NEW_DATA))
    assert same > 0.6 * once
    assert same > 20 * new
    assert new < 0.05 * once
    assert found.row(BONFERRONI).at_least_one <= 0.05 + 2 * (0.05 * 0.95 / 4000) ** 0.5


@pytest.mark.statistical
def test_teams_that_share_a_dataset_err_together():
    alone, together = (simulate_community(100, shared=shared, communities=4000) for shared in (0.0, 0.5))
    # As many on average, but in fewer communities and then in crowds.
    assert together.row(ONCE).teams == pytest.approx(5, abs=0.5)
    assert together.row(ONCE).at_least_one < alone.row(ONCE).at_least_one - 0.1


def test_everything_is_drawn_anew_where_there_is_nothing_but_the_split():
    assert split_share(1, 2) == pytest.approx(1 / 3)
    assert split_share(10, 10) == pytest.approx((1 / 100) / (1 / 100 + 1 / 9))
    assert simulate_community(5, communities=50, seed=4) == simulate_community(5, communities=50, seed=4)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"teams": 0}, "teams is 0"),
        ({"communities": 0}, "communities 0"),
        ({"shared": 1.5}, "shared is 1.5: a correlation between teams lies between 0 and 1"),
        ({"folds": 1}, "folds 1: give at least one run and two folds"),
        ({"alpha": 0.0}, "alpha"),
    ],
)
def test_what_cannot_be_simulated_is_refused(given, said):
    with pytest.raises(InputError, match=said):
        simulate_community(**given)
