"""How often each procedure errs where a learner meets its own copy, and what some do on the simulated sources.

Run ``python benchmarks/calibration.py [--store URL] [--jobs N]``; it prints two Markdown tables. With a store, a run
that was broken off goes on where it stopped.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict

from sklearn.datasets import load_breast_cancer
from sklearn.tree import ExtraTreeClassifier

import foldproof as fp
from foldproof.report.calibration import rate
from foldproof.workflows.calibration import CalibrationRow
from foldproof.workflows.procedures import PROCEDURES

SEED = 1997
SOURCES = ["source1", "source2", "source3"]
# Open procedures at a size of their own; at their default one they are others of the list under another name.
SIZES = {"corrected-repeated-cv": {"runs": 3}, "corrected-resampling": {"runs": 30}, "k-fold-cv": {"runs": 3}}
ON_SOURCES = ["5x2cv", "corrected-resampling-100", "10-fold-cv", "averaged-10-fold-cv", "corrected-10x10-cv"]


def own_copy(trials: int, store: str | None, jobs: int) -> None:
    """Print the table of a learner against its own copy."""
    learner = {"tree": ExtraTreeClassifier(max_depth=2)}
    print("| procedure | runs x folds | claims its level | not zero | rejected | allowed |")
    print("| --- | --- | --- | ---: | ---: | ---: |")
    rows: list[CalibrationRow] = []
    for name in PROCEDURES:
        found = fp.calibrate(
            learner,
            *load_breast_cancer(return_X_y=True),
            procedure=name,
            trials=trials,
            repetitions=1,
            seed=SEED,
            n_jobs=jobs,
            store=store,
            **SIZES.get(name, {}),
        )
        rows += found.rows
    for row in sorted(rows, key=lambda row: (not row.claims_level, row.procedure)):
        told = f"{row.rejections.rate:.3f}" + ("" if row.level_kept else " (!)")
        claims = "yes" if row.claims_level else "no"
        size = f"{row.runs} x {row.folds}"
        print(f"| {row.procedure} | {size} | {claims} | {row.nonzero:.2f} | {told} | {row.allowed:.3f} |")
    print(f"\n{trials} trials each, level 0.05, seed {SEED}. Allowed: 0.05 and two standard errors.\n")


def sources(trials: int, repetitions: int, store: str | None, jobs: int) -> None:
    """Print the table of C4.5 against naive Bayes on the sources."""
    found = fp.calibrate(
        ["c45", "naive-bayes"],
        SOURCES,
        procedure=ON_SOURCES,
        trials=trials,
        repetitions=repetitions,
        seed=SEED,
        n_jobs=jobs,
        store=store,
    )
    print("| source | true difference | procedure | rejected | R | consistent |")
    print("| --- | ---: | --- | ---: | ---: | ---: |")
    for row in found.rows:
        true = "none" if row.truth is None else f"{100 * row.truth.rate:+.1f} ({100 * row.truth.standard_error:.1f})"
        told = [rate(None if found is None else asdict(found)) for found in (row.rejections, row.r, row.consistent)]
        print(f"| {' | '.join((row.origin, true, row.procedure, *told))} |")
    print(f"\n{trials} trials of {repetitions} repetitions each, 300 instances, level 0.05, seed {SEED}.")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=300, help="of a learner against its own copy")
    parser.add_argument("--samples", type=int, default=60, help="of each source")
    parser.add_argument("--repetitions", type=int, default=3, help="of a procedure on each sample")
    parser.add_argument("--store", help="keep finished trials there, and go on with them")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    own_copy(given.trials, given.store, given.jobs)
    sources(given.samples, given.repetitions, given.store, given.jobs)


if __name__ == "__main__":
    main()
