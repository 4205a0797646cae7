"""Nearest neighbours of complete numbers, one distance at a time; of equally far ones the first."""

import math


def away(a, b, power):
    gaps = [abs(x - z) for x, z in zip(a, b, strict=True)]
    return max(gaps) if power == 0 else sum(gap**power for gap in gaps)


def near_lists(rows, power, length):
    """Return, for each row, its nearest others by distance and position."""
    found = []
    for i, row in enumerate(rows):
        others = sorted((away(row, other, power), j) for j, other in enumerate(rows) if j != i)
        found.append(others[:length])
    return found


def deviations(rows):
    found = []
    for column in zip(*rows, strict=True):
        middle = math.fsum(column) / len(column)
        found.append(math.sqrt(math.fsum((v - middle) ** 2 for v in column) / len(column)) or 1.0)
    return found


def predictions(rows, labels, test_fold, k, power, *, weighted=False, mean=False, standardised=False):
    """Return what each tested instance's nearest training instances say, None for the rest."""
    told = [None] * len(rows)
    for i, fold in enumerate(test_fold):
        if fold < 0:
            continue
        train = [j for j, f in enumerate(test_fold) if f != fold]
        scale = deviations([rows[j] for j in train]) if standardised else [1.0] * len(rows[0])
        scaled = [[v / s for v, s in zip(row, scale, strict=True)] for row in rows]
        near = sorted((away(scaled[i], scaled[j], power), j) for j in train)[:k]
        root = 1.0 / power if power > 1 else 1.0
        weights = [(1.0 / d**root if weighted else 1.0, labels[j]) for d, j in near]
        if mean:
            told[i] = sum(w * v for w, v in weights) / sum(w for w, _ in weights)
        else:
            votes = {c: sum(w for w, v in weights if v == c) for c in set(labels)}
            told[i] = min(votes, key=lambda c: (-votes[c], c))
    return told
