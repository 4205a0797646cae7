"""Bernoulli naive Bayes on all folds, one number at a time."""

import math


def predictions(X, y, test_fold, *, threshold, by_mean, alpha, learns_prior):
    """Return the predicted class for each instance, None where it is never tested or classes are all but equal."""
    answer = [None] * len(y)
    for fold in range(max(test_fold) + 1):
        train = [i for i, f in enumerate(test_fold) if f != fold]
        cuts = [sum(X[i][j] for i in train) / len(train) if by_mean else threshold for j in range(len(X[0]))]
        model = {}
        for c in sorted({y[i] for i in train}):
            mine = [i for i in train if y[i] == c]
            shares = [
                (sum(X[i][j] > cut for i in mine) + alpha) / (len(mine) + 2 * alpha) for j, cut in enumerate(cuts)
            ]
            model[c] = (math.log(len(mine) / len(train)) if learns_prior else 0.0, shares)
        for i, f in enumerate(test_fold):
            if f != fold:
                continue
            told = []
            for c, (score, shares) in model.items():
                for share, x, cut in zip(shares, X[i], cuts, strict=True):
                    score += math.log(share if x > cut else 1 - share)
                told.append((score, c))
            told.sort()
            if len(told) == 1 or told[-1][0] - told[-2][0] > 1e-9:
                answer[i] = told[-1][1]
    return answer
