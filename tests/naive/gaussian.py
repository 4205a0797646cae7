"""Gaussian naive Bayes, each fold fitted by itself."""

import math


def mean(values):
    return math.fsum(values) / len(values)


def variance(values):
    middle = mean(values)
    return mean([(v - middle) ** 2 for v in values])


def predictions(rows, labels, test_fold, smoothing, standardised=False):
    """Return the predicted class of each instance that a run tests, None for the rest."""
    told = [None] * len(rows)
    for fold in sorted({f for f in test_fold if f >= 0}):
        train = [i for i, f in enumerate(test_fold) if f != fold]
        columns = [[rows[i][j] for i in train] for j in range(len(rows[0]))]
        scale = [math.sqrt(variance(c)) or 1.0 if standardised else 1.0 for c in columns]
        middle = [mean(c) for c in columns]
        scaled = [[(v - m) / s for v, m, s in zip(row, middle, scale, strict=True)] for row in rows]
        added = smoothing * max(variance([scaled[i][j] for i in train]) for j in range(len(columns)))
        model = {}
        for c in sorted({labels[i] for i in train}):
            mine = [scaled[i] for i in train if labels[i] == c]
            normals = [(mean(column), variance(column) + added) for column in zip(*mine, strict=True)]
            model[c] = math.log(len(mine) / len(train)), normals
        for i, f in enumerate(test_fold):
            if f == fold:
                told[i] = max(model, key=lambda c: (density(model[c], scaled[i]), -c))
    return told


def density(known, row):
    prior, normals = known
    return prior - sum(0.5 * math.log(2 * math.pi * v) + 0.5 * (x - m) ** 2 / v
                       for x, (m, v) in zip(row, normals, strict=True))  # fmt: skip
