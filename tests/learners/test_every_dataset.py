"""On one fold of each published dataset the learners are their slow twins: quoted signs, unused classes, and all."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from foldproof.data.arff import read_arff
from foldproof.data.sources import Wanted
from foldproof.learners import C45, TDDT1, TDDT2, DiscretisedNaiveBayes, NaiveBayes, NearestNeighbour
from foldproof.partitions import KFold, partition
from naive import c45, naive_bayes, nearest
from naive.c45_trees import as_tuples
from naive.mixtures import as_rows

pytestmark = pytest.mark.slow

# The 36 of both papers; the twins take seconds on the two of the most numbers, so they get a part of the rows.
NAMES = (
    "anneal", "arrhythmia", "audiology", "autos", "balance-scale", "breast-cancer", "breast-w", "colic",
    "credit-a", "credit-g", "diabetes", "ecoli", "glass", "glass2", "heart-c", "heart-h", "heart-statlog",
    "hepatitis", "hypothyroid-3163", "ionosphere", "iris", "labor", "lymph", "monk1-full", "monk2",
    "monk3-full", "mushroom", "primary-tumor", "sonar", "soybean", "tic-tac-toe", "vehicle", "vote", "vowel",
    "waveform-21", "zoo",
)  # fmt: skip
EVERY = pytest.mark.parametrize("name", NAMES)
MOST = 60_000
ASKED = 6


class Fold:
    """One fold of a dataset, for both sides."""

    def __init__(self, path):
        self.dataset = read_arff(path, Wanted(path.stem))
        self.attributes, self.classes = self.dataset.attributes, self.dataset.classes
        self.train, self.test = partition(KFold(), self.dataset, runs=1).train_test(0, 3)
        self.labels = self.dataset.target_codes.astype(int)
        self.values = [None if a.categories is None else len(a.categories) for a in self.attributes]
        # The instances that the twins are asked about: few, spread over the fold.
        self.asked = self.test[:: max(1, len(self.test) // ASKED)]
        self.rows = as_rows(self.dataset.codes[self.asked], self.values)

    def fitted(self, learner, train):
        copy = learner.with_declared(self.attributes, self.classes)
        return copy.fit(self.dataset.codes[train], self.dataset.y[train])

    def thinned(self):
        step = -(-len(self.train) * len(self.values) // MOST)
        return self.train[::step]

    def for_twin(self, train):
        return as_rows(self.dataset.codes[train], self.values), self.labels[train].tolist(), self.values


@cache
def fold_of(path):
    return Fold(path)


@pytest.fixture
def fold(shared):
    return lambda name: fold_of(Path(shared("datasets", f"{name}.arff")))


def test_these_are_all_datasets(shared):
    assert sorted(NAMES) == sorted(path.stem for path in shared("datasets").glob("*.arff"))


@EVERY
def test_every_learner_takes_it(fold, name):
    data = fold(name)
    majority = np.bincount(data.labels[data.test]).max() / len(data.test)
    for learner in (NaiveBayes(), C45(), NearestNeighbour(), DiscretisedNaiveBayes(), TDDT1(random_state=0), TDDT2()):
        model = data.fitted(learner, data.train)
        told = model.predict_proba(data.dataset.codes[data.test])
        assert told.shape == (len(data.test), len(data.classes))
        assert told.sum(axis=1) == pytest.approx(1.0)
        right = (model.predict(data.dataset.codes[data.test]) == data.dataset.y[data.test]).mean()
        assert right > 0.5 * majority  # monk2 is made to mislead neighbours; nobody else is far below mere counting


@EVERY
def test_c45_is_its_slow_twin(fold, name):
    data = fold(name)
    train = data.thinned()
    fast = data.fitted(C45(), train)
    sizes = [size or 0 for size in data.values]
    slow = c45.C45(sizes, len(data.classes)).fit(data.dataset.codes[train].tolist(), data.labels[train].tolist())
    assert as_tuples(fast.tree_) == slow.nested()
    asked = data.dataset.codes[data.test]
    assert fast.predict_proba(asked).tolist() == [slow.probabilities(row) for row in asked.tolist()]


@EVERY
@pytest.mark.parametrize("numeric", ["normal", "kernel", "discretised"])
def test_naive_bayes_is_its_slow_twin(fold, name, numeric):
    data = fold(name)
    train = data.thinned() if numeric == "normal" else data.thinned()[::4]
    fast = data.fitted(NaiveBayes(numeric=numeric), train)
    slow = naive_bayes.fit(*data.for_twin(train), len(data.classes), numeric=numeric)
    told = np.array([naive_bayes.probabilities(slow, row) for row in data.rows])
    assert fast.predict_proba(data.dataset.codes[data.asked]) == pytest.approx(told, rel=1e-6, abs=1e-9)


@EVERY
@pytest.mark.parametrize("ties", ["first", "vote"])
def test_nearest_neighbour_is_its_slow_twin(fold, name, ties):
    data = fold(name)
    train = data.thinned()
    fast = data.fitted(NearestNeighbour(ties=ties, ranges="cumulative"), train)
    rows, labels, values = data.for_twin(train)
    votes = nearest.votes(
        rows, labels, values, data.rows, n_classes=len(data.classes), all_tied=ties == "vote",
        slack=1e-6 if ties == "first" else 0.0, cumulative=True,
    )  # fmt: skip
    votes = np.array(votes, dtype=float) + (1 / len(train) if ties == "vote" else 0.0)
    expected = votes / votes.sum(axis=1, keepdims=True)
    assert fast.predict_proba(data.dataset.codes[data.asked]) == pytest.approx(expected, abs=1e-15)


# ---- what is peculiar to some of them --------------------------------------------------------------------------------


def test_a_quoted_question_mark_is_a_value(fold):
    data = fold("anneal")
    assert not np.isnan(data.dataset.codes).any()
    assert any("?" in a.categories for a in data.attributes if a.categories is not None)
    tree = C45(classes=data.classes).fit(data.dataset.X, data.dataset.y)
    assert " = ?" in tree.export_text()


@pytest.mark.parametrize(
    ("name", "declared", "used"),
    [
        ("anneal", 6, 5),
        ("arrhythmia", 16, 13),
        ("autos", 7, 6),
        ("glass", 7, 6),
        ("heart-h", 5, 2),
        ("heart-c", 5, 2),
        ("primary-tumor", 22, 21),
    ],
)
def test_classes_that_are_declared_and_not_used_count(fold, name, declared, used):
    data = fold(name)
    assert (len(data.classes), len(np.unique(data.labels))) == (declared, used)
    model = data.fitted(NaiveBayes(), data.train)
    n = len(data.train)
    unused = sorted(set(range(declared)) - set(data.labels.tolist()))
    assert model.class_prior_[unused].tolist() == [1 / (n + declared)] * len(unused)
    tree = data.fitted(C45(), data.train)
    assert tree.classes_.tolist() == list(data.classes)
    assert set(tree.predict(data.dataset.codes).tolist()).isdisjoint(data.classes[c] for c in unused)
