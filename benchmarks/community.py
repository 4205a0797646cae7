"""What a community of 100 teams claims under each rule, beside theory.

Run ``python benchmarks/community.py``; it prints Markdown tables.
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from foldproof.workflows.community import BONFERRONI, NEW_DATA, ONCE, SAME_DATA, Community, simulate_community

TEAMS = 100
COMMUNITIES = 10_000
SEED = 1997
CASES = (
    ("equally good, level 0.05", {"alpha": 0.05}),
    ("equally good, level 0.01", {"alpha": 0.01}),
    ("equally good, level 0.05, one run of ten folds", {"alpha": 0.05, "runs": 1}),
    ("equally good, level 0.05, teams correlated 0.5 through the dataset they share", {"alpha": 0.05, "shared": 0.5}),
    ("a true difference of 3.5 standard deviations, level 0.05", {"alpha": 0.05, "effect": 3.5}),
)


def of_theory(found: Community) -> dict[str, float]:
    """Return the chance that one team has something to claim, for each rule."""
    edge, strict = (stats.norm.isf(level / 2) for level in (found.alpha, found.alpha / found.teams))
    right, wrong = stats.norm.sf(edge - found.effect), stats.norm.sf(edge + found.effect)
    # The same data divided anew: both statistics beyond the edge, on the same side.
    joint = stats.multivariate_normal(cov=[[1, 1 - found.split_share], [1 - found.split_share, 1]])
    same = sum(joint.cdf(np.array([x, x])) for x in (found.effect - edge, -found.effect - edge))
    return {
        ONCE: right + wrong,
        BONFERRONI: stats.norm.sf(strict - found.effect) + stats.norm.sf(strict + found.effect),
        SAME_DATA: float(same),
        NEW_DATA: right**2 + wrong**2,
    }


def main() -> None:
    for what, given in CASES:
        found = simulate_community(TEAMS, communities=COMMUNITIES, seed=SEED, **given)  # type: ignore[arg-type]
        print(f"\n{what}\n")
        print("| who may claim a difference | teams that do | in theory | at least one | in theory |")
        print("|---|---|---|---|---|")
        for row in found.rows:
            chance = of_theory(found)[row.rule]
            one = f"{1 - (1 - chance) ** TEAMS:.3f}" if found.shared == 0 else ""
            print(f"| {row.rule} | {row.teams:.3f} | {TEAMS * chance:.3f} | {row.at_least_one:.3f} | {one} |")
    print(f"\n{COMMUNITIES:,} communities of {TEAMS} teams each, seed {SEED}.")


if __name__ == "__main__":
    main()
