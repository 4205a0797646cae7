"""Gaussian naive Bayes on all folds: sums about each class's own mean, less what a fold holds back.

Sums about a mean far away lose their digits: after adding 1e8 to the data most predictions were wrong. Each decision
comes with a bound on what rounding can do, here and in an implementation that goes through the data twice; where the
two best classes are nearer than that, the fold is left to be fitted.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from foldproof.kernels.folds import by_fold
from foldproof.kernels.jit import kernel

Matrix = npt.NDArray[np.float64]
LOG_2PI = math.log(2.0 * math.pi)


@kernel
def gaussian_folds(
    z: Matrix,
    y: npt.NDArray[np.int64],
    centres: Matrix,
    magnitude: npt.NDArray[np.float64],
    test_fold: npt.NDArray[np.int32],
    smoothing: float,
    standardised: bool,
    found: Matrix,
    doubtful: npt.NDArray[np.bool_],
) -> None:
    """Write the predicted class of every tested instance, and which folds are too close to call.

    ``z``: the data less one constant per column; ``centres``: a point near each class's mean, less the same;
    ``magnitude``: the greatest value of each column before that. ``smoothing``: the share of the greatest variance that
    is added to all. ``standardised``: whether columns are brought to variance 1 in each training set.
    """
    n, m = z.shape
    k, folds = len(centres), doubtful.shape[1]
    # Adding n numbers one after the other loses at most this share of the greatest sum.
    grain = (n + 16.0) * 2.3e-16
    shift = grain * magnitude
    count = np.zeros(k)
    total, squares = np.zeros((k, m)), np.zeros((k, m))
    all_total, all_squares = np.zeros(m), np.zeros(m)
    for i in range(n):
        c = y[i]
        count[c] += 1.0
        for j in range(m):
            d = z[i, j] - centres[c, j]
            total[c, j] += d
            squares[c, j] += d * d
            all_total[j] += z[i, j]
            all_squares[j] += z[i, j] * z[i, j]
    w, s1, s2 = count.copy(), total.copy(), squares.copy()
    mean, inverse = np.empty((k, m)), np.empty((k, m))
    variance, added, moved = np.empty(m), np.empty(m), np.empty(m)
    constant, logs, r2, loose = np.empty(k), np.empty(k), np.empty(k), np.empty(k)
    largest = 0
    block, far = np.empty((m, 0)), np.empty((k, 0))
    for run in range(len(test_fold)):
        order, start = by_fold(test_fold[run], folds)
        for fold in range(folds):
            rows = order[start[fold] : start[fold + 1]]
            size = len(rows)
            if size == 0:
                continue
            if size > largest:
                largest = size
                block, far = np.empty((m, size)), np.empty((k, size))
            w[:], s1[:, :], s2[:, :] = count, total, squares
            for j in range(m):
                variance[j], moved[j] = all_squares[j], all_total[j]
            for r in range(size):
                i = rows[r]
                c = y[i]
                w[c] -= 1.0
                for j in range(m):
                    v = z[i, j]
                    d = v - centres[c, j]
                    s1[c, j] -= d
                    s2[c, j] -= d * d
                    moved[j] += -v
                    variance[j] -= v * v
                    block[j, r] = v
            whole = float(n - size)
            greatest, unsure = 0.0, 0.0
            bad = False
            for j in range(m):
                mu = moved[j] / whole
                variance[j] = max(variance[j] / whole - mu * mu, 0.0)
                if standardised:
                    bad = bad or not variance[j] > 100.0 * shift[j] * shift[j]
                else:
                    greatest = max(greatest, variance[j])
                    unsure = max(unsure, shift[j] * shift[j])
            for j in range(m):
                if standardised:
                    added[j] = smoothing * variance[j]
                    moved[j] = added[j] * 4.0 * grain + smoothing * 2.0 * shift[j] * shift[j]
                else:
                    added[j] = smoothing * greatest
                    moved[j] = smoothing * (4.0 * grain * greatest + 2.0 * unsure)
            for c in range(k):
                if w[c] < 0.5:
                    continue
                logs[c], r2[c], loose[c] = 0.0, 0.0, 0.0
                constant[c] = math.log(w[c] / whole)
                for j in range(m):
                    about = s1[c, j] / w[c]
                    second = s2[c, j] / w[c]
                    own = max(second - about * about, 0.0) + added[j]
                    if not own > 0.0:
                        bad = True
                        break
                    mean[c, j] = centres[c, j] + about
                    inverse[c, j] = 1.0 / own
                    log = 0.5 * (LOG_2PI + math.log(own))
                    logs[c] += abs(log)
                    constant[c] -= log
                    r2[c] += shift[j] * shift[j] / own
                    error = 4.0 * grain * (own + second) + 2.0 * shift[j] * shift[j] + moved[j]
                    loose[c] = max(loose[c], error / own)
            if bad:
                doubtful[run, fold] = True
                continue
            for c in range(k):
                if w[c] < 0.5:
                    continue
                for r in range(size):
                    far[c, r] = 0.0
                for j in range(m):
                    mu, inv = mean[c, j], inverse[c, j]
                    for r in range(size):
                        d = block[j, r] - mu
                        far[c, r] += d * d * inv
            for r in range(size):
                best, second_best, at, slack = -np.inf, -np.inf, -1, 0.0
                for c in range(k):
                    if w[c] < 0.5:
                        continue
                    q = far[c, r]
                    value = constant[c] - 0.5 * q
                    # Twice what the shift of the means, the error of the variances and the additions amount to.
                    error = 4.0 * math.sqrt(q * r2[c]) + 2.0 * r2[c] + (q + m) * loose[c]
                    error += 4.5e-16 * (m + 16.0) * (q + logs[c] + 50.0)
                    slack = max(slack, error)
                    if value > best:
                        best, second_best, at = value, best, c
                    elif value > second_best:
                        second_best = value
                    elif not value <= second_best:  # not a number
                        slack = np.inf
                if not best - second_best > 2.0 * slack:
                    doubtful[run, fold] = True
                    break
                found[run, rows[r]] = at
