"""Instructions per fit, counted by valgrind's callgrind: they repeat where times do not.

The program is run twice: once as it is, so that kernels are compiled and kept, and once under callgrind, which takes
some minutes. A fit is what so many runs of ten folds cost less what half of them cost, so preparation is left out.
Kernels are compiled for a processor that valgrind knows. Linux, with ``valgrind`` installed.

    python benchmarks/instructions.py
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from sklearn.datasets import load_iris

from bench_all_partitions import declared, nominal, numeric
from foldproof.learners import C45, NaiveBayes, NearestNeighbour, cross_predict
from foldproof.partitions import WekaKFold, partition

FOLDS, RUNS = 10, 10
TABLES = {
    "300 x 10 binary": nominal(300, [2] * 10),
    "958 x 9 of three values": nominal(958, [3] * 9),
    "iris": (*load_iris(return_X_y=True), [0] * 4),
    "990 x 13, eleven classes": numeric(990, 13, 11),
}
LEARNERS = {
    "naive Bayes": NaiveBayes(),
    "C4.5": C45(),
    "1-NN": NearestNeighbour(ranges="cumulative"),
}
# Without what valgrind does not know, AVX-512 above all.
PROCESSOR = {
    "NUMBA_CPU_NAME": "haswell",
    "NUMBA_CPU_FEATURES": "+sse4.2,+popcnt,+avx,+avx2,+fma,+bmi,+bmi2,+lzcnt",
}


def dump(label: str) -> None:
    """Have callgrind write what it counted since the last time."""
    if "FOLDPROOF_COUNTED" in os.environ:
        subprocess.run(["callgrind_control", "--dump=" + label, str(os.getpid())], check=True, capture_output=True)


def inside() -> None:
    """Do the work; what is counted is labelled with what it was."""
    for number, (data, table) in enumerate(TABLES.items()):
        dataset = declared(data, table)
        some, twice = (partition(WekaKFold(), dataset, runs=runs) for runs in (RUNS, 2 * RUNS))
        for place, learner in enumerate(LEARNERS.values()):
            cross_predict(learner, dataset, some)  # the kernels are there
            dump("before")
            cross_predict(learner, dataset, some)
            dump(f"some-{number}-{place}")
            cross_predict(learner, dataset, twice)
            dump(f"twice-{number}-{place}")


def counted(folder: Path) -> dict[tuple[int, int], float]:
    """Return instructions per fit by the numbers of data and learner."""
    found: dict[tuple[int, int], dict[str, int]] = {}
    for path in folder.glob("counts.*"):
        text = path.read_text(encoding="utf-8")
        label, total = re.search(r"Trigger: .*(some|twice)-(\d+)-(\d+)", text), re.search(r"^totals: (\d+)", text, re.M)
        if label and total:
            found.setdefault((int(label[2]), int(label[3])), {})[label[1]] = int(total[1])
    return {key: (both["twice"] - both["some"]) / (RUNS * FOLDS) for key, both in found.items()}


def main() -> None:
    if "--inside" in sys.argv:
        inside()
        return
    if not shutil.which("valgrind") or not shutil.which("callgrind_control"):
        raise SystemExit("valgrind was not found: install it (Debian: apt-get install valgrind) and run this again")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        own = os.environ | PROCESSOR | {"NUMBA_CACHE_DIR": str(folder / "kernels")}
        python = [os.path.realpath(sys.executable), __file__, "--inside"]
        own["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        subprocess.run(python, env=own, check=True)
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'counts'}"]
        subprocess.run([*valgrind, *python], env=own | {"FOLDPROOF_COUNTED": "1"}, check=True, capture_output=True)
        print("| data | learner | instructions per fit |")
        print("| --- | --- | ---: |")
        per_fit = counted(folder)
        for number, data in enumerate(TABLES):
            for place, learner in enumerate(LEARNERS):
                print(f"| {data} | {learner} | {per_fit[number, place]:,.0f} |")


if __name__ == "__main__":
    main()
