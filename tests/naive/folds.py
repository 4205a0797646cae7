"""The instances of one run, fold by fold."""


def by_fold(test_fold, folds):
    members = [[i for i, f in enumerate(test_fold) if f == fold] for fold in range(folds)]
    order = [i for fold in members for i in fold]
    return order, [sum(len(fold) for fold in members[:f]) for f in range(folds + 1)]


def in_order(test_fold, order, folds):
    members = [[i for i in order if test_fold[i] == fold] for fold in range(folds)]
    return [i for fold in members for i in fold], by_fold(test_fold, folds)[1]


def most_tested(test_fold):
    return max(row.count(fold) for row in test_fold for fold in set(row) if fold >= 0)
