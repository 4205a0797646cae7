"""Models of whole datasets as Weka prints them, and its Experimenter's accuracies and p-values, to the last digit given."""

import csv
import itertools
import json
from functools import cache

import numpy as np
import pytest
from sklearn.base import clone

import foldproof as fp
from foldproof.data.arff import read_arff
from foldproof.data.sources import Wanted
from foldproof.kernels.java_random import java_shuffle
from foldproof.learners import C45, NaiveBayes, NearestNeighbour
from foldproof.partitions import partition, weka

DATASETS = ("balance-scale", "breast-cancer", "glass", "heart-statlog", "hepatitis", "iris", "labor", "vote")
SIX_DECIMALS = 0.5e-6 + 1e-12

# The variant behind each part of a reference file.
TREES = {"j48": C45(variant="current"), "j48_unpruned": C45(variant="current", unpruned=True)}
BAYES = {
    "nb": NaiveBayes(),
    "nb_kernel": NaiveBayes(numeric="kernel", variant="classic"),
    "nb_kernel_397": NaiveBayes(numeric="kernel", variant="current"),
    "nb_discretised": NaiveBayes(numeric="discretised"),
}


@cache
def read(path):
    return read_arff(path, Wanted(str(path)))


@pytest.fixture
def whole(shared):
    """Return a dataset, and what Weka tells of models that were trained on all of it."""

    def load(name):
        told = json.loads(shared("reference", "weka", f"{name}.json").read_text(encoding="utf-8"))
        return read(shared("datasets", f"{name}.arff")), told

    return load


def fitted(learner, dataset):
    return learner.with_declared(dataset.attributes, dataset.classes).fit(dataset.codes, dataset.y)


def agrees(model, dataset, told, *, asked=None):
    """Hold predictions against all that are told, and probabilities to their six decimals."""
    codes = dataset.codes if asked is None else asked
    if "training_predictions" in told:
        assert model.predict(codes)[: len(dataset)].tolist() == told["training_predictions"]
    expected = np.array(told["class_probabilities_first_20"])
    start = 0 if asked is None else len(dataset)
    found = model.predict_proba(codes)[start : start + 20]
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= SIX_DECIMALS


@pytest.mark.parametrize("name", DATASETS)
@pytest.mark.parametrize("part", TREES)
def test_trees_their_text_leaves_size_predictions_and_probabilities(whole, name, part):
    """Fitted on the frame, which knows names and categories, and on codes, as the engine fits."""
    dataset, reference = whole(name)
    model, told = clone(TREES[part]).set_params(classes=dataset.classes).fit(dataset.X, dataset.y), reference[part]
    assert (model.n_leaves_, model.size_) == (told["num_leaves"], told["tree_size"])
    title, _, body = told["text"].partition("\n\n")
    assert title.startswith("J48 unpruned tree" if part == "j48_unpruned" else "J48 pruned tree")
    # What stands below the tree is what n_leaves_ and size_ have told.
    assert model.export_text() == body.partition("\n\nNumber of Leaves")[0]
    on_codes = fitted(TREES[part], dataset)
    agrees(on_codes, dataset, told)
    assert model.predict_proba(dataset.X).tolist() == on_codes.predict_proba(dataset.codes).tolist()
    if told.get("text_identical_in_3.3.6"):
        classic = clone(model).set_params(variant="classic").fit(dataset.X, dataset.y)
        assert classic.export_text() == model.export_text()


@pytest.mark.parametrize("name", DATASETS)
def test_the_first_release_had_the_table_of_deviations(whole, name):
    dataset, reference = whole(name)
    model = fitted(C45(deviations="table"), dataset)
    told = reference["j48_33"]
    assert (model.n_leaves_, model.size_) == (told["num_leaves"], told["tree_size"])


@pytest.mark.parametrize("name", DATASETS)
@pytest.mark.parametrize("part", BAYES)
def test_naive_bayes(whole, name, part):
    dataset, reference = whole(name)
    agrees(fitted(BAYES[part], dataset), dataset, reference[part])


@pytest.mark.parametrize("name", DATASETS)
def test_nearest_neighbour_asked_for_all_and_then_the_first_twenty_again(whole, name):
    dataset, reference = whole(name)
    model = fitted(NearestNeighbour(ties="vote", ranges="cumulative"), dataset)
    agrees(model, dataset, reference["ibk"], asked=np.vstack([dataset.codes, dataset.codes[:20]]))


# ---- what the Experimenter makes of ten runs of ten folds ------------------------------------------------------------

SCHEMES = {
    "J48": C45(variant="current"),
    "NaiveBayes": NaiveBayes(variant="current"),
    "IBk": NearestNeighbour(ties="vote", ranges="cumulative"),
}


def order_of(dataset, run):
    """Return the instances in the order in which the Experimenter hands them on."""
    shuffled = java_shuffle(len(dataset), run + 1)
    return weka._dealt(weka._grouped_by_class(shuffled, dataset.target_codes.astype(np.int64)), 10)


def percent_correct(dataset, learner):
    """Return accuracies as the Experimenter writes them (per cent, six decimals), runs by folds, and the counts.

    Instances are tested in its order, too, which nearest neighbour does not forget.
    """
    partitions = partition(weka.WekaKFold(), dataset)
    copy = learner.with_declared(dataset.attributes, dataset.classes)
    counts = np.zeros((10, 10), dtype=int)
    sizes = np.zeros((10, 10), dtype=int)
    for (run, fold), (train, test) in zip(np.ndindex(10, 10), partitions.split(), strict=True):
        order = order_of(dataset, run)
        test = order[np.isin(order, test)]
        copy.fit(dataset.codes[train], dataset.y[train])
        counts[run, fold] = (copy.predict(dataset.codes[test]) == dataset.y[test]).sum()
        sizes[run, fold] = len(test)
    return np.round(100.0 * counts / sizes, 6), counts


def as_told(rows, dataset, scheme):
    mine = [r for r in rows if (r["dataset"], r["scheme"]) == (dataset, scheme)]
    assert [(int(r["run"]), int(r["fold"])) for r in mine] == list(itertools.product(range(1, 11), range(1, 11)))
    percent = np.array([float(r["percent_correct"]) for r in mine]).reshape(10, 10)
    return percent, np.array([int(r["n_correct"]) for r in mine]).reshape(10, 10)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["iris", "labor", "glass"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_accuracies_of_the_experimenter(shared, name, scheme):
    with shared("reference", "weka", "experimenter_accuracies.csv").open(newline="") as file:
        percent, correct = as_told(list(csv.DictReader(file)), name, scheme)
    found, counts = percent_correct(read(shared("datasets", f"{name}.arff")), SCHEMES[scheme])
    assert counts.tolist() == correct.tolist()
    assert found.tolist() == percent.tolist()


def test_p_values_of_the_experimenter(shared):
    """All 54: three datasets, three pairs in both orders, both testers, two levels."""
    tests = json.loads(shared("reference", "weka", "experimenter_tests.json").read_text())["tests"]
    with shared("reference", "weka", "experimenter_accuracies.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for told in tests:
        x, y = (as_told(rows, told["dataset"], told[side])[0] for side in "xy")
        corrected = told["tester"] == "PairedCorrectedTTester"
        if corrected:
            assert told["test_train_ratio"] == pytest.approx(1 / 9, abs=1e-12)
        # One of ten parts is tested and nine train, whether or not the sizes come out even.
        differences = fp.Differences(x - y, n_train=9, n_test=1)
        test = fp.significance.corrected_repeated_kfold_t if corrected else fp.significance.repeated_kfold_t
        found = test(differences)
        assert found.pvalue == pytest.approx(told["differences_probability"], abs=1e-9)
        assert found.pvalue == pytest.approx(told["differences_probability"], rel=1e-6)
        assert np.mean(x - y) == pytest.approx(told["difference_stats"]["mean"], abs=1e-9)
        assert np.std(x - y, ddof=1) == pytest.approx(told["difference_stats"]["stdDev"], abs=1e-9)
        verdict = found.decide(alpha=told["significance_level"])
        assert verdict == {1: "A", -1: "B", 0: "none"}[told["differences_significance"]]


def credit_g(shared):
    """Return the accuracies of a result file, by scheme: runs by folds."""
    path = shared("reference", "weka", "experimenter_credit-g.arff")
    names, cells = [], []
    for line in path.read_text().splitlines():
        if line.startswith("@attribute"):
            names.append(line.split()[1])
        elif line and not line.startswith("@"):
            cells.append(dict(zip(names, next(csv.reader([line], quotechar="'")), strict=True)))
    found = {}
    for row in cells:
        scheme = row["Key_Scheme"].rpartition(".")[2]
        table = found.setdefault(scheme, np.full((10, 10), np.nan))
        table[int(row["Key_Run"]) - 1, int(row["Key_Fold"]) - 1] = float(row["Percent_correct"])
    assert not any(np.isnan(table).any() for table in found.values())
    return found


def test_the_p_values_of_a_result_file(shared):
    told = credit_g(shared)
    differences = fp.Differences(told["J48"] - told["NaiveBayes"], n_train=900, n_test=100)
    assert np.mean(differences.values) == pytest.approx(-3.91, abs=1e-9)
    assert np.std(differences.values, ddof=1) == pytest.approx(4.0404395, abs=5e-8)
    assert fp.significance.corrected_repeated_kfold_t(differences).pvalue == pytest.approx(0.00649351, abs=5e-9)
    assert fp.significance.repeated_kfold_t(differences).pvalue == pytest.approx(5.5e-16, abs=0.05e-16)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["J48", "NaiveBayes"])
def test_the_accuracies_of_a_result_file(shared, scheme):
    found, _ = percent_correct(read(shared("datasets", "credit-g.arff")), SCHEMES[scheme])
    assert found.tolist() == credit_g(shared)[scheme].tolist()


@pytest.mark.slow
def test_from_the_data_to_the_p_value(shared):
    """From the file of the data to the p-value: Weka's folds, our learners, the recommended test."""
    dataset = read(shared("datasets", "credit-g.arff"))
    differences = fp.Differences(
        np.subtract(*(percent_correct(dataset, SCHEMES[s])[0] for s in ("J48", "NaiveBayes"))), n_train=900, n_test=100
    )
    assert fp.significance.corrected_repeated_kfold_t(differences).pvalue == pytest.approx(0.00649351, abs=5e-9)
