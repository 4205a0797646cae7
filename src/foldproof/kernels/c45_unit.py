"""Which attribute C4.5 tests at a node whose instances weigh 1 each: whole counts, words in order, tables.

Sums are formed as ``c45_split`` forms them wherever a decision is near, so that trees are the same to the last bit. In
between a shorter sum tells which cuts are out of question: one that is worse by more than ``GUARD`` cannot win.
"""

from __future__ import annotations

import math

import numpy as np

from foldproof.kernels.c45_route import EPS, Floats, Ints, Rows
from foldproof.kernels.c45_sorted import GAP, Packed, Place, Places, Words
from foldproof.kernels.c45_split import GUARD, Room, split_ratio
from foldproof.kernels.jit import kernel


@kernel
def known_until(words: Words, line: int, low: Place, high: Place, rank_shift: Place, missing: Place) -> Place:
    """Return where the words with a value end, of those between two places of a line; they are sorted by rank."""
    one = np.uint64(1)
    last = high - one
    while low < last:
        at = (low + last) // np.uint64(2)
        if words[line, at] >> rank_shift == missing:
            last = at
        else:
            low = at + one
    return low


@kernel
def least_side(T: float, K: int, least: float) -> float:
    """Return the least weight of either side of a cut."""
    enough = 0.1 * T / K
    if enough - least < EPS:
        return least
    return 25.0 if enough - 25.0 > EPS else enough


@kernel
def bits_before(totals: Places, logs: Floats, number: Place) -> float:
    """Return the information of so many instances of these classes, times their number."""
    before = logs[number]
    for c in range(len(totals)):
        before -= logs[totals[c]]
    return float(before)


@kernel
def weigh(
    packed: Packed, room: Room, sizes: Ints, class_weights: Floats, low: int, high: int, least: float,
    active: Rows, begin: int, end: int,
) -> int:  # fmt: skip
    """Find what the attributes ``active[begin:end]`` are worth at a node, and list those that may be below it.

    These follow at ``end``; returns where they end. An attribute is left out that can no more be a valid test of any
    part of these instances.
    """
    words, totals, left = room.words, room.totals, room.left
    logs, steps = room.tables.logs, room.tables.steps
    table, codes, distinct = room.table, packed.codes, packed.distinct
    K, size = len(class_weights), high - low
    W = float(size)
    shift, rank_shift = packed.row_shift, packed.rank_shift
    class_mask, row_mask = packed.class_mask, packed.row_mask
    none, one = np.uint64(0), np.uint64(1)
    start, stop = np.uint64(low), np.uint64(high)
    # What attributes have in common of which no value is missing; ``totals`` is theirs while ``common`` says so.
    present = 0
    for c in range(K):
        totals[c] = np.uint64(class_weights[c])
        room.present[present] = c
        present += class_weights[c] > 0.0
    here = room.present[:present]
    common, enough_of_all, before_all = True, least_side(W, K, least), bits_before(totals, logs, stop - start)
    kept = end
    for place in range(begin, end):
        j = active[place]
        room.valid[j] = False
        q = packed.slot[j]
        if q < 0:
            # ---- nominal -----------------------------------------------------------------------------------------
            many, column, common = sizes[j], -1 - q, False
            for at in range(start, stop):
                word = words[len(words) - 1, at]
                b = codes[column, (word >> shift) & row_mask]
                if b >= 0:
                    table[b, word & class_mask] += 1
            heavy = 0
            T = after = branches = 0.0
            for c in here:
                totals[c] = none
            for b in range(many):
                weight = none
                for c in here:
                    v = np.uint64(table[b, c])
                    if v:
                        weight += v
                        totals[c] += v
                        after -= logs[v]
                        table[b, c] = 0
                T += float(weight)
                branches += logs[weight]
                if least - float(weight) < EPS:
                    heavy += 1
            if heavy < 2:
                continue
            gained = T / W * (bits_before(totals, logs, np.uint64(T)) - (after + branches))
            gain = 0.0 if abs(gained) < EPS else gained / T
            room.valid[j], room.gains[j], room.ratios[j] = True, gain, split_ratio(gain, W, T, branches, logs)
            active[kept] = j
            kept += 1
            continue
        # ---- numeric -------------------------------------------------------------------------------------------------
        values, missing = np.uint64(packed.first[q]), np.uint64(packed.first[q + 1] - packed.first[q])
        until, T, enough, before = stop, W, enough_of_all, before_all
        if words[q, stop - one] >> rank_shift == missing:
            until, common = known_until(words, q, start, stop, rank_shift, missing), False
            for c in here:
                totals[c] = none
            for at in range(start, until):
                totals[words[q, at] & class_mask] += one
            T = float(until - start)
            enough, before = least_side(T, K, least), bits_before(totals, logs, until - start)
        elif not common:
            common = True
            for c in here:
                totals[c] = np.uint64(class_weights[c])
        if 2.0 * least - T > EPS or words[q, start] >> rank_shift == words[q, until - one] >> rank_shift:
            continue
        active[kept] = j
        kept += 1
        if 2.0 * enough - T > EPS:
            continue
        number = until - start
        side = np.uint64(math.floor(enough - EPS) + 1)  # instances that either side has at least
        clear = packed.clear[q]
        best, best_at, admissible = 0.0, none, 0
        best_branches = 0.0
        bar = (EPS - GUARD) * W - before
        first_cut, last_cut = start + side, until - side
        word = words[q, first_cut - one]
        if K == 2:
            ones, seen = totals[1], none
            for at in range(start, first_cut - one):
                seen += words[q, at] & one
            for at in range(first_cut, last_cut + one):
                seen += word & one
                following = words[q, at]
                if (word ^ following) >> rank_shift and (
                    clear
                    or distinct[values + (word >> rank_shift)] + GAP < distinct[values + (following >> rank_shift)]
                ):
                    admissible += 1
                    below = at - start
                    above = number - below
                    zeros, other = below - seen, ones - seen
                    score = (logs[zeros] + logs[above - other]) + (logs[seen] + logs[other]) - logs[below] - logs[above]
                    if score > bar:
                        pure = (logs[zeros] + logs[above - other]) + (logs[seen] + logs[other])
                        split = logs[below] + logs[above]
                        gained = T / W * (before - (split - pure))
                        gain = 0.0 if abs(gained) < EPS else gained / T
                        if gain - best > EPS:
                            best, best_at, best_branches = gain, np.uint64(at), split
                            bar = (best + EPS - GUARD) * W - before
                word = following
        else:
            score = 0.0
            for c in here:
                left[c] = none
                score += logs[totals[c]]
            for at in range(start, first_cut - one):
                c = words[q, at] & class_mask
                score += steps[left[c]] - steps[totals[c] - left[c] - one]
                left[c] += one
            for at in range(first_cut, last_cut + one):
                c = word & class_mask
                before_it = left[c]
                score += steps[before_it] - steps[totals[c] - before_it - one]
                left[c] = before_it + one
                following = words[q, at]
                if (word ^ following) >> rank_shift and (
                    clear
                    or distinct[values + (word >> rank_shift)] + GAP < distinct[values + (following >> rank_shift)]
                ):
                    admissible += 1
                    below = at - start
                    if score - logs[below] - logs[number - below] > bar:
                        pure = 0.0
                        for k in here:
                            pure += logs[left[k]] + logs[totals[k] - left[k]]
                        split = logs[below] + logs[number - below]
                        gained = T / W * (before - (split - pure))
                        gain = 0.0 if abs(gained) < EPS else gained / T
                        if gain - best > EPS:
                            best, best_at, best_branches = gain, np.uint64(at), split
                            bar = (best + EPS - GUARD) * W - before
                word = following
        if admissible == 0 and clear and enough == least:
            kept -= 1
            continue
        if best == 0.0:
            continue
        gain = best - math.log2(admissible) / W
        if gain < EPS:
            continue
        lower = distinct[values + (words[q, best_at - one] >> rank_shift)]
        higher = distinct[values + (words[q, best_at] >> rank_shift)]
        # Halved first: the sum of two numbers near 1e308 is infinite.
        room.valid[j], room.gains[j], room.cuts[j] = True, gain, lower / 2.0 + higher / 2.0
        room.ratios[j] = split_ratio(gain, W, T, best_branches, logs)
    return kept
