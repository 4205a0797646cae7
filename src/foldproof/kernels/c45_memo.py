"""C4.5's tree of binary attributes from counted conjunctions, with finished subtrees remembered.

A node is the code of a conjunction and the instances held out of it: its counts are one look-up less these. Growing,
collapsing and pruning happen on the way back from a node's children, so that what comes back is finished. Where few
instances are held out of a node, the same few are so in many other training sets: its subtree is kept.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from foldproof.kernels.c45_cube import LOW, Counts, Cube, Held, Whole, less_held
from foldproof.kernels.c45_prune import Estimate, estimated
from foldproof.kernels.c45_route import EPS, Floats, Ints
from foldproof.kernels.jit import kernel
from foldproof.kernels.words import BITS, popcount

Nodes = npt.NDArray[np.int32]

#: A subtree is the number of its node, or a leaf of the first or second class.
FIRST_LEAF = -1
#: In the place of a subtree: it is to be grown.
GROW = -3
#: What comes back where there is no more room.
NO_ROOM = -4
#: How many nodes a subtree may make beyond what is known to be free.
SPARE = 4096


class Rules(NamedTuple):
    """How a tree is grown and pruned: the least whole weights of a branch and of a node that is split."""

    branch: int
    node: int
    collapsing: bool
    pruning: bool
    raising: bool
    how: Estimate


class Tables(NamedTuple):
    """v log2(v) for whole numbers, and estimated errors by (n, e), NaN where not yet computed."""

    logs: Floats
    errors: Floats


class Memo(NamedTuple):
    """Trees of one dataset.

    ``nodes``: attribute and both subtrees; ``errors``: their estimated errors. The first ``state[3]`` are kept, the
    rest is free again for each tree. ``slots``: by what is held out of a conjunction, its subtree and its errors in
    training. ``state``: nodes kept, nodes of this tree, slots used, where the free ones begin, bits of a kind, most
    instances held out of a node that is remembered.
    """

    nodes: Nodes
    errors: Floats
    slots: Ints
    state: Ints


class Path(NamedTuple):
    """From the root to the node at hand, a row of ``frames`` for each; and subtrees that are tried elsewhere.

    A row of ``trial`` is a subtree, its code, its counts, and which instances are held out of it. ``tests``: the gains
    and the split infos of a node's valid tests; ``valid``: which these are, and the counts where the attribute is 1.
    """

    frames: Ints
    estimates: Floats
    trial: Ints
    tests: Floats
    valid: Ints


# What stands in a row of ``frames``: the last is where the words begin that say which instances are held out.
CODE, COUNTS, GIVEN, ATTRIBUTE, ONES, PHASE, FIRST, TRAIN, KEY, KEPT, TESTED, WITHIN = range(12)
# And in one of ``trial``.
SUBTREE, PLACE, NUMBER, OUT = range(4)


@kernel
def path_room(m: int, words: int) -> Path:
    """Return room for a path through m attributes, with so many words of instances held out."""
    return Path(
        np.zeros((m + 2, WITHIN + words), dtype=np.int64),
        np.zeros(m + 2),
        np.zeros((2 * m + 4, OUT + words), dtype=np.int64),
        np.zeros((2, m)),
        np.zeros((2, m), dtype=np.int64),
    )


@kernel
def memo_room(kept: int, free: int, slots: int, code_bits: int, kind_bits: int, most: int) -> Memo:
    """Return an empty memo; ``slots`` is a power of two, ``most`` instances held out of a node have room in its key."""
    state = np.zeros(6, dtype=np.int64)
    state[1], state[3] = kept, kept
    state[4] = kind_bits
    state[5] = min(most, (62 - code_bits) // kind_bits)
    return Memo(
        np.zeros((kept + free, 3), dtype=np.int32),
        np.zeros(kept + free),
        np.full((slots, 2), -1, dtype=np.int64),
        state,
    )


@kernel
def forget(memo: Memo) -> None:
    """Empty a memo."""
    memo.slots[:, 0] = -1
    memo.state[0] = 0
    memo.state[2] = 0


@kernel
def place_of(n: int, e: int) -> int:
    """Return where the errors of n instances stand of which e are wrong."""
    return n + ((n - 1) * (n - 1) >> 2) + e


@kernel
def leaf_errors(known: Floats, how: Estimate, counts: Whole) -> float:
    """Return the estimated errors of a leaf."""
    n0, n1 = counts & LOW, counts >> 16 & LOW
    at = place_of(n0 + n1, min(n0, n1))
    if known[at] != known[at]:
        known[at] = estimated(np.array([float(n0), float(n1)]), how)
    return float(known[at])


@kernel
def error_room(n: int) -> Floats:
    """Return room for the estimated errors of up to n instances."""
    return np.full(n + 2 + (n * n >> 2) + n // 2, np.nan)


@kernel
def choose_binary(
    counted: Counts, power: Ints, masks: Ints, words: int, logs: Floats, frames: Ints, depth: int, tests: Floats,
    valid: Ints, least: int,
) -> bool:  # fmt: skip
    """Write which attribute the node at hand tests, and its counts where that is 1; return whether there is one."""
    code, counts, tested = frames[depth, CODE], frames[depth, COUNTS], frames[depth, TESTED]
    n = len(power)
    second = len(masks) - 2
    n0, n1 = counts & LOW, counts >> 16 & LOW
    weight = n0 + n1
    W = float(weight)
    whole = logs[weight]
    before = whole - logs[n0] - logs[n1]
    added, number = 0.0, 0
    for a in range(n):
        if tested >> a & 1:
            continue
        ones = np.int64(counted[code + 2 * power[a]])
        for w in range(words):
            out = frames[depth, WITHIN + w] & masks[a, w]
            ones -= popcount(out) + popcount(out & masks[second, w]) * LOW
        # The masks say that these are not negative, which spares a look-up its test for a place counted from the end.
        a0, a1 = ones & LOW, ones >> 16 & LOW
        right = a0 + a1
        left = weight - right & LOW
        if left < least or right < least:
            continue
        # In the order in which the tree of any data adds them up.
        after = -logs[n0 - a0 & LOW] - logs[n1 - a1 & LOW] - logs[a0] - logs[a1]
        branches = logs[left] + logs[right]
        gained = before - (after + branches)
        gain = 0.0 if abs(gained) < EPS else gained / W
        tests[0, number], tests[1, number] = gain, whole - branches
        valid[0, number], valid[1, number] = a, ones
        added += gain
        number += 1
    best, chosen = 0.0, -1
    bar = added / max(number, 1) - 1e-3
    for k in range(number):
        if tests[0, k] >= bar:
            ratio = tests[0, k] / (tests[1, k] / W)
            if ratio - best > EPS:
                best, chosen = ratio, k
    if chosen < 0:
        return False
    frames[depth, ATTRIBUTE], frames[depth, ONES] = valid[0, chosen], valid[1, chosen]
    return True


@kernel
def errors_in_place(
    counted: Counts, power: Ints, masks: Ints, words: int, known: Floats, how: Estimate, nodes: Nodes, frames: Ints,
    depth: int, trial: Ints, subtree: Whole, enough: float,
) -> float:  # fmt: skip
    """Return the estimated errors of a subtree in the place of the node at hand; stops above ``enough``."""
    trial[0, SUBTREE], trial[0, PLACE], trial[0, NUMBER] = subtree, frames[depth, CODE], frames[depth, COUNTS]
    for w in range(words):
        trial[0, OUT + w] = frames[depth, WITHIN + w]
    second, last = len(masks) - 2, len(trial) - 1
    top, errors = 0, 0.0
    while top >= 0 and errors <= enough:
        node, code, counts = trial[top, SUBTREE], trial[top, PLACE], trial[top, NUMBER]
        for w in range(words):
            trial[last, OUT + w] = trial[top, OUT + w]
        top -= 1
        a = np.int64(nodes[node, 0])
        ones = np.int64(counted[code + 2 * power[a]])
        for w in range(words):
            out = trial[last, OUT + w] & masks[a, w]
            ones -= popcount(out) + popcount(out & masks[second, w]) * LOW
        for value in range(2):
            child = np.int64(nodes[node, 1 + value])
            part = ones if value else counts - ones
            if child < 0:
                errors += leaf_errors(known, how, part)
            else:
                top += 1
                trial[top, SUBTREE], trial[top, PLACE], trial[top, NUMBER] = child, code + (1 + value) * power[a], part
                for w in range(words):
                    one = trial[last, OUT + w] & masks[a, w]
                    trial[top, OUT + w] = one if value else trial[last, OUT + w] ^ one
    return errors


@kernel
def find(slots: Ints, key: int) -> int:
    """Return the slot of a key, or the free one where it belongs."""
    last = len(slots) - 1
    mixed = (key ^ (key >> 21) ^ (key >> 37)) * 0x9E3779B1
    at = (mixed ^ (mixed >> 17)) & last
    while slots[at, 0] != key and slots[at, 0] != -1:
        at = (at + 1) & last
    return int(at)


@kernel
def key_of(kind: Ints, words: int, bits: int, frames: Ints, depth: int, codes: int) -> int:
    """Return a number for a conjunction, of so many, and the kinds of the instances held out of it."""
    key = frames[depth, CODE] + codes  # so that fewer instances never make a key of more
    for w in range(words):
        rest = frames[depth, WITHIN + w]
        while rest:
            low = rest & -rest
            key = (key << bits) | kind[w * BITS + popcount(low - 1)]
            rest ^= low
    return int(key)


@kernel
def new_node(nodes: Nodes, state: Ints, kept: bool, attribute: Whole, first: Whole, second: Whole) -> Whole:
    """Return the number of a node made of two subtrees, NO_ROOM where there is none."""
    at = state[0] if kept else state[1]
    if at >= (state[3] if kept else len(nodes)):
        return NO_ROOM
    state[0 if kept else 1] = at + 1
    nodes[at, 0], nodes[at, 1], nodes[at, 2] = attribute, first, second
    return at


@kernel
def learn_cube(cube: Cube, held: Held, words: int, tables: Tables, rules: Rules, memo: Memo, path: Path) -> int:
    """Return the finished tree of the instances that are not held out, NO_ROOM where it found none."""
    nodes, state, slots, how, masks = memo.nodes, memo.state, memo.slots, rules.how, held.masks
    counted, power, known, logs, tree_errors = cube.counts, cube.power, tables.errors, tables.logs, memo.errors
    frames, estimates, trial, tests, valid = path.frames, path.estimates, path.trial, path.tests, path.valid
    least = rules.branch
    everything = len(masks) - 1
    if 2 * state[2] > len(slots) or state[0] + SPARE > state[3]:
        forget(memo)
    state[1] = state[3]
    few, bits = state[5], state[4]
    for w in range(words):
        frames[0, WITHIN + w] = masks[everything, w]
    counts = less_held(np.int64(counted[0]), masks, words, everything, frames[0], WITHIN)
    n0, n1 = counts & LOW, counts >> 16
    if n0 == 0 or n1 == 0 or n0 + n1 < rules.node:
        return int(FIRST_LEAF - (n1 > n0))
    frames[0, CODE], frames[0, COUNTS], frames[0, GIVEN], frames[0, TESTED] = 0, counts, GROW, 0
    depth, entering = 0, True
    told, told_errors, told_train = 0, 0.0, 0
    while depth >= 0:
        counts, given = frames[depth, COUNTS], frames[depth, GIVEN]
        n0, n1 = counts & LOW, counts >> 16
        value = 0
        finished = False
        if entering:
            frames[depth, KEY] = -1
            frames[depth, KEPT] = depth > 0 and frames[depth - 1, KEPT]
            if given == GROW:
                out = 0
                for w in range(words):
                    out += popcount(frames[depth, WITHIN + w])
                if out <= few:
                    key = key_of(held.kind, words, bits, frames, depth, len(counted))
                    at = find(slots, key)
                    if slots[at, 0] == key:
                        told, told_train = slots[at, 1] >> 16, slots[at, 1] & 0xFFFF
                        told_errors = tree_errors[told] if told >= 0 else leaf_errors(known, how, counts)
                        depth -= 1
                        entering = False
                        continue
                    frames[depth, KEY], frames[depth, KEPT] = key, 1
                if not choose_binary(counted, power, masks, words, logs, frames, depth, tests, valid, least):
                    told, told_train = FIRST_LEAF - (n1 > n0), min(n0, n1)
                    told_errors = leaf_errors(known, how, counts)
                    finished = True
        elif frames[depth, PHASE] == 0:
            frames[depth, FIRST], estimates[depth] = told, told_errors
            if given == GROW:
                frames[depth, TRAIN] = told_train
            value = 1
        else:
            if given == GROW:
                told_train += frames[depth, TRAIN]
                frames[depth, TRAIN] = told_train
            else:
                told_train = frames[depth, TRAIN]
            as_leaf = leaf_errors(known, how, counts)
            as_tree = estimates[depth] + told_errors
            leaf = rules.collapsing and given == GROW and told_train >= min(n0, n1)
            finished = True
            if rules.pruning and not leaf:
                ones = frames[depth, ONES]
                heavy = (ones & LOW) + (ones >> 16)
                child = told if 2 * heavy >= n0 + n1 else frames[depth, FIRST]
                may_be_leaf = as_leaf - (as_tree + 0.1) < EPS
                as_child = math.inf
                if rules.raising:
                    as_child = as_leaf
                    if child >= 0:
                        enough = as_leaf if may_be_leaf else as_tree + 0.2
                        as_child = errors_in_place(
                            counted, power, masks, words, known, how, nodes, frames, depth, trial, child, enough
                        )
                leaf = may_be_leaf and as_leaf - (as_child + 0.1) < EPS
                if not leaf and as_child - (as_tree + 0.1) < EPS:
                    frames[depth, GIVEN] = given = child
                    finished = False
            if leaf:
                told, told_errors = FIRST_LEAF - (n1 > n0), as_leaf
            elif finished:
                told = new_node(
                    nodes, state, frames[depth, KEPT] == 1, frames[depth, ATTRIBUTE], frames[depth, FIRST], told
                )
                if told == NO_ROOM:
                    return NO_ROOM
                told_errors = tree_errors[told] = as_tree
        entering = False
        if finished:
            if frames[depth, KEY] >= 0:
                at = find(slots, frames[depth, KEY])
                slots[at, 0], slots[at, 1] = frames[depth, KEY], (told << 16) | told_train
                state[2] += 1
            depth -= 1
            continue
        # On to one of the children.
        frames[depth, PHASE] = value
        below: Whole = GROW
        if given != GROW:
            if value == 0:
                a = np.int64(nodes[given, 0])
                frames[depth, ATTRIBUTE] = a
                frames[depth, ONES] = less_held(
                    np.int64(counted[frames[depth, CODE] + 2 * power[a]]),
                    masks,
                    words,
                    a,
                    frames[depth],
                    WITHIN,
                )
            below = np.int64(nodes[given, 1 + value])
        a, ones = frames[depth, ATTRIBUTE], frames[depth, ONES]
        part = ones if value else counts - ones
        n0, n1 = part & LOW, part >> 16
        leaf = n0 == 0 or n1 == 0 or n0 + n1 < rules.node if below == GROW else below < 0
        if leaf:
            told, told_errors, told_train = FIRST_LEAF - (n1 > n0), leaf_errors(known, how, part), min(n0, n1)
            continue
        frames[depth + 1, CODE] = frames[depth, CODE] + (1 + value) * power[a]
        frames[depth + 1, COUNTS], frames[depth + 1, GIVEN] = part, below
        frames[depth + 1, TESTED] = frames[depth, TESTED] | 1 << a
        for w in range(words):
            one = frames[depth, WITHIN + w] & masks[a, w]
            frames[depth + 1, WITHIN + w] = one if value else frames[depth, WITHIN + w] ^ one
        depth += 1
        entering = True
    return int(told)
