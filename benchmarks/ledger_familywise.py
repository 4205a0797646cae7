"""Familywise error of the ledger's levels, on simulated ledgers of comparisons.

Run ``python benchmarks/ledger_familywise.py``; it prints two Markdown tables. The first sets the rules side by side on
normal statistics that are all equally correlated, as looks at one dataset are. The second enters looks into real
ledgers, each in a store of its own, and counts those in which anything was shown at the ledger's level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

import foldproof as fp
from foldproof.ledger import Look, LookLearner, LookPair, enter
from foldproof.store import open_store

ALPHA = 0.05
EFFECT = 3.5
LEDGERS = 20_000
ENTERED = 1_000
# The chance that a ledger of unknown length ends after a look.
STOPS = 1 / 8
SEED = 1997

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


def statistics(rng: np.random.Generator, ledgers: int, looks: int, rho: float) -> Floats:
    """Return a normal statistic for each look of each ledger, every two of a ledger with correlation rho."""
    common, own = rng.standard_normal((ledgers, 1)), rng.standard_normal((ledgers, looks))
    return rho**0.5 * common + (1.0 - rho) ** 0.5 * own


def two_sided(z: Floats) -> Floats:
    return 2.0 * stats.norm.sf(np.abs(z))


# ---- the rules, side by side ---------------------------------------------------------------------------------


def uncorrected(p: Floats) -> Flags:
    return p <= ALPHA


def bonferroni(p: Floats) -> Flags:
    return p <= fp.significance.bonferroni_level(p.shape[1], ALPHA)


def holm(p: Floats) -> Flags:
    return np.array([fp.significance.adjust_p(row, method="holm") <= ALPHA for row in p])


def spending(p: Floats) -> Flags:
    return p <= fp.significance.alpha_spending(np.arange(1, p.shape[1] + 1), alpha=ALPHA)


def fallback(p: Floats) -> Flags:
    return np.array([row <= fp.significance.online_fallback(row, alpha=ALPHA)[:-1] for row in p])


RULES: dict[str, Callable[[Floats], Flags]] = {
    "no correction": uncorrected,
    "Bonferroni, K known": bonferroni,
    "Holm, K known": holm,
    "spending 1/(j(j+1)), K unknown": spending,
    "the same, levels of rejected looks handed on": fallback,
}
NULLS = ((10, 0.0), (50, 0.0), (50, 0.5), (50, 0.9))


@dataclass(frozen=True)
class Row:
    """A rule: its familywise error for each of ``NULLS``, and its power in two situations."""

    rule: str
    familywise: tuple[float, ...]
    power_first: float
    power_fifth: float


def rules(ledgers: int = LEDGERS) -> Iterator[Row]:
    """Yield a row per rule, all on the same statistics."""
    rng = np.random.default_rng(SEED)
    nulls = [two_sided(statistics(rng, ledgers, looks, rho)) for looks, rho in NULLS]
    z = statistics(rng, ledgers, 50, 0.0)
    first, fifth = z.copy(), z.copy()
    first[:, 0] += EFFECT
    real = rng.random(z.shape) < 0.2
    fifth[real] += EFFECT
    for name, rule in RULES.items():
        yield Row(
            name,
            tuple(float(rule(p).any(axis=1).mean()) for p in nulls),
            float(rule(two_sided(first))[:, 0].mean()),
            float(rule(two_sided(fifth))[real].mean()),
        )


# ---- ledgers as they are ------------------------------------------------------------------------------------


def a_look(z: Floats, seed: int, planned: int | None) -> Look:
    """Return the look that saw these statistics: one pair for one of them, three learners for three."""
    names = ("a", "b") if len(z) == 1 else ("a", "b", "c")
    pairs = [(x, y) for i, x in enumerate(names) for y in names[i + 1 :]]
    found = []
    for (x, y), statistic in zip(pairs, z, strict=True):
        pvalue, better = float(two_sided(statistic)), x if statistic > 0 else y
        found.append(LookPair(x, y, pvalue, better, better if pvalue <= ALPHA else "none"))
    return Look(
        kind="compare",
        dataset="0" * 64,
        dataset_name="simulated",
        learners=tuple(LookLearner(name, name) for name in names),
        procedure={"name": "simulated"},
        scoring="accuracy",
        seed=seed,
        alpha=ALPHA,
        pairs=tuple(found),
        planned=planned,
    )


@dataclass(frozen=True)
class Entered:
    """Real ledgers of null comparisons: how many looks in them, in how many anything was shown, and what theory says.

    ``theory`` is exact for independent statistics, else None.
    """

    what: str
    ledgers: int
    looks: int
    theory: float | None
    familywise: float
    uncorrected: float

    @property
    def bound(self) -> float:
        """The level and two standard errors."""
        return ALPHA + 2.0 * (ALPHA * (1.0 - ALPHA) / self.ledgers) ** 0.5


def of_theory(planned: int | None, pairs: int) -> float:
    """Return the chance that anything is shown in a ledger of independent null comparisons."""

    def quiet(level: float) -> float:
        return (1.0 - level / pairs) ** pairs

    if planned is not None:
        return 1.0 - quiet(ALPHA / planned) ** planned
    # After each look the ledger ends with a chance of one in eight.
    shown, going = 0.0, 1.0
    for level in fp.significance.alpha_spending(np.arange(1, 400), alpha=ALPHA):
        shown += going * (1.0 - quiet(level))
        going *= quiet(level) * (1.0 - STOPS)
    return float(shown)


def entered(what: str, *, planned: int | None, pairs: int, rho: float, ledgers: int = ENTERED) -> Entered:
    """Enter null comparisons into so many ledgers.

    With a plan each ledger has that many looks, and what is shown is read at the end. Without one nobody knows how
    many there will be: after each look it ends with a chance of one in eight, and at once when something is shown.
    """
    rng = np.random.default_rng([SEED, planned or 0, pairs, round(100 * rho)])
    wrong = naive = looks = 0
    for _ in range(ledgers):
        with open_store("memory://") as store:
            common = rng.standard_normal()
            seen: list[Look] = []
            shown = False
            while planned is None or len(seen) < planned:
                z = rho**0.5 * common + (1.0 - rho) ** 0.5 * rng.standard_normal(pairs)
                seen.append(a_look(z, len(seen), planned))
                standing = enter(store, seen[-1])
                if planned is None:
                    shown = any(said != "none" for said in standing.at_level)
                    if shown or rng.random() < STOPS:
                        break
            if planned is not None:
                shown = any(said != "none" for look in seen for said in enter(store, look).at_level)
            wrong += shown
            naive += any(pair.pvalue is not None and pair.pvalue <= ALPHA for look in seen for pair in look.pairs)
            looks += len(seen)
    theory = of_theory(planned, pairs) if rho == 0.0 else None
    return Entered(what, ledgers, looks, theory, wrong / ledgers, naive / ledgers)


CASES = (
    ("K unknown, one pair", {"planned": None, "pairs": 1, "rho": 0.0}),
    ("K unknown, one pair, correlation 0.5", {"planned": None, "pairs": 1, "rho": 0.5}),
    ("K unknown, three learners", {"planned": None, "pairs": 3, "rho": 0.0}),
    ("K = 8 planned, one pair", {"planned": 8, "pairs": 1, "rho": 0.0}),
    ("K = 8 planned, one pair, correlation 0.5", {"planned": 8, "pairs": 1, "rho": 0.5}),
    ("K = 4 planned, three learners", {"planned": 4, "pairs": 3, "rho": 0.0}),
)


def main() -> None:
    heads = [f"K={looks}, rho {rho:g}" for looks, rho in NULLS]
    print(f"| rule | {' | '.join(heads)} | power: effect in look 1 | power: a fifth real |")
    print("|---" * (len(heads) + 3) + "|")
    for row in rules():
        errors = " | ".join(f"{value:.3f}" for value in row.familywise)
        print(f"| {row.rule} | {errors} | {row.power_first:.2f} | {row.power_fifth:.2f} |")
    print(f"\n{LEDGERS:,} ledgers each, level {ALPHA}, effect {EFFECT} sd, K = 50 for power, seed {SEED}.\n")
    print("| entered | looks | without correction | at the ledger's level | theory | at most |")
    print("|---|---|---|---|---|---|")
    for what, given in CASES:
        found = entered(what, **given)  # type: ignore[arg-type]
        theory = "" if found.theory is None else f"{found.theory:.4f}"
        rates = f"{found.uncorrected:.3f} | {found.familywise:.3f} | {theory} | {found.bound:.4f}"
        print(f"| {what} | {found.looks:,} | {rates} |", flush=True)
    print(f"\n{ENTERED:,} ledgers each; at most: {ALPHA} and two standard errors.")


if __name__ == "__main__":
    main()
