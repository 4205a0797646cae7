"""Where a cluster's first bottleneck is: the processor time that scheduler, coordinator and workers spend beside fits.

``python benchmarks/bench_cluster.py [--workers 1 2] [--tasks 4000]``

A local Dask cluster of each size runs the same plan twice, with batches of 0.2 s as always, and with small ones. From
the two follows what a task and what a batch cost each part, and from that how many of them a second it can bear.
Processor time is counted and not the clock's, so the machine may have other things to do.
"""

import argparse
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil

from bench_efficiency import FOLDS, plan_of
from foldproof.engine import dask_executor
from foldproof.engine.dask_executor import Dask
from foldproof.engine.execute import execute
from foldproof.store import open_store

HERE = str(Path(__file__).parent)
MILLISECONDS = 0.1


def started(program, *options):
    paths = os.pathsep.join([HERE, *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", f"distributed.cli.{program}", "--host", "127.0.0.1", "--no-dashboard", *options]
    return subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": paths}
    )


def spent(process, *, children=False):
    """Return a process's processor time, or that of the processes it has started."""
    of = psutil.Process(process.pid)
    return sum(sum(one.cpu_times()[:2]) for one in (of.children() if children else [of]))


def run(plan, address, scheduler, workers, seconds):
    """Run a plan and return seconds of each part, and the number of batches."""
    batches = []
    submit = dask_executor._Run._taken
    dask_executor._Run._taken = lambda *given: batches.append(1) or submit(*given)
    me = psutil.Process()

    def now():
        return [
            spent(scheduler),
            sum(me.cpu_times()[:2]),
            sum(spent(worker) for worker in workers),
            sum(spent(worker, children=True) for worker in workers),
        ]

    with tempfile.TemporaryDirectory() as folder, open_store(f"sqlite:///{folder}/bench.db") as store:
        before = now()
        execute(plan, store=store, executor=Dask(address, patience=120, seconds=seconds))
        taken = [after - then for after, then in zip(now(), before, strict=True)]
    dask_executor._Run._taken = submit
    return taken, len(batches)


def measure(size, tasks):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    scheduler = started("dask_scheduler", "--port", str(port))
    workers = [started("dask_worker", "--nthreads", "1", "--no-nanny", address) for _ in range(size)]
    plan = plan_of(MILLISECONDS, tasks * FOLDS * MILLISECONDS / 1000 / 2, 2)
    try:
        run(plan_of(MILLISECONDS, 0.1, 2), address, scheduler, workers, 0.02)  # everybody is warm
        (large, few), (small, many) = (run(plan, address, scheduler, workers, s) for s in (0.2, 0.01))
    finally:
        for process in [*workers, scheduler]:
            process.kill()
            process.wait()
    count = 2 * plan.splits.runs
    for place, part in enumerate(["scheduler", "coordinator, with the store", "Dask's workers", "fits' processes"]):
        batch = (small[place] - large[place]) / (many - few)
        task = (large[place] - batch * few) / count
        print(f"| {size} | {part} | {1e3 * batch:.2f} | {1e6 * task:.0f} |", flush=True)
    print(f"| {size} | (batches: {few} and {many} of {count} tasks) | | |", flush=True)


def main():
    """Print the table."""
    given = argparse.ArgumentParser()
    given.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    given.add_argument("--tasks", type=int, default=4000)
    options = given.parse_args()
    print("| workers | part | a batch, ms | a task, µs |\n| --- | --- | --- | --- |")
    for size in options.workers:
        measure(size, options.tasks)


if __name__ == "__main__":
    main()
