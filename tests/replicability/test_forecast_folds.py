"""Forecasts on networks that had no part in choosing their constants, at other numbers of folds than ten."""

from __future__ import annotations

import numpy as np
import pytest

from benchmark_module import benchmark_module

INSTANCES, SETS = 300, 8


@pytest.fixture(scope="module")
def bench():
    return benchmark_module("forecast_folds")


@pytest.fixture(scope="module", params=[5, 20])
def tables(request, bench):
    return [bench.differences(network, INSTANCES, request.param, SETS) for network in bench.networks(bench.TO_CHECK)]


def off(bench, tables, runs, share):
    by_network = np.array([bench.missed(own, runs, share).mean() for own in tables])
    return abs(by_network.mean()), 0.02 + 2.0 * by_network.std(ddof=1) / np.sqrt(len(by_network))


def test_no_network_serves_to_choose_and_to_check(bench):
    assert not set(bench.TO_CHOOSE) & set(bench.TO_CHECK)


@pytest.mark.parametrize("folds", [2, 5, 20])
def test_the_benchmark_makes_the_forecasts_of_the_package(bench, folds):
    tables = np.random.default_rng(folds).normal(0.02, 0.03, (1, 3, 20, folds))
    assert bench.held_against_the_package(tables) < 1e-9


@pytest.mark.statistical
def test_forecasts_hold_and_with_the_constant_of_ten_folds_they_would_not(bench, tables):
    kept, kept_before = [], []
    for runs in bench.RUNS:
        missed, allowed = off(bench, tables, runs, bench.AFTER)
        kept.append(missed <= allowed)
        missed, allowed = off(bench, tables, runs, bench.BEFORE)
        kept_before.append(missed <= allowed)
    assert all(kept)
    assert not all(kept_before)
