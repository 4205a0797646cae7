"""Growing, pruning and asking the top-down trees of Bradford & Brodley (2001).

A table holds one row per attribute; numbers, or positions of nominal values; NaN is unknown. A tree is a set of arrays
over its nodes, of which node 0 is the root and every child comes after its parent. Branches without a training
instance have no node (-1): whoever follows one is told the majority of the node it leaves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from foldproof.kernels.jit import kernel

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

SLACK = 1e-9
NORMALISED_INFORMATION, INFORMATION, GAIN_RATIO = 0, 1, 2


class Table(NamedTuple):
    """What a tree is grown from; ``values`` counts an attribute's declared values, 0 where it is numeric."""

    columns: Floats
    values: Ints
    y: Ints
    weights: Floats
    classes: int


class Rules(NamedTuple):
    """How a tree is grown."""

    criterion: int
    lower: float
    upper: float
    fraction: float
    zero_gain: bool
    even: bool


class Tree(NamedTuple):
    """A grown tree: the branches of node t are ``branch[first[t]:]``, one per value (or two), then unknown."""

    attribute: Ints
    threshold: Floats
    first: Ints
    branch: Ints
    majority: Ints
    weight: Floats
    errors: Floats


@kernel
def _xlogx(x: float, known: Floats) -> float:
    """Return x log2 x, from the table of whole numbers where there is one."""
    if known.size > 0:
        return float(known[int(x)])
    return float(x * np.log2(x)) if x > 0.0 else 0.0


@kernel
def _table_of_logs(weights: Floats) -> Floats:
    """Return x log2 x of 0, 1, …, the total of the weights; nothing where a weight is not whole."""
    total = 0.0
    for w in weights:
        if w != np.floor(w):
            return np.zeros(0)
        total += w
    if total > 1e7:
        return np.zeros(0)
    known = np.zeros(int(total) + 2)
    for i in range(2, known.size):
        known[i] = i * np.log2(float(i))
    return known


@kernel
def _nominal_test(
    column: Floats, values: int, table: Table, rows: Ints, rules: Rules, lower: float, known: Floats, work: Floats
) -> tuple[bool, float]:
    """Return whether a nominal attribute gives an admissible test, and its score; ``work`` is left as found: zeros."""
    k = table.classes
    seen = np.empty(min(rows.size, values + 1), np.int64)
    n_seen = 0
    node = np.zeros(k)
    total = 0.0
    for row in rows:
        value = column[row]
        b = values if np.isnan(value) else int(value)
        if work[b, k] == 0.0:
            seen[n_seen] = b
            n_seen += 1
        w = table.weights[row]
        work[b, table.y[row]] += w
        work[b, k] += w
        node[table.y[row]] += w
        total += w
    large = 0
    inside = 0.0
    for b in seen[:n_seen]:
        large += work[b, k] >= lower
        inside += _xlogx(work[b, k], known)
        for c in range(k):
            inside -= _xlogx(work[b, c], known)
    information = _xlogx(total, known)
    for c in range(k):
        information -= _xlogx(node[c], known)
    score = (information - inside) / total
    if rules.criterion == NORMALISED_INFORMATION:
        score /= np.log2(max(2.0, float(values)))
    elif rules.criterion == GAIN_RATIO:
        spread = 0.0
        for b in seen[:n_seen]:
            share = work[b, k] / total
            spread -= share * np.log2(share)
        score = score / spread if spread > SLACK else 0.0
    for b in seen[:n_seen]:
        work[b, :] = 0.0
    return large >= 2, score


@kernel
def _numeric_test(
    column: Floats, table: Table, rows: Ints, rules: Rules, lower: float, known: Floats
) -> tuple[bool, float, float]:
    """Return whether there is an admissible threshold, its score, and the threshold; rows ascend, unknown last."""
    k = table.classes
    n_known = rows.size
    unknown = np.zeros(k)
    while n_known > 0 and np.isnan(column[rows[n_known - 1]]):
        n_known -= 1
        unknown[table.y[rows[n_known]]] += table.weights[rows[n_known]]
    if n_known < 2 or column[rows[0]] == column[rows[n_known - 1]]:
        return False, 0.0, 0.0
    right = np.zeros(k)
    for row in rows[:n_known]:
        right[table.y[row]] += table.weights[row]
    w_known, w_unknown = right.sum(), unknown.sum()
    total = w_known + w_unknown
    outside = _xlogx(total, known) - _xlogx(w_unknown, known)
    right_logs = 0.0
    for c in range(k):
        outside -= _xlogx(right[c] + unknown[c], known) - _xlogx(unknown[c], known)
        right_logs += _xlogx(right[c], known)
    left = np.zeros(k)
    left_logs, w_left = 0.0, 0.0
    information = np.full(n_known, -np.inf)
    weight_left = np.empty(n_known)
    best = -np.inf
    for i in range(n_known - 1):
        row = rows[i]
        c, w = table.y[row], table.weights[row]
        before, after = left[c], max(right[c] - w, 0.0)
        left_logs += _xlogx(before + w, known) - _xlogx(before, known)
        right_logs += _xlogx(after, known) - _xlogx(right[c], known)
        left[c], right[c] = before + w, after
        w_left += w
        weight_left[i] = w_left
        w_right = max(w_known - w_left, 0.0)
        if column[row] < column[rows[i + 1]] and w_left >= lower and w_right >= lower:
            inside = _xlogx(w_left, known) - left_logs + _xlogx(w_right, known) - right_logs
            information[i] = (outside - inside) / total
            best = max(best, information[i])
    if best == -np.inf:
        return False, 0.0, 0.0
    cut, unevenness = -1, np.inf
    for i in range(n_known - 1):
        if information[i] >= best - SLACK:
            off = abs(w_known - 2.0 * weight_left[i])
            if cut < 0 or (rules.even and off < unevenness - SLACK):
                cut, unevenness = i, off
    low, high = column[rows[cut]], column[rows[cut + 1]]
    threshold = 0.5 * low + 0.5 * high
    if not low <= threshold < high:
        threshold = low
    score = best
    if rules.criterion == GAIN_RATIO:
        spread = 0.0
        for part in (weight_left[cut], w_known - weight_left[cut], w_unknown):
            if part > 0.0:
                spread -= part / total * np.log2(part / total)
        score = best / spread if spread > SLACK else 0.0
    return True, score, threshold


@kernel
def _counted_test(
    column: Floats, table: Table, rows: Ints, rules: Rules, lower: float, known: Floats, at: Ints, score_at: Floats
) -> tuple[bool, float, float]:
    """Return what ``_numeric_test`` returns, bit for bit, where every weight is 1 and no value is unknown.

    Classes are counted in whole numbers, and what is known of a count is kept instead of being looked up again.
    ``at`` and ``score_at`` are room for candidates.
    """
    n, k = rows.size, table.classes
    if n < 2 or column[rows[0]] == column[rows[n - 1]]:
        return False, 0.0, 0.0
    left, right = np.zeros(k, np.int64), np.zeros(k, np.int64)
    for row in rows:
        right[table.y[row]] += 1
    left_log, right_log = np.zeros(k), np.empty(k)
    outside, left_logs, right_logs = known[n], 0.0, 0.0
    for c in range(k):
        right_log[c] = known[right[c]]
        outside -= right_log[c]
        right_logs += right_log[c]
    total, best, found = float(n), -np.inf, 0
    here = column[rows[0]]
    least, most = int(np.ceil(lower)), n - int(np.ceil(lower))
    for i in range(n - 1):
        c = table.y[rows[i]]
        left[c] += 1
        right[c] -= 1
        more, less = known[left[c]], known[right[c]]
        left_logs += more - left_log[c]
        right_logs += less - right_log[c]
        left_log[c], right_log[c] = more, less
        after = column[rows[i + 1]]
        if here < after and least <= i + 1 <= most:
            inside = known[i + 1] - left_logs + known[n - i - 1] - right_logs
            score = (outside - inside) / total
            at[found], score_at[found] = i, score
            found += 1
            best = max(best, score)
        here = after
    if found == 0:
        return False, 0.0, 0.0
    cut, unevenness = -1, np.inf
    for j in range(found):
        if score_at[j] >= best - SLACK:
            off = abs(total - 2.0 * (at[j] + 1))
            if cut < 0 or (rules.even and off < unevenness - SLACK):
                cut, unevenness = at[j], off
    low, high = column[rows[cut]], column[rows[cut + 1]]
    threshold = 0.5 * low + 0.5 * high
    if not low <= threshold < high:
        threshold = low
    score = best
    if rules.criterion == GAIN_RATIO:
        spread = 0.0
        for part in (float(cut + 1), total - float(cut + 1)):
            spread -= part / total * np.log2(part / total)
        score = best / spread if spread > SLACK else 0.0
    return True, score, threshold


@kernel
def _best_test(
    table: Table,
    order: Ints,
    slot: Ints,
    start: int,
    end: int,
    rules: Rules,
    known: Floats,
    work: Floats,
    ones: bool,
    at: Ints,
    score_at: Floats,
) -> tuple[int, float]:
    """Return the attribute (-1: no test) and threshold of the best admissible test of a node."""
    weight = 0.0
    for row in order[0, start:end]:
        weight += table.weights[row]
    lower = max(rules.lower, min(rules.upper, rules.fraction * weight / table.classes))
    attribute, threshold, best = -1, 0.0, -np.inf
    for a in range(table.values.size):
        rows = order[slot[a], start:end]
        cut = 0.0
        if table.values[a] > 0:
            fit, score = _nominal_test(table.columns[a], table.values[a], table, rows, rules, lower, known, work)
        elif ones and not np.isnan(table.columns[a, rows[rows.size - 1]]):
            fit, score, cut = _counted_test(table.columns[a], table, rows, rules, lower, known, at, score_at)
        else:
            fit, score, cut = _numeric_test(table.columns[a], table, rows, rules, lower, known)
        if fit and (attribute < 0 or score > best + SLACK) and (rules.zero_gain or score > SLACK):
            attribute, threshold, best = a, cut, score
    return attribute, threshold


@kernel
def _deal(
    column: Floats, values: int, threshold: float, order: Ints, start: int, end: int, where: Ints, spare: Ints
) -> Ints:
    """Sort the rows of a node by branch in every order, stably, and return where each branch begins and ends."""
    branches = (values if values > 0 else 2) + 1
    bounds = np.zeros(branches + 1, np.int64)
    for row in order[0, start:end]:
        value = column[row]
        if np.isnan(value):
            where[row] = branches - 1
        elif values == 0:
            where[row] = 0 if value <= threshold else 1
        else:
            where[row] = int(value)
        bounds[where[row] + 1] += 1
    for b in range(branches):
        bounds[b + 1] += bounds[b]
    if values == 0 and bounds[2] == end - start:  # two branches: the left ones move up, the right ones wait
        for s in range(order.shape[0]):
            own, others = start, 0
            for i in range(start, end):
                row = order[s, i]
                side = where[row]
                order[s, own] = row
                spare[others] = row
                own += 1 - side
                others += side
            order[s, own:end] = spare[:others]
        return bounds + start
    place = np.empty(branches, np.int64)
    for s in range(order.shape[0]):
        place[:] = bounds[:branches]
        for i in range(start, end):
            row = order[s, i]
            spare[place[where[row]]] = row
            place[where[row]] += 1
        order[s, start:end] = spare[: end - start]
    return bounds + start


@kernel
def grow(table: Table, presorted: Ints, slot: Ints, rules: Rules) -> Tree:
    """Grow a tree on the rows of ``presorted``: row 0 in any order, row ``slot[a]`` ascending in attribute a."""
    order = presorted.copy()
    n, k = order.shape[1], table.classes
    known = _table_of_logs(table.weights[order[0]])
    most = 1
    for v in table.values:
        most = max(most, v)
    work = np.zeros((most + 1, k + 1))
    where = np.zeros(table.y.size, np.int64)
    spare = np.empty(n, np.int64)
    ones = known.size > 0 and bool(np.all(table.weights[order[0]] == 1.0))
    at, score_at = np.empty(n, np.int64), np.empty(n)
    room = 2 * n
    attribute, threshold, first = np.full(room, -1, np.int64), np.zeros(room), np.zeros(room, np.int64)
    majority, weight, errors = np.zeros(room, np.int64), np.zeros(room), np.zeros(room)
    branch, n_branch = np.full(1024, -1, np.int64), 0
    # Nodes that wait: number, first row, end of rows; and the tie order of the parent.
    waiting, ties, depth = np.zeros((64, 3), np.int64), np.zeros((64, k), np.int64), 1
    waiting[0, 2] = n
    ties[0] = np.arange(k)
    nodes = 1
    while depth > 0:
        depth -= 1
        node, start, end = waiting[depth, 0], waiting[depth, 1], waiting[depth, 2]
        counts = np.zeros(k)
        for row in order[0, start:end]:
            counts[table.y[row]] += table.weights[row]
        tie = ties[depth].copy()
        for i in range(1, k):  # by count, descending, stable with respect to the parent's order
            c, j = tie[i], i
            while j > 0 and counts[tie[j - 1]] < counts[c]:
                tie[j] = tie[j - 1]
                j -= 1
            tie[j] = c
        majority[node] = tie[0]
        weight[node] = counts.sum()
        errors[node] = 0.0
        for c in tie[1:]:
            errors[node] += counts[c]
        if errors[node] == 0.0:
            continue
        a, cut = _best_test(table, order, slot, start, end, rules, known, work, ones, at, score_at)
        if a < 0:
            continue
        bounds = _deal(table.columns[a], table.values[a], cut, order, start, end, where, spare)
        branches = bounds.size - 1
        attribute[node], threshold[node], first[node] = a, cut, n_branch
        while n_branch + branches > branch.size:
            branch = np.append(branch, np.full(branch.size, -1, np.int64))
        for b in range(branches):
            if bounds[b] < bounds[b + 1]:
                branch[n_branch + b] = nodes
                if depth == waiting.shape[0]:
                    waiting = np.concatenate((waiting, np.zeros_like(waiting)))
                    ties = np.concatenate((ties, np.zeros_like(ties)))
                waiting[depth, 0], waiting[depth, 1], waiting[depth, 2] = nodes, bounds[b], bounds[b + 1]
                ties[depth] = tie
                depth += 1
                nodes += 1
        n_branch += branches
    return Tree(
        attribute[:nodes].copy(), threshold[:nodes].copy(), first[:nodes].copy(), branch[:n_branch].copy(),
        majority[:nodes].copy(), weight[:nodes].copy(), errors[:nodes].copy(),
    )  # fmt: skip
