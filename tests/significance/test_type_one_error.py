"""Type I error on equicorrelated normal differences, within four standard errors of what theory gives."""

from __future__ import annotations

import pytest

from benchmark_module import benchmark_module


@pytest.mark.statistical
@pytest.mark.slow
def test_every_test_rejects_as_often_as_theory_says():
    rows = list(benchmark_module("type_one_error").rows(tables=20_000))
    assert len(rows) == 17
    outside = [row for row in rows if abs(row.observed - row.theory) > row.band]
    assert not outside
    rates = {(row.test, row.design, row.rho): row.theory for row in rows}
    # The correction is exact where every correlation is n2 / (n1 + n2); without it the level is far exceeded.
    assert rates["corrected-repeated-kfold-t", "10 x 10", 0.1] == pytest.approx(0.05)
    assert rates["repeated-kfold-t", "10 x 10", 0.1] > 0.5
