"""What is done, inside each training fold, for estimators that take only complete numbers."""

from __future__ import annotations

from typing import Any

from foldproof.domain.dataset import Dataset


def encoded(dataset: Dataset, estimator: Any) -> Any:
    """Return the estimator behind an encoder fitted on the training fold only.

    Numbers: the median of the known values for missing ones. Nominal values: the most frequent one for
    missing ones, then one column per value seen in the training fold (a value not seen there: all zero). The input is
    ``dataset.codes``, so it does not matter which container the data came in.
    """
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import OneHotEncoder

    nominal = [j for j, attribute in enumerate(dataset.attributes) if attribute.nominal]
    numeric = [j for j, attribute in enumerate(dataset.attributes) if not attribute.nominal]
    one_hot = Pipeline(
        [
            ("impute", SimpleImputer(strategy="most_frequent", keep_empty_features=True)),
            ("encode", OneHotEncoder(handle_unknown="ignore", sparse_output=False)),
        ]
    )
    columns = ColumnTransformer(
        [
            ("numeric", SimpleImputer(strategy="median", keep_empty_features=True), numeric),
            ("nominal", one_hot, nominal),
        ]
    )
    return Pipeline([("encode", columns), ("learn", estimator)])


def describe_encoding(dataset: Dataset) -> str:
    """Return the sentence that tells what is done."""
    assert dataset.codes is not None
    nominal = sum(attribute.nominal for attribute in dataset.attributes)
    missing = int((dataset.codes != dataset.codes).sum())
    return (
        f"{nominal} nominal attribute{'s' * (nominal != 1)} one-hot encoded and {missing} missing "
        f"value{'s' * (missing != 1)} filled in (median, most frequent) inside each training fold"
    )
