"""Table 5 of Bouckaert & Frank (2004): the whole simulation, its processor time, and scikit-learn's on a sample.

Four sources, 1,000 training sets of 300, five tests ten times each: 16.8 million fits of naive Bayes and a tree. Ours
is run in full (or at ``--scale``). scikit-learn's ``CategoricalNB`` and ``DecisionTreeClassifier`` are fitted on
``--sample`` folds of each source, in the same run, and extrapolated: that is said where it stands.

    python benchmarks/bench_table5.py [--scale 1.0] [--sample 200] [--jobs 2]
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from sklearn.naive_bayes import CategoricalNB
from sklearn.tree import DecisionTreeClassifier

from foldproof.data.simulated import sampled, simulated_source
from foldproof.domain.address import Address
from foldproof.partitions import RandomSubsampling, partition
from foldproof.workflows.simulated_sets import TREES
from foldproof.workflows.simulation import Simulation, simulate

SOURCES = ("source1", "source2", "source3", "source4")


def elsewhere(name: str, sample: int) -> float:
    """Return scikit-learn's processor time for a fit, and its predictions, of both learners."""
    data = sampled(simulated_source(name), 300, Address(0, "table 5").stream("sample"))
    X, y = np.asarray(data.codes).astype(int), data.target_codes
    splits = list(partition(RandomSubsampling(), data, runs=sample).split())
    start = time.process_time()
    for train, test in splits:
        for learner in (CategoricalNB(min_categories=2), DecisionTreeClassifier(min_samples_leaf=2)):
            learner.fit(X[train], y[train]).predict(X[test])
    return (time.process_time() - start) / sample


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
    print("| source | fits | processor s | wall s | µs per fit | x scikit-learn (extrapolated) |")
    print("| --- | --- | --- | --- | --- | --- |")
    used = waited = theirs = 0.0
    for name in SOURCES:
        found, wall, own = measured(name, sets, given.jobs)
        fits = 2 * TREES * found.repetitions * sets
        other = elsewhere(name, given.sample) * fits / 2
        print(
            f"| {name} | {fits:,} | {own:.1f} | {wall:.1f} | {own / fits * 1e6:.2f} | {other / own:,.0f} |", flush=True
        )
        used, waited, theirs = used + own, waited + wall, theirs + other
    total = 2 * TREES * 10 * sets * len(SOURCES)
    print(f"| all | {total:,} | {used:.1f} | {waited:.1f} | {used / total * 1e6:.2f} | {theirs / used:,.0f} |")
    print()
    print(
        f"Threads: {given.jobs}. On as many cores to itself it would take about {used / given.jobs:.1f} s (the "
        f"processor time divided). scikit-learn: {given.sample} folds of each source measured, "
        f"{theirs / 3600:.1f} hours by extrapolation."
    )


if __name__ == "__main__":
    main()
