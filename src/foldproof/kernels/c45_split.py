"""How good C4.5's tests are at a node: gain, gain ratio, and which attribute is chosen by them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from foldproof.kernels.c45_route import EPS, Floats, Ints, Rows, Sample
from foldproof.kernels.c45_sorted import GAP, Flags, Packed, Places, Words
from foldproof.kernels.jit import kernel

# Rounding moves a gain by less than this, up to the number of instances below.
GUARD = 1e-8
MOST_INSTANCES = 1_000_000
# Chords of v log2(v) go from one multiple of a sixteenth to the next, up to this v, and exceed it by at most the error.
PARTS, MOST_CHORDS, CHORD_ERROR = 16, 20_000, 8e-4


class Tables(NamedTuple):
    """``logs``: v log2(v) of whole numbers, ``steps``: the differences of neighbours, ``chords``: v in sixteenths."""

    logs: Floats
    steps: Floats
    chords: Floats


class Room(NamedTuple):
    """Working space: the words of the training set, and what is found of each attribute.

    A node has the same places in every line of words. ``weight_of``: what each instance weighs at the node, where they
    do not weigh 1. ``present``: the classes at the node. ``table`` and ``sums`` have a line for each value of a nominal
    attribute and hold zeros in between.
    """

    words: Words
    spare: Words
    tables: Tables
    counted: Flags
    valid: Flags
    gains: Floats
    ratios: Floats
    cuts: Floats
    totals: Places
    left: Places
    present: Places
    table: Ints
    weight_of: Floats
    sums: Floats


@kernel
def log_table(n: int) -> Floats:
    """Return v log2(v) for the whole numbers up to n."""
    logs = np.zeros(n + 1)
    for i in range(1, n + 1):
        logs[i] = i * np.log2(i)
    return logs


@kernel
def tables_for(n: int) -> Tables:
    """Return tables for so many instances."""
    logs = log_table(n + 1)
    chords = np.zeros(PARTS * min(n + 1, MOST_CHORDS) + 2)
    for i in range(1, len(chords)):
        chords[i] = i / PARTS * np.log2(i / PARTS)
    return Tables(logs, logs[1:] - logs[:-1], chords)


@kernel
def room_for(packed: Packed, sample: Sample, tables: Tables) -> Room:
    """Return room for any training set out of a sample; ``counted`` is for each of them to write."""
    n, m, K = len(sample.y), len(sample.sizes), sample.n_classes
    widest = 2
    for j in range(m):
        widest = max(widest, sample.sizes[j])
    return Room(
        np.empty((len(packed.words), n + 1), packed.words.dtype), np.empty(n + 1, packed.words.dtype),
        tables, np.ones(m, np.bool_), np.zeros(m, np.bool_), np.zeros(m), np.zeros(m), np.zeros(m),
        np.zeros(K, np.uint64), np.zeros(K, np.uint64), np.zeros(K + 1, np.uint64),
        np.zeros((widest, K), np.int64), np.zeros(n), np.zeros((widest, K)),
    )  # fmt: skip


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
def chosen_of(room: Room, active: Rows) -> int:
    """Return the attribute of the best ratio among those of at least average gain, -1 for none."""
    added, number = 0.0, 0
    for place in range(len(active)):
        j = active[place]
        if room.valid[j] and room.counted[j]:
            added += room.gains[j]
            number += 1
    best, chosen = 0.0, -1
    if number:
        bar = added / number - 1e-3
        for place in range(len(active)):
            j = active[place]
            if room.valid[j] and room.gains[j] >= bar and room.ratios[j] - best > EPS:
                best, chosen = room.ratios[j], j
    return chosen


@kernel
def above_v_log_v(v: float, chords: Floats) -> float:
    """Return what is at least v log2(v), and at most a chord's error more where v is 1 or more."""
    x = v * PARTS
    if not 0.0 <= x < len(chords) - 1:
        return v * math.log2(v) if v > 1.0 else 0.0
    i = np.uint64(x)
    return float(chords[i] + (x - float(i)) * (chords[i + np.uint64(1)] - chords[i]))


@kernel
def weigh_parts(
    sample: Sample, packed: Packed, room: Room, rows: Rows, words: Words, starts: Ints, active: Rows, W: float,
    least: float, whole: bool,
) -> Rows:  # fmt: skip
    """Find what the active attributes are worth at a node whose instances have weights; return those to look at below.

    ``words``: those of the node with a known value, each attribute's from ``starts`` on. An attribute is left out that
    can no more be a valid test of any part of these instances. Between cuts only the classes that moved are looked at,
    by chords: they tell which cuts are out of question.
    """
    logs, chords, weight_of, sums = room.tables.logs, room.tables.chords, room.weight_of, room.sums
    K, y = sample.n_classes, sample.y
    shift, rank_shift = packed.row_shift, packed.rank_shift
    class_mask, row_mask = packed.class_mask, packed.row_mask
    left, right, of_class, known = np.zeros(K), np.zeros(K), np.zeros(K), np.zeros(K)
    # The classes that moved since the last cut.
    stirred, classes = np.zeros(K, np.bool_), np.zeros(K, np.uint64)
    # What attributes without missing values have in common.
    of_all, chord_all = np.zeros(K), np.zeros(K)
    for i in range(len(rows)):
        of_all[y[rows[i]]] += weight_of[rows[i]]
    before_all, present = 0.0, 0
    for c in range(K):
        before_all += of_all[c]
        room.present[present] = c
        present += of_all[c] > 0.0
    here = room.present[:present]
    before_all = v_log_v(before_all, logs)
    for c in here:
        before_all -= v_log_v(of_all[c], logs)
        chord_all[c] = above_v_log_v(of_all[c], chords)
    remaining, kept = np.empty(len(active), np.int32), 0
    for place in range(len(active)):
        j = active[place]
        room.valid[j] = False
        q = packed.slot[j]
        if q < 0:
            # ---- nominal -----------------------------------------------------------------------------------------
            column = packed.codes[-1 - q]
            for row in rows:
                b = column[row]
                if b >= 0:
                    sums[b, y[row]] += weight_of[row]
            heavy = 0
            T = after = branches = 0.0
            for c in here:
                left[c] = 0.0
            for b in range(sample.sizes[j]):
                weight = 0.0
                for c in here:
                    v = sums[b, c]
                    if v != 0.0:
                        weight += v
                        left[c] += v
                        after -= v_log_v(v, logs)
                        sums[b, c] = 0.0
                T += weight
                branches += v_log_v(weight, logs)
                if least - weight < EPS:
                    heavy += 1
            if heavy < 2:
                continue
            before = v_log_v(T, logs)
            for c in here:
                before -= v_log_v(left[c], logs)
            gained = T / W * (before - (after + branches))
            gain = 0.0 if abs(gained) < EPS else gained / T
            room.valid[j], room.gains[j], room.ratios[j] = True, gain, split_ratio(gain, W, T, branches, logs)
            remaining[kept] = j
            kept += 1
            continue
        # ---- numeric -------------------------------------------------------------------------------------------------
        line = words[starts[place] : starts[place + 1]]
        if len(line) == 0 or line[0] >> rank_shift == line[len(line) - 1] >> rank_shift:
            continue
        complete = len(line) == len(rows)
        number = 0.0
        if not whole:
            for word in line:
                number += sample.weights[(word >> shift) & row_mask]
        else:
            number = float(len(line))
        if not complete:
            for c in here:
                known[c] = 0.0
            for word in line:
                known[word & class_mask] += weight_of[(word >> shift) & row_mask]
        T = 0.0
        for c in here:
            right[c] = of_all[c] if complete else known[c]
            T += right[c]
        enough = 0.1 * T / K
        if enough - least < EPS:
            enough = least
        elif enough - 25.0 > EPS:
            enough = 25.0
        if 2.0 * least - T > 3.0 * EPS:
            continue
        remaining[kept] = j
        kept += 1
        # Without two sides of that weight nothing is admissible; the rule itself asks for their number.
        if 2.0 * enough - number > EPS or 2.0 * enough - T > 3.0 * EPS:
            continue
        before, score = before_all, 0.0
        if not complete:
            before = v_log_v(T, logs)
            for c in here:
                before -= v_log_v(right[c], logs)
        for c in here:
            left[c] = 0.0
            of_class[c] = chord_all[c] if complete else above_v_log_v(right[c], chords)
            score += of_class[c]
        clear, values = packed.clear[q], packed.distinct[packed.first[q] : packed.first[q + 1]]
        loose = 2.0 * CHORD_ERROR + 1e-5 * K
        best, best_at, admissible = 0.0, -1, 0
        best_branches = 0.0
        bar = (EPS - GUARD) * W - before - loose
        below, moved = 0.0, 0
        word = line[0]
        for i in range(1, len(line)):
            following = line[i]
            c, w = word & class_mask, weight_of[(word >> shift) & row_mask]
            left[c] += w
            below += w
            if not stirred[c]:
                stirred[c] = True
                classes[moved] = c
                moved += 1
            cut = (word ^ following) >> rank_shift and enough - below < EPS
            last, word = word, following
            if not cut:
                continue
            above = T - below
            if enough - above >= EPS:
                break
            if clear or values[last >> rank_shift] + GAP < values[following >> rank_shift]:
                admissible += 1
                for k in range(moved):
                    c = classes[k]
                    both = above_v_log_v(left[c], chords) + above_v_log_v(right[c] - left[c], chords)
                    score += both - of_class[c]
                    of_class[c] = both
                    stirred[c] = False
                moved = 0
                if score - above_v_log_v(below, chords) - above_v_log_v(above, chords) > bar:
                    pure = 0.0
                    for k in here:
                        pure += v_log_v(left[k], logs) + v_log_v(right[k] - left[k], logs)
                    branches = v_log_v(below, logs) + v_log_v(above, logs)
                    gained = T / W * (before - (branches - pure))
                    gain = 0.0 if abs(gained) < EPS else gained / T
                    if gain - best > EPS:
                        best, best_at, best_branches = gain, i, branches
                        bar = (best + EPS - GUARD) * W - before - loose
        for k in range(moved):
            stirred[classes[k]] = False
        if best_at < 0:
            continue
        gain = best - math.log2(admissible) / W
        if gain < EPS:
            continue
        lower, higher = values[line[best_at - 1] >> rank_shift], values[line[best_at] >> rank_shift]
        # Halved first: the sum of two numbers near 1e308 is infinite.
        room.valid[j], room.gains[j], room.cuts[j] = True, gain, lower / 2.0 + higher / 2.0
        room.ratios[j] = split_ratio(gain, W, T, best_branches, logs)
    return remaining[:kept].copy()
