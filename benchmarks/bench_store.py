"""What a store costs: writing finished tasks, and resuming a plan that is finished. Ratios in one run, interleaved.

``python benchmarks/bench_store.py [--tasks 100000] [--memory | --hashing]``
"""

import argparse
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from statistics import median

import numpy as np
from sklearn.metrics import get_scorer
from sklearn.naive_bayes import GaussianNB

import foldproof as fp
from foldproof.data.fingerprints import SETTLED, KnownFiles
from foldproof.data.sources import Wanted
from foldproof.engine.environment import environment
from foldproof.engine.events import DatasetFinished
from foldproof.engine.execute import execute
from foldproof.engine.held import Keyed
from foldproof.engine.keeper import MOST
from foldproof.engine.plan import Plan
from foldproof.engine.task import TaskResult
from foldproof.learners.learner import gather
from foldproof.partitions import KFold, partition
from foldproof.store import open_store

LEARNERS, FOLDS, INSTANCES = 10, 10, 150
# Of each of many datasets.
RUNS = 100


class Made:
    """An executor that fits nothing: finished tasks, as fast as they can be handed over."""

    def run(self, plan, tasks):
        """Yield a result for each task."""
        bits = np.random.default_rng(0)
        codes = bits.integers(0, 3, (64, len(plan.dataset))).astype(np.float64)
        scores = bits.random((64, plan.splits.folds))
        for learner, run in tasks:
            i = (learner + run) % 64
            yield TaskResult(
                learner, run, {"accuracy": scores[i]}, codes[i], worker="w", finished=1.0, environment=environment()
            )  # fmt: skip


class Nothing:
    """An executor that must not be asked."""

    def run(self, plan, tasks):
        """Refuse."""
        raise AssertionError(f"{len(tasks)} tasks were run again")


def plan_of(tasks):
    bits = np.random.default_rng(1)
    data = fp.dataset(bits.normal(size=(INSTANCES, 4)), np.arange(INSTANCES) % 3)
    return Plan(
        dataset=data,
        splits=partition(KFold(FOLDS), data, runs=tasks // LEARNERS, seed=0),
        learners=gather([GaussianNB(var_smoothing=10.0 ** -(9 + i)) for i in range(LEARNERS)]),
        scorers={"accuracy": get_scorer("accuracy")},
        seed=0,
    )


def resident():
    """Return the greatest amount of memory that was used so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def writing(tasks, url):
    plan = plan_of(tasks)
    with open_store(url) as store:
        begin, begin_cpu = time.perf_counter(), time.process_time()
        execute(plan, store=store, executor=Made())
        return time.perf_counter() - begin, time.process_time() - begin_cpu


def bare(tasks, path):
    """Write as many rows of the same size with nothing but sqlite3, in transactions as large, each on disk."""
    folds, codes = bytes(8 * FOLDS), bytes(INSTANCES + 1)
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        key = "(series INT, run INT, division BLOB, value BLOB, PRIMARY KEY (series, run, division)) WITHOUT ROWID"
        for table in ("cell", "score"):
            database.execute(f"CREATE TABLE {table} {key}")
        begin, begin_cpu = time.perf_counter(), time.process_time()
        for start in range(0, tasks, MOST):
            runs = range(start, min(start + MOST, tasks))
            database.execute("BEGIN IMMEDIATE")
            for table, value in (("cell", codes), ("score", folds)):
                rows = [(run % LEARNERS, run // LEARNERS, run.to_bytes(16, "little"), value) for run in runs]
                database.executemany(f"INSERT INTO {table} VALUES (?, ?, ?, ?)", rows)
            database.execute("COMMIT")
        return time.perf_counter() - begin, time.process_time() - begin_cpu


def speed(tasks):
    taken, plain = [], []
    with tempfile.TemporaryDirectory() as folder:
        for i in range(5):
            plain.append(bare(tasks // 5, f"{folder}/bare-{i}.db"))
            taken.append(writing(tasks // 5, f"sqlite:///{folder}/bench-{i}.db"))
    for what, place in (("wall", 0), ("processor", 1)):
        times = [found[place] for found in taken]
        ratio = median(ours[place] / theirs[place] for ours, theirs in zip(taken, plain, strict=True))
        print(
            f"finished tasks written to SQLite, {what} time: {tasks // 5 / min(times):,.0f} a second at best, "
            f"{tasks // 5 / median(times):,.0f} in the median of 5 times {tasks // 5:,}; {ratio:.1f} times bare sqlite3"
        )
    resuming(tasks)


def resuming(tasks):
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/bench.db"
        writing(tasks, url)
        plan, ratios = plan_of(tasks), []
        for _ in range(5):
            with open_store(url) as store:
                series = [s.key for s in Keyed.of(plan).series]
                begin = time.process_time()
                for key in series:
                    store.keys(key)
                bare_read = time.process_time() - begin
                begin = time.process_time()
                execute(plan, store=store, executor=Nothing())
                ratios.append((time.process_time() - begin) / bare_read)
        print(f"resuming the finished plan of {tasks:,}: {median(ratios):.2f} times a bare read of the keys")


def hashing(rows=100_000):
    """Read a file whose fingerprint is known, and one whose is not."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wide.csv"
        numbers = np.random.default_rng(0).normal(size=(rows, 20))
        header = ",".join(f"x{i}" for i in range(20))
        np.savetxt(
            path, np.column_stack([numbers, np.arange(rows) % 2]), delimiter=",", header=f"{header},y", comments=""
        )
        time.sleep(SETTLED + 0.1)
        marks = {}
        ratios = []
        for _ in range(3):
            marks.clear()
            times = []
            for _ in range(2):
                begin = time.process_time()
                KnownFiles(marks.get, marks.__setitem__).read(str(path), Wanted(str(path)))
                times.append(time.process_time() - begin)
            ratios.append(times[1] / times[0])
        print(
            f"reading a csv of {rows:,} rows whose fingerprint is known: {median(ratios):.2f} times the first reading"
        )


class Watched(Made):
    """Tells how much memory there is when so many tasks are finished."""

    def __init__(self, at):
        self.at, self.seen = at, 0.0

    def run(self, plan, tasks):
        """Yield a result for each task."""
        for done, result in enumerate(super().run(plan, tasks), 1):
            yield result
            if done == self.at:
                self.seen = resident()


def peak(tasks, url):
    """Return the most memory that a plan took, and how much of it when 10,000 tasks were finished."""
    executor, plan = Watched(10_000), plan_of(tasks)
    with open_store(url) as store:
        execute(plan, store=store, executor=executor)
    return resident(), executor.seen


def peak_of_many(datasets, url):
    """Return the most memory that a plan of many datasets took, and how much of it after 10 of them."""
    bits, seen = np.random.default_rng(1), []
    spec = "sklearn.naive_bayes.GaussianNB(var_smoothing=1e-{})"
    plan = {
        "datasets": {f"d{i}": (bits.normal(size=(INSTANCES, 4)), np.arange(INSTANCES) % 3) for i in range(datasets)},
        "learners": {f"bayes-{i}": spec.format(9 + i) for i in range(LEARNERS)},
        "procedures": [{"name": "corrected-repeated-cv", "runs": RUNS, "folds": FOLDS}],
    }

    def listen(event):
        if isinstance(event, DatasetFinished):
            seen.append(resident())

    found = fp.run_plan(plan, store=url, executor=Made(), on_event=listen)
    assert found.fitted == datasets * LEARNERS * RUNS
    return resident(), seen[9]


def elsewhere(what, size):
    """Measure in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        code = [sys.executable, __file__, what, str(size), "--url", f"sqlite:///{Path(folder) / 'bench.db'}"]
        told = subprocess.run(code, capture_output=True, text=True, check=True).stdout
    return [float(number) for number in told.split()]


def memory(sizes=(10_000, 200_000)):
    """Measure each size in a process of its own."""
    (first, _), (last, early) = (elsewhere("--peak", size) for size in sizes)
    print(f"memory of the coordinator, from the 10,000th finished task to number {sizes[1]:,}: x {last / early:.3f}")
    held = (8 * FOLDS * sizes[1] + INSTANCES * sizes[1] // LEARNERS) / 2**20
    print(
        f"of a plan of {sizes[1]:,} tasks beside one of {sizes[0]:,}: x {last / first:.3f} ({first:.0f} and {last:.0f} "
        f"MB; its scores and partitions alone are {held:.0f} MB)"
    )
    (few, _), (many, early) = (elsewhere("--peak-of-many", size // (LEARNERS * RUNS)) for size in sizes)
    print(
        f"of as many tasks on {sizes[1] // (LEARNERS * RUNS)} datasets, with all verdicts, beside {sizes[0]:,} on "
        f"{sizes[0] // (LEARNERS * RUNS)}: x {many / few:.3f} ({few:.0f} and {many:.0f} MB)"
    )


def main():
    """Print the ratios."""
    given = argparse.ArgumentParser()
    given.add_argument("--tasks", type=int, default=100_000)
    given.add_argument("--memory", action="store_true")
    given.add_argument("--hashing", action="store_true")
    given.add_argument("--peak", type=int)
    given.add_argument("--peak-of-many", type=int)
    given.add_argument("--url")
    options = given.parse_args()
    if options.peak:
        print(*peak(options.peak, options.url))
    elif options.peak_of_many:
        print(*peak_of_many(options.peak_of_many, options.url))
    elif options.memory:
        memory()
    elif options.hashing:
        hashing()
    else:
        speed(options.tasks)


if __name__ == "__main__":
    main()
