"""Columns of any container as numbers: values, or positions in an ordered list of categories."""

from __future__ import annotations

import numbers
from collections.abc import Iterator
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from foldproof.domain.canonical import Label
from foldproof.domain.dataset import Attribute
from foldproof.domain.errors import InputError

Codes = npt.NDArray[np.float64]
#: Kinds of arrays in which nothing is missing, and equal values are one: whole numbers, yes and no, texts.
WHOLE = "iubU"


def is_missing(value: Any) -> bool:
    """Whether a value stands for nothing: None, a not-a-number, or pandas' NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and bool(value != value)


def plain(value: Any) -> Label:
    """Return a category as a plain Python value: numbers stay numbers, everything else becomes its text."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    return str(value)


def sort_key(label: Label) -> tuple[int, float, str]:
    """Order of categories that were not declared: numbers by value, then texts by code point."""
    return (1, 0.0, label) if isinstance(label, str) else (0, float(label), "")


def nominal_codes(values: list[Any], declared: tuple[Label, ...] | None = None) -> tuple[tuple[Label, ...], Codes]:
    """Return the ordered categories of a column and each value's position among them (NaN where missing).

    >>> nominal_codes(["b", None, "a"])
    (('a', 'b'), array([ 1., nan,  0.]))
    """
    labels = [None if is_missing(v) else plain(v) for v in values]
    if declared is None:
        declared = tuple(sorted({v for v in labels if v is not None}, key=sort_key))
    place = {label: float(i) for i, label in enumerate(declared)}
    return declared, np.array([np.nan if v is None else place[v] for v in labels], dtype=np.float64)


def array_codes(values: npt.NDArray[Any]) -> tuple[tuple[Label, ...], Codes]:
    """Return what :func:`nominal_codes` does, for an array of whole numbers or texts.

    >>> array_codes(np.array([7, 3, 7]))
    ((3, 7), array([1., 0., 1.]))
    """
    found, codes = np.unique(values, return_inverse=True)
    return tuple(plain(value) for value in found.tolist()), codes.astype(np.float64)


def frame_of(X: Any) -> nw.DataFrame[Any] | None:
    """Return X as a frame, or None if it is none; two columns of one name are refused."""
    try:
        frame = nw.from_native(X, eager_only=True, pass_through=True)
    except nw.exceptions.DuplicateError:
        names = [str(name) for name in X.columns]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(
            f"{names.count(twice)} columns of X are called {twice!r}: give each column a name of its own"
        ) from None
    return frame if isinstance(frame, nw.DataFrame) else None


def object_column(name: str, values: list[Any]) -> tuple[Attribute, Codes]:
    """Return a column of Python objects: numeric where every value present is a number, nominal otherwise."""
    if all(is_missing(v) or isinstance(v, (numbers.Real, np.bool_)) for v in values):
        return Attribute(name), np.array([np.nan if is_missing(v) else float(v) for v in values], dtype=np.float64)
    categories, codes = nominal_codes(values)
    return Attribute(name, categories), codes


def series_column(name: str, series: nw.Series[Any]) -> tuple[Attribute, Codes]:
    """Return a frame's column."""
    dtype = series.dtype
    if dtype.is_temporal():
        raise InputError(
            f"column {name!r} holds dates or times, which learners cannot take: drop it or turn it into numbers"
        )
    if dtype.is_numeric() or dtype == nw.Boolean:
        number = series.cast(nw.Float64)
        if number.null_count() == 0:
            return Attribute(name), np.asarray(number.to_numpy(), dtype=np.float64)
        return Attribute(name), np.array([np.nan if is_missing(v) else v for v in number.to_list()], dtype=np.float64)
    if isinstance(dtype, (nw.Categorical, nw.Enum)):
        declared = declared_categories(series)
        categories, codes = nominal_codes(series.to_list(), declared)
        return Attribute(name, categories), codes
    if dtype == nw.String:
        categories, codes = nominal_codes(series.to_list())
        return Attribute(name, categories), codes
    if dtype == nw.Object or isinstance(dtype, nw.Unknown) or dtype == nw.Unknown:
        return object_column(name, series.to_list())
    raise InputError(f"column {name!r} holds {dtype}, which is neither numbers nor categories: convert it first")


def declared_categories(series: nw.Series[Any]) -> tuple[Label, ...] | None:
    """Return the categories that a column declares: an Enum's and pandas', whose order and unused ones count."""
    if isinstance(series.dtype, nw.Enum):
        return tuple(plain(v) for v in series.dtype.categories)
    native = nw.to_native(series)
    declared = getattr(getattr(native, "cat", None), "categories", None)
    return None if declared is None else tuple(plain(v) for v in declared)


def array_columns(array: npt.NDArray[Any]) -> Iterator[tuple[Attribute, Codes]]:
    """Yield the columns of a two-dimensional array; ``x0``, ``x1``, … are their names."""
    for j in range(array.shape[1]):
        column, name = array[:, j], f"x{j}"
        if array.dtype.kind in "biuf":
            yield Attribute(name), column.astype(np.float64)
        elif array.dtype.kind in "US":
            categories, codes = nominal_codes(column.tolist())
            yield Attribute(name, categories), codes
        elif array.dtype.kind == "O":
            yield object_column(name, column.tolist())
        else:
            raise InputError(f"X has elements of type {array.dtype}: give numbers, texts or objects")
