"""Bouckaert & Frank (2004), thin: three datasets, a hundredth of Table 5, and printed cells by their own rule."""

import json
import os

import numpy as np
import pytest

import foldproof as fp
from foldproof.domain.errors import InputError
from foldproof.studies.finding import find_study
from foldproof.workflows.studies.agreement import Cell, count_of, deviation, of_distribution, of_sum, subsets_of

NAME = "bouckaert-frank-2004"
PAIRS = ("NB vs C4.5", "NB vs NN", "C4.5 vs NN")


@pytest.fixture(scope="module")
def published():
    return find_study(NAME).published


def test_the_printed_numbers_are_those_of_the_reference(published, shared):
    golden = json.loads(shared("specs", "golden_statistics.json").read_text())["published"]["BF"]
    short = dict(zip(("NB-C45", "NB-NN", "C45-NN"), PAIRS, strict=True))
    rows = list(dict.fromkeys(row for table, row, _ in published if table == "1"))[:27]
    for row, told in zip(rows, golden["table1"], strict=True):
        for key, pair in short.items():
            assert published["1", row, pair].value == told["no_reject"][key]
        for what in ("instances", "attributes", "classes"):
            assert published["1-datasets", row, what].value == told[what]
    for table, columns in (
        ("2", golden["table2_runs"]),
        ("3", golden["table3_runs"]),
        ("4", ["1 %", "2.5 %", "5 %", "10 %"]),
    ):
        for key, pair in short.items():
            for measure, values in zip(
                ("consistent", "almost consistent", "R"), golden[f"table{table}"][key], strict=True
            ):
                found = [published[table, f"{pair}, {measure}", str(column)].value for column in columns]
                assert found == values
    for row, values in golden["table5"]["rows"].items():
        assert [published["5", row, str(i)].value for i in range(1, 5)] == values


@pytest.fixture(scope="module")
def as_run(shared_module):
    return fp.run_study(
        NAME, variant="as-run", datasets=["iris", "labor", "balance-scale"], data_dir=shared_module("datasets"),
        tables=["1", "1-datasets", "flips", "2", "3", "4", "4.3", "equal-cost"], figures=["3"],
    )  # fmt: skip


@pytest.fixture(scope="module")
def shared_module():
    from conftest import shared

    return shared


def test_printed_counts_come_out_to_the_last_one(as_run):
    cells = [row for row in as_run.table("1").rows if row.row in ("iris", "labor", "balance-scale")]
    assert len(cells) == 9
    assert all(row.agrees for row in cells), cells
    assert all(row.agrees for row in as_run.table("1-datasets").rows)


def test_the_direction_flips_on_balance_scale_only(as_run):
    flips = as_run.table("flips")
    assert flips.at("C4.5 vs NN", "datasets").measured == 1
    assert flips.at("C4.5 vs NN", "most rejections there").measured == 3
    assert len(flips.notes) == 1 and flips.notes[0].startswith("balance-scale: ")


def test_sums_over_some_datasets_are_not_held_against_print(as_run):
    row = as_run.table("2").at("NB vs NN, R", "10")
    assert row.published is None and row.agrees is None
    assert row.note == "over 3 of 27 datasets"
    # iris: eight draws of ten, because two repetitions are 0/0; so R there is 29/45
    assert as_run.table("2").at("NB vs NN, consistent", "10").measured < 3


def test_equal_cost_is_the_difference(as_run):
    for left, right in (("1", "10"), ("10", "100")):
        found = as_run.table("equal-cost").at("NB vs C4.5, R", f"{left} − {right}").measured
        three = as_run.table("3").at("NB vs C4.5, R", left).measured
        two = as_run.table("2").at("NB vs C4.5, R", right).measured
        assert found == pytest.approx(three - two, abs=0.0011)


def test_the_printed_formula_has_other_counts(shared):
    found = fp.run_study(NAME, tables=["1"], folds="weka", datasets=["balance-scale"], data_dir=shared("datasets"))
    counts = [found.table("1").at("balance-scale", pair).measured for pair in PAIRS]
    printed = [found.table("1").at("balance-scale", pair).published for pair in PAIRS]
    assert all(a <= b for a, b in zip(counts, printed, strict=True)), "5 df reject more often than 4"
    assert counts != printed


def test_a_figure_is_its_table(as_run):
    figure = as_run.figure("3")
    series = figure.panels["NB vs NN"][0]
    assert series.x == (1.0, 2.0, 5.0, 10.0)
    assert series.y == tuple(as_run.table("3").at("NB vs NN, R", c).measured for c in ("1", "2", "5", "10"))
    drawn = as_run.plot("3")
    assert [ax.get_title() for ax in drawn.axes] == list(PAIRS)
    line = next(artist for artist in drawn.axes[1].lines if artist.get_gid() == "series:measured")
    np.testing.assert_array_equal(line.get_ydata(), series.y)


def test_the_page_holds_every_table_and_escapes(as_run, tmp_path):
    as_run.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert page.count("<h2>") == len(as_run.tables) + len(as_run.figures)
    assert "<script" not in page and "balance-scale" in page and "<svg" in page
    assert [p.name for p in as_run.save_figures(tmp_path)] == [f"{NAME}-3.svg"]


def test_table_5_at_a_hundredth_without_data_and_network(monkeypatch):
    monkeypatch.delenv("FOLDPROOF_DATA", raising=False)
    found = fp.run_study(NAME, scale=0.01, datasets=[])
    assert [table.name for table in found.tables] == ["5", "5-orderings", "5-reference"]
    five = found.table("5")
    for row in ("5x2 cv", "10 x resampling", "100 x resampling", "10-fold cv", "corrected 10x10 fold cv"):
        values = [five.at(row, str(i)).measured for i in range(1, 5)]
        assert five.at(row, "minimum").measured == min(values)
        assert all(value in {10.0 * k for k in range(11)} for value in values)
    assert five.at("accuracy difference", "1").measured == 0.0
    assert all(row.agrees is None for row in five.rows)
    told = {missing.what for missing in found.not_run}
    assert {"table 1", "table 2", "table 3", "table 4", "figure 2"} <= told
    assert all(missing.what_to_do for missing in found.not_run)


def test_what_is_not_to_be_had_is_told_and_the_rest_goes_on(tmp_path, shared, monkeypatch):
    import shutil

    from foldproof.data import openml

    monkeypatch.setattr(openml, "_failed_at", 1e18)
    shutil.copy(shared("datasets", "iris.arff"), tmp_path)
    found = fp.run_study(NAME, tables=["1"], datasets=["iris", "labor"], data_dir=tmp_path, repetitions=2)
    assert [missing.what for missing in found.not_run] == ["dataset labor"]
    assert "OpenML could not be reached" in found.not_run[0].why
    assert "put labor.arff into a folder" in found.not_run[0].what_to_do
    assert found.table("1").at("iris", PAIRS[0]).measured == 10.0


def test_it_goes_on_from_a_store_and_says_the_same(tmp_path, shared):
    url = f"sqlite:///{tmp_path}/study.db"
    options = {"tables": ["1", "4"], "datasets": ["labor"], "data_dir": shared("datasets")}
    first = fp.run_study(NAME, repetitions=2, store=url, **options).to_dict()
    whole = fp.run_study(NAME, repetitions=3, **options).to_dict()
    again = fp.run_study(NAME, repetitions=3, store=url, **options).to_dict()
    two = fp.run_study(NAME, repetitions=3, n_jobs=2, **options).to_dict()
    assert whole["tables"] == again["tables"] == two["tables"]
    assert first["tables"] != whole["tables"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"variant": "as-run", "folds": "seeds"}, "the variant 'as-run' of bouckaert-frank-2004 is run on weka folds"),
        ({"variant": "as-ran"}, "unknown variant of bouckaert-frank-2004 'as-ran': did you mean 'as-run'?"),
        ({"tables": ["6"]}, "unknown table of bouckaert-frank-2004 '6'"),
        ({"figures": ["9"]}, "unknown figure of bouckaert-frank-2004 '9'"),
        ({"datasets": ["iriss"]}, "unknown dataset of bouckaert-frank-2004 'iriss': did you mean 'iris'?"),
        ({"scale": 0.0}, "scale is 0: give a share of the whole"),
        ({"repetitions": 1}, "repetitions is 1: agreement needs at least two"),
    ],
)
def test_requests_that_cannot_be(options, sentence):
    with pytest.raises(InputError) as caught:
        fp.run_study(NAME, **options)
    assert sentence in str(caught.value)


# ---- agreement -------------------------------------------------------------------------------------------------------


def test_the_mean_of_ten_repetitions_is_without_bias():
    rng = np.random.default_rng(5)
    seen = rng.random(100) < 0.3
    k = int(seen.sum())
    values = np.arange(11.0)
    draws = np.array([seen[rng.permutation(100)[:10]].sum() for _ in range(20000)])
    for measure in (values, (np.minimum(values, 10 - values) == 0).astype(float)):
        expected = float(measure @ subsets_of(k, 100, 10))
        made = measure[draws]
        assert expected == pytest.approx(made.mean(), abs=4 * made.std() / 141 + 1e-9)
    assert values @ subsets_of(k, 100, 10) == pytest.approx(k / 10)


def test_the_spread_holds_what_is_not_known_of_the_rate():
    rng = np.random.default_rng(6)
    rates = rng.beta(30.5, 70.5, 200000)
    draws = rng.binomial(10, rates)
    expected = of_distribution(np.arange(11.0), count_of(30, 100, 10), subsets_of(30, 100, 10), 10.0)
    assert expected.sd == pytest.approx(draws.std(), rel=0.02)
    assert expected.low <= np.quantile(draws, 0.025) and expected.high >= np.quantile(draws, 0.975)


def test_printed_numbers_that_are_draws_have_mean_squared_deviation_one():
    rng = np.random.default_rng(7)
    squares = []
    for rate in rng.random(4000):
        k, printed = rng.binomial(100, rate), rng.binomial(10, rate)
        expected = of_distribution(np.arange(11.0), count_of(k, 100, 10), subsets_of(k, 100, 10), 10.0)
        squares.append(((printed - expected.mean) / expected.sd) ** 2)
    assert np.mean(squares) == pytest.approx(1.0, abs=0.15)


def test_a_wide_cell_does_not_pass_and_a_far_one_fails():
    chances, shares = count_of(50, 100, 10), subsets_of(50, 100, 10)
    wide = of_distribution(np.arange(11.0), chances, shares, 10.0)
    away, agrees, word = deviation(6.0, wide, 100)
    assert abs(away) < 1 and agrees is None and word == "too wide to judge alone"
    sure = of_distribution(np.arange(11.0), count_of(0, 100, 10), subsets_of(0, 100, 10), 10.0)
    assert deviation(0.0, sure, 100)[1] is True
    assert deviation(1.0, sure, 100)[1] is True, "one rejection in ten is no wonder after none in a hundred"
    assert deviation(4.0, sure, 100)[1] is False
    assert deviation(0.0, sure, 99)[1] is None
    narrow = of_sum(np.arange(11.0) / 10, [(chances, shares)] * 27, 27.0, 1.0)
    assert narrow.row(Cell("R", "1", 3), None, 100).agrees is None
    assert deviation(0.5, narrow, 100)[1] is True and deviation(0.9, narrow, 100)[1] is False


# ---- the whole of it -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_all_81_counts_of_table_1_and_its_summary_rows(shared):
    found = fp.run_study(NAME, variant="as-run", tables=["1"], data_dir=shared("datasets")).table("1")
    assert len(found.rows) == 27 * 3 + 9
    assert [row for row in found.rows if not row.agrees] == []


@pytest.mark.skipif("FOLDPROOF_COMPLETE" not in os.environ, reason="takes minutes: set FOLDPROOF_COMPLETE to run it")
def test_all_33_cells_of_tables_2_to_4_and_the_tables_of_the_printed_formulas(shared, tmp_path):
    options = {"tables": ["2", "3", "4", "4.3"], "data_dir": shared("datasets"), "store": f"sqlite:///{tmp_path}/s.db"}
    found = fp.run_study(NAME, variant="as-run", **options)
    for name in ("2", "3", "4"):
        assert [row for row in found.table(name).rows if not row.agrees] == []
    # Section 4.3 prints how many datasets are consistent, nothing else.
    printed = [row for row in found.table("4.3").rows if row.published is not None]
    assert len(printed) == 6
    others = [(row.row, row.column, row.measured) for row in printed if not row.agrees]
    assert others == [("NB vs C4.5, consistent", "10x10 cv, uncorrected", 23.0)]
    by_print = fp.run_study(NAME, folds="weka", **options)
    for name in ("2", "3", "4"):
        for row in by_print.table(name).rows:
            assert round(row.measured, 3) == row.references["printed-formulas"], row
