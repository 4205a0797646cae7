"""Naive Bayes on intervals of least entropy, spelt out. Unweighted; None is unknown."""

import math
from itertools import pairwise

from naive.tddt import EPS, entropy, information


def cuts(values, labels, smallest=1, even=True):
    """Return the cut points of one attribute from its known values."""
    found = []
    for low, high in pairwise(sorted(set(values))):
        cut = (low + high) / 2
        left = [c for v, c in zip(values, labels, strict=True) if v <= cut]
        right = [c for v, c in zip(values, labels, strict=True) if v > cut]
        if min(len(left), len(right)) >= smallest:
            found.append((information(labels, [left, right]), cut, left, right))
    if not found or entropy(labels) == 0:
        return []
    best = max(gain for gain, *_ in found)
    near = [each for each in found if each[0] >= best - EPS]
    if even:
        near.sort(key=lambda each: abs(len(each[2]) - len(each[3])))
    gain, cut, left, right = near[0]
    n, k = len(labels), len(set(labels))
    excess = k * entropy(labels) - len(set(left)) * entropy(left) - len(set(right)) * entropy(right)
    if not gain > (math.log2(n - 1) + math.log2(3**k - 2) - excess) / n:
        return []
    pairs = list(zip(values, labels, strict=True))
    below = [pair for pair in pairs if pair[0] <= cut]
    above = [pair for pair in pairs if pair[0] > cut]
    return [
        *cuts([v for v, _ in below], [c for _, c in below], smallest, even),
        cut,
        *cuts([v for v, _ in above], [c for _, c in above], smallest, even),
    ]


def fit(rows, labels, values, n_classes, **options):
    model = {"labels": labels, "k": n_classes, "attributes": []}
    for a, v in enumerate(values):
        column = [row[a] for row in rows]
        points = None
        if v is None:
            known = [(x, c) for x, c in zip(column, labels, strict=True) if x is not None]
            points = cuts([x for x, _ in known], [c for _, c in known], **options)
            column = [interval(x, points) for x in column]
        pairs = list(zip(column, labels, strict=True))
        declared = v if v is not None else len(points) + 1
        model["attributes"].append({"points": points, "pairs": pairs, "v": declared, "u": int(None in column)})
    return model


def interval(value, points):
    return None if value is None else sum(value > point for point in points)


def probabilities(model, row):
    labels, k = model["labels"], model["k"]
    joint = [(labels.count(c) + 1) / (len(labels) + k) for c in range(k)]
    for attribute, value in zip(model["attributes"], row, strict=True):
        if attribute["points"] is not None:
            value = interval(value, attribute["points"])
        if value is None:
            continue
        for c in range(k):
            together = attribute["pairs"].count((value, c))
            joint[c] *= (together + 1) / (labels.count(c) + attribute["v"] + attribute["u"])
        joint = [p / max(joint) for p in joint]
    return [p / sum(joint) for p in joint]


def predict(model, row):
    told = probabilities(model, row)
    return max(range(model["k"]), key=lambda c: (told[c], model["labels"].count(c), -c))
