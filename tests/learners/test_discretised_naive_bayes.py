"""Discretised naive Bayes: worked by hand, held against its slow twin, and as an estimator."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import foldproof as fp
from foldproof.data.sources import Wanted, read_source
from foldproof.domain.errors import InputError
from foldproof.learners import DiscretisedNaiveBayes
from foldproof.partitions import KFold, partition
from naive import discretised_naive_bayes as naive
from naive.mixtures import Mixture, as_rows

DATASETS = ("labor", "zoo", "glass", "heart-c", "vote", "soybean")


def same(fast, slow, X, rows):
    told = [naive.probabilities(slow, row) for row in rows]
    assert fast.predict_proba(X) == pytest.approx(np.array(told), abs=1e-12)
    assert fast.predict(X).tolist() == [fast.classes_[naive.predict(slow, row)] for row in rows]
    for cuts, attribute in zip(fast.cut_points_, slow["attributes"], strict=True):
        assert (None if cuts is None else cuts.tolist()) == attribute["points"]


# ---- against the slow twin -------------------------------------------------------------------------------------


def mixture(seed):
    return Mixture(seed, n=None if seed % 2 else 90)


@pytest.mark.parametrize("seed", range(80))
def test_it_is_its_slow_twin(seed):
    data = mixture(seed)
    smallest, even = (1, 5)[seed % 4 == 3], seed % 3 > 0
    options = {"min_interval": smallest, "cut_ties": "even" if even else "lowest"}
    fast = DiscretisedNaiveBayes(**data.declared, **options).fit(data.X, data.y)
    slow = naive.fit(data.rows, data.labels, data.values, data.n_classes, smallest=smallest, even=even)
    same(fast, slow, data.X, data.rows)
    same(fast, slow, *data.others(seed))


def test_there_are_cuts_to_agree_about():
    found = [DiscretisedNaiveBayes(**d.declared).fit(d.X, d.y).cut_points_ for d in map(mixture, range(80))]
    assert sum(len(cuts) for each in found for cuts in each if cuts is not None) > 20


@pytest.mark.parametrize("name", DATASETS)
def test_it_is_its_slow_twin_on_published_data(shared, name):
    dataset = read_source(str(shared("datasets", f"{name}.arff")), Wanted(name))
    train, test = partition(KFold(folds=10, stratified=False), dataset).train_test(0, 3)
    values = [None if a.categories is None else len(a.categories) for a in dataset.attributes]
    rows, labels = as_rows(dataset.codes, values), dataset.target_codes.astype(int).tolist()
    fast = DiscretisedNaiveBayes().with_declared(dataset.attributes, dataset.classes)
    fast.fit(dataset.codes[train], dataset.y[train])
    slow = naive.fit([rows[i] for i in train], [labels[i] for i in train], values, len(dataset.classes))
    same(fast, slow, dataset.codes[test], [rows[i] for i in test])


# ---- by hand ---------------------------------------------------------------------------------------------------

SKY = [["sun"], ["sun"], ["sun"], [None], ["rain"], ["rain"], ["fog"]]
OUT = ["out", "out", "out", "out", "in", "in", "in"]


def test_laplace_counts_all_instances_of_the_class_and_one_place_for_unknown():
    """4 of 7 are out, 3 sun among them; 3 values and unknown: (3 + 1) / (4 + 3 + 1); for in (0 + 1) / (3 + 3 + 1)."""
    found = DiscretisedNaiveBayes().fit(SKY, OUT)
    out, inside = 5 / 9 * 4 / 8, 4 / 9 * 1 / 7
    assert found.predict_proba([["sun"]])[0].tolist() == pytest.approx([inside / (out + inside), out / (out + inside)])


def test_an_unknown_value_is_passed_over():
    found = DiscretisedNaiveBayes().fit(SKY, OUT)
    assert found.predict_proba([[None], ["hail"]]).tolist() == [pytest.approx([4 / 9, 5 / 9])] * 2


@pytest.mark.parametrize(
    ("options", "out", "inside"),
    [
        ({"prior_laplace": False}, 4 / 7 * 4 / 8, 3 / 7 * 1 / 7),
        ({"counts": "laplace-1/n"}, 5 / 9 * (3 + 1 / 7) / (4 + 4 / 7), 4 / 9 * (1 / 7) / (3 + 4 / 7)),
        ({"counts": "half-of-none"}, 5 / 9 * 3 / 4, 4 / 9 * 0.5 / 7),
        ({"counts": "plain"}, 5 / 9 * 3 / 4, 0.0),
    ],
)
def test_other_counts(options, out, inside):
    found = DiscretisedNaiveBayes(**options).fit(SKY, OUT)
    assert found.predict_proba([["sun"]])[0].tolist() == pytest.approx([inside / (out + inside), out / (out + inside)])


def test_unknown_as_a_value():
    found = DiscretisedNaiveBayes(unknown="value").fit(SKY, OUT)
    out, inside = 5 / 9 * 2 / 8, 4 / 9 * 1 / 7
    assert found.predict_proba([[None]])[0].tolist() == pytest.approx([inside / (out + inside), out / (out + inside)])


def test_where_plain_counts_leave_no_class_the_prior_is_told():
    found = DiscretisedNaiveBayes(counts="plain").fit([["a", "x"], ["b", "y"], ["b", "y"]], [0, 1, 1])
    assert found.predict_proba([["a", "y"]])[0].tolist() == pytest.approx([1 / 3, 2 / 3])


def test_equal_classes_go_to_the_one_with_more_instances():
    """P(0) P(x | 0) = P(1) P(x | 1) without Laplace: 1/4 times 1 and 3/4 times 1/3, exactly in binary or nearly."""
    X, y = [["x"], ["x"], ["y"], ["x"], ["x"], ["y"]], [0, 0, 1, 1, 1, 1]
    found = DiscretisedNaiveBayes(counts="plain", prior_laplace=False).fit(X, y)
    assert found.predict_proba([["x"]])[0].tolist() == [0.5, 0.5]
    assert found.predict([["x"]]).tolist() == [1]


def test_cuts_come_from_the_training_data_only_and_values_at_a_cut_lie_below():
    X = np.array([[1.0], [2.0], [3.0], [4.0], [6.0], [7.0], [8.0], [9.0]])
    found = DiscretisedNaiveBayes().fit(X, [0] * 4 + [1] * 4)
    assert found.cut_points_[0].tolist() == [5.0]
    assert found.predict([[5.0], [np.nextafter(5.0, 6)], [1e300]]).tolist() == [0, 1, 1]
    assert [cuts.tolist() for cuts in DiscretisedNaiveBayes().fit(X, [0, 1] * 4).cut_points_] == [[]]


# ---- as an estimator -------------------------------------------------------------------------------------------


@parametrize_with_checks([DiscretisedNaiveBayes()])
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def test_whole_weights_are_copies():
    data = Mixture(8, n=60)
    weights = np.random.default_rng(8).integers(0, 4, 60)
    copies = np.repeat(np.arange(60), weights)
    weighted = DiscretisedNaiveBayes(**data.declared).fit(data.X, data.y, sample_weight=weights)
    copied = DiscretisedNaiveBayes(**data.declared).fit(data.X[copies], data.y[copies])
    assert weighted.predict_proba(data.X) == pytest.approx(copied.predict_proba(data.X), abs=1e-12)


def test_pipeline_grid_search_clone_and_pickle(toy):
    X, y = toy
    pipeline = make_pipeline(StandardScaler(), DiscretisedNaiveBayes())
    grid = GridSearchCV(pipeline, {"discretisednaivebayes__min_interval": [1, 5]}, cv=3).fit(X, y)
    assert grid.score(X, y) >= 0.5
    fitted = clone(DiscretisedNaiveBayes(counts="plain")).fit(X, y)
    assert (pickle.loads(pickle.dumps(fitted)).predict_proba(X) == fitted.predict_proba(X)).all()


def test_compare_knows_it_by_name(toy):
    found = fp.compare(["tddt-1", "discretised-naive-bayes"], *toy, procedure="corrected-repeated-cv", runs=2)
    assert [told["spec"] for told in found.to_dict()["learners"]] == ["tddt-1", "discretised-naive-bayes"]


# ---- hostile data ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[1.0, 2.0]] * 6, [0, 1, 0, 1, 0, 0]),
        ([[1.0], [2.0], [3.0]], [4, 4, 4]),
        ([[1.0]], ["only"]),
        ([[np.nan, np.nan]] * 4, [0, 1, 1, 1]),
        ([[None], [None]], [0, 1]),
    ],
    ids=["constant", "one class", "one row", "all missing", "nothing but None"],
)
def test_where_there_is_little_to_learn_the_majority_is_told(X, y):
    found = DiscretisedNaiveBayes().fit(X, y)
    values, counts = np.unique(y, return_counts=True)
    assert found.predict(X[:1]).tolist() == [values[np.argmax(counts)]]
    assert found.predict_proba(X).sum(axis=1) == pytest.approx(1.0)


def test_the_largest_numbers_many_categories_and_many_attributes():
    frame = pd.DataFrame({"x": [-1.7e308, -1e308, 1e308, 1.7e308] * 5})
    assert DiscretisedNaiveBayes().fit(frame, [0, 0, 1, 1] * 5).predict(frame).tolist() == [0, 0, 1, 1] * 5
    rng = np.random.default_rng(3)
    code = rng.integers(0, 10_000, (300, 1))
    found = DiscretisedNaiveBayes(categorical_features=[0], categories=[range(10_000)]).fit(code, code[:, 0] % 2)
    assert (found.predict(code) == code[:, 0] % 2).all()
    wide = np.repeat(rng.integers(0, 2, (40, 1)), 3000, axis=1)  # a product far below the least float
    found = DiscretisedNaiveBayes().fit(wide, wide[:, 0])
    assert (found.predict_proba(wide).max(axis=1) == 1.0).all()


def test_what_cannot_be_is_said():
    X, y = [[0.0], [1.0]], [0, 1]
    for options, text in (
        ({"min_interval": 0}, "min_interval is 0: give a positive number"),
        ({"cut_ties": "evn"}, "did you mean 'even'"),
        ({"counts": "laplac"}, "did you mean 'laplace'"),
        ({"unknown": "skipped"}, "did you mean 'skip'"),
    ):
        with pytest.raises(InputError, match=text):
            DiscretisedNaiveBayes(**options).fit(X, y)
    with pytest.raises(InputError, match="is infinite in row 1"):
        DiscretisedNaiveBayes().fit(pd.DataFrame({"a": [0.0, np.inf]}), y)
    with pytest.raises(InputError, match="0 sample"):
        DiscretisedNaiveBayes().fit(pd.DataFrame({"a": []}), [])
