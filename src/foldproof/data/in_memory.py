"""Datasets from what Python users hold: arrays, sparse matrices and any dataframe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from foldproof.domain.canonical import Label
from foldproof.domain.columns import (
    WHOLE,
    Codes,
    array_codes,
    array_columns,
    frame_of,
    is_missing,
    nominal_codes,
    object_column,
    plain,
    series_column,
)
from foldproof.domain.dataset import Attribute, Dataset, Task, fingerprint_dataset
from foldproof.domain.errors import InputError


def dataset(
    X: Any,
    y: Any,
    *,
    task: Task | Literal["auto"] = "auto",
    name: str = "data",
    groups: Any = None,
    sample_weight: Any = None,
    target_name: str | None = None,
    classes: Sequence[Label] | None = None,
    notes: tuple[str, ...] = (),
    _fingerprint: str | None = None,
) -> Dataset:
    """Return a Dataset of X and y, with the fingerprint of their content.

    Parameters
    ----------
    X
        Two-dimensional array, sparse matrix, or a dataframe that narwhals knows (pandas, polars, pyarrow, …).
        A categorical or text column is a nominal attribute.
    y
        One target per row, none missing.
    task
        "auto" takes numbers that are not whole as regression and everything else as classification.
    classes
        Declared classes in order, also those that never occur; by default those that do, sorted. Declarations are
        part of the content: learners may use them, and the fingerprint holds them.
    """
    target, own_name = _target(y)
    chosen = _task(target, task)
    known, target_codes = _target_codes(target, chosen, classes)
    container, matrix, codes, attributes = _instances(X)
    if codes is not None and np.isinf(codes).any():
        row, column = (int(i) for i in np.argwhere(np.isinf(codes))[0])
        raise InputError(
            f"column {attributes[column].name!r} is infinite in row {row}: replace it by a number or a missing value"
        )
    group_codes = None if groups is None else nominal_codes(_listed(groups, "groups"))[1]
    if group_codes is not None and np.isnan(group_codes).any():
        raise InputError(f"groups has a missing value at row {int(np.flatnonzero(np.isnan(group_codes))[0])}")
    weights = None if sample_weight is None else _weights(sample_weight)
    if len(target) != matrix.shape[0]:
        raise InputError(f"X has {matrix.shape[0]} rows and the target {len(target)}: they must be the same instances")
    return Dataset(
        name=name,
        X=container,
        codes=codes,
        attributes=attributes,
        y=target,
        target_codes=target_codes,
        task=chosen,
        fingerprint=_fingerprint  # of a file that a reader knows to be as it was
        or fingerprint_dataset(matrix, attributes, target_codes, known, group_codes, weights),
        classes=known,
        target_name=target_name or own_name or "target",
        groups=None if group_codes is None else group_codes.astype(np.intp),
        sample_weight=weights,
        notes=notes,
    )


def _listed(values: Any, what: str) -> list[Any]:
    """Return a one-dimensional anything as a list."""
    listed = values.to_list() if hasattr(values, "to_list") else np.asarray(values).tolist()
    if not isinstance(listed, list) or any(isinstance(v, list) for v in listed[:1]):
        raise InputError(f"{what} must have one dimension, one entry per row; got shape {np.shape(values)}")
    return listed


def _target(y: Any) -> tuple[npt.NDArray[Any], str | None]:
    """Return the target as an array of plain labels or numbers, and its name if it has one."""
    shape = np.shape(y)
    if len(shape) == 2 and shape[1] == 1:
        y = np.asarray(y)[:, 0]
    elif len(shape) != 1:
        raise InputError(f"the target must have one dimension, one entry per row; got shape {shape}")
    values = _listed(y, "the target")
    if not values:
        raise InputError("the dataset is empty: it has no rows")
    whole = isinstance(y, np.ndarray) and y.dtype.kind in WHOLE
    missing = [] if whole else [i for i, v in enumerate(values) if is_missing(v)]
    if missing:
        raise InputError(
            f"the target is missing in {len(missing)} of {len(values)} rows (first: row {missing[0]}): "
            "drop those rows or fill them in"
        )
    target = np.array(values)
    if target.dtype.kind == "O" or (not whole and len({isinstance(v, str) for v in values}) > 1):
        target = np.array([str(v) for v in values])
    if target.dtype.kind == "f" and not np.isfinite(target).all():
        raise InputError(f"the target is infinite in row {int(np.flatnonzero(~np.isfinite(target))[0])}")
    own_name = getattr(y, "name", None)
    return target, own_name if isinstance(own_name, str) and own_name else None


def _task(target: npt.NDArray[Any], task: Task | Literal["auto"]) -> Task:
    if task != "auto":
        if task not in ("classification", "regression"):
            raise InputError(f"task is {task!r}: use 'classification', 'regression' or 'auto'")
        return task
    return "regression" if target.dtype.kind == "f" and bool((target != np.rint(target)).any()) else "classification"


def _target_codes(
    target: npt.NDArray[Any], task: Task, declared: Sequence[Label] | None
) -> tuple[tuple[Label, ...] | None, Codes]:
    if task == "classification":
        seen, codes = array_codes(target) if target.dtype.kind in WHOLE else nominal_codes(target.tolist())
        if len(seen) < 2:
            raise InputError(f"the target is constant ({seen[0]!r} in every row): there is nothing to learn")
        if declared is None:
            return seen, codes
        labels = tuple(plain(label) for label in declared)
        strangers = [label for label in seen if label not in labels]
        if strangers or len(set(labels)) < len(labels):
            wrong = f"lacks {strangers[0]!r}, which occurs" if strangers else "names a class twice"
            raise InputError(f"classes ({', '.join(map(repr, labels))}) {wrong}: give each class once, in order")
        return nominal_codes(target.tolist(), labels)
    if target.dtype.kind not in "biuf":
        raise InputError(
            f"the target holds text (such as {str(target[0])!r}) and the learners are regressors: choose a numeric "
            "target or classifiers"
        )
    numbers = target.astype(np.float64)
    if numbers.min() == numbers.max():
        raise InputError(f"the target is constant ({numbers[0]:g} in every row): there is nothing to learn")
    return None, numbers


def _instances(X: Any) -> tuple[Any, Any, Codes | None, tuple[Attribute, ...]]:
    """Return the container, the matrix to fingerprint, the codes and the attributes."""
    if hasattr(X, "tocsc"):
        matrix = X.tocsc().astype(np.float64)
        matrix.sum_duplicates()
        matrix.sort_indices()
        if not np.isfinite(matrix.data).all():
            raise InputError("a sparse X must be complete and finite: it has values that are not")
        attributes = tuple(Attribute(f"x{j}") for j in range(X.shape[1]))
        return X.tocsr(), matrix, None, attributes
    frame = frame_of(X)
    if frame is not None:
        columns = [series_column(str(series.name), series) for series in frame.iter_columns()]
        container = X if frame.implementation.is_pandas() or frame.implementation.is_polars() else frame.to_polars()
    else:
        container = np.asarray(X)
        if isinstance(X, (list, tuple)) and container.dtype.kind in "US":
            container = np.asarray(X, dtype=object)  # a list may mix numbers and texts; NumPy makes all of it text
        if container.ndim != 2:
            raise InputError(f"X must have two dimensions, rows and attributes; got shape {container.shape}")
        if container.dtype.kind == "f":
            codes = np.asarray(container, dtype=np.float64)
            return container, codes, codes, tuple(Attribute(f"x{j}") for j in range(codes.shape[1]))
        columns = list(array_columns(container))
    if not columns:
        raise InputError("X has no columns: there is nothing to learn from")
    codes = np.column_stack([column for _, column in columns])
    return container, codes, codes, tuple(attribute for attribute, _ in columns)


def _weights(sample_weight: Any) -> Codes:
    attribute, weights = object_column("sample_weight", _listed(sample_weight, "sample_weight"))
    if attribute.nominal or not np.isfinite(weights).all() or (weights < 0).any():
        raise InputError("sample_weight must hold finite numbers of at least 0, one per row")
    return weights
