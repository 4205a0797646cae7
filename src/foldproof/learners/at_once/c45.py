"""C4.5 on all partitions at once: what the trees of all folds share is prepared once."""

from __future__ import annotations

import numpy as np

from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError
from foldproof.learners._c45 import C45, declared_sizes
from foldproof.learners.recognised import AT_ONCE, AtOnce, Codes, TestFold


@AT_ONCE.register("foldproof.learners._c45.C45")
def c45_at_once(estimator: C45, dataset: Dataset) -> AtOnce | None:
    """Recognise C4.5 with any options on unweighted data, as long as it declares nothing beside the dataset."""
    own = (estimator.categorical_features, estimator.categories, estimator.classes)
    if any(given is not None for given in own) or dataset.sample_weight is not None:
        return None
    if dataset.codes is None or dataset.task != "classification" or dataset.classes is None:
        return None
    try:
        options = estimator._options()
    except InputError:
        return None
    # The kernels bring numba, which is heavy.
    from foldproof.kernels.c45_folds import predict_folds
    from foldproof.kernels.c45_route import Sample
    from foldproof.kernels.c45_sorted import pack
    from foldproof.kernels.c45_split import tables_for

    codes = np.array(dataset.codes, dtype=np.float64, order="C")
    n = len(codes)
    sample = Sample(
        np.ascontiguousarray(codes.T),
        declared_sizes(dataset.attributes),
        dataset.target_codes.astype(np.int32),
        np.ones(n),
        len(dataset.classes),
        estimator.variant == "classic",
    )
    packed, tables = pack(sample), tables_for(n)

    def predict(test_fold: TestFold) -> Codes:
        answers = np.full(test_fold.shape, np.nan)
        folds = np.array(test_fold, dtype=np.int32, order="C")
        predict_folds(sample, packed, codes, tables, folds, options, answers)
        return answers

    return AtOnce("c45", predict)
