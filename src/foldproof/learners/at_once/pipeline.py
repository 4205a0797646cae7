"""scikit-learn's Pipeline of a StandardScaler and an estimator that is recognised behind it."""

from __future__ import annotations

from typing import Any

from foldproof.domain.dataset import Dataset
from foldproof.learners.recognised import AT_ONCE, AtOnce, qualified_name

# Estimators whose methods know how to stand behind a scaler; their recognisers are handed the pipeline.
BEHIND_SCALER = (
    "sklearn.naive_bayes.GaussianNB",
    "sklearn.neighbors._classification.KNeighborsClassifier",
    "sklearn.neighbors._regression.KNeighborsRegressor",
    "sklearn.naive_bayes.BernoulliNB",
    "sklearn.dummy.DummyClassifier",
    "sklearn.dummy.DummyRegressor",
)
SCALER = "sklearn.preprocessing._data.StandardScaler"


@AT_ONCE.register("sklearn.pipeline.Pipeline")
def standardised(pipeline: Any, dataset: Dataset) -> AtOnce | None:
    """Recognise a scaler followed by one of the estimators above, in the plainest of pipelines."""
    options = pipeline.get_params(deep=False)
    if set(options) - {"steps", "memory", "verbose", "transform_input"}:
        return None
    if options["memory"] is not None or options.get("transform_input") is not None or len(pipeline.steps) != 2:
        return None
    scaler, last = (step for _, step in pipeline.steps)
    if qualified_name(scaler) != SCALER or set(scaler.get_params()) - {"copy", "with_mean", "with_std"}:
        return None
    name = qualified_name(last)
    if name not in BEHIND_SCALER or name not in AT_ONCE:
        return None
    found = AT_ONCE[name](pipeline, dataset)
    return None if found is None else AtOnce(f"standardised-{found.name}", found.predict, found.ordered)
