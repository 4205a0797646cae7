"""Advice: each kind of misuse is seen where it is, not where it is not, and shown."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import KFold, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.workflows.advice import CAVEAT, MISUSE
from foldproof.workflows.data_advice import classes_torn, copies_across_folds, group_columns, time_columns

LEARNERS = {"tree": DecisionTreeClassifier(max_depth=2), "bayes": GaussianNB()}
FINE = {"procedure": "corrected-repeated-cv", "runs": 2, "folds": 6}


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(9)
    y = np.arange(120) % 2
    return pd.DataFrame({"x": rng.normal(size=120) + y, "z": rng.normal(size=120)}), y


def codes(learners, X, y, kind=MISUSE, **options):
    return {a.code for a in fp.compare(learners, X, y, **{**FINE, **options}).advice() if a.kind == kind}


def test_where_nothing_is_wrong_only_the_reach_is_told(frame):
    found = fp.compare(LEARNERS, *frame, **FINE)
    assert [a.code for a in found.advice()] == ["reach"]
    assert "advice:" not in str(found)
    assert "reaches as far as the population" in found.to_html()


@pytest.mark.parametrize(
    ("procedure", "seen"),
    [
        ("10-fold-cv", True),
        ("k-fold-cv", True),
        ("corrected-10x10-cv", False),
        ("5x2cv", False),
        ("binomial-cv", False),
        ("averaged-10-fold-cv", False),
    ],
)
def test_folds_taken_for_independent(frame, procedure, seen):
    found = fp.compare(LEARNERS, *frame, procedure=procedure)
    assert ("folds_not_independent" in {a.code for a in found.advice()}) == seen


def test_uncorrected_repetition_is_seen_and_distinct_training_sets_are_fine(frame):
    assert "folds_not_independent" in codes(LEARNERS, *frame, procedure="k-fold-cv", runs=3, folds=5)
    assert codes(LEARNERS, *frame, procedure="disjoint-training-sets", runs=3, folds=None) == set()


def test_two_folds_with_the_correction(frame):
    assert codes(LEARNERS, *frame, folds=2) == {"correction_out_of_range"}
    assert "1 times as large" in next(
        a.says for a in fp.compare(LEARNERS, *frame, **{**FINE, "folds": 2}).advice() if a.kind == MISUSE
    )


def test_small_classes_without_strata(frame):
    X, _ = frame
    y = np.array(["rare"] * 6 + ["common"] * 114)
    splits = {"procedure": "corrected-10x10-cv", "runs": None, "folds": None}
    assert "small_classes_unstratified" in codes(LEARNERS, X, y, cv=KFold(6), **splits)
    assert "small_classes_unstratified" not in codes(LEARNERS, X, y)
    data = fp.dataset(X, y)
    torn = classes_torn(data, fp.partitions.partition(fp.partitions.KFold(6, stratified=False), data, runs=2))
    label, empty, count = torn[0]
    assert (label, count) == ("rare", 12)
    assert 0 < empty <= 12
    # Fewer members than test sets is the small_class warning's matter.
    y = np.array(["rare"] * 3 + ["common"] * 117)
    data = fp.dataset(X, y)
    assert classes_torn(data, fp.partitions.partition(fp.partitions.KFold(6, stratified=False), data)) == []


def test_time_at_random(frame):
    X, y = frame
    dated = X.assign(**{"order date": np.arange(120.0)})
    assert codes(LEARNERS, dated, y) == {"time_split_at_random"}
    splits = {"procedure": "corrected-10x10-cv", "runs": None, "folds": None}
    assert "time_split_at_random" not in codes(LEARNERS, dated, y, cv=TimeSeriesSplit(5), **splits)
    for name, values, seen in [
        ("SaleYear", 1990 + np.arange(120) // 10, True),
        ("month", np.tile(np.arange(12), 10), False),
        ("timestamp", np.random.default_rng(1).normal(size=120), True),
        ("year", np.tile([1998.0, 1997.0, 1999.0], 40), True),
        ("wage-increase-first-year", np.random.default_rng(1).normal(size=120), False),
        ("lifetime", np.arange(120.0), False),
        ("sentiment", np.arange(120.0), False),
        ("year", np.zeros(120), False),
    ]:
        data = fp.dataset(X.assign(**{name: np.asarray(values, float)}), y)
        assert (time_columns(data) == [name]) == seen, name


def test_groups_at_random(frame):
    X, y = frame
    grouped = X.assign(PatientID=np.repeat(np.arange(30), 4))
    found = fp.compare(LEARNERS, grouped, y, **FINE)
    (advice,) = (a for a in found.advice() if a.kind == MISUSE)
    assert (advice.code, "--groups 'PatientID'" in advice.do) == ("groups_split_at_random", True)
    assert codes(LEARNERS, grouped, y, groups=grouped["PatientID"]) == set()
    for name, values, seen in [
        ("Speaker Number", np.arange(120) // 8, True),
        ("user_id", np.arange(120), False),  # a name for each row is no group
        ("grouping", np.arange(120) // 8, False),
        ("subject", np.arange(120) % 2, False),
    ]:
        data = fp.dataset(X.assign(**{name: np.asarray(values, float)}), y)
        assert (group_columns(data) == [name]) == seen, name
    assert time_columns(fp.dataset(sparse.csr_matrix(X.to_numpy()), y)) == []


def test_copies_against_a_loop(frame):
    X, y = frame
    twice = pd.concat([X, X.iloc[:30]], ignore_index=True)
    twice.loc[[0, 120], "z"] = np.nan
    data = fp.dataset(twice, np.concatenate([y, 1 - y[:30]]))
    partitions = fp.partitions.partition(fp.partitions.KFold(5), data)
    rows = [tuple(None if np.isnan(v) else v for v in row) for row in twice.to_numpy()]
    expected = tested = 0
    for train, test in partitions.split():
        known = {rows[i] for i in train}
        expected += sum(rows[i] in known for i in test)
        tested += len(test)
    assert copies_across_folds(data, partitions) == (expected, tested, 60)
    assert 0 < expected <= 60
    assert codes({"tree": DecisionTreeClassifier(max_depth=2), "d": DecisionTreeClassifier(max_depth=1)},
                 twice.dropna(), data.y[twice["z"].notna()]) == {"duplicate_rows"}  # fmt: skip
    # Copies in one group are never torn apart, so nothing is remembered.
    whole = fp.dataset(twice, data.y, groups=[hash(r) for r in rows])
    assert copies_across_folds(whole, fp.partitions.partition(fp.partitions.KFold(5), whole))[0] == 0
    # Where there are few combinations of values, equal rows are to be expected.
    bits = np.random.default_rng(4).integers(0, 2, size=(120, 5)).astype(float)
    assert copies_across_folds(fp.dataset(bits, y), partitions) is None
    assert copies_across_folds(fp.dataset(sparse.csr_matrix(X.to_numpy()), y), partitions) is None


def test_the_papers_datasets_have_copies(shared):
    from foldproof.data.sources import Wanted, read_source

    for name, many in (("vote", True), ("breast-cancer", True), ("labor", False)):
        path = str(shared("datasets", f"{name}.arff"))
        data = read_source(path, Wanted(path))
        copies, tested, _ = copies_across_folds(data, fp.partitions.partition(fp.partitions.KFold(10), data))
        assert (copies >= 0.1 * tested, tested) == (many, len(data)), name
    assert time_columns(data) == []
    vowel = str(shared("datasets", "vowel.arff"))
    assert group_columns(read_source(vowel, Wanted(vowel))) == ["Speaker Number"]


def test_a_dataset_seen_before(frame):
    found = fp.compare(LEARNERS, *frame, **FINE)
    (seen,) = (a for a in found.advice(look=3) if a.code == "seen_before")
    assert "this is look 3 at this dataset" in seen.says
    assert "seen_before" not in {a.code for a in found.advice(look=1)}


def test_the_ledger_tells_how_often_it_was_seen(frame, tmp_path):
    store = f"sqlite:///{tmp_path}/l.db"
    first, again, second = (fp.compare(LEARNERS, *frame, seed=seed, store=store, **FINE) for seed in (0, 0, 1))
    for found, look in ((first, 1), (again, 1), (second, 2)):
        assert found.to_dict()["ledger"]["look"] == look
        assert ("seen_before" in {a.code for a in found.advice()}) == (look > 1)


def test_identical_learners(frame):
    learners = {"bayes": GaussianNB(), "same": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
    found = [a for a in fp.compare(learners, *frame, **FINE).advice() if a.code == "identical_learners"]
    assert found[0].says.startswith("bayes and same have the same score in every fold")


def test_ceilings(frame):
    X, y = frame
    easy = X.assign(x=X["x"] * 0.1 + 10 * y)
    tough = {"tree": DecisionTreeClassifier(max_depth=2), "logit": LogisticRegression()}
    assert "ceiling" in codes(tough, easy, y)
    assert "ceiling" in codes(tough, easy, y, scoring="roc_auc")
    assert "ceiling" not in codes({**tough, "dummy": DummyClassifier()}, X, y)
    # One that is perfect beside one that is not leaves plenty to differ in.
    assert "ceiling" not in codes({"logit": LogisticRegression(), "dummy": DummyClassifier()}, easy, y)
    # Few errors because there are few instances are no ceiling.
    assert "ceiling" not in codes(tough, 0.0 * X[:4], y[:4], folds=2)
    straight = {"line": LinearRegression(), "ridge": Ridge()}
    assert "ceiling" not in codes(straight, X, 0.5 * X["x"] + 0.25 * X["z"], scoring="neg_mean_squared_error")


def test_feasibility_in_the_dress_of_a_comparison(frame):
    only = fp.compare({"dummy": DummyClassifier(), "bayes": GaussianNB()}, *frame, **FINE).advice()
    assert only[0].code == "feasibility_only"
    assert only[0].says.startswith("bayes is compared with dummy only")
    assert "feasibility_only" not in codes({**LEARNERS, "dummy": DummyClassifier()}, *frame)
    assert "no_similar_learner" in codes(LEARNERS, *frame, procedure="salzberg", runs=1)


def test_how_far_a_verdict_reaches(frame):
    (reach,) = fp.compare(LEARNERS, *frame, name="sklearn:mine", **FINE).advice()
    assert (reach.code, reach.kind) == ("reach", CAVEAT)
    assert reach.says.startswith("sklearn:mine is a public dataset")


def test_every_piece_says_what_to_do(frame):
    X, y = frame
    grouped = X.assign(PatientID=np.repeat(np.arange(30), 4), year=np.arange(120))
    found = fp.compare({"tree": GaussianNB(), "bayes": GaussianNB()}, grouped, y, procedure="10-fold-cv")
    assert len(found.advice(look=2)) == 6
    text, page = " ".join(str(found).split()), " ".join(found.to_html().split())
    for advice in found.advice(look=2):
        assert len(advice.do) > 20
        assert not advice.do.endswith(".")
        if advice.code != "seen_before":
            assert (advice.do[1:] in text) == (advice.kind == MISUSE)
    assert "<h2>Advice</h2>" in page
    assert page.count("Give groups=") + page.count("give groups=") == 1
