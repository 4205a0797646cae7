"""``fp.judge``: the p-values of ``compare`` on the same data, whatever the scores went through."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.cli.main import run
from foldproof.significance import METHODS

LEARNERS = {
    "bayes": GaussianNB(),
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
    "dummy": DummyClassifier(strategy="stratified", random_state=0),
}


@pytest.fixture(scope="module")
def data():
    bits = np.random.default_rng(20041)
    y = np.arange(97) % 2
    X = bits.normal(size=(97, 3))
    X[:, 0] += 0.8 * y
    return X, y


def predictions(comparison, y):
    """Return the per-instance form of a comparison."""
    folds, rows = comparison.partitions.test_fold, []
    for name, outcome in comparison.outcomes.items():
        for r, fold in enumerate(folds):
            rows += [
                {"run": r, "fold": int(f), "instance": i, "learner": name, "y_true": int(y[i]), "y_pred": int(p)}
                for i, (f, p) in enumerate(zip(fold, outcome.predictions[r], strict=True))
                if f >= 0
            ]
    return pd.DataFrame(rows)


def close(found, pair):
    assert found.pvalue == pytest.approx(pair.pvalue, rel=1e-12)
    assert found.mean_difference == pytest.approx(pair.mean_difference, abs=1e-14)
    assert found.verdict == pair.verdict
    assert found.pvalue_adjusted == pytest.approx(pair.pvalue_adjusted, rel=1e-12)


# ---- the same as compare ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("procedure", "size"),
    [
        ("corrected-repeated-cv", {"runs": 3, "folds": 5}),
        ("10-fold-cv", {}),
        ("5x2cv", {}),
        ("5x2cv-f", {}),
        ("averaged-10-fold-cv", {}),
    ],
)
def test_a_dump_of_cross_validate_gives_the_p_of_compare(data, procedure, size, tmp_path):
    X, y = data
    comparison = fp.compare(LEARNERS, X, y, procedure=procedure, seed=4, **size)
    splits = comparison.partitions
    dumps = {name: cross_validate(learner, X, y, cv=splits) for name, learner in LEARNERS.items()}
    path = tmp_path / "scores.json"
    path.write_text(json.dumps({name: {k: v.tolist() for k, v in dump.items()} for name, dump in dumps.items()}))
    scores = fp.read_scores(path, runs=splits.runs, folds=splits.folds)
    judged = fp.judge(scores, comparison.procedure.test, options=dict(comparison.procedure.options))
    assert len(judged.pairs) == 3
    for a, b in combinations(LEARNERS, 2):
        close(judged.pair(a, b), comparison.pair(a, b))
        expected = comparison.pair(a, b).forecast
        assert judged.pair(a, b).forecast == (None if expected is None else pytest.approx(expected, rel=1e-9))


def test_random_splits_and_their_sizes(data):
    X, y = data
    comparison = fp.compare(LEARNERS, X, y, procedure="corrected-resampling", runs=12, folds=5)
    splits = comparison.partitions
    dumps = {name: cross_validate(learner, X, y, cv=splits) for name, learner in LEARNERS.items()}
    scores = fp.read_scores(dumps, n_train=splits.n_train, n_test=splits.n_test)
    judged = fp.judge(scores, "corrected-resampled-t")
    for a, b in combinations(LEARNERS, 2):
        close(judged.pair(a, b), comparison.pair(a, b))


def test_predictions_of_every_instance_give_the_p_of_compare(data):
    X, y = data
    comparison = fp.compare(LEARNERS, X, y, procedure="corrected-repeated-cv", runs=3, folds=4)
    scores = fp.read_scores(predictions(comparison, y))
    judged = fp.judge(scores, "corrected-repeated-kfold-t")
    told = judged.to_dict()["design"]
    assert (told["n_train"], told["n_test"]) == pytest.approx((97 * 3 / 4, 97 / 4))
    for a, b in combinations(LEARNERS, 2):
        close(judged.pair(a, b), comparison.pair(a, b))


@pytest.mark.parametrize(
    ("procedure", "test", "options"),
    [
        ("binomial-cv", "binomial-sign", {}),
        ("mcnemar-holdout", "mcnemar", {}),
        ("binomial-cv", "mcnemar", {"form": "exact"}),
    ],
)
def test_counts_of_predictions_give_the_p_of_compare(data, procedure, test, options):
    X, y = data
    comparison = fp.compare(LEARNERS, X, y, procedure=procedure)
    judged = fp.judge(fp.read_scores(predictions(comparison, y)), test, options=options)
    for a, b in combinations(LEARNERS, 2):
        close(judged.pair(a, b), comparison.pair(a, b))
        assert judged.pair(a, b).table == comparison.pair(a, b).table


def test_cochrans_q_on_all_learners_and_on_pairs(data):
    statsmodels = pytest.importorskip("statsmodels.stats.contingency_tables")
    X, y = data
    comparison = fp.compare(LEARNERS, X, y, procedure="binomial-cv")
    judged = fp.judge(fp.read_scores(predictions(comparison, y)), "cochran-q")
    right = {name: outcome.predictions[0] == y for name, outcome in comparison.outcomes.items()}
    oracle = statsmodels.cochrans_q(np.column_stack(list(right.values())).astype(int))
    (found,) = judged.to_dict()["omnibus"]
    assert found["statistic"] == pytest.approx(oracle.statistic)
    assert found["pvalue"] == pytest.approx(oracle.pvalue)
    assert found["df"] == 2
    for a, b in combinations(LEARNERS, 2):
        of_two = statsmodels.cochrans_q(np.column_stack([right[a], right[b]]).astype(int))
        assert judged.pair(a, b).pvalue == pytest.approx(of_two.pvalue)


def test_the_experimenters_file(shared, capsys):
    path = shared("reference", "weka", "experimenter_credit-g.arff")
    assert run(["test", str(path), "--test", "corrected-repeated-kfold-t", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    pair = next(p for p in told["pairs"] if (p["a"], p["b"]) == ("J48", "NaiveBayes"))
    assert round(pair["pvalue"], 8) == 0.00649351
    assert round(pair["mean_difference"], 8) == -3.91
    assert told["design"] == {"runs": 10, "folds": 10, "n_train": 900, "n_test": 100}
    assert run(["test", str(path), "--test", "repeated-kfold-t", "--json"]) == 0
    naive = json.loads(capsys.readouterr().out)["pairs"][0]
    assert f"{naive['pvalue']:.1e}" == "5.5e-16"


def test_every_tester_result_of_the_experimenter(shared):
    frame = pl.read_csv(shared("reference", "weka", "experimenter_accuracies.csv"))
    told = json.loads(shared("reference", "weka", "experimenter_tests.json").read_text())
    scores = fp.read_scores(frame.rename({"scheme": "learner", "percent_correct": "score"}))
    judged = {
        "PairedCorrectedTTester": fp.judge(scores, "corrected-repeated-kfold-t", adjust="none"),
        "PairedTTester": fp.judge(scores, "repeated-kfold-t", adjust="none"),
    }
    seen = 0
    for oracle in told["tests"]:
        a, b = oracle["x"], oracle["y"]
        if (a, b) not in combinations(scores.learners, 2):
            continue
        found = judged[oracle["tester"]].pair(a, b, dataset=oracle["dataset"])
        assert found.pvalue == pytest.approx(oracle["differences_probability"], rel=1e-4, abs=1e-12)
        verdict = {1: a, -1: b, 0: "none"}[oracle["differences_significance"]]
        if oracle["significance_level"] == 0.05:
            assert found.verdict == verdict
        seen += 1
    assert seen >= 9


# ---- every test ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def one_run(data):
    X, y = data
    return fp.read_scores(predictions(fp.compare(LEARNERS, X, y, procedure="10-fold-cv"), y))


@pytest.mark.parametrize("test", [name for name, method in METHODS.items() if method.kind != "margin"])
def test_every_test_is_done_or_refused_with_its_reason(test, one_run, data):
    X, y = data
    scores = one_run
    if METHODS[test].shape == (5, 2):
        scores = fp.read_scores(predictions(fp.compare(LEARNERS, X, y, procedure="5x2cv"), y))
    if METHODS[test].takes in ("p-values", "other"):
        what = {"p-values": "p-values, which", "other": "what"}[METHODS[test].takes]
        with pytest.raises(fp.InputError, match=rf"the test '{test}' takes {what} no file of scores holds: use one of"):
            fp.judge(scores, test)
        return
    if METHODS[test].takes in ("values", "datasets"):
        with pytest.raises(fp.InputError, match=f"{test} takes one score for each of many datasets, and there is one"):
            fp.judge(scores, test)
        return
    told = fp.judge(scores, test).to_dict()
    json.dumps(told, allow_nan=False)
    assert len(told["pairs"]) == 3
    for pair in told["pairs"]:
        assert (pair["verdict"] != "none") == (pair["pvalue_adjusted"] is not None and pair["pvalue_adjusted"] <= 0.05)
    assert len(fp.judge(scores, test).to_text().splitlines()) > 8


def test_a_bayesian_test_gives_probabilities_and_no_verdict(one_run):
    found = fp.judge(one_run, "bayesian-correlated-t", options={"rope": 0.01})
    told = found.to_dict()["pairs"][0]
    assert told["pvalue"] is None and told["verdict"] == "none" and "no_pvalue" in told["warnings"]
    assert sum(told["probabilities"].values()) == pytest.approx(1.0)
    assert "bayes is better with probability" in found.to_text()


def test_a_margin_belongs_to_the_gate(one_run):
    with pytest.raises(fp.InputError, match="about a margin: use foldproof gate"):
        fp.judge(one_run, "noninferiority")


def test_unknown_tests_and_options_are_named(one_run):
    with pytest.raises(fp.InputError, match="did you mean 'mcnemar'"):
        fp.judge(one_run, "mcnemer")
    with pytest.raises(fp.InputError, match="unknown option of mcnemar 'from': did you mean 'form'"):
        fp.judge(one_run, "mcnemar", options={"from": "exact"})


def test_counts_need_single_instances_each_once(data):
    X, y = data
    twice = predictions(fp.compare(LEARNERS, X, y, procedure="corrected-repeated-cv", runs=2, folds=3), y)
    with pytest.raises(fp.InputError, match="counts every instance once, and the predictions are those of 2 runs"):
        fp.judge(fp.read_scores(twice), "mcnemar")
    with pytest.raises(fp.InputError, match="counts single instances, and these are scores of folds"):
        fp.judge(fp.read_scores({"a": [1.0, 2.0], "b": [1.5, 2.0]}, runs=1, folds=2), "binomial-sign")
    with pytest.raises(fp.InputError, match="takes the folds of one run, and there are 2 runs"):
        fp.judge(fp.read_scores(twice), "anova-repeated")


def test_a_corrected_test_on_random_splits_asks_for_sizes():
    frame = pl.DataFrame({"run": [0, 0, 1, 1], "learner": list("abab"), "score": [0.5, 0.6, 0.5, 0.7]})
    with pytest.raises(fp.InputError, match="needs the sizes of the training and test sets: give n_train and n_test"):
        fp.judge(fp.read_scores(frame), "corrected-resampled-t")
    assert fp.judge(fp.read_scores(frame, n_train=90, n_test=10), "corrected-resampled-t").pairs[0].pvalue < 1


# ---- what comes back ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_frames_come_back_as_they_went_in(kind, data):
    X, y = data
    frame = predictions(fp.compare(LEARNERS, X, y, procedure="10-fold-cv"), y)
    given = {"pandas": frame, "polars": pl.from_pandas(frame)}.get(kind)
    if given is None:
        given = pytest.importorskip("pyarrow").Table.from_pandas(frame)
    out = fp.judge(fp.read_scores(given), "mcnemar").to_frame()
    assert type(out) is type(given)
    assert out.shape[0] == 3


def several():
    bits = np.random.default_rng(5)
    rows = [
        {
            "dataset": d,
            "run": r,
            "fold": f,
            "learner": who,
            "score": 0.7 + 0.1 * (who == "a") * (d != "z") + 0.05 * bits.normal(),
        }
        for d in "xyz"
        for r in range(3)
        for f in range(4)
        for who in "ab"
    ]
    return pd.DataFrame(rows)


def test_several_datasets_have_a_verdict_each_with_bonferroni_beside():
    frame = several()
    judged = fp.judge(fp.read_scores(frame), "corrected-repeated-kfold-t")
    for pair in judged.to_dict()["pairs"]:
        alone = fp.judge(fp.read_scores(frame[frame.dataset == pair["dataset"]]), "corrected-repeated-kfold-t").pairs[0]
        assert pair["pvalue_adjusted"] == pytest.approx(alone.pvalue)
        assert pair["bonferroni"]["pvalue"] == pytest.approx(min(1.0, 3 * alone.pvalue))
    assert judged.pair("a", "b", dataset="x").verdict == "a"
    assert "dataset" in judged.to_frame().columns
    assert judged.to_text().index("x\n") < judged.to_text().index("y\n")
    with pytest.raises(fp.InputError, match="there are 3 datasets: name one of x, y, z"):
        judged.pair("a", "b")


def test_pairs_are_asked_for_in_their_order(one_run):
    judged = fp.judge(one_run, "mcnemar")
    with pytest.raises(fp.InputError, match=r"the pair is \('bayes', 'stump'\)"):
        judged.pair("stump", "bayes")
    with pytest.raises(fp.InputError, match="did you mean 'bayes'"):
        judged.pair("bays", "stump")


# ---- the command --------------------------------------------------------------------------------------------


def test_the_command_takes_a_file_for_each_learner(tmp_path):
    for name, scores in (("one", [0.5, 0.6, 0.7]), ("two", [0.4, 0.6, 0.5])):
        (tmp_path / f"{name}.json").write_text(json.dumps({"test_score": scores}))
    out = io.StringIO()
    arguments = ["test", str(tmp_path / "one.json"), f"second={tmp_path / 'two.json'}", "--test", "paired-t"]
    with redirect_stdout(out):
        assert run([*arguments, "--runs", "1", "--folds", "3", "--json"]) == 0
    assert [(p["a"], p["b"]) for p in json.loads(out.getvalue())["pairs"]] == [("one", "second")]


def test_the_command_takes_options_of_the_test(tmp_path, data, capsys):
    X, y = data
    path = tmp_path / "p.csv"
    predictions(fp.compare(LEARNERS, X, y, procedure="10-fold-cv"), y).to_csv(path, index=False)
    assert run(["test", str(path), "--test", "mcnemar", "--option", "form=exact", "--json"]) == 0
    exact = json.loads(capsys.readouterr().out)
    assert run(["test", str(path), "--test", "binomial-sign", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"][0]["pvalue"] == exact["pairs"][0]["pvalue"]
    assert run(["test", str(path), "--test", "mcnemar", "--option", "exact"]) == 2
    assert "--option 'exact' has no value: write it as name=value" in capsys.readouterr().err
    assert run(["test", str(path)]) == 2
