"""No prediction differs: all partitions at once against fitting fold by fold, on published and on generated data."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from foldproof.data.arff import read_arff
from foldproof.data.sources import Wanted
from foldproof.domain.partitions import Partitions
from foldproof.learners import (
    C45,
    TDDT1,
    TDDT2,
    DiscretisedNaiveBayes,
    NaiveBayes,
    NearestNeighbour,
    cross_predict,
)
from foldproof.learners.recognised import at_once
from foldproof.partitions import FiveByTwo, KFold, RandomSubsampling, partition
from foldproof.partitions.weka import WekaKFold
from learners.partitioned import divided, mixed_dataset
from naive.mixtures import Mixture

LEARNERS = {
    "naive-bayes": NaiveBayes(),
    "c45": C45(),
    "nearest-neighbour": NearestNeighbour(),
    "ib1": NearestNeighbour(ranges="cumulative"),
    "ibk": NearestNeighbour(ties="vote", ranges="cumulative"),
    "5-nearest": NearestNeighbour(k=5),
    "tddt-1": TDDT1(),
    "tddt-2": TDDT2(),
    "discretised-naive-bayes": DiscretisedNaiveBayes(),
}
SCHEMES = {
    "2x10": (KFold(10), 2),
    "5x2": (FiveByTwo(), 5),
    "20-resamplings": (RandomSubsampling(), 20),
    "weka": (WekaKFold(), 1),
}
EVERY = (
    "anneal", "arrhythmia", "audiology", "autos", "balance-scale", "breast-cancer", "breast-w", "colic",
    "credit-a", "credit-g", "diabetes", "ecoli", "glass", "glass2", "heart-c", "heart-h", "heart-statlog",
    "hepatitis", "hypothyroid-3163", "ionosphere", "iris", "labor", "lymph", "monk1-full", "monk2",
    "monk3-full", "mushroom", "primary-tumor", "sonar", "soybean", "tic-tac-toe", "vehicle", "vote", "vowel",
    "waveform-21", "zoo",
)  # fmt: skip
FEW = (("labor", "2x10"), ("zoo", "weka"), ("iris", "weka"))


@cache
def read(path):
    return read_arff(path, Wanted(path.stem))


def differing(learner, dataset, partitions):
    """Return how many predictions differ."""
    assert at_once(learner, dataset) is not None
    fast = cross_predict(learner, dataset, partitions)
    slow = cross_predict(learner, dataset, partitions, fast=False)
    assert (np.isnan(fast) == (partitions.test_fold < 0)).all()
    return int(np.count_nonzero(~np.isnan(slow) & (fast != slow)))


def on_published(shared, name, learner, scheme):
    dataset = read(Path(shared("datasets", f"{name}.arff")))
    how, runs = SCHEMES[scheme]
    assert differing(LEARNERS[learner], dataset, partition(how, dataset, runs=runs)) == 0


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize(("name", "scheme"), FEW)
def test_a_few_published_datasets(shared, name, learner, scheme):
    on_published(shared, name, learner, scheme)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("name", EVERY)
def test_all_published_datasets(shared, name, learner, scheme):
    on_published(shared, name, learner, scheme)


def on_generated(seeds):
    for seed in seeds:
        data = Mixture(90_000 + seed)
        if len(data.y) > 20 and seed % 3 == 0:  # duplicates, some of them of another class
            data.X[::4] = data.X[1]
        dataset = mixed_dataset(data)
        rng = np.random.default_rng(seed)
        for number, test_fold in enumerate(divided(rng, len(dataset))):
            order = np.stack([rng.permutation(len(dataset)) for _ in test_fold]) if (seed + number) % 2 else None
            for each in list(LEARNERS.values())[(seed + number) % 3 :: 3]:
                assert differing(each, dataset, Partitions(test_fold, order=order)) == 0, (seed, each)


def test_a_few_generated_datasets():
    on_generated(range(12))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_a_thousand_generated_datasets(block):
    on_generated(range(1000 + block * 50, 1050 + block * 50))
