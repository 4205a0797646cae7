"""C4.5 as J48 behaves, recursive and slow, with the rules in the order in which the specification tells them.

A training set is a list of rows (NaN = missing, nominal values as positions), a list of class positions, weights, and for
each attribute the number of its declared values (0 where it is numeric).
"""

import math
from itertools import pairwise
from statistics import NormalDist

EPS = 1e-6


def same(a, b):
    return abs(a - b) < EPS


def less(a, b):
    return b - a > EPS


def greater(a, b):
    return a - b > EPS


def at_most(a, b):
    return a - b < EPS


def at_least(a, b):
    return b - a < EPS


def missing(x):
    return x != x


def total(values):
    """Add up from left to right; Python's own sum compensates from 3.12 on."""
    added = 0.0
    for value in values:
        added += value
    return added


def f(v):
    return 0.0 if v < 1e-6 else v * math.log2(v)


def majority(weights):
    best, place = 0.0, 0
    for c, weight in enumerate(weights):
        if greater(weight, best):
            best, place = weight, c
    return place


def errors_of(weights):
    return total(weights) - weights[majority(weights)]


class Node:
    """A leaf (attribute None) with class weights, or a test with the table of weights per branch and class."""

    def __init__(self, totals):
        self.totals = totals
        self.attribute = self.threshold = self.table = None
        self.children = []

    def become_leaf(self, totals):
        self.totals, self.attribute, self.threshold, self.table, self.children = totals, None, None, None, []


class C45:
    def __init__(self, sizes, n_classes, *, confidence=0.25, min_instances=2, subtree_raising=True, unpruned=False,
                 collapse=True, variant="classic", deviations="normal"):  # fmt: skip
        self.sizes, self.K, self.M = sizes, n_classes, min_instances
        self.CF, self.raising, self.unpruned, self.collapsing = confidence, subtree_raising, unpruned, collapse
        self.classic, self.by_table = variant == "classic", deviations == "table"

    def fit(self, rows, y, weights=None):
        weights = [1.0] * len(rows) if weights is None else weights
        self.X, self.y, self.counts = rows, y, weights
        S = [(i, float(w)) for i, w in enumerate(weights) if w > 0]
        self.N0 = total(w for _, w in S)
        self.values = [sorted({rows[i][j] for i, _ in S if not missing(rows[i][j])}) for j in range(len(self.sizes))]
        self.root = self.grow(S)
        if self.collapsing:
            self.collapse(self.root)
        if not self.unpruned:
            self.prune(self.root, S)
        return self

    # ---- 3.1 growing -----------------------------------------------------------------------------------------

    def class_weights(self, S):
        totals = [0.0] * self.K
        for i, w in S:
            totals[self.y[i]] += w
        return totals

    def grow(self, S):
        node = Node(self.class_weights(S))
        W = total(node.totals)
        if less(W, 2 * self.M) or any(same(W, weight) for weight in node.totals):
            return node
        chosen = self.choose(S, W)
        if chosen is None:
            return node
        node.attribute, cut = chosen
        if cut is not None:
            slack = EPS if self.classic else 0.0
            below = [v for v in self.values[node.attribute] if (v - cut < slack if self.classic else v <= cut)]
            node.threshold = below[-1]
        node.children = [None] * (self.sizes[node.attribute] or 2)
        self.tabulate(node, S)
        node.children = [self.grow(part) for part in self.route(node, S)]
        return node

    def choose(self, S, W):
        found = []
        for j in range(len(self.sizes)):
            found.append(self.nominal_split(S, W, j) if self.sizes[j] else self.numeric_split(S, W, j))
        few = [size == 0 or less(size, 0.3 * self.N0) for size in self.sizes]
        if not any(few):
            few = [True] * len(few)
        counted = [split[0] for split, ok in zip(found, few, strict=True) if split is not None and ok]
        if not counted:
            return None
        average = total(counted) / len(counted)
        best, chosen = 0.0, None
        for j, split in enumerate(found):
            if split is not None and split[0] >= average - 1e-3 and greater(split[1], best):
                best, chosen = split[1], (j, split[2])
        return chosen

    def gain_of(self, D, W):
        T = total(map(sum, D))
        before = f(T) - total(f(total(column)) for column in zip(*D, strict=True))
        after = total(f(total(row)) - total(f(v) for v in row) for row in D)
        gained = T / W * (before - after)
        return 0.0 if same(gained, 0) else gained / T

    def ratio_of(self, gain, D, W):
        T = total(map(sum, D))
        info = f(W) - f(W - T) - total(f(total(row)) for row in D)
        return 0.0 if same(info, 0) else gain / (info / W)

    def nominal_split(self, S, W, j):
        D = [[0.0] * self.K for _ in range(self.sizes[j])]
        for i, w in S:
            if not missing(self.X[i][j]):
                D[int(self.X[i][j])][self.y[i]] += w
        if total(at_least(total(row), self.M) for row in D) < 2:
            return None
        gain = self.gain_of(D, W)
        return gain, self.ratio_of(gain, D, W), None

    def numeric_split(self, S, W, j):
        known = sorted(((self.X[i][j], i, w) for i, w in S if not missing(self.X[i][j])))
        T = total(w for _, _, w in known)
        least = 0.1 * T / self.K
        if at_most(least, self.M):
            least = self.M
        elif greater(least, 25):
            least = 25
        if less(total(self.counts[i] for _, i, _ in known), 2 * least):
            return None
        left, right = [0.0] * self.K, self.class_weights([(i, w) for _, i, w in known])
        best, place, admissible, D = 0.0, None, 0, None
        for (x, i, w), (following, _, _) in pairwise(known):
            left[self.y[i]] += w
            right[self.y[i]] -= w
            if x + 1e-5 < following and at_least(total(left), least) and at_least(total(right), least):
                admissible += 1
                gain = self.gain_of([left, right], W)
                if greater(gain, best):
                    best, place, D = gain, (x, following), [left[:], right[:]]
        if place is None:
            return None
        gain = best - math.log2(admissible) / W
        if at_most(gain, 0):
            return None
        return gain, self.ratio_of(gain, D, W), place[0] / 2 + place[1] / 2

    def branch(self, node, i):
        x = self.X[i][node.attribute]
        if missing(x):
            return None
        if node.threshold is None:
            return int(x)
        below = x - node.threshold < EPS if self.classic else x <= node.threshold
        return 0 if below else 1

    def tabulate(self, node, S):
        """Fill the stored table: the known ones, then the others spread in proportion to them."""
        B = len(node.children)
        node.table = [[0.0] * self.K for _ in range(B)]
        node.totals = [0.0] * self.K
        unknown = []
        for i, w in S:
            b = self.branch(node, i)
            if b is None:
                unknown.append((i, w))
            else:
                node.table[b][self.y[i]] += w
                node.totals[self.y[i]] += w
        shares = [total(row) for row in node.table]
        T = total(shares)
        shares = [share / T if T > 0 else 1 / B for share in shares]
        for i, w in unknown:
            node.totals[self.y[i]] += w
            for b in range(B):
                node.table[b][self.y[i]] += shares[b] * w

    def shares(self, node):
        sums = [total(row) for row in node.table]
        T = total(sums)
        return [v / T if T > 0 else 1 / len(sums) for v in sums]

    def route(self, node, S):
        parts = [[] for _ in node.children]
        shares = self.shares(node)
        for i, w in S:
            b = self.branch(node, i)
            if b is not None:
                parts[b].append((i, w))
            else:
                for k, share in enumerate(shares):
                    if share > EPS:
                        parts[k].append((i, w * share))
        return parts

    # ---- 3.2 collapse ----------------------------------------------------------------------------------------

    def training_errors(self, node):
        if node.attribute is None:
            return errors_of(node.totals)
        return total(self.training_errors(child) for child in node.children)

    def collapse(self, node):
        if node.attribute is None:
            return
        if self.training_errors(node) >= errors_of(node.totals) - 1e-3:
            node.become_leaf(node.totals)
        else:
            for child in node.children:
                self.collapse(child)

    # ---- 3.3 estimated errors --------------------------------------------------------------------------------

    def deviation(self):
        if not self.by_table:
            return NormalDist().inv_cdf(1 - self.CF)
        tails = [0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00]
        deviations = [4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00]
        k = next(k for k in range(1, 9) if tails[k] >= self.CF)
        part = (self.CF - tails[k - 1]) / (tails[k] - tails[k - 1])
        return deviations[k - 1] + (deviations[k] - deviations[k - 1]) * part

    def extra(self, N, e):
        z = self.deviation()
        if e < (0.9999 if self.by_table else 1):
            base = N * (1 - self.CF ** (1 / N))
            return base if e == 0 else base + e * (self.extra(N, 1) - base)
        if e + 0.5 >= N:
            return 0.67 * (N - e) if self.by_table else max(N - e, 0)
        if self.by_table:
            inner = z**2 * ((e + 0.5) * (1 - (e + 0.5) / N) + z**2 / 4)
            return N * (e + 0.5 + z**2 / 2 + math.sqrt(inner)) / (N + z**2) - e
        g = (e + 0.5) / N
        root = math.sqrt(g / N - g * g / N + z * z / (4 * N * N))
        return N * (g + z * z / (2 * N) + z * root) / (1 + z * z / N) - e

    def estimated(self, totals):
        N = total(totals)
        if same(N, 0):
            return 0.0
        e = errors_of(totals)
        return e + self.extra(N, e)

    def estimated_tree(self, node):
        if node.attribute is None:
            return self.estimated(node.totals)
        return total(self.estimated_tree(child) for child in node.children)

    # ---- 3.4 and 3.5 pruning ---------------------------------------------------------------------------------

    def prune(self, node, S):
        if node.attribute is None:
            return
        for child, part in zip(node.children, self.route(node, S), strict=True):
            self.prune(child, part)
        most, largest = 0.0, 0
        for b, row in enumerate(node.table):
            if at_least(total(row), most):
                most, largest = total(row), b
        child = node.children[largest]
        leaf, tree = self.estimated(node.totals), self.estimated_tree(node)
        raised = self.estimated_elsewhere(child, S) if self.raising else math.inf
        if at_most(leaf, tree + 0.1) and at_most(leaf, raised + 0.1):
            node.become_leaf(node.totals)
        elif at_most(raised, tree + 0.1):
            node.attribute, node.threshold, node.children = child.attribute, child.threshold, child.children
            self.recompute(node, S)
            self.prune(node, S)

    def estimated_elsewhere(self, node, S):
        if node.attribute is None:
            return self.estimated(self.class_weights(S))
        trial = Node(None)
        trial.attribute, trial.threshold, trial.children = node.attribute, node.threshold, node.children
        self.tabulate(trial, S)
        parts = self.route(trial, S)
        return total(self.estimated_elsewhere(child, part) for child, part in zip(node.children, parts, strict=True))

    def recompute(self, node, S):
        if node.attribute is None:
            node.become_leaf(self.class_weights(S))
            return
        self.tabulate(node, S)
        for child, part in zip(node.children, self.route(node, S), strict=True):
            self.recompute(child, part)

    # ---- 3.6 prediction --------------------------------------------------------------------------------------

    def empty(self, node):
        return node.attribute is None and same(total(node.totals), 0)

    def normalised(self, weights):
        T = total(weights)
        return [w / T for w in weights] if T > 0 else [0.0] * self.K

    def probabilities(self, row):
        return self._at(self.root, row)

    def _at(self, node, row):
        if node.attribute is None:
            return self.normalised(node.totals)
        self.X = [row]
        b = self.branch(node, 0)
        if b is None:
            answer = [0.0] * self.K
            for share, child in zip(self.shares(node), node.children, strict=True):
                if not self.empty(child):
                    answer = [a + share * p for a, p in zip(answer, self._at(child, row), strict=True)]
            return answer
        if not self.empty(node.children[b]):
            return self._at(node.children[b], row)
        instead = node.table[b] if total(node.table[b]) > 0 else node.totals
        if self.classic:
            return [float(c == majority(instead)) for c in range(self.K)]
        return self.normalised(instead)

    def predict(self, row):
        chances = self.probabilities(row)
        return chances.index(max(chances))

    # ---- what it looks like ----------------------------------------------------------------------------------

    def leaves(self, node=None):
        node = node or self.root
        return sum(map(self.leaves, node.children)) if node.children else 1

    def size(self, node=None):
        node = node or self.root
        return 1 + sum(map(self.size, node.children))

    def nested(self, node=None):
        """The tree as nested tuples, for comparisons."""
        node = node or self.root
        if node.attribute is None:
            return tuple(node.totals)
        return (node.attribute, node.threshold, tuple(map(tuple, node.table)), *map(self.nested, node.children))
