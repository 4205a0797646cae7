"""Instances in any container, column by column, as learners read them when they fit and when they predict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from foldproof.domain.canonical import Label
from foldproof.domain.columns import (
    Codes,
    declared_categories,
    is_missing,
    nominal_codes,
    object_column,
    plain,
    series_column,
)
from foldproof.domain.dataset import Attribute
from foldproof.domain.errors import InputError


@dataclass(frozen=True, slots=True)
class Column:
    """A column as it was given: an array of numbers, a frame's series, or a list of Python objects."""

    name: str
    content: npt.NDArray[Any] | nw.Series[Any] | list[Any]

    def learnt(self, *, nominal: bool) -> tuple[Attribute, Codes]:
        """Return the attribute that the column makes by itself, and its codes; ``nominal``: its numbers are names."""
        content = self.content
        if nominal:
            declared = declared_categories(content) if isinstance(content, nw.Series) else None
            categories, codes = nominal_codes(self.listed(), declared)
            return Attribute(self.name, categories), codes
        if isinstance(content, nw.Series):
            return series_column(self.name, content)
        if isinstance(content, list):
            return object_column(self.name, content)
        return Attribute(self.name), content.astype(np.float64)

    def listed(self) -> list[Any]:
        """Return the values as Python objects."""
        if isinstance(self.content, list):
            return self.content
        return list(self.content.to_list() if isinstance(self.content, nw.Series) else self.content.tolist())

    def read(self, attribute: Attribute, *, strict: bool = False) -> Codes:
        """Return the codes under an attribute that is already known.

        A category that the attribute does not have is missing, or an error where ``strict``.
        """
        if attribute.categories is None:
            return self._numbers(attribute.name)
        content = self.content
        if isinstance(content, np.ndarray) and not any(isinstance(c, str) for c in attribute.categories):
            codes = _positions(content.astype(np.float64), attribute.categories)
            unknown = np.flatnonzero(np.isnan(codes) & (content == content))
            stranger = plain(content[unknown[0]]) if len(unknown) else None
        else:
            labels = [None if is_missing(v) else plain(v) for v in self.listed()]
            place = {label: float(i) for i, label in enumerate(attribute.categories)}
            codes = np.array([np.nan if v is None else place.get(v, np.nan) for v in labels], dtype=np.float64)
            stranger = next((v for v in labels if v is not None and v not in place), None)
        if strict and stranger is not None:
            shown = ", ".join(map(repr, attribute.categories[:8])) + ", …" * (len(attribute.categories) > 8)
            raise InputError(
                f"column {attribute.name!r} holds {stranger!r}, which is not among its declared categories ({shown}): "
                "declare it or leave categories out"
            )
        return codes

    def _numbers(self, name: str) -> Codes:
        found, codes = self.learnt(nominal=False)
        if found.nominal:
            example = next(v for v in self.listed() if not is_missing(v))
            raise InputError(
                f"column {name!r} held numbers in fit and now holds {example!r}: give the columns of fit, of the "
                "same kind"
            )
        return codes


def _positions(values: Codes, categories: Sequence[Label]) -> Codes:
    """Return the position of each number among categories that are numbers, NaN where it is not one of them."""
    known = np.array([float(c) for c in categories], dtype=np.float64)
    codes = np.full(len(values), np.nan)
    if len(known) == 0:
        return codes
    order = np.argsort(known, kind="stable")
    at = np.minimum(np.searchsorted(known[order], values), len(known) - 1)
    found = known[order][at] == values
    codes[found] = order[at[found]]
    return codes


def frame_columns(frame: nw.DataFrame[Any]) -> list[Column]:
    """Return a frame's columns."""
    return [Column(str(series.name), series) for series in frame.iter_columns()]


def array_columns(array: npt.NDArray[Any]) -> list[Column]:
    """Return the columns of a two-dimensional array; ``x0``, ``x1``, … are their names."""
    numeric = array.dtype.kind in "biuf"
    return [
        Column(f"x{j}", array[:, j] if numeric else array[:, j].astype(object).tolist()) for j in range(array.shape[1])
    ]


def finite(attributes: Sequence[Attribute], codes: Codes) -> Codes:
    """Return the codes, or say which column is infinite and where."""
    if np.isinf(codes).any():
        row, column = (int(i) for i in np.argwhere(np.isinf(codes))[0])
        raise InputError(
            f"column {attributes[column].name!r} is infinite in row {row}: replace it by a number or a missing value"
        )
    return codes
