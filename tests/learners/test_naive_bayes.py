"""Naive Bayes: held against its slow twin, worked by hand, and with data that nobody should bring."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest

from foldproof.domain.errors import InputError
from foldproof.learners import NaiveBayes
from foldproof.learners._likelihoods import precision
from naive import naive_bayes as naive
from naive.mixtures import Mixture

WAYS = list(itertools.product(("normal", "kernel", "discretised"), ("classic", "current", "3.3.6")))


def same(fast, slow, X, rows):
    told = np.array([naive.probabilities(slow, row) for row in rows])
    # Areas come from another function than the twin's, and tiny ones differ relatively: hence both.
    assert fast.predict_proba(X) == pytest.approx(told, rel=1e-7, abs=1e-9)
    # Where two classes are as good as equal, the last digits decide.
    clear = [i for i, row in enumerate(np.sort(told)) if row[-1] - row[-2] > 1e-9 or row[-1] == row[-2]]
    mine = fast.predict(X)
    assert mine[clear].tolist() == [fast.classes_[naive.predict(slow, rows[i])] for i in clear]
    assert len(clear) > 0.95 * len(rows)


# ---- against the slow twin -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(90))
def test_it_is_its_slow_twin(seed):
    data = Mixture(seed, n=None if seed % 2 else 80)
    numeric, variant = WAYS[seed % 9]
    fast = NaiveBayes(numeric=numeric, variant=variant, **data.declared).fit(data.X, data.y)
    slow = naive.fit(data.rows, data.labels, data.values, data.n_classes, numeric=numeric, variant=variant)
    same(fast, slow, data.X, data.rows)
    same(fast, slow, *data.others(seed))


@pytest.mark.parametrize("seed", range(27))
def test_it_is_its_slow_twin_with_weights(seed):
    data = Mixture(500 + seed, n=60)
    numeric, variant = WAYS[seed % 9]
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 4, 60).astype(float) if seed % 2 else rng.uniform(0.1, 3.0, 60)
    fast = NaiveBayes(numeric=numeric, variant=variant, **data.declared).fit(data.X, data.y, sample_weight=weights)
    slow = naive.fit(
        data.rows, data.labels, data.values, data.n_classes, weights=weights.tolist(), numeric=numeric, variant=variant
    )
    same(fast, slow, *data.others(seed))


@pytest.mark.parametrize("numeric", ["normal", "kernel", "discretised"])
def test_whole_weights_are_copies(numeric):
    data = Mixture(7, n=40)
    weights = np.random.default_rng(7).integers(0, 4, 40)
    copies = np.repeat(np.arange(40), weights)
    learner = NaiveBayes(numeric=numeric, **data.declared)
    weighted = learner.fit(data.X, data.y, sample_weight=weights).predict_proba(data.X)
    copied = learner.fit(data.X[copies], data.y[copies]).predict_proba(data.X)
    assert weighted == pytest.approx(copied, rel=1e-9)


# ---- by hand ---------------------------------------------------------------------------------------------------------

WEATHER = """sunny,85,85,FALSE,no
sunny,80,90,TRUE,no
overcast,83,86,FALSE,yes
rainy,70,96,FALSE,yes
rainy,68,80,FALSE,yes
rainy,65,70,TRUE,no
overcast,64,65,TRUE,yes
sunny,72,95,FALSE,no
sunny,69,70,FALSE,yes
rainy,75,80,FALSE,yes
sunny,75,70,TRUE,yes
overcast,72,90,TRUE,yes
overcast,81,75,FALSE,yes
rainy,71,91,TRUE,no"""


def test_the_weather():
    """Numbers of the specification, 1.5."""
    rows = [line.split(",") for line in WEATHER.splitlines()]
    X = [[sky, float(heat), float(wet), wind] for sky, heat, wet, wind, _ in rows]
    categories = [["sunny", "overcast", "rainy"], ["TRUE", "FALSE"]]
    found = NaiveBayes(categories=categories, classes=["yes", "no"]).fit(X, [row[-1] for row in rows])
    heat = found.likelihoods_[1]
    assert round(heat.precision, 4) == 1.9091
    assert heat.means.round(4).tolist() == [72.9697, 74.8364]
    assert heat.deviations.round(4).tolist() == [5.2304, 7.384]
    assert found.predict_proba(X[:1])[0].round(10).tolist() == [0.1565936742, 0.8434063258]


def test_gaps_are_added_one_by_one_not_by_their_ends():
    shortcuts = 0
    for values in np.random.default_rng(1).normal(size=(20, 200)):
        assert precision(values) == naive.precision([(x, 0, 1.0) for x in values.tolist()])
        shortcuts += precision(values) == np.ptp(values) / 199
    assert shortcuts < 20  # their last digits differ, which decides where halves are rounded to


def test_halves_are_rounded_to_the_even_multiple():
    found = NaiveBayes().fit([[0.0], [10.0], [20.0], [30.0]], [0, 0, 1, 1])
    at = found.predict_proba([[15.0], [20.0], [25.0]])
    assert at[0].tolist() == at[1].tolist() == at[2].tolist()  # 1.5 and 2.5 steps are both 2


def test_no_factor_is_below_the_floor_and_products_are_scaled_up():
    """300 attributes that fit neither class: their floors cancel, and the prior and one attribute are left."""
    rng = np.random.default_rng(2)
    X = np.hstack([rng.integers(0, 2, (20, 1)), rng.normal(size=(20, 300))])
    y = np.arange(20) % 2
    found = NaiveBayes(categorical_features=[0]).fit(X, y)
    asked = np.hstack([[[1.0]], np.full((1, 300), 1e6)])
    plain = NaiveBayes(categorical_features=[0]).fit(X[:, :1], y).predict_proba([[1.0]])
    assert found.predict_proba(asked) == pytest.approx(plain, rel=1e-12)


def test_an_attribute_without_a_cut_has_no_influence():
    rng = np.random.default_rng(3)
    y = np.arange(40) % 2
    X = np.column_stack([y + 0.1 * rng.normal(size=40), rng.normal(size=40)])
    found = NaiveBayes(numeric="discretised").fit(X, y)
    assert [len(each.cuts) for each in found.likelihoods_] == [1, 0]
    alone = NaiveBayes(numeric="discretised").fit(X[:, :1], y)
    assert found.predict_proba(X) == pytest.approx(alone.predict_proba(X[:, :1]), rel=1e-12)


def test_cuts_lie_in_the_middle_or_on_the_left():
    X, y = np.array([[1.0], [2], [3], [4], [6], [7], [8], [9]]), [0] * 4 + [1] * 4
    points = {v: NaiveBayes(numeric="discretised", variant=v).fit(X, y).likelihoods_[0].cuts.tolist() for _, v in WAYS}
    assert points == {"classic": [5.0], "current": [5.0], "3.3.6": [4.0]}


def test_current_rounds_what_kernels_are_asked_and_classic_does_not():
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    asked = [[1.5 + 1e-9], [2.0]]
    classic, current = (NaiveBayes(numeric="kernel", variant=v).fit(X, y) for v in ("classic", "current"))
    rounded, exact = current.predict_proba(asked), classic.predict_proba(asked)
    assert rounded[0].tolist() == rounded[1].tolist()
    assert exact[0].tolist() != exact[1].tolist()
    assert exact[1].tolist() == rounded[1].tolist()


def test_declared_classes_and_categories_count_from_one():
    found = NaiveBayes(categories=[["a", "b", "c"]], classes=["x", "y", "z"]).fit([["a"], ["a"], ["b"]], list("xxy"))
    assert found.class_prior_.tolist() == [3 / 6, 2 / 6, 1 / 6]
    assert found.likelihoods_[0].table.tolist() == [[3 / 5, 1 / 5, 1 / 5], [1 / 4, 2 / 4, 1 / 4], [1 / 3] * 3]


# ---- hostile data ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("numeric", ["normal", "kernel", "discretised"])
def test_a_class_without_a_known_value_lies_around_zero(numeric):
    X, y = [[1.0], [2.0], [np.nan], [np.nan]], [0, 0, 1, 1]
    found = NaiveBayes(numeric=numeric).fit(X, y).predict_proba([[0.0], [1.0]])
    assert np.isfinite(found).all()
    if numeric != "discretised":
        assert found.argmax(axis=1).tolist() == [1, 0]


@pytest.mark.parametrize("numeric", ["normal", "kernel"])
def test_numbers_whose_squares_are_none_are_refused_by_name(numeric):
    frame = pd.DataFrame({"fine": [1.0, 2.0, 3.0, 4.0], "huge": [-1.7e308, -1e308, 1e308, 1.7e308]})
    with pytest.raises(InputError, match=r"column 'huge' spans from -1\.7e\+308 to 1\.7e\+308.*rescale it"):
        NaiveBayes(numeric=numeric).fit(frame, [0, 0, 1, 1])


def test_intervals_take_the_largest_numbers():
    X, y = pd.DataFrame({"x": [-1.7e308, -1e308, 1e308, 1.7e308] * 4}), [0, 0, 1, 1] * 4
    assert NaiveBayes(numeric="discretised").fit(X, y).predict(X).tolist() == y


@pytest.mark.parametrize("numeric", ["normal", "kernel", "discretised"])
def test_asked_about_the_largest_numbers_after_ordinary_ones(numeric):
    found = NaiveBayes(numeric=numeric).fit([[0.0], [1.0], [5.0], [6.0]], [0, 0, 1, 1])
    told = found.predict_proba(pd.DataFrame([[1.7e308], [-1.7e308]]).to_numpy())
    assert np.isfinite(told).all()
    assert told.sum(axis=1) == pytest.approx(1.0)


def test_the_smallest_steps_there_are():
    """Neighbouring floats, and steps that vanish when they are divided."""
    close = [[1.0], [math.nextafter(1.0, 2.0)]] * 5
    assert np.isfinite(NaiveBayes().fit(close, [0, 1] * 5).predict_proba(close)).all()
    with pytest.raises(InputError, match="beyond what a number can hold: rescale it"):
        NaiveBayes().fit([[0.0], [5e-324]] * 5, [0, 1] * 5)


def test_options_that_cannot_be():
    X, y = [[0.0], [1.0]], [0, 1]
    with pytest.raises(InputError, match="numeric is 'gaussian': use one of 'normal', 'kernel', 'discretised'"):
        NaiveBayes(numeric="gaussian").fit(X, y)
    with pytest.raises(InputError, match=r"variant is '3\.9': use one of 'classic', 'current', '3\.3\.6'"):
        NaiveBayes(variant="3.9").fit(X, y)
