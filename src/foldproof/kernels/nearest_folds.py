"""Nearest neighbours of all folds from one list per instance: who is tested in the same fold is passed over."""

from __future__ import annotations

import numpy as np

from foldproof.kernels.folds import by_fold, in_order
from foldproof.kernels.jit import kernel
from foldproof.kernels.nearest_first import Firsts, first_of_all, keys_of
from foldproof.kernels.nearest_lists import Matrix, Places
from foldproof.kernels.nearest_narrow import Election, Lists, Vote, elected, first_by, narrow_fold
from foldproof.kernels.nearest_ranges import (
    Ints,
    Space,
    Vector,
    look_at_all,
    of_folds,
    ranges_of,
    ranges_room,
    room_for,
)


@kernel
def _by_list(
    lists: Lists, own: Places, size: Ints, vote: Vote, rank: Ints, y: Ints, votes: Ints, group: Places, found: Vector
) -> int:
    """Write the class that the nearest of a list elect for each tested instance that has none; return who is left."""
    who, distance = lists.who, lists.distance
    length = who.shape[1]
    left = 0
    for i in range(len(own)):
        fold = own[i]
        if fold < 0 or found[i] == found[i]:
            continue
        k = min(vote.k, len(own) - size[fold])
        at, taken, last, tied = 0, 0, -1.0, 0
        votes[:] = 0
        while at < length and taken < k:
            other = who[i, at]
            if own[other] != fold:
                votes[y[other]] += 1
                taken += 1
                if distance[i, at] != last:
                    last, tied = distance[i, at], 0
                group[tied] = other
                tied += 1
            at += 1
        if taken < k:
            left += 1
            continue
        if vote.all_tied or len(rank):
            room = tied
            while at < length and distance[i, at] == last:
                other = who[i, at]
                if own[other] != fold:
                    if vote.all_tied:
                        votes[y[other]] += 1
                    group[tied] = other
                    tied += 1
                at += 1
            if at == length and not lists.whole:
                left += 1
                continue
            if tied > room and not vote.all_tied:
                for a in range(room):
                    votes[y[group[a]]] -= 1
                first_by(group, tied, room, rank, y, votes)
        best = 0
        for c in range(1, len(votes)):
            if votes[c] > votes[best]:
                best = c
        found[i] = best
    return left


@kernel
def _sizes(own: Places, size: Ints) -> None:
    size[:] = 0
    for i in range(len(own)):
        if own[i] >= 0:
            size[own[i]] += 1


@kernel
def nearest_folds(
    space: Space, lists: Lists, firsts: Firsts, y: Ints, n_classes: int, test_fold: Places, order: Places, vote: Vote,
    found: Matrix,
) -> int:  # fmt: skip
    """Write the predicted class of every tested instance; return how often a list ran out.

    ``found``: NaN before. ``order[run]``: the instances as a run hands them over; no rows where that is the order of
    the data.
    """
    n, m = space.raw.shape
    folds = test_fold.max() + 1
    ordered = len(order) > 0
    first_only = vote.k == 1 and not vote.all_tied
    ranges, query, size = ranges_room(folds, m), room_for(m), np.empty(folds, np.int64)
    election = Election(np.empty(min(vote.k, n)), np.empty(n, np.int32), np.empty(n), np.empty(n_classes, np.int64), y)
    spread, left_of, keys = np.empty(folds), np.empty(folds, np.int64), np.empty(n if ordered else 0, np.int64)
    listed = 1.0 if ordered else 0.0
    ran_out = 0
    for run in range(len(test_fold)):
        own, answers = test_fold[run], found[run]
        in_turn = order[run] if ordered else own[:0]
        if ordered:
            keys_of(own, in_turn, keys)
        spread[:] = listed
        some = of_folds(space, own, ranges, spread)
        if first_only:
            left = first_of_all(space, lists, firsts, own, in_turn, keys, y, spread, ranges, left_of, answers)
            some = some and left > 0
        if some:
            members, start = in_order(own, in_turn, folds) if ordered else by_fold(own, folds)
            for fold in range(folds):
                if ranges.narrowed[fold] and not (first_only and left_of[fold] == 0):
                    rows = members[start[fold] : start[fold + 1]]
                    ran_out += narrow_fold(
                        space, lists, own, rows, left_of[fold] if first_only else len(rows), ranges_of(ranges, fold),
                        ranges.narrowed[fold], query, vote, keys, election, answers,
                    )  # fmt: skip
        if first_only and not left:
            continue
        _sizes(own, size)
        if not first_only:
            left = _by_list(lists, own, size, vote, keys, y, election.votes, election.who, answers)
        elif some:  # those whose own values make every range as wide as that of all data
            spread[:] = listed
            left = first_of_all(space, lists, firsts, own, in_turn, keys, y, spread, ranges, left_of, answers)
        for i in range(n if left else 0):
            if own[i] >= 0 and answers[i] != answers[i]:
                ran_out += 1
                far = election.far[: min(vote.k, n - size[own[i]])]
                count = look_at_all(space, own, i, query, 0, far, election.who, election.distance)
                answers[i] = elected(election, count, len(far), vote.all_tied, keys)
    return ran_out
