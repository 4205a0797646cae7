"""How good a test is: C4.5's gain and gain ratio of one attribute at one node."""

from __future__ import annotations

import math

import numpy as np

from foldproof.kernels.c45_route import EPS, Floats, Rows, Sample
from foldproof.kernels.jit import kernel


@kernel
def v_log_v(v: float, logs: Floats) -> float:
    """Return v log2(v), from the table ``logs`` where v is a whole number in it."""
    if v < EPS:
        return 0.0
    whole = int(v) if v < len(logs) else 0
    if whole == v:
        return float(logs[whole])
    return v * math.log2(v)


@kernel
def split_ratio(gain: float, W: float, T: float, branches: float, logs: Floats) -> float:
    """Return the gain ratio; ``branches`` is the sum of v log2(v) over them, missing values are one more."""
    info = v_log_v(W, logs) - v_log_v(W - T, logs) - branches
    return 0.0 if abs(info) < EPS else gain / (info / W)


@kernel
def nominal_split(
    sample: Sample, attribute: int, rows: Rows, weights: Floats, W: float, least: float, logs: Floats, table: Floats
) -> tuple[bool, float, float]:
    """Return whether a nominal attribute is a valid test, its gain and its gain ratio.

    ``table`` is scratch of zeros, with a line for each value and a last column for their sums; it is left as zeros.
    """
    K = sample.n_classes
    column = sample.columns[attribute]
    size = sample.sizes[attribute]
    found = np.empty(min(size, len(rows)), dtype=np.int64)
    n_found = 0
    for i in range(len(rows)):
        x = column[rows[i]]
        if x == x:
            b = int(x)
            if table[b, K] == 0.0:
                # The last column counts, so that a value is listed once however little its instances weigh.
                found[n_found] = b
                n_found += 1
            table[b, K] += 1.0
            table[b, sample.y[rows[i]]] += weights[i]
    found[:n_found].sort()  # sums do not hang on the order of the instances
    heavy = 0
    T = after = branches = 0.0
    totals = np.zeros(K)
    for k in range(n_found):
        b = found[k]
        weight = 0.0
        for c in range(K):
            v = table[b, c]
            weight += v
            totals[c] += v
            after -= v_log_v(v, logs)
            table[b, c] = 0.0
        table[b, K] = 0.0
        T += weight
        branches += v_log_v(weight, logs)
        if least - weight < EPS:
            heavy += 1
    if heavy < 2:
        return False, 0.0, 0.0
    before = v_log_v(T, logs)
    for c in range(K):
        before -= v_log_v(totals[c], logs)
    gained = T / W * (before - (after + branches))
    gain = 0.0 if abs(gained) < EPS else gained / T
    return True, gain, split_ratio(gain, W, T, branches, logs)


@kernel
def numeric_split(
    sample: Sample, attribute: int, order: Rows, weight_of: Floats, W: float, least: float, logs: Floats, whole: bool
) -> tuple[bool, float, float, float]:
    """Return whether a numeric attribute is a valid test, its gain, its ratio and the preliminary threshold.

    ``order`` has the node's instances with a known value, by value; ``weight_of`` the weight of each instance here;
    ``whole``: the training set was given without weights.
    """
    K, y = sample.n_classes, sample.y
    column = sample.columns[attribute]
    count = len(order)
    left, right = np.zeros(K), np.zeros(K)
    number = 0.0
    for i in range(count):
        right[y[order[i]]] += weight_of[order[i]]
        if not whole:
            number += sample.weights[order[i]]
    if whole:
        number = float(count)
    T = 0.0
    for c in range(K):
        T += right[c]
    enough = 0.1 * T / K
    if enough - least < EPS:
        enough = least
    elif enough - 25.0 > EPS:
        enough = 25.0
    # Without two sides of that weight nothing is admissible; the rule itself asks for their number.
    if 2.0 * enough - number > EPS or 2.0 * enough - T > 3.0 * EPS:
        return False, 0.0, 0.0, 0.0
    of_left, of_right = np.zeros(K), np.zeros(K)
    changed = np.zeros(K, dtype=np.bool_)
    before = v_log_v(T, logs)
    for c in range(K):
        of_right[c] = v_log_v(right[c], logs)
        before -= of_right[c]
    best, place, admissible = 0.0, -1, 0
    best_branches = 0.0
    below, above = 0.0, T
    x = column[order[0]] if count else 0.0
    for i in range(count - 1):
        row = order[i]
        c, w = y[row], weight_of[row]
        left[c] += w
        right[c] -= w
        below += w
        above -= w
        changed[c] = True
        following = column[order[i + 1]]
        if enough - above >= EPS:
            break
        if x + 1e-5 < following and enough - below < EPS:
            admissible += 1
            pure = 0.0
            for k in range(K):
                if changed[k]:
                    of_left[k] = v_log_v(left[k], logs)
                    of_right[k] = v_log_v(right[k], logs)
                    changed[k] = False
                pure += of_left[k] + of_right[k]
            branches = v_log_v(below, logs) + v_log_v(above, logs)
            gained = T / W * (before - (branches - pure))
            gain = 0.0 if abs(gained) < EPS else gained / T
            if gain - best > EPS:
                best, place, best_branches = gain, i, branches
        x = following
    if place < 0:
        return False, 0.0, 0.0, 0.0
    gain = best - math.log2(admissible) / W
    if gain < EPS:
        return False, 0.0, 0.0, 0.0
    low, high = column[order[place]], column[order[place + 1]]
    # Halved first: the sum of two numbers near 1e308 is infinite.
    return True, gain, split_ratio(gain, W, T, best_branches, logs), low / 2.0 + high / 2.0


@kernel
def data_value(column: Floats, order: Rows, middle: float, slack: bool) -> float:
    """Return the greatest known value of the whole training set that does not exceed ``middle``.

    ``order`` has all instances with a known value, by value.
    """
    low, high = 0, len(order)
    while low < high:
        at = (low + high) // 2
        x = column[order[at]]
        if (slack and x - middle < EPS) or x <= middle:
            low = at + 1
        else:
            high = at
    return float(column[order[low - 1]])
