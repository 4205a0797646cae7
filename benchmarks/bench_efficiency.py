"""How much of two cores reaches the fits: the ideal (sum of fit times over cores) over what it took.

``python benchmarks/bench_efficiency.py [--seconds 10] [--pairs 5] [--jobs 2] [--fit 1 10 100] [--processor]``

Fits burn their time: each spends so many milliseconds of its thread's processor time. Ours and scikit-learn's
``cross_validate`` on the same splits take turns, both with warm workers. ``--processor`` counts processor time of all
processes instead of the clock's (ours only): it tells what is spent beside the fits on a machine that others use too.
"""

import argparse
import time
from statistics import median

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import get_scorer
from sklearn.model_selection import cross_validate

import foldproof as fp
from foldproof.engine import pool
from foldproof.engine.execute import execute
from foldproof.engine.local import Local
from foldproof.engine.plan import Plan
from foldproof.learners.learner import gather
from foldproof.partitions import KFold, partition

FOLDS, INSTANCES = 10, 300


class Burn(ClassifierMixin, BaseEstimator):
    """Learns nothing, for so many milliseconds."""

    def __init__(self, milliseconds=1.0, who="a"):
        self.milliseconds = milliseconds
        self.who = who

    def fit(self, X, y):
        """Burn the time."""
        end = time.thread_time() + self.milliseconds / 1000
        self.classes_ = np.array([0, 1])
        while time.thread_time() < end:
            pass
        return self

    def predict(self, X):
        """Predict the first class."""
        return np.zeros(len(X), dtype=np.int64)


def plan_of(milliseconds, seconds, jobs):
    """Return a plan whose fits take so many seconds on so many cores."""
    bits = np.random.default_rng(1)
    data = fp.dataset(bits.normal(size=(INSTANCES, 10)), np.arange(INSTANCES) % 2)
    runs = max(round(1000 * seconds * jobs / (2 * FOLDS * milliseconds)), 1)
    return Plan(
        dataset=data,
        splits=partition(KFold(FOLDS), data, runs=runs, seed=0),
        learners=gather({who: Burn(milliseconds, who) for who in "ab"}),
        scorers={"accuracy": get_scorer("accuracy")},
        seed=0,
    )


def ours(plan, jobs):
    execute(plan, executor=Local(jobs))


def theirs(plan, jobs):
    for learner in plan.learners:
        cross_validate(learner.estimator, plan.dataset.X, plan.dataset.y, cv=plan.splits, n_jobs=jobs)


def clocked(way, plan, jobs):
    begin = time.perf_counter()
    way(plan, jobs)
    return time.perf_counter() - begin


def by_the_clock(milliseconds, options):
    plan = plan_of(milliseconds, options.seconds, options.jobs)
    ideal = 2 * plan.splits.runs * FOLDS * milliseconds / 1000 / options.jobs
    for way in (ours, theirs):
        clocked(way, plan_of(milliseconds, 0.2, options.jobs), options.jobs)
    pairs = [(clocked(ours, plan, options.jobs), clocked(theirs, plan, options.jobs)) for _ in range(options.pairs)]
    own, other = (median(ideal / pair[place] for pair in pairs) for place in (0, 1))
    ratio = median(pair[1] / pair[0] for pair in pairs)
    print(f"| {milliseconds:g} ms | {own:.3f} | {other:.3f} | {ratio:.2f} |", flush=True)


def spent():
    """Return the processor time of this process and of its workers, which are idle now."""
    import psutil

    workers = [worker for one in pool._idle for worker in one._workers]
    times = [psutil.Process(worker._process.pid).cpu_times() for worker in workers]
    return time.process_time() + sum(found.user + found.system for found in times)


def by_the_processor(milliseconds, options):
    plan, found = plan_of(milliseconds, options.seconds, options.jobs), []
    ours(plan_of(milliseconds, 0.2, options.jobs), options.jobs)
    for _ in range(options.pairs):
        before = spent()
        ours(plan, options.jobs)
        found.append(2 * plan.splits.runs * FOLDS * milliseconds / 1000 / (spent() - before))
    print(f"| {milliseconds:g} ms | {median(found):.3f} |", flush=True)


def main():
    """Print the table."""
    given = argparse.ArgumentParser()
    given.add_argument("--seconds", type=float, default=10.0)
    given.add_argument("--pairs", type=int, default=5)
    given.add_argument("--jobs", type=int, default=2)
    given.add_argument("--fit", type=float, nargs="+", default=[1.0, 10.0, 100.0])
    given.add_argument("--processor", action="store_true")
    options = given.parse_args()
    if options.processor:
        print("| a fit | fits' share of the processor time of all processes |\n| --- | --- |")
    else:
        short = plan_of(options.fit[0], 0.2, options.jobs)
        cold, warm = (clocked(ours, short, options.jobs) for _ in range(2))
        print(f"cold start of {options.jobs} workers: {cold - warm:.1f} s\n")
        print("| a fit | ideal / ours | ideal / cross_validate | cross_validate / ours |\n| --- | --- | --- | --- |")
    for milliseconds in options.fit:
        (by_the_processor if options.processor else by_the_clock)(milliseconds, options)


if __name__ == "__main__":
    main()
