"""Generated data of every kind: numeric and nominal columns, ties, duplicates, unknown values, unused categories."""

import numpy as np


class Mixture:
    """One table twice: as a matrix for the library, as rows for the slow twins."""

    def __init__(self, seed, n=None):
        rng = np.random.default_rng(seed)
        n = n or int(rng.integers(2, 45))
        self.n_classes = int(rng.integers(2, 5))
        columns, self.values = [], []
        for _ in range(int(rng.integers(1, 5))):
            kind = int(rng.integers(0, 6))
            if kind == 0:
                column = rng.normal(size=n)
            elif kind == 1:
                column = rng.integers(0, 8, n) / 3.0
            else:
                column = rng.integers(0, kind, n).astype(float)
            column[rng.random(n) < rng.choice([0.0, 0.2])] = np.nan
            columns.append(column)
            self.values.append(None if kind < 2 else kind + 1)  # one category more than occurs
        self.X = np.column_stack(columns)
        # From half noise to nearly none: trees of many sizes, and cuts for whoever cuts.
        signal = (np.nan_to_num(self.X[:, 0]) > 0.6).astype(int)
        self.y = np.where(rng.random(n) < rng.uniform(0.5, 1.0), signal, rng.integers(0, self.n_classes, n))
        self.labels = self.y.tolist()
        self.rows = as_rows(self.X, self.values)

    @property
    def declared(self):
        """What a learner has to be told."""
        nominal = [j for j, v in enumerate(self.values) if v is not None]
        return {
            "categorical_features": nominal or None,
            "categories": [list(range(self.values[j])) for j in nominal] or None,
            "classes": list(range(self.n_classes)),
        }

    def others(self, seed, n=40):
        """Return instances that nobody trained on: any category, also those that training lacks, and unknown values."""
        rng = np.random.default_rng(seed)
        columns = [rng.normal(size=n) if v is None else rng.integers(0, v, n).astype(float) for v in self.values]
        X = np.column_stack(columns)
        X[rng.random(X.shape) < 0.2] = np.nan
        return X, as_rows(X, self.values)


def as_rows(X, values):
    """Return a matrix of codes as lists of numbers, positions and None."""
    return [
        [None if np.isnan(x) else (float(x) if v is None else int(x)) for x, v in zip(row, values, strict=True)]
        for row in X
    ]
