"""Generated data as datasets, and partitions of every kind for them."""

import numpy as np

from foldproof.domain.dataset import Attribute, Dataset


def declared_dataset(X, y, sizes, n_classes):
    """Return codes as a dataset; a size of 0 is a numeric attribute."""
    attributes = tuple(Attribute(f"x{j}", tuple(range(size)) if size else None) for j, size in enumerate(sizes))
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    return Dataset("made", X, X, attributes, y, y.astype(float), "classification", "made", tuple(range(n_classes)))


def mixed_dataset(mixture):
    """Return a mixture as a dataset."""
    return declared_dataset(mixture.X, mixture.y, [v or 0 for v in mixture.values], mixture.n_classes)


def divided(rng, n):
    """Return k-fold, two-fold and resampled runs, one that leaves one out, and one with a lonely test instance."""
    folds = [rng.permutation(np.arange(n) % min(k, n)) for k in (5, 2)]
    sampled = [np.where(rng.permutation(n) < max(1, n // 4), 0, -1) for _ in range(2)]
    lonely = np.where(np.arange(n) == n // 2, 0, -1)
    each = (folds[0][None, :], folds[1][None, :], np.stack(sampled), np.arange(n)[None, :], lonely[None, :])
    return [matrix.astype(np.int32) for matrix in each]
