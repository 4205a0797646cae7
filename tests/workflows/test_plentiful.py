"""The unbiased protocol: independent training sets, one test set, the paired t-test."""

import numpy as np
import pytest
from scipy import stats
from sklearn.naive_bayes import BernoulliNB
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.data.bayesnet import BayesianNetwork
from foldproof.domain.errors import InputError

NET = BayesianNetwork("xor", 0.5, ((), (0,), ()), ((0.5, 0.5), (0.9, 0.1, 0.1, 0.9), (0.45, 0.55)))
LEARNERS = {"bayes": BernoulliNB(), "tree": DecisionTreeClassifier(max_depth=3)}


def test_each_training_set_is_its_own_and_the_test_is_the_paired_t():
    found = fp.compare_on_source(LEARNERS, NET, n_train=60, training_sets=12, n_test=3000)
    splits = [run[0] for run in found.partitions.splits]
    every = np.concatenate([train for train, _ in splits])
    assert len(set(every)) == 12 * 60
    assert all(len(test) == 3000 and not set(test) & set(every) for _, test in splits)
    a, b = (found.outcomes[n].scores["accuracy"].ravel() for n in LEARNERS)
    expected = stats.ttest_rel(a, b)
    pair = found.pair("bayes", "tree")
    assert (pair.statistic, pair.pvalue) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)
    assert pair.verdict == "tree"
    assert found.to_dict()["procedure"] == {
        "name": "disjoint-training-sets",
        "test": "paired-t",
        "runs": 12,
        "folds": 1,
    }
    assert "12 disjoint training sets" in found.methods_text()


def test_the_mean_difference_is_near_the_exact_one():
    """On so simple a source both learners' expected accuracies can be had from the joint table."""
    found = fp.compare_on_source(LEARNERS, NET, n_train=300, training_sets=20, n_test=20_000)
    tree = found.to_dict()["learners"][1]["mean_score"]
    assert tree == pytest.approx(NET.accuracy(NET.joint().argmax(axis=0)), abs=0.01)


@pytest.mark.parametrize("options", [{"training_sets": 1}, {"n_train": 1}, {"n_test": 0}])
def test_too_small(options):
    with pytest.raises(InputError, match="at least two training sets of two instances, and one test instance"):
        fp.compare_on_source(LEARNERS, NET, **options)
