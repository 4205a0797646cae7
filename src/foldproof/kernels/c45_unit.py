"""Which attribute C4.5 tests at a node whose instances weigh 1 each: whole counts, words in order, tables.

Sums are formed as ``c45_split`` forms them wherever a decision is near, so that trees are the same to the last bit. In
between a shorter sum tells which cuts are out of question: one that is worse by more than ``GUARD`` cannot win.
"""

from __future__ import annotations

import math

from foldproof.kernels.c45_route import EPS, Floats, Ints, Rows
from foldproof.kernels.c45_sorted import GAP, Packed
from foldproof.kernels.c45_split import GUARD, Room, split_ratio
from foldproof.kernels.jit import kernel


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
    table, codes = room.table, packed.codes
    K, size = len(class_weights), high - low
    W = float(size)
    class_mask, rank_shift = (1 << packed.row_shift) - 1, packed.rank_shift
    row_mask = (1 << (rank_shift - packed.row_shift)) - 1
    kept = end
    for place in range(begin, end):
        j = active[place]
        room.valid[j] = False
        q = packed.slot[j]
        if q < 0:
            # ---- nominal -----------------------------------------------------------------------------------------
            values, line = sizes[j], -1 - q
            for i in range(low, high):
                word = words[len(words) - 1, i]
                b = codes[line, (word >> packed.row_shift) & row_mask]
                if b >= 0:
                    table[b, word & class_mask] += 1
            heavy = 0
            T = after = branches = 0.0
            for c in range(K):
                totals[c] = 0
            for b in range(values):
                weight = 0
                for c in range(K):
                    v = table[b, c]
                    if v:
                        weight += v
                        totals[c] += v
                        after -= logs[v]
                        table[b, c] = 0
                T += weight
                branches += logs[weight]
                if least - weight < EPS:
                    heavy += 1
            if heavy < 2:
                continue
            before = logs[int(T)]
            for c in range(K):
                before -= logs[totals[c]]
            gained = T / W * (before - (after + branches))
            gain = 0.0 if abs(gained) < EPS else gained / T
            room.valid[j], room.gains[j], room.ratios[j] = True, gain, split_ratio(gain, W, T, branches, logs)
            active[kept] = j
            kept += 1
            continue
        # ---- numeric -------------------------------------------------------------------------------------------------
        missing = packed.first[q + 1] - packed.first[q]
        number = size
        if words[q, high - 1] >> rank_shift == missing:
            one, two = low, high - 1
            while one < two:
                at = (one + two) // 2
                if words[q, at] >> rank_shift == missing:
                    two = at
                else:
                    one = at + 1
            number = one - low
        if number == size:
            for c in range(K):
                totals[c] = int(class_weights[c])
        else:
            for c in range(K):
                totals[c] = 0
            for i in range(low, low + number):
                totals[words[q, i] & class_mask] += 1
        T = float(number)
        enough = 0.1 * T / K
        if enough - least < EPS:
            enough = least
        elif enough - 25.0 > EPS:
            enough = 25.0
        if 2.0 * least - T > EPS or words[q, low] >> rank_shift == words[q, low + number - 1] >> rank_shift:
            continue
        active[kept] = j
        kept += 1
        if 2.0 * enough - T > EPS:
            continue
        before = logs[number]
        for c in range(K):
            before -= logs[totals[c]]
        side = math.floor(enough - EPS) + 1  # instances that either side has at least
        clear, values = packed.clear[q], packed.first[q]
        best, best_at, admissible = 0.0, -1, 0
        best_branches = 0.0
        bar = (EPS - GUARD) * W - before
        if K == 2:
            ones, one = totals[1], 0
            for i in range(low, low + side - 1):
                one += words[q, i] & 1
            word = words[q, low + side - 1]
            for below in range(side, number - side + 1):
                one += word & 1
                following = words[q, low + below]
                if (word ^ following) >> rank_shift and (
                    clear
                    or packed.distinct[values + (word >> rank_shift)] + GAP
                    < packed.distinct[values + (following >> rank_shift)]
                ):
                    admissible += 1
                    above = number - below
                    zeros, other = below - one, ones - one
                    score = (logs[zeros] + logs[above - other]) + (logs[one] + logs[other]) - logs[below] - logs[above]
                    if score > bar:
                        pure = (logs[zeros] + logs[above - other]) + (logs[one] + logs[other])
                        split = logs[below] + logs[above]
                        gained = T / W * (before - (split - pure))
                        gain = 0.0 if abs(gained) < EPS else gained / T
                        if gain - best > EPS:
                            best, best_at, best_branches = gain, below - 1, split
                            bar = (best + EPS - GUARD) * W - before
                word = following
        else:
            score = 0.0
            for c in range(K):
                left[c] = 0
                score += logs[totals[c]]
            for i in range(low, low + side - 1):
                c = words[q, i] & class_mask
                score += steps[left[c]] - steps[totals[c] - left[c] - 1]
                left[c] += 1
            word = words[q, low + side - 1]
            for below in range(side, number - side + 1):
                c = word & class_mask
                before_it = left[c]
                score += steps[before_it] - steps[totals[c] - before_it - 1]
                left[c] = before_it + 1
                following = words[q, low + below]
                if (word ^ following) >> rank_shift and (
                    clear
                    or packed.distinct[values + (word >> rank_shift)] + GAP
                    < packed.distinct[values + (following >> rank_shift)]
                ):
                    admissible += 1
                    if score - logs[below] - logs[number - below] > bar:
                        pure = 0.0
                        for k in range(K):
                            pure += logs[left[k]] + logs[totals[k] - left[k]]
                        split = logs[below] + logs[number - below]
                        gained = T / W * (before - (split - pure))
                        gain = 0.0 if abs(gained) < EPS else gained / T
                        if gain - best > EPS:
                            best, best_at, best_branches = gain, below - 1, split
                            bar = (best + EPS - GUARD) * W - before
                word = following
        if admissible == 0 and clear and enough == least:
            kept -= 1
            continue
        if best_at < 0:
            continue
        gain = best - math.log2(admissible) / W
        if gain < EPS:
            continue
        lower = packed.distinct[values + (words[q, low + best_at] >> rank_shift)]
        higher = packed.distinct[values + (words[q, low + best_at + 1] >> rank_shift)]
        room.valid[j], room.gains[j], room.cuts[j] = True, gain, lower / 2.0 + higher / 2.0
        room.ratios[j] = split_ratio(gain, W, T, best_branches, logs)
    return kept
