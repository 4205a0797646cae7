"""What a store costs: writing finished tasks, and resuming a plan that is finished. Ratios in one run, interleaved.

``python benchmarks/bench_store.py [--tasks 100000] [--memory]``
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
from sklearn.metrics import get_scorer
from sklearn.naive_bayes import GaussianNB

import foldproof as fp
from foldproof.engine.environment import environment
from foldproof.engine.execute import execute
from foldproof.engine.held import Keyed
from foldproof.engine.plan import Plan
from foldproof.engine.task import TaskResult
from foldproof.learners.learner import gather
from foldproof.partitions import KFold, partition
from foldproof.store import open_store

LEARNERS, FOLDS, INSTANCES = 10, 10, 150


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


def speed(tasks):
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/bench.db"
        taken, processor = writing(tasks, url)
        print(
            f"finished tasks written to SQLite: {tasks / taken:,.0f} a second, {tasks / processor:,.0f} a second of "
            f"processor time ({tasks:,} of {INSTANCES} instances)"
        )
        plan, ratios = plan_of(tasks), []
        for _ in range(5):
            with open_store(url) as store:
                series = [s.key for s in Keyed.of(plan).series]
                begin = time.perf_counter()
                for key in series:
                    store.keys(key)
                bare = time.perf_counter() - begin
                begin = time.perf_counter()
                execute(plan, store=store, executor=Nothing())
                ratios.append((time.perf_counter() - begin) / bare)
        print(f"resuming the finished plan: {median(ratios):.2f} times a bare read of the keys ({bare:.2f} s)")


def memory(sizes=(10_000, 200_000)):
    """Measure each size in a process of its own."""
    found = {}
    for tasks in sizes:
        with tempfile.TemporaryDirectory() as folder:
            code = [sys.executable, __file__, "--peak", str(tasks), "--url", f"sqlite:///{Path(folder) / 'bench.db'}"]
            found[tasks] = float(subprocess.run(code, capture_output=True, text=True, check=True).stdout)
    first, last = (found[size] for size in sizes)
    print(f"memory of the coordinator from {sizes[0]:,} to {sizes[1]:,} tasks: x {last / first:.3f} ({first:.0f} MB)")


def main():
    """Print the ratios."""
    given = argparse.ArgumentParser()
    given.add_argument("--tasks", type=int, default=100_000)
    given.add_argument("--memory", action="store_true")
    given.add_argument("--peak", type=int)
    given.add_argument("--url")
    options = given.parse_args()
    if options.peak:
        writing(options.peak, options.url)
        print(resident())
    elif options.memory:
        memory()
    else:
        speed(options.tasks)


if __name__ == "__main__":
    main()
