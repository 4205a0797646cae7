"""TDDT-1 and TDDT-2: worked by hand, held against their slow twin, and as estimators."""

import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import foldproof as fp
from foldproof.data.sources import Wanted, read_source
from foldproof.domain.errors import InputError
from foldproof.learners import TDDT1, TDDT2
from foldproof.partitions import KFold, partition
from naive import tddt
from naive.mixtures import Mixture, as_rows

CRITERIA = ("normalised-mutual-information", "mutual-information", "gain-ratio")
BOUNDS = ((2, 25, 0.0), (2, 25, 0.1), (1, 25, 0.0), (3, 25, 0.0))
DATASETS = ("labor", "zoo", "glass2", "breast-cancer", "heart-c", "monk1-full", "colic")
BOTH = pytest.mark.parametrize("kind", [TDDT1, TDDT2])


def inner_folds(learner, y):
    """Return the inner folds as their documentation has them: a random order, dealt round-robin."""
    order = np.random.RandomState(learner.random_state).permutation(len(y))
    fold_of = np.empty(len(y), dtype=int)
    fold_of[order] = np.arange(len(y)) % min(learner.inner_folds, len(y))
    return fold_of.tolist()


def same(fast, slow, X, rows):
    assert (fast.n_leaves_, fast.size_) == (len(tddt.leaves(slow)), tddt.size(slow))
    assert fast.predict(X).tolist() == [fast.classes_[tddt.predict(slow, row)] for row in rows]


# ---- against the slow twin -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60))
def test_tddt2_is_its_slow_twin(seed):
    data = Mixture(seed)
    lower, upper, fraction = BOUNDS[seed % 4]
    options = {"criterion": CRITERIA[seed % 3]}
    even, zero_gain, slack = seed % 5 > 0, seed % 7 > 0, 0.1 * (seed % 2)
    fast = TDDT2(
        **data.declared,
        **options,
        min_split=lower,
        min_split_limit=upper,
        min_split_fraction=fraction,
        threshold_ties="even" if even else "lowest",
        zero_gain=zero_gain,
        slack=slack,
    ).fit(data.X, data.y)
    slow = tddt.tddt2(
        data.rows, data.labels, data.values, data.n_classes,
        bounds=(lower, upper, fraction), even=even, zero_gain=zero_gain, slack=slack, **options,
    )  # fmt: skip
    same(fast, slow, data.X, data.rows)
    same(fast, slow, *data.others(seed))


@pytest.mark.parametrize("seed", range(40))
def test_tddt1_is_its_slow_twin(seed):
    data = Mixture(1000 + seed)
    penalty = list(tddt.CHARGES)[seed % 4]
    ses = (0.0, 0.5, 1.0)[seed % 3]
    fast = TDDT1(
        **data.declared, penalty=penalty, standard_errors=ses, inner_folds=(10, 3)[seed % 2], random_state=seed
    ).fit(data.X, data.y)
    folds = inner_folds(fast, data.y)
    slow = tddt.tddt1(data.rows, data.labels, data.values, data.n_classes, folds, penalty=penalty, ses=ses)
    same(fast, slow, data.X, data.rows)
    same(fast, slow, *data.others(seed))


@pytest.mark.parametrize("seed", range(20))
def test_the_critical_factors_are_those_of_the_slow_twin(seed):
    data = Mixture(2000 + seed, n=40)
    fast = TDDT1(**data.declared, random_state=0).fit(data.X, data.y)
    tree = tddt.grow(data.rows, data.labels, data.values, data.n_classes)
    assert fast.factors_ == pytest.approx(tddt.factors(tree), abs=1e-12)
    assert (np.diff(fast.factors_) > 0).all()


@pytest.mark.parametrize("factor", [0.0, 0.1, 0.3, 2.0])
def test_a_given_factor_prunes_as_the_slow_twin_does(factor):
    data = Mixture(3000, n=45)
    fast = TDDT1(**data.declared, factor=factor).fit(data.X, data.y)
    same(
        fast, tddt.prune_with(tddt.grow(data.rows, data.labels, data.values, data.n_classes), factor), data.X, data.rows
    )
    assert fast.factor_ == factor


def a_fold_of(shared, name):
    """Return declarations, matrices and rows of one training fold and its test fold."""
    dataset = read_source(str(shared("datasets", f"{name}.arff")), Wanted(name))
    train, test = partition(KFold(folds=10, stratified=False), dataset).train_test(0, 3)
    values = [None if a.categories is None else len(a.categories) for a in dataset.attributes]
    rows = as_rows(dataset.codes, values)
    labels = dataset.target_codes.astype(int).tolist()
    return dataset, train, test, values, rows, labels


@pytest.mark.slow
@pytest.mark.parametrize("name", DATASETS)
def test_both_are_their_slow_twins_on_published_data(shared, name):
    dataset, train, test, values, rows, labels = a_fold_of(shared, name)
    inside, told = [rows[i] for i in train], [labels[i] for i in train]
    k, unseen = len(dataset.classes), [rows[i] for i in test]
    for learner in (TDDT2(), TDDT1(random_state=4, inner_folds=3)):
        fast = learner.with_declared(dataset.attributes, dataset.classes).fit(dataset.codes[train], dataset.y[train])
        if isinstance(learner, TDDT1):
            slow = tddt.tddt1(inside, told, values, k, inner_folds(fast, told))
        else:
            slow = tddt.tddt2(inside, told, values, k)
        same(fast, slow, dataset.codes[test], unseen)


# ---- by hand ---------------------------------------------------------------------------------------------------


def test_information_is_divided_by_the_log_of_the_declared_values():
    """Both attributes tell the class of all but 2 of 16 or 14; eight declared values make three bits, two make one."""
    y = [0] * 8 + [1] * 8
    two = [0] * 7 + [1] * 8 + [0]
    eight = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]
    X = np.column_stack([eight, two])
    options = {"categorical_features": [0, 1], "correction": "wilson"}
    assert TDDT2(**options).fit(X, y).tree_.attribute[0] == 1
    assert TDDT2(**options, criterion="mutual-information").fit(X, y).tree_.attribute[0] == 0


def test_no_test_divides_instances_one_by_one():
    """A name of its own for each instance: no branch holds two, so there is no test (zoo's animals)."""
    X = [[f"animal {i}"] for i in range(12)]
    y = [0, 1] * 6
    assert TDDT2().fit(X, y).n_leaves_ == 1
    assert TDDT1(min_split=1, factor=0.0).fit(X, y).n_leaves_ == 12
    assert TDDT1(min_split=2, factor=0.0).fit(X, y).n_leaves_ == 1


def test_the_critical_factor_of_one_test_is_errors_saved_by_root_of_weight_and_leaves():
    X, y = np.arange(10.0)[:, None], [0] * 6 + [1] * 4
    found = TDDT1(random_state=0).fit(X, y)
    assert found.factors_ == pytest.approx([0.0, 4 / np.sqrt(10 * 2)])
    assert TDDT1(factor=0.89).fit(X, y).n_leaves_ == 2
    assert TDDT1(factor=0.90).fit(X, y).n_leaves_ == 1


def test_thresholds_lie_in_the_middle_and_equal_values_go_left():
    found = TDDT2().fit([[1.0], [2.0], [2.0], [4.0], [5.0], [6.0]], [0, 0, 0, 1, 1, 1])
    assert found.tree_.threshold[0] == 3.0
    assert found.predict([[3.0], [np.nextafter(3.0, 4)]]).tolist() == [0, 1]


def test_of_equally_good_thresholds_the_one_that_divides_evenly():
    """The class is (x >= 2) xor b: alone, no cut of x tells anything, so all are equally good."""
    X = np.array([[x, b] for x in range(4) for b in (0, 1)] * 2, dtype=float)
    y = (X[:, 0] >= 2).astype(int) ^ X[:, 1].astype(int)
    even, lowest = (TDDT1(factor=0.0, threshold_ties=ties).fit(X, y) for ties in ("even", "lowest"))
    assert (even.tree_.threshold[0], lowest.tree_.threshold[0]) == (1.5, 0.5)
    assert (even.predict(X) == y).all() and (lowest.predict(X) == y).all()
    assert even.n_leaves_ == 4
    assert TDDT1(factor=0.0, zero_gain=False).fit(X, y).n_leaves_ == 1


def test_a_declared_value_without_an_instance_is_a_leaf_and_an_unknown_one_is_none():
    X, y = [[0], [0], [1], [1], [1]], [0, 0, 1, 1, 1]
    found = TDDT2(categorical_features=[0], categories=[[0, 1, 2]]).fit(X, y)
    assert (found.n_leaves_, found.size_) == (3, 4)
    assert found.predict([[2], [np.nan]]).tolist() == [1, 1]  # the majority above
    assert found.predict([[7]]).tolist() == [1]  # never declared: unknown


def test_unknown_is_a_branch_of_its_own():
    X = [[0.0]] * 4 + [[1.0]] * 4 + [[np.nan]] * 4
    y = [0] * 4 + [1] * 4 + [2] * 4
    found = TDDT2().fit(X, y)
    assert found.predict([[0.2], [0.9], [np.nan]]).tolist() == [0, 1, 2]
    assert found.export_text() == "x0 <= 0.5: 0 (4)\nx0 > 0.5: 1 (4)\nx0 is unknown: 2 (4)"


def test_equal_classes_are_decided_by_the_node_above():
    """Class b has more instances at the root; in the right branch a and b are equal, and b wins although a is first."""
    X = [[0]] * 5 + [[1]] * 4
    y = ["b", "b", "b", "b", "a", "a", "a", "b", "b"]
    found = TDDT1(factor=0.0, categorical_features=[0], zero_gain=True).fit(X, y)
    root = TDDT1(factor=9.0, categorical_features=[0]).fit(X, y)
    assert root.predict([[1]]).tolist() == ["b"]
    assert found.predict([[1]]).tolist() == ["b"]
    assert TDDT1().fit([[0], [0]], ["b", "a"]).predict([[0]]).tolist() == ["a"]  # at the root: order of declaration
    assert TDDT1(classes=["b", "a"]).fit([[0], [0]], ["b", "a"]).predict([[0]]).tolist() == ["b"]


def test_the_two_corrections_and_slacks_are_ordered():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(120, 3)), rng.integers(0, 2, 120)
    leaves = [TDDT2(slack=slack).fit(X, y).n_leaves_ for slack in (0.0, 1.0, 1e6)]
    assert leaves[0] >= leaves[1] >= leaves[2] == 1
    strict, lax = (TDDT2(confidence=c, correction="c45").fit(X, y).n_leaves_ for c in (0.01, 0.75))
    assert strict < lax


# ---- as estimators ---------------------------------------------------------------------------------------------


def expected_failures(estimator):
    if isinstance(estimator, TDDT1):
        reason = "inner folds divide rows: a row of weight 2 stays in one fold, two equal rows may part"
        return {"check_sample_weight_equivalence_on_dense_data": reason}
    return {}


@parametrize_with_checks([TDDT1(), TDDT2()], expected_failed_checks=expected_failures)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def test_whole_weights_are_copies():
    data = Mixture(7, n=40)
    weights = np.random.default_rng(7).integers(0, 4, 40)
    copies = np.repeat(np.arange(40), weights)
    for learner in (TDDT2(**data.declared), TDDT1(**data.declared, factor=0.2)):
        weighted = clone(learner).fit(data.X, data.y, sample_weight=weights)
        copied = clone(learner).fit(data.X[copies], data.y[copies])
        assert weighted.export_text() == copied.export_text()
        scaled = clone(learner).set_params(min_split=1, min_split_limit=12.5)
        halves = scaled.fit(data.X, data.y, sample_weight=weights / 2)
        assert halves.tree_.weight[0] == copied.tree_.weight[0] / 2


@BOTH
def test_pipeline_grid_search_clone_and_pickle(kind, toy):
    X, y = toy
    grid = GridSearchCV(make_pipeline(StandardScaler(), kind()), {f"{kind.__name__.lower()}__min_split": [2, 5]}, cv=3)
    assert grid.fit(X, y).score(X, y) > 0.5
    fitted = kind(criterion="gain-ratio").fit(X, y)
    assert clone(fitted).get_params()["criterion"] == "gain-ratio"
    again = pickle.loads(pickle.dumps(fitted))
    assert again.export_text() == fitted.export_text()
    assert (again.predict(X) == fitted.predict(X)).all()


def test_tddt1_is_the_same_with_the_same_seed(toy):
    X, y = toy
    one, two = (TDDT1(random_state=3).fit(X, y) for _ in range(2))
    assert one.factor_ == two.factor_
    assert one.export_text() == two.export_text()


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_frames_with_categories_and_missing_values(make):
    frame = make({"sky": ["sun", "rain", None, "rain", "sun", None] * 3, "heat": [20.0, 5.0, None, 7.0, 25.0, 9.0] * 3})
    y = ["out", "in", "in", "in", "out", "in"] * 3
    for learner in (TDDT1(random_state=0), TDDT2()):
        found = learner.fit(frame, y)
        assert found.predict(frame).tolist() == y
        assert list(found.feature_names_in_) == ["sky", "heat"]


def test_compare_knows_them_by_name(toy):
    found = fp.compare(["tddt-1", "tddt-2"], *toy, procedure="corrected-repeated-cv", runs=2, seed=3)
    again = fp.compare(["tddt-1", "tddt-2"], *toy, procedure="corrected-repeated-cv", runs=2, seed=3)
    assert found.to_dict() == again.to_dict()


# ---- hostile data ----------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[1.0, 2.0]] * 6, [0, 1, 0, 1, 0, 0]),
        ([[1.0], [2.0], [3.0]], [4, 4, 4]),
        ([[1.0]], ["only"]),
        ([[np.nan, np.nan]] * 4, [0, 1, 1, 1]),
        ([[None], [None]], [0, 1]),
        ([[0.0], [0.0], [0.0], [1.0], [1.0]], [0, 0, 1, 1, 0]),
    ],
    ids=["constant", "one class", "one row", "all missing", "nothing but None", "duplicates of different classes"],
)
def test_where_there_is_little_to_learn_the_majority_is_told(kind, X, y):
    found = kind().fit(X, y)
    values, counts = np.unique(y, return_counts=True)
    if len(X) != 5:
        assert found.n_leaves_ == 1
        assert found.export_text() == found.export_text().splitlines()[0]
    assert found.predict(X[:1]).tolist() == [values[np.argmax(counts)]]
    assert found.predict_proba(X).sum(axis=1) == pytest.approx(1.0)


@BOTH
def test_the_largest_numbers_and_neighbouring_ones(kind):
    X = pd.DataFrame({"x": [-1.7e308, -1e308, 1e308, 1.7e308] * 3})
    y = [0, 0, 1, 1] * 3
    assert kind().fit(X, y).predict(X).tolist() == y
    close = np.array([[1.0], [np.nextafter(1.0, 2)]] * 6)
    assert kind().fit(close, [0, 1] * 6).predict(close).tolist() == [0, 1] * 6


@BOTH
def test_ten_thousand_categories(kind):
    rng = np.random.default_rng(1)
    code = rng.integers(0, 10_000, 300)
    X = np.column_stack([code, rng.normal(size=300)])
    y = (X[:, 1] > 0).astype(int)
    found = kind(categorical_features=[0], categories=[range(10_000)]).fit(X, y)
    assert (found.predict(X) == y).all()


@BOTH
def test_what_cannot_be_is_said(kind):
    X, y = [[0.0], [1.0]], [0, 1]
    with pytest.raises(InputError, match="is infinite in row 1"):
        kind().fit(pd.DataFrame({"a": [0.0, np.inf]}), y)
    with pytest.raises(ValueError, match="infinity"):
        kind().fit([[0.0], [np.inf]], y)
    with pytest.raises(InputError, match="0 sample"):
        kind().fit(pd.DataFrame({"a": []}), [])
    with pytest.raises(InputError, match="min_split is 0: give more than 0"):
        kind(min_split=0).fit(X, y)
    with pytest.raises(InputError, match="did you mean 'gain-ratio'"):
        kind(criterion="gainratio").fit(X, y)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"factor": -1.0}, "factor is -1.0: give at least 0"),
        ({"inner_folds": 1}, "inner_folds is 1: give at least 2"),
        ({"standard_errors": -0.5}, "standard_errors is -0.5: give at least 0"),
        ({"penalty": "leaves"}, "unknown penalty 'leaves'"),
        ({"factor_between": "mean"}, "unknown factor_between 'mean'"),
    ],
)
def test_options_of_tddt1_that_cannot_be(options, text):
    with pytest.raises(InputError, match=text):
        TDDT1(**options).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"confidence": 0.0}, "confidence is 0.0: give a number between 0 and 1"),
        ({"slack": -0.1}, "slack is -0.1: give at least 0"),
        ({"correction": "laplace"}, "unknown correction 'laplace'"),
        ({"threshold_ties": "highest"}, "unknown threshold_ties 'highest'"),
    ],
)
def test_options_of_tddt2_that_cannot_be(options, text):
    with pytest.raises(InputError, match=text):
        TDDT2(**options).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.slow
def test_a_tree_as_deep_as_its_data_is_told_whole():
    """Every cut takes two instances off the end: hundreds of tests one below the other."""
    n = 1500
    X, y = np.arange(float(n))[:, None], (np.arange(n) // 2) % 2
    found = TDDT1(factor=0.0, threshold_ties="lowest").fit(X, y)
    assert (found.predict(X) == y).all()
    assert len(found.export_text().splitlines()) == found.size_ - 1


@BOTH
def test_the_tree_as_plain_values_is_the_tree_as_text(kind):
    data = Mixture(12, n=90)
    found = kind(**data.declared).fit(data.X, data.y)
    told = found.to_dict()
    assert json.loads(json.dumps(told)) == told
    assert (told["weight"], told["errors"]) == (90.0, found.tree_.errors[0])
    lines, waiting = [], [(0, child) for child in told["children"][::-1]]
    while waiting:
        depth, node = waiting.pop()
        leaf = "attribute" not in node
        errors = f"/{node['errors']:g}" if node["errors"] else ""
        end = f": {node['class']} ({node['weight']:g}{errors})" if leaf else ""
        lines.append("|   " * depth + node["condition"] + end)
        waiting += [(depth + 1, child) for child in node.get("children", [])[::-1]]
    assert "\n".join(lines) == found.export_text()
