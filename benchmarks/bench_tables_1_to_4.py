"""The fits of Bouckaert and Frank's Tables 1 to 4: 27 datasets, three learners, 2,100 fits each; where the time goes.

A repetition is 5x2 folds, 10x10 folds and 100 resamplings, as Weka deals them: 210 fits. One pool of partitions serves
all tests of these tables. Every fit goes through ``cross_predict``. Processor time, by dataset and learner; with
``--threads 2`` the wall time of two threads as well. ``--beside`` measures ten folds of each dataset and learner with
scikit-learn (values imputed beforehand, a bare loop) and with Weka, where it is found, and extrapolates to all fits.

    python benchmarks/bench_tables_1_to_4.py --data-dir FOLDER [--repetitions 10] [--threads 2] [--only c45] [--beside]
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.naive_bayes import GaussianNB
from threadpoolctl import threadpool_limits

from bench_all_partitions import fit_and_predict
from bench_beside_others import LEARNERS as OTHERS
from bench_beside_others import weka
from foldproof.data.arff import read_arff
from foldproof.data.sources import Wanted
from foldproof.domain.dataset import Dataset
from foldproof.domain.partitions import Partitions
from foldproof.learners import C45, NaiveBayes, NearestNeighbour, cross_predict
from foldproof.partitions import WekaKFold, WekaSubsampling, partition

DATASETS = (
    "anneal", "arrhythmia", "audiology", "autos", "balance-scale", "breast-cancer", "breast-w", "colic", "credit-a",
    "credit-g", "diabetes", "ecoli", "glass", "heart-h", "heart-statlog", "hepatitis", "ionosphere", "iris", "labor",
    "lymph", "primary-tumor", "sonar", "soybean", "vehicle", "vote", "vowel", "zoo",
)  # fmt: skip
LEARNERS: dict[str, Any] = {
    "naive-bayes": NaiveBayes(),
    "c45": C45(),
    "nearest-neighbour": NearestNeighbour(ranges="cumulative"),
}
FITS = 210  # of one repetition
Seconds = dict[tuple[str, str], float]


def datasets(folder: Path, names: Sequence[str] = DATASETS) -> list[Dataset]:
    return [read_arff(folder / f"{name}.arff", Wanted(name)) for name in names]


def divided(dataset: Dataset, repetitions: int) -> list[Partitions]:
    """Return the partitions of so many repetitions: all runs of a scheme in one matrix."""
    schemes = ((WekaKFold(folds=2), 5), (WekaKFold(folds=10), 10), (WekaSubsampling(), 100))
    return [partition(scheme, dataset, runs=runs * repetitions) for scheme, runs in schemes]


def measured(
    data: Sequence[Dataset], repetitions: int, learners: Sequence[str] = tuple(LEARNERS), repeats: int = 1
) -> Seconds:
    """Return the processor time of every dataset and learner, and of making the partitions."""
    seconds: Seconds = {}
    for dataset in data:
        begin = time.thread_time()
        pool = divided(dataset, repetitions)
        seconds[dataset.name, "partitions"] = time.thread_time() - begin
        for name in learners:
            best = float("inf")
            for _ in range(repeats):
                begin = time.thread_time()
                for partitions in pool:
                    cross_predict(LEARNERS[name], dataset, partitions)
                best = min(best, time.thread_time() - begin)
            seconds[dataset.name, name] = best
    return seconds


def wall(data: Sequence[Dataset], repetitions: int, threads: int) -> float:
    """Return the wall time of all fits on some threads: kernels hold no lock, tasks are dealt longest first."""
    begin = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        parts = [(dataset, part) for dataset in data for part in pool.map(lambda d: divided(d, repetitions), [dataset])]
        jobs = [(name, dataset, p) for name in ("c45", "naive-bayes", "nearest-neighbour")
                for dataset, three in parts for p in three]  # fmt: skip
        jobs.sort(key=lambda job: (job[0] != "c45", -len(job[1]) * len(job[1].attributes)))
        list(pool.map(lambda job: cross_predict(LEARNERS[job[0]], job[1], job[2]), jobs))
    return time.perf_counter() - begin


def beside(data: Sequence[Dataset], fits: int) -> None:
    """Print what so many fits of each dataset and learner take elsewhere, extrapolated from ten folds."""
    theirs: dict[str, float] = {}
    for dataset in data:
        X, y = np.nan_to_num(dataset.codes), dataset.target_codes.astype(int)
        one = partition(WekaKFold(folds=10), dataset, runs=1)
        for name, (_, other, _) in OTHERS.items():
            begin = time.thread_time()
            fit_and_predict(other or GaussianNB(), X, y, one)
            theirs[name] = theirs.get(name, 0.0) + (time.thread_time() - begin) / 10 * fits
    print(f"scikit-learn, extrapolated: {sum(theirs.values()):,.0f} s", {n: round(s) for n, s in theirs.items()})
    found = weka(list(data), 1, 1)
    if found:
        print(f"Weka, extrapolated: {sum(micro for micro, _ in found.values()) / 1e6 * fits:,.0f} s")
    else:
        print("Weka was not found: FOLDPROOF_WEKA_JAR names no jar, or there is no JDK")


def warm(data: Sequence[Dataset]) -> None:
    """Load compiled code, which is not counted."""
    for dataset in data[:3]:
        one = partition(WekaKFold(folds=10), dataset, runs=1)
        for learner in LEARNERS.values():
            cross_predict(learner, dataset, one)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir", type=Path, default=os.environ.get("FOLDPROOF_DATA"))
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--beside", action="store_true")
    given = parser.parse_args()
    if given.data_dir is None:
        print("skipped: name the folder of the ARFF files with --data-dir or FOLDPROOF_DATA")
        return
    data = datasets(Path(given.data_dir))
    learners = given.only or list(LEARNERS)
    warm(data)
    seconds = measured(data, given.repetitions, learners)
    print("| dataset | " + " | ".join(f"{name}, µs per fit" for name in learners) + " | share of all |")
    print("| --- |" + " ---: |" * (len(learners) + 1))
    total = sum(seconds.values())
    for dataset in sorted(data, key=lambda d: -sum(seconds[d.name, name] for name in learners)):
        own = [seconds[dataset.name, name] for name in learners]
        each = " | ".join(f"{s / given.repetitions / FITS * 1e6:,.1f}" for s in own)
        print(f"| {dataset.name.removesuffix('.arff')} | {each} | {sum(own) / total:.1%} |")
    for name in (*learners, "partitions"):
        own_total = sum(s for (_, what), s in seconds.items() if what == name)
        print(f"{name}: {own_total:.2f} s, {own_total / total:.1%}")
    fits = len(data) * len(learners) * FITS * given.repetitions
    print(f"{fits:,} fits: {total:.2f} s of processor time")
    if given.threads:
        taken = wall(data, given.repetitions, given.threads)
        print(f"on {given.threads} threads: {taken:.2f} s")
    if given.beside:
        beside(data, FITS * given.repetitions)


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
