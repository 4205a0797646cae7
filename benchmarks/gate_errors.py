"""How often a gate passes what should not pass and fails what should not fail, where the truth is known.

Run ``python benchmarks/gate_errors.py``; it prints a Markdown table. Differences are normal and equally correlated,
with the correlation n2 / (n1 + n2) that the corrected variance takes for granted. No learners are needed.
"""

from __future__ import annotations

import numpy as np

import foldproof as fp
from foldproof.workflows.gate import margin_test

TABLES, ALPHA, SEED, MARGIN = 10_000, 0.05, 1997, 1.0
SHAPES = {"10 x 10": (10, 10), "5 x 5": (5, 5)}
# The true difference in margins, candidate - baseline; and the spread of single differences.
CASES = {
    "noninferiority": (0.0, -1.0, -1.5),
    "superiority": (0.0, 1.0, 1.5),
    "equivalence": (0.0, 1.0, -1.5),
}
SPREADS = (0.5, 2.0)


def rates(mode: str, shape: tuple[int, int], shift: float, spread: float) -> tuple[float, float, float]:
    """Return how often the gate passes, fails and cannot decide."""
    rho = 1.0 / shape[1]
    rng = np.random.default_rng(SEED)
    common, own = rng.standard_normal((TABLES, 1, 1)), rng.standard_normal((TABLES, *shape))
    tables = shift + spread * (rho**0.5 * common + (1 - rho) ** 0.5 * own)
    said = [str(margin_test(mode, fp.Differences(table), MARGIN).decide(alpha=ALPHA)) for table in tables]
    holds, fails, undecided = (said.count(word) / TABLES for word in ("holds", "fails", "undecided"))
    return holds, fails, undecided


def main() -> None:
    """Print the table."""
    print("| mode | runs x folds | true difference | sd of a difference | pass | fail | undecided |")
    print("|---|---|---|---|---|---|---|")
    for mode, shifts in CASES.items():
        for design, shape in SHAPES.items():
            for shift in shifts:
                for spread in SPREADS:
                    holds, fails, undecided = rates(mode, shape, shift, spread)
                    where = f"{shift:+g} margins" if shift else "none"
                    row = (mode, design, where, f"{spread:g}", f"{holds:.3f}", f"{fails:.3f}", f"{undecided:.3f}")
                    print(f"| {' | '.join(row)} |")
    print(f"\n{TABLES:,} tables each, one-sided level {ALPHA}, seed {SEED}. Standard error at 0.05: 0.002.")


if __name__ == "__main__":
    main()
