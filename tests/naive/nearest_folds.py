"""All folds of all runs, one nearest neighbour after the other, each from nothing; and everybody's nearest others."""

from naive import nearest

TWIN_OF = ("nearest_first", "nearest_folds", "nearest_lists", "nearest_narrow", "nearest_ranges")


def predictions(rows, labels, values, test_fold, order=None, *, n_classes, **options):
    """Return the predicted class for each run and instance, None where a run never tests it."""
    answers = []
    for run, folds in enumerate(test_fold):
        handed = list(range(len(rows))) if order is None else order[run]
        answer = [None] * len(rows)
        for fold in range(max(folds) + 1):
            train = [i for i in handed if folds[i] != fold]
            test = [i for i in handed if folds[i] == fold]
            told = nearest.votes(
                [rows[i] for i in train], [labels[i] for i in train], values, [rows[i] for i in test],
                n_classes=n_classes, **options,
            )  # fmt: skip
            for i, votes in zip(test, told, strict=True):
                answer[i] = votes.index(max(votes))
        answers.append(answer)
    return answers


def lists(rows, values, length, slack):
    """Return (distance, position) of each row's nearest others under the ranges of all rows."""
    ranges = []
    for a in range(len(values)):
        known = [row[a] for row in rows if row[a] is not None]
        ranges.append((min(known), max(known)) if known and values[a] is None else (None, None))
    told = []
    for i, row in enumerate(rows):
        others = []
        for j, other in enumerate(rows):
            distance = 0.0
            for a, (low, high) in enumerate(ranges):
                distance += nearest.difference(row[a], other[a], values[a], low, high, slack) ** 2
            if i != j:
                others.append((distance, j))
        told.append(sorted(others)[:length])
    return told
