"""The front door: verdicts that can be computed again from the scores, shared fits, and everything said aloud."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn import model_selection as ms
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import foldproof as fp
from foldproof.domain.errors import InputError
from naive.corrected_t import corrected_t

PAIR = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}


@pytest.fixture(scope="module")
def cancer():
    return load_breast_cancer(return_X_y=True)


@pytest.fixture(scope="module")
def comparison(cancer):
    return fp.compare(PAIR, *cancer, seed=1)


def test_the_verdict_is_that_of_the_scores_on_the_partitions(cancer, comparison):
    """An independent way: scikit-learn's scores on the same splits, the formula in forty digits."""
    X, y = cancer
    seeded = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
    scores = {n: ms.cross_val_score(e, X, y, cv=comparison.partitions) for n, e in seeded.items()}
    t, df, p = corrected_t(scores["bayes"] - scores["tree"], 1 / 9)
    pair = comparison.pair("bayes", "tree")
    assert pair.df == df == 99
    # The tree draws its ties by the seed; its own scores are used where they differ from the fixed ones.
    own = comparison.outcomes["tree"].scores["accuracy"].ravel()
    t, df, p = corrected_t(scores["bayes"] - own, 1 / 9)
    assert pair.statistic == pytest.approx(float(t), rel=1e-12)
    assert pair.pvalue == pytest.approx(float(p), rel=1e-11)
    assert pair.mean_difference == pytest.approx(float((scores["bayes"] - own).mean()), rel=1e-12)


def test_with_fixed_learners_the_scores_are_scikit_learns_to_the_bit(cancer):
    X, y = cancer
    learners = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
    found = fp.compare(learners, X, y, procedure="corrected-repeated-cv", runs=2)
    for name, learner in learners.items():
        theirs = ms.cross_val_score(learner, X, y, cv=found.partitions)
        assert found.outcomes[name].scores["accuracy"].ravel().tolist() == theirs.tolist()


def test_one_pair_is_not_adjusted_and_decides_itself(comparison):
    pair = comparison.pair("bayes", "tree")
    assert pair.pvalue == pair.pvalue_adjusted
    assert (pair.verdict != "none") == (pair.pvalue <= 0.05)
    low, high = pair.confidence_interval(0.95)
    assert low < pair.mean_difference < high
    assert pair.smallest_detectable > 0


def test_the_same_seed_is_the_same_and_another_is_another(cancer, comparison):
    again = fp.compare(PAIR, *cancer, seed=1, n_jobs=2)
    assert json.dumps(again.to_dict()) == json.dumps(comparison.to_dict())
    other = fp.compare(PAIR, *cancer, seed=2)
    assert other.pair("bayes", "tree").statistic != comparison.pair("bayes", "tree").statistic


def test_swapping_learners_turns_the_sign_and_keeps_p(cancer, comparison):
    swapped = fp.compare(dict(reversed(PAIR.items())), *cancer, seed=1)
    ours, theirs = comparison.pair("bayes", "tree"), swapped.pair("tree", "bayes")
    assert theirs.statistic == -ours.statistic
    assert theirs.pvalue == ours.pvalue
    assert theirs.verdict == ours.verdict
    assert theirs.forecast == pytest.approx(ours.forecast, rel=1e-12)


class Counting(ClassifierMixin, BaseEstimator):
    fits = 0

    def __init__(self, label=0):
        self.label = label

    def fit(self, X, y):
        Counting.fits += 1
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[self.label])


def test_three_learners_cost_three_sets_of_fits(toy):
    Counting.fits = 0
    found = fp.compare({"a": Counting(), "b": Counting(1), "c": Counting()}, *toy)
    assert Counting.fits == 3 * 100
    assert [(v.a, v.b) for v in found.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]


def test_several_pairs_are_adjusted_by_holm(cancer):
    learners = {**PAIR, "stump": DecisionTreeClassifier(max_depth=1), "dummy": DummyClassifier()}
    found = fp.compare(learners, *cancer, procedure="corrected-repeated-cv", runs=3)
    p = np.array([v.pvalue for v in found.pairs])
    adjusted = np.array([v.pvalue_adjusted for v in found.pairs])
    order = np.argsort(p)
    expected = np.minimum(np.maximum.accumulate(p[order] * np.arange(6, 0, -1)), 1)
    assert adjusted[order] == pytest.approx(expected, rel=1e-15)
    assert all((v.verdict != "none") == (v.pvalue_adjusted <= 0.05) for v in found.pairs)


def test_an_interval_that_disagrees_with_the_adjusted_verdict_is_told():
    """Twice p = 0.03: each interval leaves zero out, and Holm's 0.06 says none."""
    from foldproof.domain.student import critical_value
    from foldproof.domain.verdict import Verdict
    from foldproof.significance import corrected_repeated_kfold_t
    from foldproof.workflows.judge import decide

    noise = np.random.default_rng(0).normal(size=100)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    x = noise + float(critical_value(0.015, 99)) * np.sqrt(1 / 100 + 1 / 9)
    result = corrected_repeated_kfold_t(fp.Differences(x.reshape(10, 10)))
    assert result.pvalue == pytest.approx(0.03, rel=1e-9)
    raw = [
        Verdict(a="a", b=b, result=result, mean_difference=result.mean_difference, pvalue_adjusted=None, verdict="none")
        for b in ("b", "c")
    ]
    for verdict in decide(raw, alpha=0.05, adjust="holm"):
        assert (verdict.verdict, verdict.warnings) == ("none", ("interval_unadjusted",))
        assert verdict.pvalue_adjusted == pytest.approx(0.06, rel=1e-9)
    for verdict in decide(raw, alpha=0.05, adjust="none"):
        assert (verdict.verdict, verdict.warnings) == ("a", ())


def test_identical_learners_are_no_different_and_that_is_told(toy):
    pair = fp.compare({"a": GaussianNB(), "b": GaussianNB()}, *toy).pair("a", "b")
    assert (pair.verdict, pair.pvalue, pair.statistic) == ("none", 1.0, 0.0)
    assert "identical_scores" in pair.warnings


def test_several_scorings_share_the_fits_and_each_has_its_verdicts(toy):
    Counting.fits = 0
    found = fp.compare({"a": Counting(), "b": Counting(1)}, *toy, scoring=["accuracy", "f1", "balanced_accuracy"])
    assert Counting.fits == 200
    assert [s.scoring for s in found.scored] == ["accuracy", "f1", "balanced_accuracy"]
    assert found.pair("a", "b", scoring="f1").verdict == "b"
    told = found.to_dict()
    assert told["scoring"] == "accuracy"
    assert [part["scoring"] for part in told["more_scorings"]] == ["f1", "balanced_accuracy"]


def test_a_loss_is_turned_and_told():
    X, y = load_diabetes(return_X_y=True)
    learners = {"line": LinearRegression(), "tree": DecisionTreeRegressor(max_depth=8)}
    found = fp.compare(learners, X, y, procedure="corrected-repeated-cv", runs=2)
    told = found.to_dict()
    assert told["scoring"] == "neg_root_mean_squared_error"
    assert told["greater_is_better"] is False
    line, tree = (learner["mean_score"] for learner in told["learners"])
    assert 0 < line < tree
    assert found.pair("line", "tree").mean_difference == pytest.approx(tree - line)
    assert found.pair("line", "tree").verdict == "line"
    assert told["dataset"]["classes"] is None
    assert "lower is better" in found.to_text()
    assert "root_mean_squared_error (lower is better)" in found.methods_text()


def test_own_scorers(toy):
    def errors(estimator, X, y):
        return -float((estimator.predict(X) != y).sum())

    found = fp.compare(PAIR, *toy, scoring=errors)
    assert found.to_dict()["scoring"] == "errors"
    assert found.to_dict()["greater_is_better"] is True


@pytest.mark.parametrize("kind", ["pandas", "polars", "sparse", "list", "objects"])
def test_every_container_gives_the_same_verdict(toy, kind):
    X, y = toy
    form = {
        "pandas": lambda: pd.DataFrame(X, columns=["a", "b", "c"]),
        "polars": lambda: pl.DataFrame(X, schema=["a", "b", "c"]),
        "sparse": lambda: sp.csr_array(X),
        "list": X.tolist,
        "objects": lambda: X.astype(object),
    }[kind]()
    learners = {"knn": KNeighborsClassifier(3), "tree": DecisionTreeClassifier(max_depth=1)}
    expected, found = (fp.compare(learners, data, y, procedure="5x2cv") for data in (X, form))
    assert found.dataset.fingerprint == expected.dataset.fingerprint
    assert found.pair("knn", "tree").statistic == expected.pair("knn", "tree").statistic


def test_frames_come_back_as_the_callers_kind(toy):
    X, y = toy
    assert isinstance(fp.compare(PAIR, pd.DataFrame(X), y, procedure="5x2cv").to_frame(), pd.DataFrame)
    frame = fp.compare(PAIR, X, y, procedure="5x2cv").to_frame()
    assert isinstance(frame, pl.DataFrame)
    assert frame["a"].to_list() == ["bayes"]
    assert {"pvalue", "ci_low", "ci_high", "verdict", "scoring"} <= set(frame.columns)


def test_text_and_missing_values_just_work_and_that_is_said(rng):
    n = 60
    frame = pd.DataFrame({"c": rng.choice(["u", "v", "w"], n), "x": rng.normal(size=n)}).astype({"c": object})
    frame.loc[::7, "x"], frame.loc[::9, "c"] = np.nan, None
    y = np.where(frame["c"] == "u", "yes", "no")
    found = fp.compare({"line": LogisticRegression(), "dummy": DummyClassifier()}, frame, y)
    assert found.pair("line", "dummy").verdict == "line"
    assert any(w.startswith("encoded: for 'line', 'dummy': 1 nominal attribute one-hot") for w in found.warnings)
    with pytest.raises(InputError, match="the data have nominal or missing values, which 'line', 'dummy' cannot"):
        fp.compare({"line": LogisticRegression(), "dummy": DummyClassifier()}, frame, y, encode=False)


def test_a_pipeline_is_handed_the_data_as_they_are(rng):
    from sklearn.compose import make_column_transformer
    from sklearn.preprocessing import OneHotEncoder

    frame = pl.DataFrame({"c": rng.choice(["u", "v"], 40), "x": rng.normal(size=40)})
    y = (frame["c"] == "u").to_numpy().astype(int)
    pipeline = make_pipeline(make_column_transformer((OneHotEncoder(), ["c"])), LogisticRegression())
    found = fp.compare({"pipe": pipeline, "pipe2": pipeline}, frame, y, procedure="5x2cv", encode=False)
    assert not found.failures
    assert found.to_dict()["learners"][0]["mean_score"] == 1.0


def test_groups_are_never_torn_apart(toy):
    X, y = toy
    groups = np.arange(40) // 2
    found = fp.compare(PAIR, X, y, groups=groups, procedure="5x2cv")
    for train, test in found.partitions.split():
        assert not set(groups[train]) & set(groups[test])


def test_weights_reach_the_fit_and_learners_that_take_none_are_refused(toy):
    X, y = toy
    weights = np.where(y == 0, 1.0, 0.0)
    # With no weight on class 1 the scaled tree must predict 0 throughout.
    learners = {"tree": make_pipeline(StandardScaler(), DecisionTreeClassifier()), "bare": DecisionTreeClassifier()}
    found = fp.compare(learners, X, y, sample_weight=weights, procedure="5x2cv")
    assert {x["mean_score"] for x in found.to_dict()["learners"]} == {0.5}
    assert any(w.startswith("weights: ") for w in found.warnings)
    with pytest.raises(InputError, match="learner 'knn' takes no sample weights"):
        fp.compare({"knn": KNeighborsClassifier(), "b": GaussianNB()}, X, y, sample_weight=weights)


@pytest.mark.parametrize(
    ("cv", "runs", "folds", "warned"),
    [
        (ms.RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0), 3, 4, "ratio_out_of_range"),
        (ms.ShuffleSplit(12, test_size=0.1, random_state=0), 12, 1, None),
        (ms.TimeSeriesSplit(5), 5, 1, "not_complement"),
    ],
)
def test_any_splitter(toy, cv, runs, folds, warned):
    found = fp.compare(PAIR, *toy, cv=cv)
    told = found.to_dict()
    assert (told["procedure"]["runs"], told["procedure"]["folds"]) == (runs, folds)
    pair = found.pair("bayes", "tree")
    assert pair.df == runs * folds - 1
    if warned:
        assert warned in pair.warnings
    # A forecast is defined for r x k cross-validation alone.
    assert (pair.forecast is None) == ("forecast_unavailable" in pair.warnings) == (folds == 1)


def test_the_seed_reaches_learners_and_a_given_state_is_told(toy):
    given = {"a": DecisionTreeClassifier(max_features=1, random_state=7), "b": GaussianNB()}
    found = fp.compare(given, *toy, procedure="5x2cv")
    assert any("random_state_kept: 'a' was given its own random_state" in w for w in found.warnings)


def test_a_class_with_fewer_members_than_folds_is_a_warning(rng):
    y = np.array([0] * 20 + [1] * 17 + [2] * 3)
    found = fp.compare(PAIR, rng.normal(size=(40, 2)), y)
    assert "small_class: class 2 has 3 members and there are 10 folds: some test sets hold none of it" in found.warnings


def test_a_number_taken_for_classes_is_one_warning(rng):
    found = fp.compare(PAIR, rng.normal(size=(40, 2)), np.arange(40) // 2, procedure="5x2cv")
    assert not any("small_class" in w for w in found.warnings)
    found = fp.compare(PAIR, rng.normal(size=(40, 2)), np.arange(40) // 2, procedure="10-fold-cv")
    assert [w for w in found.warnings if "small_class" in w] == [
        "small_class: 20 of 20 classes have fewer members than there are folds (10): some test sets hold none of "
        "them; is the target a number to predict?"
    ]


def test_a_failing_learner_leaves_the_other_pairs_their_verdicts(toy):
    class Never(GaussianNB):
        def fit(self, X, y):
            raise MemoryError("too much")

    found = fp.compare({**PAIR, "never": Never()}, *toy, procedure="5x2cv")
    assert len(found.failures) == 10
    assert found.failures[0] == {
        "learner": "never",
        "run": 0,
        "fold": 0,
        "kind": "fit_raised",
        "message": "MemoryError: too much",
    }
    assert found.pair("bayes", "tree").pvalue is not None
    lost = found.pair("bayes", "never")
    assert (lost.verdict, lost.pvalue, lost.warnings[0]) == ("none", None, "incomplete")
    assert "10 folds failed" in found.to_text()


@pytest.mark.parametrize(
    ("learners", "options", "sentence"),
    [
        (
            PAIR,
            {"procedure": "corected-10x10-cv"},
            "unknown procedure 'corected-10x10-cv': did you mean 'corrected-10x10-cv'?",
        ),
        (PAIR, {"runs": 3}, "the procedure 'corrected-10x10-cv' fixes runs at 10 and 3 was asked for"),
        (PAIR, {"procedure": "corrected-repeated-cv", "runs": 0}, "runs is 0: give a whole number of at least 1"),
        (PAIR, {"alpha": 0}, "alpha is 0: it must lie between 0 and 1, both excluded"),
        (PAIR, {"alpha": 1.0}, "alpha is 1.0: it must lie between 0 and 1"),
        (PAIR, {"adjust": "holmm"}, "unknown adjustment 'holmm': did you mean 'holm'?"),
        (PAIR, {"scoring": "acuracy"}, "unknown scoring 'acuracy': did you mean 'accuracy'?"),
        (PAIR, {"scoring": []}, "scoring is an empty list: name at least one"),
        (PAIR, {"scoring": 3}, "scoring is 3: give a scikit-learn name or a callable"),
        (PAIR, {"scoring": ["f1", "f1"]}, "a scoring is named twice"),
        (PAIR, {"seed": -1}, "seed is -1: give a whole number of at least 0"),
        (PAIR, {"cv": ms.KFold(3), "runs": 2}, "cv= brings its own partitions: leave out procedure, runs and folds"),
        (PAIR, {"cv": ms.ShuffleSplit(1)}, "the splitter gives one split only"),
        (PAIR, {"procedure": "corrected-repeated-cv", "folds": 50}, "there are 40 instances for 50 folds"),
        (
            PAIR,
            {"procedure": "mcnemar-holdout", "scoring": "f1"},
            "counts right and wrong instances and cannot judge 'f1'",
        ),
        (
            {"a": GaussianNB(), "b": Ridge()},
            {},
            "'a' is a classifier and 'b' a regressor: compare learners of one kind",
        ),
        ({"none": GaussianNB(), "b": GaussianNB()}, {}, "no learner may be called 'none'"),
    ],
)
def test_bad_usage_gets_a_sentence_before_anything_is_fitted(toy, learners, options, sentence):
    with pytest.raises(InputError) as caught:
        fp.compare(learners, *toy, **options)
    assert sentence in str(caught.value)


def test_a_target_that_does_not_fit_the_learners(rng):
    X, y = rng.normal(size=(30, 2)), rng.normal(size=30)
    with pytest.raises(
        InputError, match="the target 'target' holds numbers such as .* and the learners are classifiers"
    ):
        fp.compare(PAIR, X, y)
    with pytest.raises(InputError, match="holds text .* and the learners are regressors"):
        fp.compare({"a": Ridge(), "b": LinearRegression()}, X, np.where(y > 0, "p", "q"))
    with pytest.raises(InputError, match="no target was given"):
        fp.compare(PAIR, X)


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ({"time_limit": -1.0}, "the time limit of a fit is -1.0: give a number of seconds above 0"),
        ({"executor": "dask"}, "the executor dask needs the address of a scheduler"),
        ({"executor": 3}, "executor is 3: give 'local', 'dask', or an object with the verb run"),
        ({"executor": "dusk"}, "unknown executor 'dusk': did you mean 'dask'"),
        ({"scheduler": "tcp://x:1"}, "is for the executor dask: choose it, or leave out the scheduler"),
    ],
)
def test_executors_and_limits_that_there_are_not(toy, option, text):
    with pytest.raises(InputError, match=text):
        fp.compare(PAIR, *toy, **option)


def test_pairs_are_asked_for_in_their_order(comparison):
    with pytest.raises(InputError, match="the pair is \\('bayes', 'tree'\\), in the order the learners were given"):
        comparison.pair("tree", "bayes")
    with pytest.raises(InputError, match="unknown learner of this comparison 'tre': did you mean 'tree'?"):
        comparison.pair("bayes", "tre")
    with pytest.raises(InputError, match="'tree' is not compared with itself"):
        comparison.pair("tree", "tree")


def test_an_infinite_statistic_is_null_with_a_word(toy):
    X, y = toy
    X = np.column_stack([X, y])
    learners = {"tree": DecisionTreeClassifier(), "zero": DummyClassifier(strategy="constant", constant=0)}
    found = fp.compare(learners, X, y, procedure="corrected-repeated-cv", folds=5)
    told = found.to_dict()["pairs"][0]
    assert told["statistic"] is None
    assert {"statistic_infinite", "zero_variance"} <= set(told["warnings"])
    assert told["verdict"] == "tree"
    assert told["confidence_interval"] == [0.5, 0.5]
    json.dumps(found.to_dict(), allow_nan=False)


def test_leave_one_out_has_nothing_to_forecast():
    from sklearn.model_selection import LeaveOneOut

    X, y = load_iris(return_X_y=True)
    pair = fp.compare([GaussianNB(), DummyClassifier()], X[::5], y[::5], cv=LeaveOneOut()).pairs[0]
    assert pair.forecast is None
    assert {"leave_one_out", "forecast_unavailable"} <= set(pair.warnings)


def test_what_a_verdict_rests_on_is_made_when_it_is_asked_for(comparison):
    """Ten learners have 45 pairs: a table of differences for each would be larger than all scores."""
    pair, outcomes = comparison.pair("bayes", "tree"), comparison.outcomes
    own = [outcomes[name].scores["accuracy"] for name in ("bayes", "tree")]
    assert np.array_equal(pair.differences.values, own[0] - own[1])
    assert [held is table for held, table in zip(pair.evidence.args, own, strict=True)] == [True, True]


def test_predictions_of_many_runs_stay_in_the_store(cancer, monkeypatch):
    """Single instances are counted where each is tested once; otherwise nobody asks what was predicted."""
    from foldproof.store.memory import MemoryStore

    asked, whole = [], MemoryStore.predictions
    monkeypatch.setattr(MemoryStore, "predictions", lambda self, series: asked.append(series) or whole(self, series))
    size = {"procedure": "corrected-repeated-cv", "folds": 3, "store": "memory://"}
    assert fp.compare(PAIR, *cancer, runs=2, **size).pair("bayes", "tree").table is None
    assert asked == []
    assert fp.compare(PAIR, *cancer, runs=1, **size).pair("bayes", "tree").table is not None
    assert len(asked) == 2
