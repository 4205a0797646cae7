"""Nearest neighbours of all folds from one list per instance: who is tested in the same fold is passed over."""

from __future__ import annotations

import numpy as np

from foldproof.kernels.folds import by_fold
from foldproof.kernels.jit import kernel
from foldproof.kernels.nearest_lists import NOMINAL, Matrix, Places
from foldproof.kernels.nearest_narrow import Election, Lists, Vote, elected, first_by, narrow_fold
from foldproof.kernels.nearest_ranges import Ints, Space, Vector, has_width, look_at_all, of_fold, room_for


@kernel
def _by_list(
    lists: Lists, own: Places, size: Ints, vote: Vote, rank: Places, y: Ints, votes: Ints, group: Places, found: Vector
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
def _first_by_list(who: Places, own: Places, y: Ints, found: Vector) -> int:
    """Do the same where the first of the list alone decides."""
    length = who.shape[1]
    left = 0
    for i in range(len(own)):
        fold = own[i]
        if fold < 0 or found[i] == found[i]:
            continue
        at = 0
        while at < length and own[who[i, at]] == fold:
            at += 1
        if at < length:
            found[i] = y[who[i, at]]
        else:
            left += 1
    return left


@kernel
def _sizes(own: Places, size: Ints) -> None:
    size[:] = 0
    for i in range(len(own)):
        if own[i] >= 0:
            size[own[i]] += 1


@kernel
def nearest_folds(
    space: Space, lists: Lists, y: Ints, n_classes: int, test_fold: Places, rank: Places, vote: Vote, found: Matrix
) -> int:
    """Write the predicted class of every tested instance; return how often a list ran out.

    ``found``: NaN before. ``rank[run, instance]``: the position of the instance in the order in which a run hands them
    over; no rows where that is the order of the data.
    """
    n, m = space.raw.shape
    folds = test_fold.max() + 1
    ordered = len(rank) > 0
    first_only = vote.k == 1 and not vote.all_tied and not ordered
    low_fold, high_fold, narrow = np.full(m, -1, np.int64), np.full(m, -1, np.int64), np.empty(folds, np.bool_)
    divides = np.zeros(m, np.bool_)
    for a in range(m):
        divides[a] = space.kind[a] != NOMINAL and has_width(space.low[a], space.high[a], space.slack)
    fold_ranges, query, size = room_for(m), room_for(m), np.empty(folds, np.int64)
    election = Election(np.empty(min(vote.k, n)), np.empty(n, np.int32), np.empty(n), np.empty(n_classes, np.int64), y)
    ran_out = 0
    for run in range(len(test_fold)):
        own, answers = test_fold[run], found[run]
        ranks = rank[run] if ordered else own[:0]
        narrow[:] = False
        some = False
        for a in range(m):
            if divides[a]:
                low_fold[a], high_fold[a] = own[space.lowest[a, 0]], own[space.highest[a, 0]]
                if low_fold[a] >= 0:
                    narrow[low_fold[a]] = some = True
                if high_fold[a] >= 0:
                    narrow[high_fold[a]] = some = True
        if some:
            members, start = by_fold(own, folds)
            for fold in range(folds):
                if narrow[fold]:
                    count = of_fold(space, own, fold, low_fold, high_fold, fold_ranges)
                    rows = members[start[fold] : start[fold + 1]]
                    if ordered and vote.cumulative and count:
                        rows = rows[np.argsort(ranks[rows])]
                    if count:
                        ran_out += narrow_fold(
                            space, lists, own, rows, fold_ranges, count, query, vote, ranks, election, answers
                        )
        if first_only:
            left = _first_by_list(lists.who, own, y, answers)
        else:
            _sizes(own, size)
            left = _by_list(lists, own, size, vote, ranks, y, election.votes, election.who, answers)
        if left:
            ran_out += left
            _sizes(own, size)
            for i in range(n):
                if own[i] >= 0 and answers[i] != answers[i]:
                    far = election.far[: min(vote.k, n - size[own[i]])]
                    count = look_at_all(space, own, i, query, 0, far, election.who, election.distance)
                    answers[i] = elected(election, count, len(far), vote.all_tied, ranks)
    return ran_out
