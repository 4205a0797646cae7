"""Tests over many datasets through the doors: ``fp.judge``, ``foldproof test``, ``fp.compare_many``."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.cli.main import run

LEARNERS = {
    "bayes": GaussianNB(),
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
    "dummy": DummyClassifier(),
}
SIZE = {"procedure": "corrected-repeated-cv", "runs": 2, "folds": 3}
SCORES = np.array([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.7, 0.8, 0.5], [0.9, 0.6, 0.6], [0.8, 0.75, 0.7]])


def make(seed: int, shift: float) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    bits = np.random.default_rng(seed)
    y = np.arange(48) % 2
    return bits.normal(size=(48, 2)) + shift * y[:, None], y


@pytest.fixture(scope="module")
def data():
    return {f"d{i}": make(i, 0.3 * i) for i in range(5)}


@pytest.fixture(scope="module")
def many(data):
    return fp.compare_many(data, LEARNERS, **SIZE)


@pytest.fixture
def wide(tmp_path):
    path = tmp_path / "wide.csv"
    pd.DataFrame(SCORES, columns=list("abc")).assign(dataset=[f"d{i}" for i in range(5)]).to_csv(path, index=False)
    return path


def test_table_6_from_the_shell(shared, capsys):
    path = str(shared("reference", "demsar2006_table6.csv"))
    found = {}
    for test in ("friedman", "iman-davenport", "nemenyi"):
        assert run(["test", path, "--test", test, "--json"]) == 0
        found[test] = json.loads(capsys.readouterr().out)
    assert round(found["friedman"]["omnibus"][0]["statistic"], 2) == 9.28
    assert round(found["iman-davenport"]["omnibus"][0]["statistic"], 2) == 3.69
    assert found["iman-davenport"]["omnibus"][0]["df"] == [3, 39]
    ranks = found["nemenyi"]["ranks"]
    assert round(ranks["critical_difference"], 2) == 1.25
    assert [round(each["mean_rank"], 3) for each in ranks["mean_ranks"]] == [3.143, 2.0, 2.893, 1.964]
    assert ranks["groups"] == [["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]]
    assert any(w.startswith("population: ") for w in found["nemenyi"]["warnings"])
    assert run(["test", path, "--test", "nemenyi"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "Mean ranks that differ by 1.254 or more differ at 0.05." in told
    assert "need not hold for other data (Salzberg 1997, section 3.4)" in told


@pytest.mark.parametrize("test", ["wilcoxon-signed-rank", "sign-test", "bayesian-sign", "bayesian-signed-rank"])
def test_a_test_of_one_value_for_each_dataset_gets_the_differences_of_means(test, wide):
    judged = fp.judge(fp.read_scores(wide), test)
    function = getattr(fp.significance, test.replace("-", "_"))
    own = {"independent": True} if test == "wilcoxon-signed-rank" else {}
    for (i, a), (j, b) in combinations(enumerate("abc"), 2):
        alone = function(SCORES[:, i] - SCORES[:, j], **own)
        pair = judged.pair(a, b)
        assert pair.mean_difference == pytest.approx((SCORES[:, i] - SCORES[:, j]).mean())
        if test.startswith("bayesian"):
            assert (pair.result.p_a, pair.result.p_rope) == pytest.approx((alone.p_a, alone.p_rope), abs=1e-12)
            assert pair.pvalue is None and pair.verdict == "none"
        else:
            assert pair.pvalue == pytest.approx(alone.pvalue)
    assert judged.over_datasets
    assert "over 5 datasets" in judged.to_text() or "with probability" in judged.to_text()
    assert len(judged.to_frame()) == 3


def test_verdicts_by_ranks_name_the_better_one(wide):
    scores = fp.read_scores(wide)
    nemenyi, holm = fp.judge(scores, "nemenyi"), fp.judge(scores, "holm-control", options={"control": "c"})
    assert nemenyi.adjust == "none"
    assert nemenyi.pair("a", "c").verdict == "a"
    assert nemenyi.pair("a", "c").pvalue == nemenyi.pair("a", "c").pvalue_adjusted
    assert [(p.a, p.b) for p in holm.pairs] == [("c", "a"), ("c", "b")]
    assert holm.pair("c", "a").verdict == "a"
    assert holm.pair("c", "a").pvalue_adjusted == pytest.approx(2 * holm.pair("c", "a").pvalue)
    assert fp.judge(scores, "holm-control", adjust="none").pair("a", "c").pvalue_adjusted == pytest.approx(
        fp.judge(scores, "holm-control", adjust="none").pair("a", "c").pvalue
    )
    with pytest.raises(fp.InputError, match="unknown learner of these scores .d. .known: a, b, c"):
        fp.judge(scores, "holm-control", options={"control": "d"})
    with pytest.raises(fp.InputError, match="unknown option"):
        fp.judge(scores, "wilcoxon-signed-rank", options={"independent": False})


def test_a_loss_is_ranked_the_other_way(wide):
    more = fp.judge(fp.read_scores(wide), "friedman").ranks
    less = fp.judge(fp.read_scores(wide, greater_is_better=False), "friedman").ranks
    assert [4 - r for r in more.mean_ranks.values()] == pytest.approx(list(less.mean_ranks.values()))


def test_several_folds_of_a_dataset_count_once():
    rows = [
        {"dataset": f"d{i}", "run": 0, "fold": f, "learner": name, "score": SCORES[i, j] + 0.01 * f}
        for i in range(5)
        for f in range(3)
        for j, name in enumerate("abc")
    ]
    folds = fp.judge(fp.read_scores(pd.DataFrame(rows)), "iman-davenport")
    assert folds.tables[0].omnibus.pvalue == pytest.approx(fp.significance.iman_davenport(SCORES).pvalue)
    assert folds.tables[0].omnibus.datasets == 5


# ---- compare_many -------------------------------------------------------------------------------------------


def test_each_dataset_is_a_comparison(many, data):
    for name, (X, y) in data.items():
        alone = fp.compare(LEARNERS, X, y, **SIZE)
        for pair in alone.pairs:
            found = many.comparison(name).pair(pair.a, pair.b)
            assert (found.pvalue, found.verdict) == (pair.pvalue, pair.verdict)
            strict, decided = many.bonferroni(name, pair.a, pair.b)
            assert strict == min(1.0, 5 * pair.pvalue_adjusted)
            assert decided == (pair.verdict if strict <= 0.05 else "none")


def test_tests_over_them_get_the_mean_scores(many):
    means = np.array([[c.outcomes[n].scores["accuracy"].mean() for n in LEARNERS] for c in many.comparisons.values()])
    assert many.scores.means() == pytest.approx(means)
    assert many.judge("friedman").tables[0].omnibus.statistic == pytest.approx(
        fp.significance.friedman(means).statistic
    )
    assert [j.test for j in many.over_datasets()] == [
        "iman-davenport",
        "nemenyi",
        "wilcoxon-signed-rank",
        "sign-test",
        "bayesian-signed-rank",
    ]
    # Any test of folds works on the same scores, dataset by dataset.
    within = many.judge("corrected-repeated-kfold-t")
    assert within.pair("bayes", "dummy", dataset="d4").pvalue == many.comparison("d4").pair("bayes", "dummy").pvalue


def test_it_is_told(many, tmp_path):
    told = many.to_dict()
    assert told["learners"][0]["mean_score"] == pytest.approx(many.scores.means()[:, 0].mean())
    text = many.to_text()
    assert text == repr(many)
    assert "5 datasets, 3 learners, accuracy" in text
    assert "Of 5 datasets on which nothing differs, 0.25 would be expected to show a difference at 0.05" in text
    assert "need not hold for other data" in " ".join(text.split())
    assert many.to_frame().shape == (15, 10)
    page = many.to_html(tmp_path / "many.html")
    assert (tmp_path / "many.html").read_text(encoding="utf-8") == page
    assert "<script" not in page and "http" not in page
    assert "<table>" in many._repr_html_() and "<style" not in many._repr_html_()


def test_a_control(data):
    found = fp.compare_many(data, LEARNERS, control="dummy", **SIZE)
    assert [(p.a, p.b) for p in found.over_datasets()[1].pairs] == [("dummy", "bayes"), ("dummy", "stump")]
    with pytest.raises(fp.InputError, match="control is 'nobody', which is none of the learners: bayes"):
        fp.compare_many(data, LEARNERS, control="nobody", **SIZE)


def test_two_learners_are_compared_without_ranks(data):
    two = fp.compare_many(data, {k: LEARNERS[k] for k in ("bayes", "dummy")}, **SIZE)
    assert [j.test for j in two.over_datasets()] == ["wilcoxon-signed-rank", "sign-test", "bayesian-signed-rank"]
    assert two.to_dict()["ranks"] is None
    assert "mean rank" not in two.to_text()


class Moody(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Fails where the first value is negative."""

    def fit(self, X: Any, y: Any) -> Moody:
        if X.mean() < 0.0:
            raise ValueError("no")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return np.full(len(X), self.classes_[0])


def test_a_dataset_with_failed_folds_has_no_part_over_datasets(data):
    bad = {**data, "low": (data["d0"][0] - 9.0, data["d0"][1])}
    fine = {name: (X + 9.0, y) for name, (X, y) in data.items()}
    found = fp.compare_many({**fine, "low": bad["low"]}, {"moody": Moody(), "bayes": GaussianNB()}, **SIZE)
    assert found.complete == tuple(data)
    assert {failure["dataset"] for failure in found.failures} == {"low"}
    assert any(w.startswith("incomplete_datasets: folds failed on low") for w in found.warnings)
    assert found.bonferroni("low", "moody", "bayes") == (None, "none")
    assert len(found.scores.tables) == 5
    assert "6 folds failed" in found.to_text()
    none = fp.compare_many({"x": bad["low"], "y": bad["low"]}, {"moody": Moody(), "bayes": GaussianNB()}, **SIZE)
    assert none.to_dict()["over_datasets"] == []
    with pytest.raises(fp.InputError, match="on 0 of 2 datasets"):
        none.judge("friedman")
    assert none.to_html()


def test_a_store_keeps_every_dataset(data, tmp_path):
    url = f"sqlite:///{tmp_path / 'many.db'}"
    part = {name: data[name] for name in ("d0", "d1")}
    first = fp.compare_many(part, LEARNERS, store=url, **SIZE)
    assert all(each["ledger"] is not None for each in first.to_dict()["datasets"])
    fitted = []
    again = fp.compare_many(
        {**part, "d2": data["d2"]}, LEARNERS, store=url, ledger=False, on_event=fitted.append, **SIZE
    )
    alone = []
    fp.compare_many({name: data[name] for name in ("d2", "d3")}, LEARNERS, on_event=alone.append, **SIZE)
    assert len(fitted) <= len(alone) // 2 + 6
    for name in part:
        ours, theirs = first.comparison(name).pairs, again.comparison(name).pairs
        assert [p.pvalue for p in ours] == [p.pvalue for p in theirs]


def test_data_may_be_made_when_their_turn_comes(data):
    seen = []
    lazy = {"one": lambda: data["d1"], "two": fp.dataset(*data["d2"], name="second")}
    found = fp.compare_many(lazy, LEARNERS, on_dataset=lambda name, c: seen.append((name, c.dataset.name)), **SIZE)
    assert seen == [("one", "one"), ("two", "second")]
    assert found.comparison("one").pair("bayes", "dummy").pvalue == pytest.approx(
        fp.compare(LEARNERS, *data["d1"], **SIZE).pair("bayes", "dummy").pvalue
    )


@pytest.mark.parametrize(
    ("datasets", "options", "sentence"),
    [
        ([1, 2], {}, "datasets is a list: give a dictionary of names"),
        ({"a": make(1, 1.0)}, {}, "at least two datasets; got 1"),
        ({"a": make(1, 1.0), "b": 3}, {}, "dataset 'b' is a int: give"),
        ({"a": make(1, 1.0), "b": (np.ones((3, 1)), [1, 2])}, {}, "dataset 'b': "),
        ({"a": make(1, 1.0), "b": make(2, 1.0)}, {"scoring": ["accuracy", "f1"]}, "one scoring"),
    ],
)
def test_what_is_wrong_is_said(datasets, options, sentence):
    with pytest.raises(fp.InputError, match=sentence):
        fp.compare_many(datasets, LEARNERS, **SIZE, **options)


def test_an_unknown_dataset(many):
    with pytest.raises(fp.InputError, match="unknown dataset of this comparison 'e1'"):
        many.comparison("e1")
