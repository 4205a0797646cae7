"""C4.5 beside scikit-learn's tree on the same rows: time, growth in rows, memory. Ratios, from one run.

Half of the attributes are nominal; the class follows Friedman's function of numeric and nominal ones, with 10 % label
noise and 5 % missing values. scikit-learn gets the same data imputed and encoded beforehand, which is not timed.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

ROWS = 100_000
NOMINAL = list(range(10, 20))


def friedman_like(n: int, seed: int = 20041) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]:
    """Return X with missing values, X imputed, and the classes; columns 10 to 19 are nominal."""
    rng = np.random.default_rng(seed)
    X = np.empty((n, 20))
    X[:, :10] = rng.random((n, 10))
    for j in NOMINAL:
        X[:, j] = rng.integers(2 + (j - 10) % 5, size=n)
    score = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + 10 * X[:, 3] + 5 * X[:, 4]
    score += 3.0 * (X[:, 12] == 1) + 2.0 * X[:, 13] * (X[:, 14] < 2)
    y = (score > np.median(score)).astype(int)
    flipped = rng.random(n) < 0.1
    y[flipped] = 1 - y[flipped]
    complete = X.copy()
    hidden = rng.random(X.shape) < 0.05
    X[hidden] = np.nan
    for j in range(20):
        known = X[~hidden[:, j], j]
        complete[hidden[:, j], j] = np.bincount(known.astype(int)).argmax() if j in NOMINAL else np.median(known)
    return X, complete, y


def seconds(work: Callable[[], Any], repeats: int = 3) -> float:
    """Return the least processor time of some repetitions."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def peak_ratio(rows: int) -> float:
    """Return what a fit adds to the peak of a process of its own, in units of the data."""
    from foldproof.learners._c45 import C45

    X, complete, y = friedman_like(rows)
    del complete
    learner = C45(categorical_features=NOMINAL)
    learner.fit(X[:200], y[:200])  # compiled code is not data
    # Sets the peak back to what is resident. getrusage would not do: it keeps the peak of the process that forked.
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = resident("VmRSS")
    learner.fit(X, y)
    return (resident("VmHWM") - before) / X.nbytes


def resident(what: str) -> int:
    """Return what Linux tells of this process: bytes that are resident now (VmRSS) or were at most (VmHWM)."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith(what)).split()[1]) * 1024


def main() -> None:
    from sklearn.tree import DecisionTreeClassifier

    from foldproof.learners._c45 import C45

    data = {rows: friedman_like(rows) for rows in (ROWS // 10, ROWS // 3, ROWS)}
    C45(categorical_features=NOMINAL).fit(data[ROWS // 10][0][:500], data[ROWS // 10][2][:500])
    times = {}
    for rows, (X, complete, y) in data.items():
        ours = seconds(lambda X=X, y=y: C45(categorical_features=NOMINAL).fit(X, y))
        whole = seconds(lambda C=complete, y=y: C45(categorical_features=NOMINAL).fit(C, y))
        tree = DecisionTreeClassifier(criterion="entropy", random_state=0)
        theirs = seconds(lambda C=complete, y=y, tree=tree: tree.fit(C, y))
        times[rows] = ours
        print(f"{rows:7d} rows: C45 {ours:.2f} s, {ours / theirs:.2f} times DecisionTreeClassifier ({theirs:.2f} s); "
              f"without missing values {whole / theirs:.2f} times")  # fmt: skip
    few, many = min(times), max(times)
    print(f"growth exponent in rows: {np.log(times[many] / times[few]) / np.log(many / few):.2f}")
    if Path("/proc/self/clear_refs").exists():
        told = subprocess.run([sys.executable, __file__, "--memory"], capture_output=True, text=True, check=True)
        print(f"a fit of {ROWS} rows adds at most {float(told.stdout):.2f} times the data to memory")


if __name__ == "__main__":
    if "--memory" in sys.argv:
        print(peak_ratio(ROWS))
    else:
        main()
