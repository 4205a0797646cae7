"""The trees of Bradford & Brodley (2001), recursively, with entropies spelt out. Unweighted; None is unknown.

A row is a list of numbers, positions of values, or None; ``values[a]`` counts attribute a's declared values, or is None
where it is numeric. A node is a dict; an inner one has "test" and "branches", whose last one is for unknown.
"""

import math
from itertools import pairwise

EPS = 1e-9


def entropy(labels):
    n = len(labels)
    return -sum(labels.count(c) / n * math.log2(labels.count(c) / n) for c in set(labels))


def information(labels, parts):
    return entropy(labels) - sum(len(part) / len(labels) * entropy(part) for part in parts if part)


def spread(labels, parts):
    shares = [len(part) / len(labels) for part in parts if part]
    return -sum(share * math.log2(share) for share in shares)


def tie_order(labels, above):
    return sorted(above, key=lambda c: -labels.count(c))


def side(value, test):
    """Return the number of the branch that a value takes."""
    _, threshold, n_branches = test
    if value is None:
        return n_branches - 1
    if threshold is None:
        return value
    return 0 if value <= threshold else 1


def scored(labels, parts, declared, criterion):
    mi = information(labels, parts)
    if criterion == "mutual-information":
        return mi
    if criterion == "gain-ratio":
        return mi / spread(labels, parts)
    return mi / math.log2(max(2, declared))


def nominal_test(rows, labels, a, v, smallest, criterion):
    parts = [[] for _ in range(v + 1)]
    for row, label in zip(rows, labels, strict=True):
        parts[v if row[a] is None else row[a]].append(label)
    if sum(len(part) >= smallest for part in parts) < 2:
        return None
    return scored(labels, parts, v, criterion), (a, None, v + 1)


def numeric_test(rows, labels, a, smallest, criterion, even):
    known = sorted({row[a] for row in rows if row[a] is not None})
    found = []
    for low, high in pairwise(known):
        cut = (low + high) / 2
        parts = [[], [], []]
        for row, label in zip(rows, labels, strict=True):
            parts[side(row[a], (a, cut, 3))].append(label)
        if len(parts[0]) >= smallest and len(parts[1]) >= smallest:
            found.append((information(labels, parts), cut, parts))
    if not found:
        return None
    best = max(mi for mi, _, _ in found)
    near = [(cut, parts) for mi, cut, parts in found if mi >= best - EPS]
    if even:
        near.sort(key=lambda each: abs(len(each[1][0]) - len(each[1][1])))
    cut, parts = near[0]
    return scored(labels, parts, 2, criterion), (a, cut, 3)


def grow(
    rows, labels, values, n_classes, *, criterion="normalised-mutual-information", bounds=(2, 25, 0), even=True,
    zero_gain=True, above=None,
):  # fmt: skip
    order = tie_order(labels, above or list(range(n_classes)))
    node = {"n": len(rows), "errors": sum(c != order[0] for c in labels), "majority": order[0]}
    if node["errors"] == 0:
        return node
    lower, upper, fraction = bounds
    smallest = max(lower, min(upper, fraction * len(rows) / n_classes))
    best = None
    for a, v in enumerate(values):
        if v is None:
            test = numeric_test(rows, labels, a, smallest, criterion, even)
        else:
            test = nominal_test(rows, labels, a, v, smallest, criterion)
        if test and (zero_gain or test[0] > EPS) and (best is None or test[0] > best[0] + EPS):
            best = test
    if best is None:
        return node
    node["test"] = best[1]
    node["branches"] = []
    for b in range(best[1][2]):
        inside = [i for i, row in enumerate(rows) if side(row[best[1][0]], best[1]) == b]
        if inside:
            options = {"criterion": criterion, "bounds": bounds, "even": even, "zero_gain": zero_gain, "above": order}
            branch = grow([rows[i] for i in inside], [labels[i] for i in inside], values, n_classes, **options)
        else:
            branch = {"n": 0, "errors": 0, "majority": order[0], "uncounted": b == best[1][2] - 1}
        node["branches"].append(branch)
    return node


def leaves(node):
    if "test" not in node:
        return [] if node.get("uncounted") else [node]
    return [leaf for branch in node["branches"] for leaf in leaves(branch)]


def inner(node):
    return [node] + [t for branch in node["branches"] for t in inner(branch)] if "test" in node else []


def size(node):
    return len(leaves(node)) + len(inner(node))


def predict(node, row):
    while "test" in node:
        node = node["branches"][side(row[node["test"][0]], node["test"])]
    return node["majority"]


def as_leaf(node):
    return {key: node[key] for key in ("n", "errors", "majority")}


def pess(e, n, z=0.84 - 0.25 * 0.59):
    if n == 0:
        return 0.0
    q = min(1.0, (e + 0.5) / n)
    return n * min(1.0, (2 * n * q + z**2 + z * math.sqrt(4 * n * q + z**2 - 4 * n * q**2)) / (2 * (n + z**2)))


def prune_pessimistically(node, slack=0.0):
    if "test" not in node:
        return node
    kept = {**node, "branches": [prune_pessimistically(branch, slack) for branch in node["branches"]]}
    below = sum(pess(leaf["errors"], leaf["n"]) for leaf in leaves(kept))
    return as_leaf(node) if pess(node["errors"], node["n"]) <= below + slack + EPS else kept


def saved(node):
    return node["errors"] - sum(leaf["errors"] for leaf in leaves(node))


CHARGES = {
    "sqrt(weight*leaves)": lambda w, n: math.sqrt(w * n),
    "sqrt(weight)*(sqrt(leaves)-1)": lambda w, n: math.sqrt(w) * (math.sqrt(n) - 1),
    "leaves-1": lambda w, n: n - 1,
    "sqrt(leaves)": lambda w, n: math.sqrt(n),
}


def charge(node, penalty):
    return CHARGES[penalty](node["n"], len(leaves(node)))


def prune_with(node, factor, penalty="sqrt(weight*leaves)"):
    if "test" not in node:
        return node
    kept = {**node, "branches": [prune_with(branch, factor, penalty) for branch in node["branches"]]}
    return as_leaf(node) if saved(kept) <= factor * charge(kept, penalty) + EPS else kept


def factors(tree, penalty="sqrt(weight*leaves)"):
    found = [0.0]
    while True:
        left = inner(prune_with(tree, found[-1], penalty))
        if not left:
            return found
        found.append(min(saved(t) / charge(t, penalty) for t in left))


def choose_factor(rows, labels, values, n_classes, fold_of, *, ses=1.0, penalty="sqrt(weight*leaves)", **growing):
    """Return the factors and the place of the chosen one; ``fold_of[i]`` is the inner fold that tests row i."""
    steps = factors(grow(rows, labels, values, n_classes, **growing), penalty)
    between = [math.sqrt(low * high) for low, high in pairwise(steps)] + [math.inf]
    wrong = [0] * len(between)
    for fold in sorted(set(fold_of)):
        train = [i for i, f in enumerate(fold_of) if f != fold]
        tree = grow([rows[i] for i in train], [labels[i] for i in train], values, n_classes, **growing)
        for k, factor in enumerate(between):
            pruned = prune_with(tree, factor, penalty)
            wrong[k] += sum(predict(pruned, rows[i]) != labels[i] for i, f in enumerate(fold_of) if f == fold)
    least = min(wrong)
    allowed = least + ses * math.sqrt(least * (1 - least / len(rows)))
    return steps, max(k for k, a in enumerate(wrong) if a <= allowed + EPS)


def tddt1(rows, labels, values, n_classes, fold_of, **options):
    growing = {key: options[key] for key in ("criterion", "bounds", "even", "zero_gain") if key in options}
    steps, k = choose_factor(rows, labels, values, n_classes, fold_of, **options)
    penalty = options.get("penalty", "sqrt(weight*leaves)")
    return prune_with(grow(rows, labels, values, n_classes, **growing), steps[k], penalty)


def tddt2(rows, labels, values, n_classes, *, slack=0.0, **growing):
    return prune_pessimistically(grow(rows, labels, values, n_classes, **growing), slack)
