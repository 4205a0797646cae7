"""Table 5 of Bouckaert & Frank (2004): the whole simulation, its processor time, and scikit-learn's on a sample.

Four sources, 1,000 training sets of 300, five tests ten times each: 16.8 million fits of naive Bayes and a tree. Ours
is run in full (or at ``--scale``). In the same run scikit-learn's ``CategoricalNB`` and ``DecisionTreeClassifier`` are
given ``--sample`` folds of each source, by ``cross_val_score`` and by a bare loop, and Weka, where it is found, ten
runs of ten folds; both are extrapolated to all fits.

    FOLDPROOF_WEKA_JAR=JAR python benchmarks/bench_table5.py [--scale 1.0] [--sample 200] [--jobs 2]
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import CategoricalNB
from sklearn.tree import DecisionTreeClassifier

from bench_beside_others import weka
from foldproof.data.simulated import sampled, simulated_source
from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset
from foldproof.partitions import RandomSubsampling, partition
from foldproof.workflows.simulated_sets import TREES
from foldproof.workflows.simulation import Simulation, simulate

WEKA = ("weka.classifiers.bayes.NaiveBayes", "weka.classifiers.trees.J48")
SOURCES = ("source1", "source2", "source3", "source4")


def training_set(name: str) -> Dataset:
    return replace(sampled(simulated_source(name), 300, Address(0, "table 5").stream("sample")), name=name)


def in_scikit_learn(data: Dataset, sample: int) -> tuple[float, float]:
    """Return the processor time of a fit with its predictions, of both learners: cross_val_score, and a bare loop."""
    X, y = np.asarray(data.codes).astype(int), data.target_codes
    splits = list(partition(RandomSubsampling(), data, runs=sample).split())
    learners = (CategoricalNB(min_categories=2), DecisionTreeClassifier(min_samples_leaf=2))
    start = time.process_time()
    for learner in learners:
        cross_val_score(learner, X, y, cv=splits)
    between = time.process_time()
    for train, test in splits:
        for learner in learners:
            learner.fit(X[train], y[train]).predict(X[test])
    return (between - start) / sample, (time.process_time() - between) / sample


def measured(name: str, sets: int, jobs: int) -> tuple[Simulation, float, float]:
    wall, used = time.perf_counter(), time.process_time()
    found = simulate(name, sets=sets, n_jobs=jobs)
    return found, time.perf_counter() - wall, time.process_time() - used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    sets = max(1, round(1000 * given.scale))
    simulate("source1", sets=1, repetitions=1)  # compiled code is not counted
    data = {name: training_set(name) for name in SOURCES}
    java = weka(list(data.values()), 10, 2)
    print("| source | fits | processor s | wall s | µs per fit | x `cross_val_score` | x bare loop | x Weka |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    sums = np.zeros(5)  # processor time and wall time of ours, processor time of the three others
    for name in SOURCES:
        found, wall, own = measured(name, sets, given.jobs)
        fits = 2 * TREES * found.repetitions * sets
        scored, bare = in_scikit_learn(data[name], given.sample)
        theirs = sum(1e-6 * java[name, which][0] for which in WEKA) if java else float("nan")
        line = np.array([own, wall, *(each * fits / 2 for each in (scored, bare, theirs))])
        print(row(name, fits, line), flush=True)
        sums += line
    total = 2 * TREES * 10 * sets * len(SOURCES)
    print(row("all", total, sums))
    print()
    print(
        f"Threads: {given.jobs}. On as many cores to itself it would take about {sums[0] / given.jobs:.1f} s (the "
        f"processor time divided). By extrapolation from {given.sample} folds of each source scikit-learn takes "
        f"{sums[2] / 3600:.1f} hours, {sums[3] / 3600:.1f} in a bare loop, and Weka {sums[4] / 60:.0f} minutes."
    )


def row(name: str, fits: int, line: npt.NDArray[np.float64]) -> str:
    own, wall, *others = line.tolist()
    ratios = " | ".join("–" if np.isnan(other) else f"{other / own:,.0f}" for other in others)
    return f"| {name} | {fits:,} | {own:.1f} | {wall:.1f} | {own / fits * 1e6:.2f} | {ratios} |"


if __name__ == "__main__":
    main()
