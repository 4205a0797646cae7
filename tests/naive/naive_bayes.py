"""Naive Bayes as the papers' experiments had it, spelt out, one number at a time. None is unknown.

``values`` has an attribute's number of declared values, or None where it is numeric. Weights count as repetitions.
"""

import math
from itertools import pairwise

FLOOR = 1e-75


def total(values):
    """Add up from left to right; Python's own sum compensates from 3.12 on."""
    added = 0.0
    for value in values:
        added += value
    return added


def area(z):
    """Return the area of the standard normal density left of z."""
    return 0.5 * math.erfc(-z / math.sqrt(2.0))


def fit(rows, labels, values, n_classes, *, weights=None, numeric="normal", variant="classic"):
    weights = [1.0] * len(rows) if weights is None else weights
    known = [(labels[i], w) for i, w in enumerate(weights)]
    prior = [total(w for c, w in known if c == k) for k in range(n_classes)]
    model = {"prior": [(p + 1) / (total(weights) + n_classes) for p in prior], "attributes": []}
    for a, declared in enumerate(values):
        told = [(row[a], c, w) for row, c, w in zip(rows, labels, weights, strict=True) if row[a] is not None]
        model["attributes"].append(attribute(told, declared, n_classes, numeric, variant))
    return model


def attribute(told, declared, n_classes, numeric, variant):
    """Return the likelihood of one attribute: a function of value and class."""
    if declared is not None:
        return nominal(told, declared)
    if numeric == "discretised":
        points = cuts(told, left=variant == "3.3.6", slack=1e-6 if variant == "3.3.6" else 0.0)
        binned = nominal([(interval(x, points), c, w) for x, c, w in told], len(points) + 1)
        return lambda x, c: binned(interval(x, points), c)
    if numeric == "kernel":
        return kernel(told, rounds=variant == "current")
    return normal(told, n_classes)


def nominal(told, declared):
    def likelihood(v, c):
        here = total(w for x, k, w in told if x == v and k == c)
        return (here + 1) / (total(w for _, k, w in told if k == c) + declared)

    return likelihood


def precision(told):
    distinct = sorted({x for x, _, _ in told})
    if len(distinct) < 2:
        return 0.01
    return total(b - a for a, b in pairwise(distinct)) / (len(distinct) - 1)


def rounded(x, d):
    return round(x / d) * d  # Python rounds halves to the even one


def normal(told, n_classes):
    d = precision(told)
    moments = []
    for k in range(n_classes):
        mine = [(rounded(x, d), w) for x, c, w in told if c == k]
        weight = total(w for _, w in mine)
        if weight == 0:
            moments.append((0.0, d / 6))
            continue
        added, squares = total(x * w for x, w in mine), total(x * x * w for x, w in mine)
        mean = added / weight
        spread = math.sqrt(abs(squares - mean * added) / weight)
        moments.append((mean, max(d / 6, spread) if spread > 1e-10 else d / 6))

    def likelihood(x, c):
        mean, deviation = moments[c]
        r = rounded(x, d)
        return area((r - mean + d / 2) / deviation) - area((r - mean - d / 2) / deviation)

    return likelihood


def kernel(told, rounds):
    d = max(precision(told), 1e-6)
    weight_of = {}
    for x, c, w in told:
        mine = weight_of.setdefault(c, {})
        mine[rounded(x, d)] = mine.get(rounded(x, d), 0.0) + w

    def likelihood(x, c):
        x = rounded(x, d) if rounds else x
        mine = weight_of.get(c, {})
        values = sorted(mine)
        W = total(mine[v] for v in values)
        h = max((values[-1] - values[0]) / math.sqrt(W), d / 6) if len(values) > 1 else d / 6

        def cell(v):
            return area((v - x + d / 2) / h) - area((v - x - d / 2) / h)

        if not values:  # not quite cell(0.0): far from 0 one of two mirrored differences is no longer told from nothing
            return area((x + d / 2) / h) - area((x - d / 2) / h)
        mass = seen = 0.0
        for side in ([v for v in values if v >= x], [v for v in reversed(values) if v < x]):
            for v in side:
                mass += mine[v] * cell(v)
                seen += mine[v]
                if cell(v) * (W - seen) < 0.01 * mass:
                    break
        return mass / W

    return likelihood


# ---- intervals ---------------------------------------------------------------------------------------------------


def interval(x, points):
    return sum(x > point for point in points)


def entropy(told):
    n = total(w for _, _, w in told)
    shares = [total(w for _, c, w in told if c == k) / n for k in {c for _, c, _ in told}]
    return -total(p * math.log2(p) for p in shares if p > 0)


def cuts(told, *, left, slack):
    """Return the cut points of least entropy that the description length pays for."""
    if not told:
        return []
    n, best, found = total(w for _, _, w in told), entropy(told), None
    for low, high in pairwise(sorted({x for x, _, _ in told})):
        below = [each for each in told if each[0] <= low]
        above = [each for each in told if each[0] > low]
        inside = (total(w for *_, w in below) * entropy(below) + total(w for *_, w in above) * entropy(above)) / n
        # Sums of logarithms in another order differ in the last digits: equal is equal up to those.
        if best - inside > max(slack, 1e-12):
            best, found = inside, (low if left else (low + high) / 2, below, above)
    if found is None:
        return []
    point, below, above = found
    gain = entropy(told) - best
    k, k1, k2 = (len({c for _, c, _ in part}) for part in (told, below, above))
    delta = math.log2(3**k - 2) - (k * entropy(told) - k1 * entropy(below) - k2 * entropy(above))
    if gain < 1e-6 or not gain - (math.log2(n - 1) + delta) / n > 1e-6:
        return []
    return [*cuts(below, left=left, slack=slack), point, *cuts(above, left=left, slack=slack)]


# ---- asking ------------------------------------------------------------------------------------------------------


def probabilities(model, row):
    product = list(model["prior"])
    for likelihood, value in zip(model["attributes"], row, strict=True):
        if value is None:
            continue
        product = [p * max(FLOOR, likelihood(value, c)) for c, p in enumerate(product)]
        if 0 < max(product) < FLOOR:
            product = [p * 1e75 for p in product]
    return [p / total(product) for p in product]


def predict(model, row):
    told = probabilities(model, row)
    return told.index(max(told))
