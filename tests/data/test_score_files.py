"""Scores from elsewhere: every form is read, and what is malformed or unpaired is refused by a sentence of its own."""

from __future__ import annotations

import gzip
import json
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

import foldproof as fp

HEADER = "run,fold,learner,score\n"
ROWS = "".join(
    f"{r},{f},{who},{0.8 + 0.01 * f + 0.02 * (who == 'a') + 0.005 * r:.3f}\n"
    for r in (0, 1)
    for f in (0, 1, 2)
    for who in "ab"
)
INSTANCES = "run,fold,instance,learner,y_true,y_pred\n"
PREDICTED = "".join(f"0,{i % 2},{i},{who},{i % 3 == 0},{i % 3 == 0 or who == 'b'}\n" for i in range(6) for who in "ab")


def put(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def dump(scores):
    return {"fit_time": [0.1] * len(scores), "score_time": [0.1] * len(scores), "test_score": scores}


# What is wrong, the file's name and text, options, and what is said. The name of the first offending row is in it.
REFUSED = {
    "empty": ("s.csv", "", {}, "s.csv is empty: it needs a line of column names and one line for each score"),
    "no rows": ("s.csv", HEADER, {}, "s.csv has column names and no rows: it needs one line for each score"),
    "no learner": (
        "s.csv",
        "run,fold,who,score\n0,0,a,1\n",
        {},
        "s.csv has no column 'learner', which the form run,fold,learner,score needs; it has run, fold, who, score",
    ),
    "text for a score": (
        "s.csv",
        HEADER + ROWS.replace("0.830\n", "good\n", 1),
        {},
        "s.csv, line 4: score is 'good', which is no number",
    ),
    "missing score": (
        "s.csv",
        HEADER + ROWS + "2,0,a,\n",
        {},
        "s.csv, line 14: score is missing; a failed fold has no place in a test: repair it, or leave the fold out for "
        "every learner",
    ),
    "not finite": (
        "s.csv",
        HEADER + ROWS + "2,0,a,nan\n",
        {},
        "s.csv, line 14: score is nan, which is not finite; repair the fold",
    ),
    "fold not whole": (
        "s.csv",
        HEADER + ROWS + "2,first,a,0.5\n",
        {},
        "s.csv, line 14: fold is 'first'; number the folds 0, 1, 2, …",
    ),
    "blank learner": (
        "s.csv",
        HEADER + ROWS + "2,0,,0.5\n",
        {},
        "s.csv, line 14: learner is blank; write the learner of every row",
    ),
    "one learner": (
        "s.csv",
        HEADER + "0,0,a,1\n0,1,a,1\n",
        {},
        "s.csv holds the scores of 'a' alone: a test compares at least two learners",
    ),
    "a learner called none": (
        "s.csv",
        HEADER + ROWS + "2,0,none,0.5\n",
        {},
        "s.csv, line 14: a learner is called 'none', which is a verdict; rename it",
    ),
    "duplicated": (
        "s.csv",
        HEADER + ROWS + "1,0,a,0.5\n",
        {},
        "s.csv, line 14: a score for 'a' on run 1, fold 0 stands already in line 8; keep one",
    ),
    "unpaired": (
        "s.csv",
        HEADER + ROWS + "2,0,a,0.5\n",
        {},
        "unpaired: s.csv, line 14 is 'a' on run 2, fold 0, and 'b' has no such row; every learner needs the same runs, "
        "folds and instances",
    ),
    "incomplete": (
        "s.csv",
        HEADER + ROWS + "2,0,a,0.5\n2,0,b,0.5\n",
        {},
        "incomplete: s.csv has no scores for run 2, fold 1, while other runs have a fold 1; add them, or leave run 2 out",
    ),
    "ragged": (
        "s.csv",
        HEADER + ROWS + "2,0,a\n",
        {},
        "s.csv, line 14 has 3 values and the header names 4 columns: one value for each",
    ),
    "two columns of a name": (
        "s.csv",
        "run,fold,learner,score,score\n0,0,a,1,1\n",
        {},
        "s.csv has two columns called 'score'; rename one",
    ),
    "one size": (
        "s.csv",
        "run,fold,learner,score,n_test\n0,0,a,1,10\n0,0,b,1,10\n",
        {},
        "s.csv has a column 'n_test' and none 'n_train': give both sizes, or neither",
    ),
    "empty test set": (
        "s.csv",
        "run,fold,learner,score,n_train,n_test\n0,0,a,1,10,0\n0,0,b,1,10,5\n",
        {},
        "s.csv, line 2: n_test is 0; a set has at least one instance",
    ),
    "other splits": (
        "s.csv",
        "run,fold,learner,score,n_train,n_test\n0,0,a,1,90,10\n0,1,a,1,90,10\n0,0,b,1,90,10\n0,1,b,1,80,10\n",
        {},
        "unpaired: s.csv, line 3: n_train of run 0, fold 1 differs between learners (80, 90); they were not tested on "
        "the same split",
    ),
    "sizes in conflict": (
        "s.csv",
        "run,fold,learner,score,n_train,n_test\n0,0,a,1,90,10\n0,0,b,1,90,10\n",
        {"n_train": 80, "n_test": 20},
        "sizes 80 and 20 were given, and s.csv says 90 and 10; leave them out",
    ),
    "runs in conflict": (
        "s.csv",
        HEADER + ROWS,
        {"runs": 3},
        "runs is 3, and s.csv has 2 runs; leave runs out",
    ),
    "blank dataset": (
        "s.csv",
        "dataset,learner,score\niris,a,1\n,b,1\n",
        {},
        "s.csv, line 3: dataset is blank; write the dataset of every row",
    ),
    "a dataset without a learner": (
        "s.csv",
        "dataset,learner,score\niris,a,1\niris,b,1\nwine,a,1\n",
        {},
        "s.csv: 'b' has no scores on dataset 'wine', where others have; add them",
    ),
    "instance twice": (
        "p.csv",
        INSTANCES + PREDICTED + "0,0,0,b,True,True\n",
        {},
        "p.csv, line 14: a prediction for 'b' on run 0, instance 0 stands already in line 3; keep one",
    ),
    "instance unpaired": (
        "p.csv",
        INSTANCES + PREDICTED + "0,0,6,b,True,True\n",
        {},
        "unpaired: p.csv, line 14 is 'b' on run 0, instance 6, and 'a' has no such row; every learner needs the same "
        "runs, folds and instances",
    ),
    "instance in two folds": (
        "p.csv",
        INSTANCES + PREDICTED.replace("0,1,3,b", "0,0,3,b"),
        {},
        "unpaired: p.csv, line 9: instance 3 of run 0 is tested in another fold (fold 0) than for the learner before (1)",
    ),
    "instance of two classes": (
        "p.csv",
        INSTANCES + PREDICTED.replace("0,1,3,b,True", "0,1,3,b,False"),
        {},
        "unpaired: p.csv, line 9: instance 3 of run 0 is told to be of another class (y_true False) than for the "
        "learner before (True)",
    ),
    "no prediction": (
        "p.csv",
        INSTANCES + PREDICTED + "0,0,6,b,True,\n",
        {},
        "p.csv, line 14: y_pred is blank; every tested instance needs its y_pred, or leave the instance out for every "
        "learner",
    ),
    "measurements": (
        "p.csv",
        INSTANCES + "0,0,0,a,1.5,1.5\n0,0,0,b,1.5,1.6\n",
        {},
        "p.csv, line 2: y_true is 1.5, a measurement and no class; give the scores of every fold (run,fold,learner,score) "
        "for a regression",
    ),
    "no json": ("s.json", "{", {"runs": 1, "folds": 3}, r"s.json is not valid json: Expecting property name .*"),
    "a json list": (
        "s.json",
        "[1, 2]",
        {"runs": 1, "folds": 2},
        'q:s.json holds a list, not an object: write the scores of each learner under its name, {"forest": {"test_score": '
        '[…]}, "bayes": {"test_score": […]}}',
    ),
    "one dump": (
        "s.json",
        json.dumps(dump([0.1, 0.2])),
        {"runs": 1, "folds": 2},
        'q:s.json is what cross_validate returns for a single learner: put several under their names, {"forest": {…}, '
        '"bayes": {…}}, or give a file for each',
    ),
    "no scores in a dump": (
        "s.json",
        json.dumps({"a": dump([1, 1]), "b": {"fit_time": [1, 1]}}),
        {"runs": 1, "folds": 2},
        r"q:s.json: 'b' has no list of test scores (test_score, as cross_validate returns it)",
    ),
    "design not told": (
        "s.json",
        json.dumps({"a": dump([0.1] * 4), "b": dump([0.2] * 4)}),
        {},
        "q:s.json holds 4 scores per learner and not how the data were divided: give runs and folds (--runs 1 --folds 4, "
        "say), or n_train and n_test (--n-train --n-test) for random splits",
    ),
    "design that does not fit": (
        "s.json",
        json.dumps({"a": dump([0.1] * 4), "b": dump([0.2] * 4)}),
        {"runs": 3, "folds": 2},
        "s.json holds 4 scores per learner, which is not 3 runs x 2 folds; say how many",
    ),
    "lists of two lengths": (
        "s.json",
        json.dumps({"a": dump([0.1] * 4), "b": dump([0.2] * 3)}),
        {"runs": 2, "folds": 2},
        "unpaired: s.json: 'a' has 4 test scores and 'b' 3; cross-validate all of them on the same splits",
    ),
    "a failed fit": (
        "s.json",
        '{"a": {"test_score": [0.5, 0.5]}, "b": {"test_score": [0.5, NaN]}}',
        {"runs": 1, "folds": 2},
        "s.json: 'b': the score of split 1 is nan: that fit failed; repair it",
    ),
    "several metrics": (
        "s.json",
        json.dumps({who: {"test_f1": [1, 2], "test_roc_auc": [1, 2]} for who in "ab"}),
        {"runs": 1, "folds": 2},
        "s.json holds the metrics f1, roc_auc: name one with scoring",
    ),
    "a search without a split": (
        "s.json",
        json.dumps({"params": [{"C": 1}, {"C": 2}], "split0_test_score": [1, 2], "split2_test_score": [1, 2]}),
        {"runs": 1, "folds": 2},
        "s.json lacks split1_test_score and has later splits: write all columns of cv_results_",
    ),
    "a search of one": (
        "s.json",
        json.dumps({"params": [{"C": 1}], "split0_test_score": [1], "split1_test_score": [1]}),
        {"runs": 1, "folds": 2},
        "s.json has one candidate or learner: a comparison takes two",
    ),
    "no experiment": (
        "s.arff",
        "@relation r\n@attribute Key_Dataset {x}\n@attribute b numeric\n@data\nx,1\n",
        {},
        "s.arff is no result file of Weka's Experimenter: the column 'Key_Run' is missing; it has Key_Dataset, b, …",
    ),
    "no arff": (
        "s.arff",
        "once upon a time\n",
        {},
        "q:cannot read s.arff: line 1, column 1: 'once upon a time' stands before @data; only @relation, @attribute, "
        "@data and comments (%) can",
    ),
    "no ending that is known": (
        "s.xlsx",
        "what",
        {},
        "q:cannot read scores from 's.xlsx': the ending must be one of .csv, .tsv, .parquet, .json or .arff, with or "
        "without .gz",
    ),
    "no text": ("s.csv", "a\0b", {}, "s.csv is no text: it holds NUL characters; save it as csv"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_tested_is_refused_by_name(what, tmp_path):
    name, text, options, sentence = REFUSED[what]
    with pytest.raises(fp.InputError) as refused:
        fp.read_scores(put(tmp_path, name, text), **options)
    told = str(refused.value)
    if sentence.endswith(".*"):
        assert re.fullmatch(sentence, told)
    else:
        assert told == sentence.removeprefix("q:")
    assert "\n" not in told


def test_no_two_refusals_are_the_same():
    """With the names of columns and learners taken out, so that the sentences themselves differ."""
    bare = {re.sub(r"'[^']*'|\b\d[\d.]*\b|\b[sp]\.\w+", "·", sentence) for _, _, _, sentence in REFUSED.values()}
    assert len(bare) >= len(REFUSED) - 2  # a duplicate and an unpaired row are said alike of scores and of predictions
    assert len(REFUSED) >= 40


@pytest.mark.parametrize("what", ["unpaired", "duplicated", "design not told", "empty"])
def test_the_command_line_refuses_with_one_sentence(what, tmp_path, capsys):
    from foldproof.cli.main import run

    name, text, _, sentence = REFUSED[what]
    assert run(["test", str(put(tmp_path, name, text)), "--test", "paired-t"]) == 2
    told = capsys.readouterr()
    assert told.err == f"foldproof: {sentence.removeprefix('q:')}\n"
    assert told.out == ""


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(fp.InputError, match="there is no file .*gone.csv"):
        fp.read_scores(tmp_path / "gone.csv")


def test_sizes_go_together():
    with pytest.raises(fp.InputError, match="one size was given"):
        fp.read_scores({"a": [1, 2], "b": [1, 2]}, n_train=5)
    with pytest.raises(fp.InputError, match="runs is 0"):
        fp.read_scores({"a": [1, 2], "b": [1, 2]}, runs=0, folds=2)
    with pytest.raises(fp.InputError, match="got int"):
        fp.read_scores(3)


# ---- what is read -------------------------------------------------------------------------------------------


def expected():
    return np.array([[0.02] * 3] * 2)


@pytest.mark.parametrize(
    "form", ["csv", "semicolons", "tsv", "gz", "comment", "shuffled", "parquet", "pandas", "polars"]
)
def test_a_long_table_in_every_dress(form, tmp_path):
    text = HEADER + ROWS
    if form == "semicolons":
        source = put(tmp_path, "s.csv", text.replace(",", ";"))
    elif form == "tsv":
        source = put(tmp_path, "s.tsv", text.replace(",", "\t"))
    elif form == "gz":
        source = tmp_path / "s.csv.gz"
        source.write_bytes(gzip.compress(text.encode()))
    elif form == "comment":
        source = put(tmp_path, "s.csv", "# made by hand\n\n" + text + "\n")
    elif form == "shuffled":
        lines = ROWS.splitlines(keepends=True)
        source = put(tmp_path, "s.csv", HEADER + "".join([*lines[::2], *reversed(lines[1::2])]))
    elif form == "csv":
        source = put(tmp_path, "s.csv", text)
    else:
        frame = pl.read_csv(text.encode())
        if form == "parquet":
            source = tmp_path / "s.parquet"
            frame.write_parquet(source)
        else:
            source = frame if form == "polars" else frame.to_pandas()
    found = fp.read_scores(source)
    assert found.learners == ("a", "b")
    np.testing.assert_allclose(found.differences("a", "b").values, expected(), atol=1e-15)
    assert found.notes == (
        "design: 2 x 3 folds; no sizes are told, so test sets are taken to be 1/2 of the training sets, as in k-fold "
        "cross-validation",
    )


def test_sizes_are_recovered_and_stated():
    frame = pl.read_csv((HEADER + ROWS).encode()).with_columns(pl.lit(100).alias("n_train"), pl.lit(50).alias("n_test"))
    found = fp.read_scores(frame)
    design = found.tables[0].design
    assert (design.runs, design.folds, design.n_train, design.n_test, design.complementary) == (2, 3, 100, 50, True)
    assert found.notes == ("design: 2 x 3 folds, trained on 100 and tested on 50 instances",)
    # Training sets that are not the rest of the data are noticed by their sizes.
    small = fp.read_scores(frame.with_columns(pl.lit(20).alias("n_train")))
    assert not small.tables[0].design.complementary
    assert fp.judge(small).pairs[0].warnings[:2] == ("ratio_out_of_range", "not_complement")


def test_a_loss_is_turned():
    frame = pl.read_csv((HEADER + ROWS).encode())
    found = fp.read_scores(frame, greater_is_better=False)
    np.testing.assert_allclose(found.differences("a", "b").values, -expected(), atol=1e-15)
    assert fp.judge(found).to_dict()["learners"][0]["mean_score"] > 0


def test_a_column_by_name_and_columns_that_are_not_used():
    frame = pl.read_csv((HEADER + ROWS).encode()).rename({"score": "f1"}).with_columns(pl.lit(3).alias("seconds"))
    found = fp.read_scores(frame, scoring="f1")
    assert found.scoring == "f1"
    assert found.notes[0] == "columns_unused: seconds"
    with pytest.raises(fp.InputError, match="unknown column of the frame 'f2' .*known: f1, fold, learner"):
        fp.read_scores(frame, scoring="f2")


def test_predictions_give_scores_sizes_and_who_was_right(tmp_path):
    found = fp.read_scores(put(tmp_path, "p.csv", INSTANCES + PREDICTED))
    table = found.table()
    assert found.scoring == "accuracy"
    assert (table.design.runs, table.design.folds, table.design.n_train, table.design.n_test) == (1, 2, 3, 3)
    assert table.right["a"].shape == (1, 6)
    np.testing.assert_allclose(table.scores["a"], [[1, 1]])
    np.testing.assert_allclose(table.scores["b"], [[1 / 3, 1 / 3]])


def test_labels_are_the_same_with_and_without_a_decimal():
    frame = pl.read_csv((INSTANCES + PREDICTED).encode())
    codes = {"y_true": pl.col("y_true").cast(pl.Float64), "y_pred": pl.col("y_pred").cast(pl.Int64)}
    found = fp.read_scores(frame.with_columns(**codes))
    np.testing.assert_allclose(found.table().scores["a"], [[1, 1]])


def test_a_dump_of_a_search_and_its_csv(tmp_path):
    from sklearn.datasets import load_iris
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier

    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2], "criterion": ["gini"]}, cv=4)
    search.fit(X, y)
    frame = pd.DataFrame(search.cv_results_)
    frame.to_csv(tmp_path / "search.csv")
    told = {key: np.asarray(value).tolist() for key, value in search.cv_results_.items()}
    (tmp_path / "search.json").write_text(json.dumps(told))
    for source in (tmp_path / "search.csv", tmp_path / "search.json", search.cv_results_, frame):
        found = fp.read_scores(source, runs=1, folds=4)
        assert found.learners == ("criterion=gini, max_depth=1", "criterion=gini, max_depth=2")
        wanted = np.array([search.cv_results_[f"split{i}_test_score"] for i in range(4)])
        np.testing.assert_allclose(found.differences(*found.learners).values, [wanted[:, 0] - wanted[:, 1]])


def test_files_and_frames_for_each_learner(tmp_path):
    one, two = [0.5, 0.6, 0.7], [0.4, 0.6, 0.5]
    for name, scores in (("one", one), ("two", two)):
        (tmp_path / f"{name}.json").write_text(json.dumps(dump(scores)))
        pd.DataFrame({"run": 0, "fold": range(3), "score": scores}).to_csv(tmp_path / f"{name}.csv", index=False)
    wanted = [np.subtract(one, two)]
    for ending, design in (("json", {"runs": 1, "folds": 3}), ("csv", {})):
        found = fp.read_scores({name: tmp_path / f"{name}.{ending}" for name in ("one", "two")}, **design)
        np.testing.assert_allclose(found.differences("one", "two").values, wanted)
    frames = {name: pd.read_csv(tmp_path / f"{name}.csv") for name in ("one", "two")}
    np.testing.assert_allclose(fp.read_scores(frames).differences("one", "two").values, wanted)
    with pytest.raises(fp.InputError, match="'two' is neither a file nor a frame"):
        fp.read_scores({"one": frames["one"], "two": two})


def test_a_dump_that_was_made_a_table():
    scores = {"one": [0.5, 0.6, 0.7], "two": [0.4, 0.6, 0.5]}
    table = pd.concat([pd.DataFrame(dump(s)).assign(learner=who) for who, s in scores.items()])
    found = fp.read_scores(table, runs=1, folds=3)
    np.testing.assert_allclose(found.differences("one", "two").values, [np.subtract(*scores.values())])


def test_one_score_for_each_dataset_in_both_forms():
    wide = pl.DataFrame({"dataset": ["x", "y"], "a": [0.5, 0.6], "b": [0.4, 0.7]})
    long = wide.unpivot(index="dataset", variable_name="learner", value_name="score")
    for frame in (wide, long):
        found = fp.read_scores(frame)
        assert found.datasets == ("x", "y")
        assert found.learners == ("a", "b")
        np.testing.assert_allclose(found.means(), [[0.5, 0.4], [0.6, 0.7]])


# ---- Weka's Experimenter ------------------------------------------------------------------------------------

EXPERIMENT = """Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Key_Scheme_version_ID,Date_time,\
Number_of_training_instances,Number_of_testing_instances,Percent_correct,Root_mean_squared_error
iris,1,1,weka.classifiers.functions.SMO,'-C 1.0 -K \\"PolyKernel -E 1.0, -C 2\\"',1,20200101.1,90,45,93.5,0.21
iris,1,2,weka.classifiers.functions.SMO,'-C 1.0 -K \\"PolyKernel -E 1.0, -C 2\\"',1,20200101.1,90,45,95.5,0.22
iris,1,3,weka.classifiers.functions.SMO,'-C 1.0 -K \\"PolyKernel -E 1.0, -C 2\\"',1,20200101.1,90,45,92.5,0.25
iris,1,1,weka.classifiers.rules.ZeroR,'',2,20200101.1,90,45,33.5,0.47
iris,1,2,weka.classifiers.rules.ZeroR,'',2,20200101.1,90,45,32.5,0.47
iris,1,3,weka.classifiers.rules.ZeroR,'',2,20200101.1,90,45,33.5,0.47
"""


def test_the_experimenters_csv(tmp_path):
    path = put(tmp_path, "experiment.csv", EXPERIMENT)
    found = fp.read_scores(path)
    assert found.learners == ("SMO", "ZeroR")
    assert found.scoring == "Percent_correct"
    np.testing.assert_allclose(found.differences("SMO", "ZeroR").values, [[60, 63, 59]])
    assert found.differences("SMO", "ZeroR").ratio == 0.5
    error = fp.read_scores(path, scoring="Root_mean_squared_error")
    assert not error.greater_is_better
    np.testing.assert_allclose(error.differences("SMO", "ZeroR").values, [[0.26, 0.25, 0.22]])


def test_schemes_of_one_class_are_told_apart_by_their_options(tmp_path):
    text = EXPERIMENT.replace("weka.classifiers.rules.ZeroR,''", "weka.classifiers.functions.SMO,'-C 2'")
    found = fp.read_scores(put(tmp_path, "experiment.csv", text))
    assert found.learners == ('SMO -C 1.0 -K "PolyKernel -E 1.0, -C 2"', "SMO -C 2")


def test_random_splits_of_the_experimenter_have_no_folds(tmp_path):
    lines = [line.split(",", 3) for line in EXPERIMENT.splitlines()]
    text = "\n".join(f"{a},{fold if fold != 'Key_Fold' else run},{rest}" for a, run, fold, rest in lines)
    found = fp.read_scores(put(tmp_path, "experiment.csv", text))
    assert found.tables[0].design.runs == 3
    assert found.notes[1] == "design: 3 random splits, trained on 90 and tested on 45 instances"


def test_the_experimenters_arff(shared):
    found = fp.read_scores(shared("reference", "weka", "experimenter_credit-g.arff"))
    assert found.learners == ("J48", "NaiveBayes", "ZeroR")
    differences = found.differences("J48", "NaiveBayes")
    assert differences.values.shape == (10, 10)
    assert (differences.n_train, differences.n_test) == (900, 100)
    assert round(float(differences.values.mean()), 2) == -3.91
    assert round(float(differences.values.std(ddof=1)), 7) == 4.0404395
