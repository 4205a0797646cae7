"""The tables and figures of Bradford & Brodley (2001): from made scores, by hand; and thin runs on real data."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from foldproof.domain.study import NotAvailableError, NotRun, Printed, StudyTable
from foldproof.studies.finding import find_study
from foldproof.studies.running import run_study
from foldproof.workflows.studies.base import FIGURE_MAKERS, How, Workbench
from foldproof.workflows.studies.evidence import Evidence, Scored
from foldproof.workflows.studies.heights import OFF_SCALE

STUDY = find_study("bradford-brodley-2001")
CLOSE, FIVE = "TDDT-1 vs TDDT-2, 1x10", "TDDT-1 vs TDDT-2, 5x2"
FAR = "TDDT-1 vs naive Bayes, 1x10"


def made(variant="as-printed", partitions=100, effects=(0.0, 0.03), seed=1, names=("breast-cancer", "vote")):
    """Return a workbench with made accuracies: TDDT-2 and naive Bayes are worse by so much, with noise."""
    rng = np.random.default_rng(seed)
    evidence = {}
    for name in names:
        protocols = {}
        for protocol in STUDY.protocols.values():
            shape = (protocol.repeated(partitions), protocol.runs, 10 if protocol.runs == 1 else 2)
            first = 0.8 + 0.04 * rng.standard_normal(shape)
            scores = {"TDDT-1": first}
            for learner, effect in zip(("TDDT-2", "naive Bayes"), effects, strict=True):
                scores[learner] = first - effect + 0.03 * rng.standard_normal(shape)
            protocols[protocol.name] = Scored(scores, 90.0, 10.0)
        evidence[name] = Evidence(name, 100, 4, 2, protocols)
    return Workbench(STUDY, How(variant=STUDY.variant(variant), folds="seeds", repetitions=partitions), evidence)


def differences(bench, name, protocol, other="TDDT-2"):
    scores = bench.evidence[name].protocols[protocol].scores
    return scores["TDDT-1"] - scores[other]


# ---- tables, by hand -------------------------------------------------------------------------------------------------


def test_accuracies_are_of_the_first_55_partitions():
    bench = made()
    percent = 100.0 * bench.evidence["vote"].protocols["5x2"].scores["TDDT-2"][:55].mean()
    assert bench.table("1").at("vote", "TDDT-2, 5x2").measured == pytest.approx(percent)
    assert len(bench.table("1").rows) == 2 * 3 * 2


def test_an_accuracy_is_judged_by_the_spread_of_partitions():
    bench = made()
    own = 100.0 * bench.evidence["vote"].protocols["1x10"].scores["TDDT-1"].mean(axis=(1, 2))
    row = bench.table("1").at("vote", "TDDT-1, 1x10")
    error = math.sqrt(own.var(ddof=1) * (1 / 55 + 1 / 100) + 0.05**2 / 3)
    assert row.deviation == pytest.approx((95.2 - own.mean()) / error)
    assert row.agrees is False  # 95.2 was printed; these data have 80
    near = {**STUDY.published, ("1", "vote", "TDDT-1, 1x10"): Printed(f"{own.mean():.1f}")}
    again = Workbench(replace(STUDY, published=near), bench.how, bench.evidence)
    assert again.table("1").at("vote", "TDDT-1, 1x10").agrees is True


def test_few_partitions_judge_nothing():
    rows = made(partitions=99).table("1").rows
    assert all(row.agrees is None and "100" in row.note for row in rows if row.published is not None)


def test_the_averaged_t_by_hand():
    bench = made(effects=(0.004, 0.03))
    x = differences(bench, "vote", "1x10")[:55, 0]
    t = np.mean(x.mean(axis=1) / (x.std(axis=1, ddof=1) / math.sqrt(10)))
    expected = math.copysign(stats.t.sf(abs(t), 9), t)
    assert bench.table("2").at("vote", CLOSE).measured == pytest.approx(expected)


def test_the_5x2_test_as_printed_and_as_run():
    """As printed: the 5x2cv test, the first difference over the spread within runs. As run: the paired t of all ten."""
    bench = made(effects=(0.01, 0.03))
    x = differences(bench, "vote", "5x2")[:55]
    within = ((x[:, :, 0] - x[:, :, 1]) ** 2 / 2).mean(axis=1)
    t = np.mean(x[:, 0, 0] / np.sqrt(within))
    assert bench.table("2").at("vote", FIVE).measured == pytest.approx(math.copysign(stats.t.sf(abs(t), 5), t))
    as_run = made("as-run", effects=(0.01, 0.03))
    t = np.mean([stats.ttest_1samp(ten, 0.0).statistic for ten in x.reshape(55, 10)])
    assert as_run.table("2").at("vote", FIVE).measured == pytest.approx(math.copysign(stats.t.sf(abs(t), 9), t))
    assert as_run.table("2").at("vote", CLOSE).measured == bench.table("2").at("vote", CLOSE).measured


def test_the_test_behind_printed_numbers_is_found():
    """Print what the paired t gives, and of the tests tried it is the paired t that agrees."""
    bench = made(effects=(0.01, 0.04))
    printed = {}
    for other in ("TDDT-2", "naive Bayes"):
        for name in bench.evidence:
            x = differences(bench, name, "5x2", other).reshape(-1, 10)
            t = np.array([stats.ttest_1samp(ten, 0.0).statistic for ten in x])
            column, verdict = f"TDDT-1 vs {other}, 5x2", np.where(np.abs(t) >= stats.t.isf(0.025, 9), np.sign(t), 0)
            printed["2", name, column] = Printed(f"{stats.t.sf(t.mean(), 9):.6f}")
            for sign, who in ((1, "TDDT-1"), (0, "none"), (-1, other)):
                printed["3", name, f"{column}: {who}"] = Printed(f"{55 * np.mean(verdict == sign):.2f}")
    table = Workbench(replace(STUDY, published=printed), bench.how, bench.evidence).table("tests-tried")
    paired, five = "paired t of ten differences, 9 df", "5x2cv t, 5 df"
    assert [table.at(paired, c).measured for c in ("cells", "within 3 sd")] == [4, 4]
    assert table.at(paired, "median distance, sd").measured < 0.01
    assert table.at(paired, "partitions of 55 told otherwise").measured < 0.01
    assert table.at(five, "median distance, sd").measured > 3
    assert table.at(five, "partitions of 55 told otherwise").measured > 5


def test_a_printed_p_is_judged_as_the_t_that_it_stands_for():
    bench = made(effects=(0.0, 0.03))
    x = differences(bench, "vote", "1x10")[:, 0]
    t = x.mean(axis=1) / (x.std(axis=1, ddof=1) / math.sqrt(10))
    row = bench.table("2").at("vote", CLOSE)  # 0.41 in print
    half = (stats.t.isf(0.405, 9) - stats.t.isf(0.415, 9)) / 2
    error = math.sqrt(t.var(ddof=1) * (1 / 55 + 1 / 100) + half**2 / 3)
    assert row.deviation == pytest.approx((stats.t.isf(0.41, 9) - t.mean()) / error, rel=1e-6)


def test_a_p_printed_as_0_is_a_bound():
    """Naive Bayes on vote in 5x2 is 0.00000 in print."""
    strong, weak = made("as-run", effects=(0.0, 0.2)), made("as-run", effects=(0.0, 0.005))
    column = "TDDT-1 vs naive Bayes, 5x2"
    assert strong.table("2").at("vote", column).agrees is True
    row = weak.table("2").at("vote", column)
    assert row.agrees is False
    assert row.deviation > 3


def test_single_conclusions_are_counted_and_the_averaged_one_is_told():
    bench = made(effects=(0.0, 0.02))
    x = differences(bench, "vote", "1x10", "naive Bayes")[:55, 0]
    p = [stats.ttest_1samp(ten, 0.0).pvalue for ten in x]
    significant = np.array(p) <= 0.05
    better = x.mean(axis=1) > 0
    told = {who: bench.table("3").at("vote", f"{FAR}: {who}") for who in ("TDDT-1", "none", "naive Bayes")}
    assert [told[who].measured for who in told] == [
        (significant & better).sum(), (~significant).sum(), (significant & ~better).sum()
    ]  # fmt: skip
    assert sum(row.measured for row in told.values()) == 55
    assert [who for who in told if "the averaged t says so" in told[who].note] == [
        "TDDT-1" if bench.table("2").at("vote", FAR).measured <= 0.025 else "none"
    ]


def test_incorrect_conclusions_follow_from_single_ones():
    bench = made(effects=(0.0, 0.02))
    single, four = bench.table("3"), bench.table("4")
    for column, other in ((CLOSE, "TDDT-2"), (FAR, "naive Bayes")):
        wrong = [0, 0]
        for name in bench.evidence:
            cells = {who: single.at(name, f"{column}: {who}") for who in ("TDDT-1", "none", other)}
            said = next(who for who, row in cells.items() if "the averaged t says so" in row.note)
            for who, row in cells.items():
                if who != said:
                    wrong[who == "none"] += row.measured
        assert [four.at(column, "Type I").measured, four.at(column, "Type II").measured] == wrong
    assert sum(four.at("all", c).measured for c in ("correctly accepts", "correctly rejects", "Type I", "Type II")) == (
        2 * 4 * 55
    )
    assert all(row.agrees is None and row.published is None for row in four.rows)  # two of 23 datasets are no sum


def test_groups_by_hand():
    bench = made()
    table = bench.table("groups")
    flat = np.full((100, 1, 10), 0.9)
    scores = {"TDDT-1": flat, "TDDT-2": flat, "naive Bayes": flat}
    evidence = bench.evidence["vote"]
    bench.evidence = {
        "constant": replace(evidence, protocols={**evidence.protocols, "1x10": Scored(scores, 90.0, 10.0)}),
        "both": replace(evidence, protocols={**evidence.protocols, "1x10": both_win(flat)}),
    }
    bench.made.clear()
    table = bench.table("groups")
    assert table.at("constant", CLOSE).measured == 4
    assert table.at("both", CLOSE).measured == 1
    sizes = bench.table("group-sizes")
    assert [sizes.at(f"group {k}", CLOSE).measured for k in (1, 2, 3, 4)] == [1, 0, 0, 1]


def both_win(flat):
    rng = np.random.default_rng(3)
    one = flat + 0.01 * rng.standard_normal(flat.shape)
    other = one + 0.05 * np.where(np.arange(100) % 2, 1.0, -1.0)[:, None, None] + 0.01 * rng.standard_normal(flat.shape)
    return Scored({"TDDT-1": one, "TDDT-2": other, "naive Bayes": flat}, 90.0, 10.0)


def test_enough_partitions_are_told_with_the_verdict():
    row = made(effects=(0.0, 0.2)).table("enough").at("vote", FAR)
    assert row.measured >= 2
    assert row.note == "A, settled with 55"


def test_strata_without_effect_have_none():
    table = made(names=tuple(STUDY.datasets.values())).table("stratified")
    for row in table.rows:
        if row.column.endswith("sign test"):
            assert 0.0 < row.measured <= 1.0
    up, down = (table.at(CLOSE, f"mean p: {word}").measured for word in ("up", "down"))
    assert up + down == 23
    assert "20 partitions of each kind on 23 datasets" in table.notes[0]


def test_normal_fit_tells_normal_t_from_p_that_are_not():
    table = made(effects=(0.0, 0.04), names=tuple(STUDY.datasets.values())).table("normal-fit")
    assert table.at(FAR, "mean W of t").measured > table.at(FAR, "mean W of p").measured
    assert table.at(FAR, "p not normal").measured > table.at(FAR, "t not normal").measured


def test_growth_is_that_of_the_text():
    table = run_study("bradford-brodley-2001", tables=["growth"]).table("growth")
    assert [row.agrees for row in table.rows if row.published is not None] == [True] * 4
    assert [table.at(str(n), "averaged t").measured for n in (1, 10, 55)] == pytest.approx([0.25] * 3)
    assert table.at("first at 0.05", "Fisher").measured == 21


def test_combined_anyway_finds_what_is_not_there():
    """Without an effect, partitions of a dataset share its chance difference; more of them make it no less chance."""
    rng = np.random.default_rng(5)
    bench = made(names=tuple(STUDY.datasets.values()))
    for name, evidence in bench.evidence.items():
        for protocol in ("1x10", "5x2"):
            own = evidence.protocols[protocol].scores
            own["TDDT-2"][:] = (
                own["TDDT-1"] + 0.01 * rng.standard_normal() + 0.05 * rng.standard_normal(own["TDDT-1"].shape)
            )
        assert name
    table = bench.table("combined-anyway")
    assert table.at(CLOSE, "Wilcoxon, 55").measured > 10
    assert table.at(CLOSE, "Wilcoxon, 55").measured > table.at(CLOSE, "averaged t, 55").measured + 5


def test_half_of_the_data_counted_as_printed():
    table = made().table("drop-counts")
    assert isinstance(table, StudyTable)
    assert sum(row.measured for row in table.rows) == 6
    whole = made(names=tuple(STUDY.datasets.values()))
    assert [row.published for row in whole.table("drop-counts").rows] == [2, 5, 62]


# ---- figures ---------------------------------------------------------------------------------------------------------


def figure(bench, name):
    part = STUDY.figures[name]
    return FIGURE_MAKERS[part.maker](part, bench)


def test_figures_1_to_4_are_sorted_and_leave_out_what_is_off_the_scale():
    bench = made(effects=(0.0, 0.06))
    drawn = figure(bench, "2")
    (series,) = drawn.panels.values()
    assert [line.name for line in series] == ["bc", "vo"]
    x = differences(bench, "vote", "1x10", "naive Bayes")[:55, 0]
    t = x.mean(axis=1) / (x.std(axis=1, ddof=1) / math.sqrt(10))
    heights = np.sort(stats.t.cdf(t, 9))
    seen = heights <= 1 - OFF_SCALE
    assert 0 < seen.sum() < 55
    assert series[1].y == pytest.approx(heights[seen])
    assert series[1].x == tuple(range(1, int(seen.sum()) + 1))
    (note,) = drawn.notes
    assert note.startswith("Off the scale, TDDT-1 more accurate with p < 0.0005, partitions of 55: breast-cancer")
    assert note.endswith(f", vote {55 - seen.sum()}")


def test_figure_5_has_the_normal_curve_of_t():
    bench = made(effects=(0.01, 0.03), names=("crx", "heart", "labor-neg", "mushroom", "vote"))
    drawn = figure(bench, "5")
    assert list(drawn.panels) == ["crx", "heart", "labor-neg", "mushroom"]
    points, of_t, of_p = drawn.panels["heart"]
    x = differences(bench, "heart", "1x10")[:55, 0]
    t = x.mean(axis=1) / (x.std(axis=1, ddof=1) / math.sqrt(10))
    middle = stats.t.cdf(t.mean(), 9)
    assert of_t.y[27] == pytest.approx(middle)
    assert of_p.y[27] == pytest.approx(np.mean(points.y))
    off = [max(abs(a - b) for a, b in zip(points.y, curve.y, strict=True)) for curve in (of_t, of_p)]
    assert off[0] < off[1]


def test_figure_5_of_other_datasets_is_not_drawn():
    with pytest.raises(NotAvailableError, match="none of crx, heart, labor-neg, mushroom was run"):
        figure(made(), "5")


def test_what_is_drawn_is_the_data():
    from foldproof.report.figures.study import plot_study_figure, svg_of

    bench = made(effects=(0.0, 0.06), names=tuple(STUDY.datasets.values()))
    for name in "1234":
        drawn = figure(bench, name)
        (ax,) = plot_study_figure(drawn).axes
        (series,) = drawn.panels.values()
        assert [label.get_text() for label in ax.get_xticklabels()] == [line.name for line in series]
        assert len(series) == 23
        for line in series:
            (artist,) = [a for a in ax.lines if a.get_gid() == f"series:{line.name}"]
            assert tuple(artist.get_ydata()) == line.y
            place = [s.name for s in series].index(line.name)
            assert all(place < x < place + 1 for x in artist.get_xdata())
        low, high = ax.get_ylim()
        assert (low, high) == (OFF_SCALE, 1 - OFF_SCALE)
        assert 0.5 in [line.get_ydata()[0] for line in ax.lines if len(set(line.get_ydata())) == 1]
    whole = plot_study_figure(figure(bench, "5"))
    assert len([ax for ax in whole.axes if ax.get_visible()]) == 4
    assert svg_of(figure(bench, "5")) == svg_of(figure(bench, "5"))


def test_a_comparison_that_is_not_there_is_told():
    from foldproof.domain.errors import InputError

    part = STUDY.figures["1"]
    wrong = replace(part, options={**part.options, "comparison": "TDDT-2 vs naive Bayes, 1x10"})
    with pytest.raises(InputError, match="comparison of figure 1"):
        FIGURE_MAKERS[part.maker](wrong, made())


# ---- thin runs on real data ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def thin(tmp_path_factory):
    import os
    from pathlib import Path

    root = Path(os.environ.get("FOLDPROOF_SHARED", Path(__file__).parents[3] / "shared")) / "datasets"
    if not root.exists():
        pytest.skip(f"{root} is not here: this test needs the reference data beside the project")
    store = f"sqlite:///{tmp_path_factory.mktemp('study') / 'bb.db'}"
    options = {"datasets": ["labor", "zoo", "monk3-full"], "data_dir": root, "repetitions": 6, "store": store}
    return {
        variant: run_study("bradford-brodley-2001", variant=variant, **options) for variant in ("as-printed", "as-run")
    }


def test_a_thin_run_has_every_table_and_figure(thin):
    for variant, found in thin.items():
        assert found.how.variant.name == variant
        assert found.not_run == ()
        assert [table.name for table in found.tables] == list(STUDY.tables)
        assert [drawn.name for drawn in found.figures] == list(STUDY.figures)
        assert {row.row for row in found.table("1").rows} == {"labor-neg", "monk3-full", "zoo"}
        assert len(found.provenance["fast_paths"]) == 3


def test_monk3_needs_no_luck(thin):
    """Both trees are perfect on nine tenths of these data, so nothing varies: group 4, and p is 0.5."""
    found = thin["as-printed"]
    assert found.table("1").at("monk3-full", "TDDT-2, 1x10").measured == 100.0
    assert found.table("2").at("monk3-full", CLOSE).measured == 0.5
    assert found.table("groups").at("monk3-full", CLOSE).measured == 4


def test_the_printed_5x2_numbers_are_those_of_the_paired_t(thin):
    """0.00000 for naive Bayes on monk3-full: the 5x2cv test on 5 degrees of freedom is far from it, ten differences not."""
    column = "TDDT-1 vs naive Bayes, 5x2"
    assert STUDY.published["2", "monk3-full", column].value == 0.0
    assert thin["as-run"].table("2").at("monk3-full", column).measured < 0.00001
    assert thin["as-printed"].table("2").at("monk3-full", column).measured > 0.001


def test_a_dataset_that_is_not_to_be_had_is_told(monkeypatch, tmp_path):
    from foldproof.workflows.studies import run

    def nowhere(name, data_dir):
        raise NotAvailableError(f"dataset {name}", "it is not here", "put it there")

    monkeypatch.setattr(run, "find_dataset", nowhere)
    found = run_study("bradford-brodley-2001", tables=["1", "growth"], datasets=["zoo"], data_dir=tmp_path)
    assert NotRun("dataset zoo", "it is not here", "put it there") in found.not_run
    assert [table.name for table in found.tables] == ["growth"]
