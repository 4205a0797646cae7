"""Figures draw the numbers they are given: in grey, with thirty names, with long ones, on the Axes given."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.report.figures.axes import short, short_names, spread
from foldproof.report.figures.critical_difference import plot_critical_difference
from foldproof.report.figures.r_against_runs import plot_r_against_runs
from foldproof.report.figures.t_values import plot_t_values

LONG = "sklearn.ensemble.RandomForestClassifier(n_estimators=200, max_depth={})"


@pytest.fixture(scope="module")
def found():
    bits = np.random.default_rng(3)
    y = np.arange(60) % 2
    X = bits.normal(size=(60, 2)) + 0.7 * y[:, None]
    learners = {"bayes": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1), "dummy": DummyClassifier()}
    return learners, X, y


@pytest.fixture(scope="module")
def comparison(found):
    return fp.compare(*found, procedure="corrected-repeated-cv", runs=4, folds=5)


@pytest.fixture(scope="module")
def replication(found):
    return fp.replicate(*found, procedure="corrected-repeated-cv", runs=4, folds=5, repetitions=6)


def ranks(learners, names=None, datasets=20, seed=1):
    names = names or [f"learner {i}" for i in range(learners)]
    scores = np.random.default_rng(seed).normal(size=(datasets, learners)) + np.linspace(0.0, 1.5, learners)
    table = pd.DataFrame(scores, columns=names).assign(dataset=[f"d{i}" for i in range(datasets)])
    return fp.judge(fp.read_scores(table), "nemenyi")


def by_gid(ax, gid):
    artists = [*ax.lines, *ax.collections, *ax.patches]
    return [a for a in artists if str(a.get_gid()) == gid or str(a.get_gid()).startswith(f"{gid}:")]


def boxes(ax):
    """Return the rectangles of all texts of a figure that was drawn."""
    canvas = FigureCanvasAgg(ax.get_figure())
    canvas.draw()
    renderer = canvas.get_renderer()
    return [text.get_window_extent(renderer) for text in ax.texts if text.get_text()], ax.get_figure().bbox


def grey(color):
    r, g, b = to_rgb(color)
    return r == g == b


def all_grey(ax):
    colors = [line.get_color() for line in ax.lines] + [text.get_color() for text in ax.texts]
    colors += [c for part in ax.collections for c in [*part.get_facecolor(), *part.get_edgecolor()] if c[-1]]
    return all(grey(tuple(c[:3]) if not isinstance(c, str) else c) for c in colors)


# ---- critical differences -----------------------------------------------------------------------------------


def test_the_critical_difference_diagram_of_table_6(shared):
    judged = fp.judge(fp.read_scores(shared("reference", "demsar2006_table6.csv")), "nemenyi", alpha=0.1)
    ax = judged.plot()
    at = {line.get_gid().removeprefix("line:"): line.get_xdata()[0] for line in by_gid(ax, "line")}
    assert at == judged.ranks.mean_ranks
    (distance,) = by_gid(ax, "distance")
    assert distance.get_xdata()[1] - distance.get_xdata()[0] == pytest.approx(judged.ranks.critical_difference)
    bars = [(line.get_xdata()[0], line.get_xdata()[1]) for line in by_gid(ax, "group")]
    assert len(bars) == len(judged.ranks.groups) == 2
    for (low, high), group in zip(bars, judged.ranks.groups, strict=True):
        assert low < min(at[name] for name in group) and high > max(at[name] for name in group)
        assert high - low < judged.ranks.critical_difference + 0.1
    texts = [text.get_text() for text in ax.texts]
    assert "critical difference 1.12 at 0.1" in texts
    assert "C4.5+m+cf  1.96" in texts and "3.14  C4.5" in texts


@pytest.mark.parametrize("learners", [2, 3, 9, 30])
def test_no_name_covers_another_or_leaves_the_figure(learners):
    ax = ranks(learners, [LONG.format(i) for i in range(learners)]).plot()
    drawn, whole = boxes(ax)
    for i, one in enumerate(drawn):
        assert one.x0 >= whole.x0 - 1 and one.x1 <= whole.x1 + 1, "a name leaves the figure"
        assert not any(one.overlaps(other) for other in drawn[i + 1 :])
    assert all_grey(ax)
    assert len({text.get_text() for text in ax.texts}) == len(ax.texts)


def test_a_distance_wider_than_the_axis_is_told_and_not_drawn():
    ax = ranks(4, datasets=2).plot()
    assert by_gid(ax, "distance") == []
    assert any("wider than the axis" in text.get_text() for text in ax.texts)


def test_the_diagram_is_of_nemenyis_test_only(shared):
    judged = fp.judge(fp.read_scores(shared("reference", "demsar2006_table6.csv")), "friedman")
    with pytest.raises(fp.InputError, match="judge with 'nemenyi'"):
        judged.plot()


# ---- one pair -----------------------------------------------------------------------------------------------


def test_differences_of_every_fold(comparison):
    axes = Figure().subplots()
    assert comparison.plot_differences("bayes", "stump", axes) is axes
    values = comparison.differences("bayes", "stump").values
    for row, run in enumerate(values):
        (ticks,) = by_gid(axes, f"run:{row}")
        assert sorted(set(ticks.get_offsets()[:, 0].tolist())) == pytest.approx(sorted(set(np.round(run, 12))))
        # A tick stands for all folds of that difference.
        assert sum(ticks.get_linewidths()) == pytest.approx(0.9 * len(run))
        (mean,) = by_gid(axes, f"mean:{row}")
        assert mean.get_xdata()[0] == pytest.approx(run.mean())
    (line,) = [a for a in axes.lines if a.get_gid() == "mean"]
    assert line.get_xdata()[0] == pytest.approx(comparison.pair("bayes", "stump").mean_difference)
    assert all_grey(axes)


def test_differences_of_many_runs_keep_their_labels_apart(found):
    ax = fp.compare(*found, procedure="corrected-repeated-cv", runs=33, folds=2).plot_differences("bayes", "dummy")
    assert len(ax.get_yticks()) <= 20
    assert len(by_gid(ax, "run")) == 33


def test_the_t_values_of_single_runs(comparison):
    axes = Figure().subplots()
    assert comparison.plot_t_values("bayes", "stump", axes) is axes
    differences = comparison.differences("bayes", "stump")
    single = [fp.significance.paired_t(fp.Differences(run[np.newaxis])).statistic for run in differences.values]
    (mean,) = [a for a in axes.lines if a.get_gid() == "mean"]
    assert mean.get_xdata()[0] == pytest.approx(np.mean(single))
    assert sum(patch.get_height() for patch in axes.patches) == 4


def test_t_values_are_counted_by_verdict_and_infinite_ones_told():
    t = [-3.0, -2.6, 0.0, 0.5, 1.0, 2.7, math.inf]
    ax = plot_t_values(t, 9.0)
    assert [text.get_text() for text in ax.texts] == ["B: 2", "none: 3", "A: 2"]
    assert "1 infinite, not drawn" in ax.get_xlabel()
    critical = sorted(line.get_xdata()[0] for line in by_gid(ax, "critical"))
    assert critical == pytest.approx([-2.262157163, 2.262157163])
    (curve,) = by_gid(ax, "normal")
    area = np.trapezoid(curve.get_ydata(), curve.get_xdata())
    width = ax.patches[0].get_width()
    assert area == pytest.approx(6 * width, rel=0.15)  # the curve is cut a standard deviation beyond the values
    with pytest.raises(fp.InputError, match="from two finite ones on; got 1"):
        plot_t_values([1.0, math.inf], 9.0)


def test_the_forecast_is_the_area_under_its_density(comparison):
    axes = Figure().subplots()
    assert comparison.plot_forecast("bayes", "stump", axes) is axes
    forecast = fp.replicability.forecast(comparison.differences("bayes", "stump"), alpha=0.05)
    (curve,) = by_gid(axes, "density")
    x, y = curve.get_xdata(), curve.get_ydata()
    inside = (x >= -forecast.critical) & (x <= forecast.critical)
    assert np.trapezoid(y[inside], x[inside]) == pytest.approx(forecast.p_none, abs=0.01)
    assert np.trapezoid(y[x >= forecast.critical], x[x >= forecast.critical]) == pytest.approx(forecast.p_a, abs=0.01)
    assert [text.get_text().split("\n")[0] for text in axes.texts] == ["stump", "none", "bayes"]
    assert all_grey(axes)


def test_a_settled_forecast_is_a_line(found):
    _, X, y = found
    constants = {"one": DummyClassifier(strategy="constant", constant=1), "two": DummyClassifier()}
    ax = fp.compare(constants, X, y, procedure="corrected-repeated-cv", runs=2, folds=5).plot_forecast("one", "two")
    (line,) = by_gid(ax, "density")
    assert set(line.get_xdata()) == {0.0}


def test_what_cannot_be_drawn_is_said(found):
    other = fp.compare(*found, procedure="5x2cv")
    with pytest.raises(fp.InputError, match="no forecast is defined for bayes and stump by 5x2cv"):
        other.plot_forecast("bayes", "stump")
    counts = fp.compare(*found, procedure="mcnemar-holdout")
    with pytest.raises(fp.InputError, match="no runs of folds"):
        counts.plot_t_values("bayes", "stump")
    with pytest.raises(fp.InputError, match="no differences of folds"):
        counts.plot_differences("bayes", "stump")


# ---- R against runs -----------------------------------------------------------------------------------------


def test_r_of_the_first_runs_is_that_of_fewer_runs(found, replication):
    points = replication.r_by_runs("bayes", "dummy")
    assert [p[0] for p in points] == [1, 2, 3, 4]
    assert points[-1][1] == pytest.approx(replication.pair("bayes", "dummy").r)
    assert points[-1][2:] == pytest.approx(replication.pair("bayes", "dummy").r_interval)
    fewer = fp.replicate(*found, procedure="corrected-repeated-cv", runs=2, folds=5, repetitions=6)
    assert points[1][1] == pytest.approx(fewer.pair("bayes", "dummy").r)


def test_r_against_runs_draws_these_points(replication):
    axes = Figure().subplots()
    assert replication.plot(axes) is axes
    for pair in replication.pairs:
        (line,) = by_gid(axes, f"r:{pair.a} − {pair.b}")
        assert list(line.get_ydata()) == [p[1] for p in replication.r_by_runs(pair.a, pair.b)]
    assert len({line.get_linestyle() for line in by_gid(axes, "r")}) == 3
    assert all_grey(axes)


def test_r_of_thirty_datasets_with_long_names():
    bits = np.random.default_rng(2)
    lines = {
        f"a dataset of the repository with a long name, number {i}": [
            (n, 1 - bits.random() / n, 0.4, 1.0) for n in (1, 5, 10)
        ]
        for i in range(30)
    }
    ax = plot_r_against_runs(lines)
    drawn, whole = boxes(ax)
    assert len(drawn) == 30
    for i, one in enumerate(drawn):
        assert one.x1 <= whole.x1 + 1 and one.y1 <= whole.y1 + 1
        assert not any(one.overlaps(other) for other in drawn[i + 1 :])


def test_no_growing_runs_is_said(found):
    once = fp.replicate(*found, procedure="binomial-cv", repetitions=2)
    with pytest.raises(fp.InputError, match="no growing number of runs"):
        once.plot()
    with pytest.raises(fp.InputError, match="nothing to draw"):
        plot_r_against_runs({})


# ---- names --------------------------------------------------------------------------------------------------


def test_names_are_cut_and_still_told_apart():
    assert short("$a$") == r"\$a\$"
    names = [LONG.format(i) for i in range(40)]
    cut = short_names(names)
    assert len(set(cut)) == 40 and max(map(len, cut)) <= 28
    same_ends = [f"{'a' * 30}{i}{'b' * 40}" for i in range(10)]
    assert len(set(short_names(same_ends))) == 10
    inner = [f"x{'a' * 30}{i}{'b' * 40}{i}{'c' * 40}y" for i in range(3)] + ["z" * 60]
    assert len(set(short_names(inner))) == 4
    assert short_names(["a", "b"]) == ["a", "b"]


def test_spread_keeps_order_gap_and_bounds():
    places = spread([0.9, 0.95, 0.95, 1.0], 0.1, 0.0, 1.0)
    assert places == pytest.approx([0.7, 0.8, 0.9, 1.0])
    assert spread([0.5] * 5, 0.5, 0.0, 1.0)[-1] <= 1.0
    assert spread([], 0.1, 0.0, 1.0) == []


def test_the_diagram_needs_ranks():
    with pytest.raises(fp.InputError, match="Nemenyi"):
        plot_critical_difference(None, 0.05)
