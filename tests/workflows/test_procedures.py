"""Every procedure, on the same toy data: its design, its test recomputed, its own warnings."""

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.domain.errors import InputError
from foldproof.workflows.procedures import PROCEDURES

LEARNERS = {"bayes": GaussianNB(), "knn": KNeighborsClassifier(1), "tree": DecisionTreeClassifier(max_depth=1)}


@pytest.fixture(scope="module")
def many():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(400, 3)), np.arange(400) % 2
    X[:, 0] += y
    return X, y


@pytest.mark.parametrize("name", list(PROCEDURES))
def test_every_procedure_gives_verdicts_and_valid_output(many, name):
    found = fp.compare(LEARNERS, *many, procedure=name)
    told = found.to_dict()
    assert told["procedure"]["name"] == name
    assert not told["failures"]
    for pair in found.pairs:
        assert 0 <= pair.pvalue <= pair.pvalue_adjusted <= 1
        assert (pair.verdict != "none") == (pair.pvalue_adjusted <= 0.05)
        assert (pair.forecast is None) == ("forecast_unavailable" in pair.warnings)
        assert np.sign(pair.mean_difference) == {pair.a: 1, pair.b: -1}.get(pair.verdict, np.sign(pair.mean_difference))
    assert found.to_text() and found.to_html() and found.to_latex() and found.methods_text()


@pytest.mark.parametrize("name", list(PROCEDURES))
def test_every_procedure_is_the_same_twice_and_on_two_processes(many, name):
    first, second = (fp.compare(LEARNERS, *many, procedure=name, n_jobs=jobs).to_dict() for jobs in (1, 2))
    assert first == second


def test_single_run_is_the_paired_t_test_of_scipy(many):
    found = fp.compare(LEARNERS, *many, procedure="10-fold-cv")
    a, b = (found.outcomes[n].scores["accuracy"].ravel() for n in ("bayes", "knn"))
    expected = stats.ttest_rel(a, b)
    pair = found.pair("bayes", "knn")
    assert (pair.statistic, pair.pvalue) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("10-fold-cv", "inflated_type_one"),
        ("k-fold-cv", "inflated_type_one"),
        ("5x2cv", "one_difference"),
        ("mcnemar-holdout", "one_partition"),
        ("binomial-cv", "one_partition"),
        ("anova-distinct-samples", "folds_share_training_data"),
    ],
)
def test_a_procedure_warns_of_itself(many, name, word):
    assert all(word in pair.warnings for pair in fp.compare(LEARNERS, *many, procedure=name).pairs)


@pytest.mark.parametrize(
    "name", ["corrected-10x10-cv", "corrected-resampling-100", "averaged-10-fold-cv", "disjoint-training-sets"]
)
def test_advised_procedures_have_nothing_against_themselves(many, name):
    found = fp.compare(LEARNERS, *many, procedure=name)
    assert {w for pair in found.pairs for w in pair.warnings} <= {"forecast_unavailable", "interval_unadjusted"}


def test_uncorrected_runs_warn_of_themselves(many):
    found = fp.compare(LEARNERS, *many, procedure="k-fold-cv", runs=3)
    assert found.to_dict()["procedure"]["test"] == "repeated-kfold-t"
    assert "uncorrected_variance" in found.pair("bayes", "knn").warnings


def test_resampling_tests_a_tenth_without_strata(many):
    found = fp.compare(LEARNERS, *many, procedure="corrected-resampling-100")
    assert (found.partitions.runs, found.partitions.n_train, found.partitions.n_test) == (100, 360.0, 40.0)
    d = found.pair("bayes", "knn").differences.values.ravel()
    t = d.mean() / np.sqrt((1 / 100 + 40 / 360) * d.var(ddof=1))
    assert found.pair("bayes", "knn").statistic == pytest.approx(t, rel=1e-9)


def test_counts_pool_each_instance_once(many):
    found = fp.compare(LEARNERS, *many, procedure="binomial-cv")
    table = found.pair("bayes", "knn").table
    assert table.both + table.a_only + table.b_only + table.neither == 400
    expected = stats.binomtest(table.a_only, table.a_only + table.b_only).pvalue
    assert found.pair("bayes", "knn").pvalue == pytest.approx(expected, rel=1e-9)
    right = [found.outcomes[n].predictions[0] == many[1] for n in ("bayes", "knn")]
    assert table.a_only == int((right[0] & ~right[1]).sum())


def test_few_discordant_instances_are_told(many):
    X, y = many
    found = fp.compare(LEARNERS, X[:60], y[:60], procedure="mcnemar-holdout")
    assert "few_discordant" in found.pair("bayes", "knn").warnings
    table = found.pair("bayes", "knn").table
    assert table.both + table.a_only + table.b_only + table.neither == 18


def test_distinct_samples_share_no_instance(many):
    found = fp.compare(LEARNERS, *many, procedure="anova-distinct-samples")
    samples = [np.concatenate([test for _, test in run]) for run in found.partitions.splits]
    assert sorted(np.concatenate(samples)) == list(range(400))
    for sample, run in zip(samples, found.partitions.splits, strict=True):
        assert all(set(train) <= set(sample) for train, _ in run)
    a, b = (found.outcomes[n].scores["accuracy"].ravel() for n in ("bayes", "knn"))
    assert found.pair("bayes", "knn").pvalue == pytest.approx(stats.f_oneway(a, b).pvalue, rel=1e-9)


def test_disjoint_training_sets_and_one_test_set(many):
    found = fp.compare(LEARNERS, *many, procedure="disjoint-training-sets", runs=5)
    splits = [run[0] for run in found.partitions.splits]
    assert len({tuple(test) for _, test in splits}) == 1
    every = np.concatenate([train for train, _ in splits])
    assert len(set(every)) == len(every) == 200
    assert not set(every) & set(splits[0][1])


@pytest.mark.parametrize(
    ("name", "n", "options", "sentence"),
    [
        ("anova-distinct-samples", 25, {}, "25 instances are too few for 3 distinct samples of 10"),
        (
            "disjoint-training-sets",
            100,
            {},
            "cannot be cut into a test set and 10 disjoint training sets of at least 10: use 2 to 5",
        ),
        ("disjoint-training-sets", 400, {"groups": np.arange(400)}, "knows no groups"),
    ],
)
def test_too_little_data_for_data_of_ones_own(many, name, n, options, sentence):
    X, y = many
    with pytest.raises(InputError) as caught:
        fp.compare(LEARNERS, X[:n], y[:n], procedure=name, **options)
    assert sentence in str(caught.value)


def test_four_cells_wherever_each_instance_was_tested_once():
    X, y = load_iris(return_X_y=True)
    learners = {"bayes": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
    comparison = fp.compare(learners, X, y, procedure="10-fold-cv", scoring=["accuracy", "f1_macro"])
    right = {}
    for name, learner in learners.items():
        right[name] = np.zeros(len(y), dtype=bool)
        for train, test in comparison.partitions.split():
            right[name][test] = learner.fit(X[train], y[train]).predict(X[test]) == y[test]
    table = comparison.pairs[0].table
    a, b = right["bayes"], right["stump"]
    assert (table.both, table.a_only) == ((a & b).sum(), (a & ~b).sum())
    assert (table.b_only, table.neither) == ((~a & b).sum(), (~a & ~b).sum())
    assert comparison.under("f1_macro").pairs[0].table is None
    assert fp.compare(learners, X, y, procedure="5x2cv").pairs[0].table is None
