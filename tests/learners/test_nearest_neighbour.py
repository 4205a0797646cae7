"""Nearest neighbour: held against its slow twin, worked by hand, and with data that nobody should bring."""

import numpy as np
import pandas as pd
import pytest

from foldproof.domain.errors import InputError
from foldproof.learners import NearestNeighbour
from naive import nearest as naive
from naive.mixtures import Mixture

TIES = ("first", "vote")
RANGES = ("single", "cumulative")


def told_by_twin(data, rows, *, k=1, ties="first", ranges="single", weights=None):
    """Return probabilities from the slow twin's votes."""
    votes = naive.votes(
        data.rows,
        data.labels,
        data.values,
        rows,
        n_classes=data.n_classes,
        k=k,
        all_tied=ties == "vote",
        slack=1e-6 if ties == "first" else 0.0,
        cumulative=ranges == "cumulative",
    )
    votes = np.array(votes, dtype=float)
    if ties == "vote":
        votes += 1.0 / len(data.rows)
    return votes / votes.sum(axis=1, keepdims=True)


# ---- against the slow twin -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(80))
def test_it_is_its_slow_twin(seed):
    data = Mixture(seed)
    options = {"k": (1, 1, 3, 50)[seed % 4], "ties": TIES[seed // 4 % 2], "ranges": RANGES[seed // 8 % 2]}
    fast = NearestNeighbour(**options, **data.declared).fit(data.X, data.y)
    for X, rows in ((data.X, data.rows), data.others(seed)):
        assert fast.predict_proba(X) == pytest.approx(told_by_twin(data, rows, **options), abs=1e-15)


@pytest.mark.parametrize("ranges", RANGES)
def test_of_one_neighbour_whole_weights_are_copies(ranges):
    data = Mixture(9, n=45)
    weights = np.random.default_rng(9).integers(0, 4, 45)
    copies = np.repeat(np.arange(45), weights)
    asked, _ = data.others(9)
    learner = NearestNeighbour(ties="vote", ranges=ranges, **data.declared)
    weighted = learner.fit(data.X, data.y, sample_weight=weights).predict_proba(asked)
    copied = learner.fit(data.X[copies], data.y[copies]).predict_proba(asked)
    assert weighted == pytest.approx(copied, abs=1e-15)


# ---- by hand ---------------------------------------------------------------------------------------------------------


def test_numbers_count_in_shares_of_their_range_and_categories_as_one():
    X = [[0.0, "a"], [10.0, "a"], [4.0, "b"]]
    found = NearestNeighbour().fit(X, ["low", "high", "other"])
    # (0.6, 0), (0.4, 0) and (0.2, 1): the squares are 0.36, 0.16 and 1.04.
    assert found.predict([[6.0, "a"]]).tolist() == ["high"]
    assert found.predict([[6.0, "b"]]).tolist() == ["other"]


@pytest.mark.parametrize(("value", "told"), [(1.0, "known"), (3.0, "missing"), (4.0, "missing"), (9.0, "known")])
def test_an_unknown_number_is_as_far_as_it_can_be(value, told):
    """From the share q of the range it is max(q, 1 - q) away: as far as the farther end of the range."""
    X = [[0.0, 0.0], [10.0, 0.0], [np.nan, 1.0]]
    # The query is 0.75 from the known ones in the second column and 0.25 from the other one: the first column decides.
    near = min(value, 10.0 - value) / 10.0
    far = max(value, 10.0 - value) / 10.0
    assert (near**2 + 0.75**2 < far**2 + 0.25**2) == (told == "known")
    found = NearestNeighbour().fit(X, ["known", "known", "missing"])
    assert found.predict([[value, 0.75]]).tolist() == [told]


def test_two_unknown_values_are_one_apart():
    found = NearestNeighbour().fit([[0.0, 0.0], [np.nan, 0.0], [5.0, 1.0]], list("abc"))
    # Unknown against 0 of 5 is 1, against unknown 1: equal, and the first instance is told.
    assert found.predict([[np.nan, 0.0]]).tolist() == ["a"]
    vote = NearestNeighbour(ties="vote").fit([[0.0, 0.0], [np.nan, 0.0], [5.0, 1.0]], list("abc"))
    third = 1 / 3
    assert vote.predict_proba([[np.nan, 0.0]])[0] == pytest.approx(np.array([1 + third, 1 + third, third]) / 3)


def test_the_first_of_equals_or_all_of_them():
    X, y = [[0.0], [2.0], [2.0], [2.0]], [0, 1, 2, 2]
    assert NearestNeighbour(ties="first").fit(X, y).predict([[1.0]]).tolist() == [0]
    vote = NearestNeighbour(ties="vote").fit(X, y)
    assert vote.predict([[1.0]]).tolist() == [2]
    assert vote.predict_proba([[1.0]])[0] == pytest.approx(np.array([1.25, 1.25, 2.25]) / 4.75)
    assert NearestNeighbour(k=2, ties="first").fit(X, y).predict_proba([[1.0]])[0].tolist() == [0.5, 0.5, 0.0]


def test_cumulative_ranges_begin_anew_with_each_call():
    X, y = [[0.0, 0.0], [1.0, 10.0]], [0, 1]
    found = NearestNeighbour(ranges="cumulative").fit(X, y)
    asked = [[0.4, 8.0]]
    alone = found.predict(asked)
    after = found.predict([[0.0, 1000.0], *asked])  # the second column hardly counts any more
    assert (alone.tolist(), after[1:].tolist()) == ([1], [0])
    assert found.predict(asked).tolist() == alone.tolist()
    single = NearestNeighbour(ranges="single").fit(X, y)
    assert single.predict([[0.0, 1000.0], *asked])[1:].tolist() == alone.tolist()


@pytest.mark.parametrize("seed", range(10))
def test_with_single_ranges_no_answer_depends_on_the_rows_beside_it(seed):
    data = Mixture(seed)
    asked, _ = data.others(seed)
    found = NearestNeighbour(ties="vote", **data.declared).fit(data.X, data.y)
    one_by_one = np.vstack([found.predict_proba(asked[i : i + 1]) for i in range(len(asked))])
    assert found.predict_proba(asked).tolist() == one_by_one.tolist()
    assert found.predict_proba(asked[::-1])[::-1].tolist() == one_by_one.tolist()


# ---- hostile data ----------------------------------------------------------------------------------------------------


def test_more_neighbours_than_instances_are_all_of_them():
    found = NearestNeighbour(k=10).fit([[0.0], [1.0], [2.0]], [0, 1, 1])
    assert found.predict_proba([[0.0]])[0] == pytest.approx([1 / 3, 2 / 3])


def test_a_column_of_one_value_or_none_does_not_count():
    X = [[0.0, 7.0, np.nan], [1.0, 7.0, np.nan]]
    found = NearestNeighbour().fit(X, [0, 1])
    assert found.predict([[0.9, 7.0, np.nan], [0.1, 7.0, 3.0]]).tolist() == [1, 0]


def test_ranges_beyond_what_a_number_can_hold_are_refused_by_name():
    frame = pd.DataFrame({"fine": [0.0, 1.0], "huge": [-1.7e308, 1.7e308]})
    with pytest.raises(InputError, match=r"column 'huge' spans from -1\.7e\+308 to 1\.7e\+308.*rescale it"):
        NearestNeighbour().fit(frame, [0, 1])
    found = NearestNeighbour().fit([[0.0], [1e308]], [0, 1])
    assert found.predict([[0.9e308]]).tolist() == [1]
    with pytest.raises(InputError, match="column 'x0' spans from -1e\\+308 to 1e\\+308"):
        found.predict([[-1e308]])


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"k": 0}, "k is 0: give a whole number of at least 1"),
        ({"k": 1.5}, "k is 1.5: give a whole number"),
        ({"k": True}, "k is True: give a whole number"),
        ({"ties": "last"}, "ties is 'last': use one of 'first', 'vote'"),
        ({"ranges": "all"}, "ranges is 'all': use one of 'single', 'cumulative'"),
    ],
)
def test_options_that_cannot_be(options, text):
    with pytest.raises(InputError, match=text):
        NearestNeighbour(**options).fit([[0.0], [1.0]], [0, 1])
