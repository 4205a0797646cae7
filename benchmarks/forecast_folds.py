"""The forecast at other numbers of folds than ten: how its prior was chosen, and whether forecasts then hold.

Run ``python benchmarks/forecast_folds.py``; it prints Markdown tables, in about four minutes of one core. Four random
networks serve to choose, twelve others to check. On each training set three learners are compared on 100 runs of k
folds; experiments of r runs that share none say how probable their verdict is, and how many of the others agree.

With ``--data-dir DATASETS`` it asks instead why forecasts miss on some of the datasets of the study foldproof-2026:
how far off they are there, and how far off they are on the networks at the same distances from the critical value.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy import stats

import foldproof as fp
from foldproof.data.bayesnet import BayesianNetwork, random_network
from foldproof.data.catalog import find_dataset
from foldproof.data.simulated import sampled
from foldproof.domain.address import Address
from foldproof.domain.dataset import Dataset
from foldproof.domain.partitions import Partitions
from foldproof.learners import cross_predict
from foldproof.partitions import KFold, partition
from foldproof.studies.finding import find_study

LEARNERS = ("naive-bayes", "c45", "nearest-neighbour")
PAIRS = ("NB vs C4.5", "NB vs NN", "C4.5 vs NN")
# Arcs and seed of random networks; None: nothing to learn.
TO_CHOOSE = ((4, 1), (12, 1), (18, 1), (36, 1))
TO_CHECK = ((None, 1), (0, 2), (2, 2), (4, 2), (6, 2), (9, 2), (12, 2), (15, 2), (18, 2), (18, 3), (24, 2), (36, 2))
FOLDS = (2, 3, 5, 10, 20, 50)
SIZES = (100, 300, 1000)
RUNS = (1, 2, 3, 5, 10)
EVERY = 100
SETS = 40
ALPHA = 0.05
SEED = 0
# Edges of the classes of distances to the critical value, and what is near to it.
EDGES = (-1.5, -1.0, -0.6, -0.3, 0.0, 0.3, 0.6, 1.0, 1.5, 2.5, 4.0)
NEAR = 0.6
POWERS = (0.0, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1.0)

Floats = npt.NDArray[np.float64]
# The prior guess as a share of s^2 / (kr), by folds and runs.
Rule = Callable[[int, int], float]


def critical(folds: int, runs: int) -> float:
    return float(stats.t.isf(ALPHA / 2, folds * runs - 1))


def rule(power: float, one_run: bool = True) -> Rule:
    """Return 0.7 (9/(k-1))^power, with one run times the squared ratio of critical values if wanted."""

    def share(folds: int, runs: int) -> float:
        few = (critical(folds, 1) / critical(10, 1)) ** 2 if one_run and runs == 1 else 1.0
        return float(0.7 * (9 / (folds - 1)) ** power * few)

    return share


BEFORE, AFTER = rule(0.0, one_run=False), rule(0.75)


def networks(which: Sequence[tuple[int | None, int]]) -> list[BayesianNetwork]:
    return [random_network(arcs, seed) for arcs, seed in which]


def differences(network: BayesianNetwork, instances: int, folds: int, sets: int) -> Floats:
    """Return differences of accuracy: training sets x pairs x runs x folds."""
    return np.stack([_of_one(network, instances, folds, number) for number in range(sets)])


def _of_one(network: BayesianNetwork, instances: int, folds: int, number: int) -> Floats:
    data = sampled(network, instances, Address(SEED, f"sample {network.name} {instances}", number).stream())
    return _compared(data, partition(KFold(folds), data, seed=SEED, runs=EVERY, repetition=0))


def _compared(data: Dataset, runs: Partitions) -> Floats:
    """Return the pairs' differences: pairs x runs x folds."""
    place = (np.arange(runs.runs)[:, np.newaxis] * runs.folds + runs.test_fold).ravel()
    sizes = np.bincount(place)
    scores = []
    for learner in LEARNERS:
        right = cross_predict(learner, data, runs) == data.target_codes
        scores.append((np.bincount(place, weights=right.ravel()) / sizes).reshape(runs.runs, runs.folds))
    return np.stack([scores[a] - scores[b] for a, b in combinations(range(len(LEARNERS)), 2)])


def experiments(tables: Floats, runs: int) -> Floats:
    """Cut the runs into experiments that share none."""
    *outer, every, folds = tables.shape
    each = every // runs
    return tables[..., : each * runs, :].reshape(*outer, each, runs, folds)


def forecasts(tables: Floats, share: float) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Return what experiments (... x runs x folds) forecast with this prior share, and their verdicts' signs."""
    runs, folds = tables.shape[-2:]
    n = runs * folds
    factor = 1 / n + 1 / (folds - 1)
    flat = tables.reshape(*tables.shape[:-2], n)
    mean, variance = flat.mean(axis=-1), flat.var(axis=-1, ddof=1)
    equal = variance < 1e-14
    variance = np.where(equal, 1.0, variance)
    t = np.where(equal, np.where(np.abs(mean) < 1e-9, 0.0, np.sign(mean) * 1e9), mean / np.sqrt(factor * variance))
    v, beyond = np.full(t.shape, share / n / factor), stats.norm
    if runs > 1:
        between = tables.mean(axis=-1).var(axis=-1, ddof=1) / (runs * factor * variance)
        v, beyond = ((runs - 1) * between + 4 * v) / (runs + 3), stats.t(runs + 3)
    edge, scale = critical(folds, runs), np.where(equal, 1e-9, np.sqrt(2 * v))
    above, below = beyond.sf((edge - t) / scale), beyond.cdf((-edge - t) / scale)
    sign = (t >= edge).astype(np.int64) - (t <= -edge)
    return np.select([sign == 1, sign == -1], [above, below], 1 - above - below), sign


def agreement(signs: npt.NDArray[np.int64]) -> Floats:
    """Return for each experiment the share of the others on its training set and pair that say the same."""
    same = sum((signs == code) * (np.count_nonzero(signs == code, axis=-1, keepdims=True) - 1.0) for code in (-1, 0, 1))
    return np.asarray(same / (signs.shape[-1] - 1.0))


def missed(tables: Floats, runs: int, share: Rule) -> Floats:
    """Return by how much forecasts are off: training sets x pairs x experiments."""
    return _missed(experiments(tables, runs), share)


def _missed(cut: Floats, share: Rule) -> Floats:
    told, signs = forecasts(cut, share(cut.shape[-1], cut.shape[-2]))
    return told - agreement(signs)


def held_against_the_package(tables: Floats) -> float:
    """Return how far the forecasts of this file are from the package's, at most, on one training set."""
    largest = 0.0
    for runs in RUNS:
        for own in experiments(tables[0], runs)[:, 0]:
            ours = forecasts(own, AFTER(own.shape[-1], runs))[0]
            largest = max(
                largest, abs(float(ours) - fp.replicability.forecast(fp.Differences(own), alpha=ALPHA).forecast)
            )
    return largest


def choosing(sets: int) -> Iterator[str]:
    """Yield the tables of the networks that serve to choose."""
    made = {(n, k): [differences(net, n, k, sets) for net in networks(TO_CHOOSE)] for n in SIZES for k in FOLDS}
    yield "| folds | " + " | ".join(f"{n} instances" for n in SIZES) + " | power of 9/(k-1) from ten folds |"
    yield "| ---: |" + " ---: |" * (len(SIZES) + 1)
    varies = {cell: float(np.mean([_between(own) for own in tables])) for cell, tables in made.items()}
    ten = np.mean([varies[n, 10] for n in SIZES])
    for k in FOLDS:
        own = [varies[n, k] for n in SIZES]
        power = "" if k == 10 else f"{np.log(np.mean(own) / ten) / np.log(9 / (k - 1)):.2f}"
        yield f"| {k} | {' | '.join(f'{v:.3f}' for v in own)} | {power} |"
    yield "\nThe variance of run means, as a share of s^2 / k.\n"
    yield "| power | " + " | ".join(f"{k} folds" for k in FOLDS if k != 10) + " | all | all, one run like more |"
    yield "| ---: |" + " ---: |" * (len(FOLDS) + 1)
    for power in POWERS:
        both = []
        for share in (rule(power), rule(power, one_run=False)):
            off = {
                (k, n, runs): np.mean([missed(own, runs, share).mean() for own in made[n, k]])
                for k in FOLDS
                for n in SIZES
                for runs in RUNS
            }
            squares = [[off[cell] ** 2 for cell in off if cell[0] == k] for k in FOLDS if k != 10]
            both.append([np.sqrt(np.mean(s)) for s in squares] + [np.sqrt(np.mean(squares))])
        yield f"| {power} | {' | '.join(f'{v:.4f}' for v in (*both[0], both[1][-1]))} |"
    yield "\nBy how much mean forecasts are off: root mean square over sizes and numbers of runs.\n"


def _between(tables: Floats) -> float:
    folds = tables.shape[-1]
    spread = tables.reshape(*tables.shape[:2], -1).var(axis=-1, ddof=1)
    return float(np.mean(folds * tables.mean(axis=-1).var(axis=-1, ddof=1) / spread))


def checking(sets: int) -> Iterator[str]:
    """Yield the tables of the other networks: before and after, and after by pair of learners."""
    heading = " | ".join(f"{runs} run{'s' * (runs > 1)}" for runs in RUNS)
    yield f"| folds | instances | {heading} |"
    yield "| ---: | ---: |" + " ---: |" * len(RUNS)
    pairs: list[str] = []
    for k in FOLDS:
        by_pair: list[list[Floats]] = [[] for _ in RUNS]
        for n in SIZES:
            made = [differences(net, n, k, sets) for net in networks(TO_CHECK)]
            cells = []
            for column, runs in enumerate(RUNS):
                off = [
                    np.array([missed(own, runs, share).mean(axis=(0, 2)) for own in made]) for share in (BEFORE, AFTER)
                ]
                by_pair[column].append(off[1])
                cells.append(" → ".join(told(own.mean(axis=1)) for own in off))
            yield f"| {k} | {n} | {' | '.join(cells)} |"
        for number, pair in enumerate(PAIRS):
            cells = [told(np.mean(by_pair[column], axis=0)[:, number]) for column in range(len(RUNS))]
            pairs.append(f"| {k} | {pair} | {' | '.join(cells)} |")
    yield "\n(!): off by more than 0.02 and two standard errors over networks. By pair, after, all sizes:\n"
    yield f"| folds | pair | {heading} |"
    yield "| ---: | --- |" + " ---: |" * len(RUNS)
    yield from pairs


def explaining(data_dir: str, sets: int) -> Iterator[str]:
    """Yield how far off forecasts are on classes of datasets, and what their distances to the threshold explain."""
    data = [find_dataset(name, data_dir) for name in find_study("foldproof-2026").datasets]
    classes = np.array_split(sorted(data, key=len), 3)
    yield "| folds | runs | " + " | ".join(f"{len(own[0])} to {len(own[-1])} instances" for own in classes) + " |"
    yield "| ---: | ---: |" + " ---: |" * len(classes)
    for k in (5, 10, 20):
        simulated = [differences(net, n, k, sets) for net in networks(TO_CHECK) for n in (300, 1000)]
        found = [np.stack([_as_in_the_study(one, k) for one in own]) for own in classes]
        for runs in RUNS:
            at = np.concatenate([distances(own, runs).ravel() for own in simulated])
            off = np.concatenate([missed(own, runs, AFTER).mean(axis=-1).ravel() for own in simulated])
            usual = np.array([off[np.digitize(at, EDGES) == place].mean() for place in range(len(EDGES) + 1)])
            cells = []
            for own in found:
                cut = experiments(own, runs).reshape(*own.shape[:2], -1, runs, k)
                far = distances(own.reshape(*own.shape[:2], -1, k), runs)
                near, expected = np.mean(np.abs(far) < NEAR), usual[np.digitize(far, EDGES)].mean()
                cells.append(f"{_missed(cut, AFTER).mean():+.3f} / {expected:+.3f} ({100 * near:.0f} %)")
            yield f"| {k} | {runs} | {' | '.join(cells)} |"
    yield f"\nOff by / what is usual so near to the critical value (share within {NEAR} of it)."


def _as_in_the_study(data: Dataset, folds: int) -> Floats:
    """Return the study's differences: pairs x repetitions x runs x folds."""
    parts = [partition(KFold(folds), data, seed=0, runs=10, repetition=repetition) for repetition in range(10)]
    runs = Partitions(np.concatenate([part.test_fold for part in parts]), scheme=parts[0].scheme)
    return _compared(data, runs).reshape(len(PAIRS), 10, 10, folds)


def distances(tables: Floats, runs: int) -> Floats:
    """Return how far the statistic is from its critical value, both as experiments of so many runs have them."""
    folds = tables.shape[-1]
    flat = tables.reshape(*tables.shape[:-2], -1)
    error = np.sqrt((1 / (runs * folds) + 1 / (folds - 1)) * np.maximum(flat.var(axis=-1, ddof=1), 1e-14))
    return np.asarray(np.abs(flat.mean(axis=-1)) / error - critical(folds, runs))


def told(by_network: Floats) -> str:
    mean, error = by_network.mean(), by_network.std(ddof=1) / np.sqrt(len(by_network))
    return f"{mean:+.3f}" + (" (!)" if abs(mean) > 0.02 + 2 * error else "")


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=SETS, help="training sets of each network and size")
    parser.add_argument("--data-dir", help="where the datasets are: explain what was found on them")
    given = parser.parse_args()
    sets = given.sets
    if given.data_dir is not None:
        for line in explaining(given.data_dir, sets):
            print(line, flush=True)
        return
    apart = held_against_the_package(differences(networks(TO_CHECK)[8], 300, 5, 1))
    print(f"Forecasts of this file and of the package differ by at most {apart:.1e}.\n")
    for lines in (choosing, checking):
        for line in lines(sets):
            print(line, flush=True)
    print(f"\n{sets} training sets of each network and size, {EVERY} runs of each, level {ALPHA}, seed {SEED}.")


if __name__ == "__main__":
    main()
