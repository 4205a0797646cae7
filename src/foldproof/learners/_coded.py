"""CodedClassifier: what the learners of this room share; each learns from one matrix of codes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from foldproof.domain.canonical import Label
from foldproof.domain.columns import frame_of, is_missing, plain
from foldproof.domain.dataset import Attribute
from foldproof.domain.errors import InputError
from foldproof.learners._containers import Column, array_columns, finite, frame_columns

Matrix = npt.NDArray[np.float64]


class CodedClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier of numeric and nominal attributes with missing values.

    Takes arrays, lists and dataframes as they are. Columns of texts or categories are nominal, numbers are
    numeric unless ``categorical_features`` says otherwise; NaN, None and NA are missing. Rows of weight 0 are as if
    they were not there. A subclass repeats the three parameters in its own ``__init__`` and implements ``_learn``
    and ``_probabilities`` on codes: a number, or a position in its attribute's categories, or NaN where missing.

    Parameters
    ----------
    categorical_features
        Positions or names (or a mask) of nominal columns that hold numbers.
    categories
        Declared categories, one list per nominal column in column order (None in place of a list: as by default).
        Default: what the column itself declares (pandas' categorical, polars' Enum), else those seen in fit, sorted.
    classes
        Declared classes in order. Default: those seen in fit, sorted.

    Attributes
    ----------
    attributes_
        Name and categories of each column.
    classes_
        The classes, including declared ones that never occurred.
    """

    attributes_: tuple[Attribute, ...]
    classes_: npt.NDArray[Any]
    n_features_in_: int

    def __init__(
        self,
        *,
        categorical_features: Sequence[int] | Sequence[str] | None = None,
        categories: Sequence[Sequence[Label] | None] | None = None,
        classes: Sequence[Label] | None = None,
    ) -> None:
        self.categorical_features = categorical_features
        self.categories = categories
        self.classes = classes

    # ---- what a learner implements -------------------------------------------------------------------------

    @abstractmethod
    def _learn(self, codes: Matrix, y: npt.NDArray[np.int64], weights: Matrix) -> None:
        """Learn from codes (column after column in memory), positions in ``classes_`` and positive weights."""

    @abstractmethod
    def _probabilities(self, codes: Matrix) -> Matrix:
        """Return one row of class probabilities per instance, in the order of ``classes_``."""

    # ---- what scikit-learn sees ----------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from instances, their classes and, where given, their weights."""
        _without_missing(y)
        y = np.asarray(validate_data(self, X="no_validation", y=y))
        check_classification_targets(y)
        columns = self._columns(X, reset=True)
        n = len(columns[0].content)
        if len(y) != n:
            raise InputError(
                f"Found input variables with inconsistent numbers of samples: {[n, len(y)]}: X and y must be the same "
                "instances"
            )
        weights = np.ones(n)
        if sample_weight is not None:
            weights = np.asarray(
                _check_sample_weight(sample_weight, y, dtype=np.float64, ensure_non_negative=True), dtype=np.float64
            )
            with np.errstate(over="ignore"):
                if not np.isfinite(weights.sum()):
                    raise InputError(
                        "the sum of sample_weight is beyond what a number can hold: divide all weights by one number"
                    )
            keep = np.flatnonzero(weights > 0.0)
            if not len(keep):
                raise InputError("sample_weight is 0 in every row: at least one instance must count")
            if len(keep) < n:
                columns, y, weights = [_rows(c, keep) for c in columns], y[keep], weights[keep]
        self.attributes_, codes = self._attributes(columns)
        self.classes_, places = self._classes(y)
        self._learn(codes, places, weights)
        return self

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the first class of greatest probability for each instance."""
        best = np.argmax(self.predict_proba(X), axis=1)
        return np.asarray(self.classes_[best])

    def predict_proba(self, X: Any) -> Matrix:
        """Return one row of class probabilities per instance, in the order of ``classes_``."""
        return self._probabilities(self._codes(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    # ---- what the engine asks for --------------------------------------------------------------------------

    def with_declared(self, attributes: Sequence[Attribute], classes: Sequence[Label] | None) -> Self:
        """Return an unfitted copy that takes a dataset's codes and knows all that the dataset declares.

        The copy is fitted on codes (positions in the attributes' categories) and on the labels of the classes.
        What this learner was given itself goes before what the dataset declares.
        """
        copy: Self = clone(self)
        forced = _positions_of(self.categorical_features, [a.name for a in attributes])
        nominal = [j for j, a in enumerate(attributes) if a.nominal or j in forced]
        given = self.categories if self.categories is not None else [None] * len(nominal)
        if len(given) != len(nominal):
            raise _wrong_number(len(given), [attributes[j].name for j in nominal])
        declared: list[list[Label] | None] = []
        for j, own in zip(nominal, given, strict=True):
            known = attributes[j].categories
            if known is None:
                declared.append(None if own is None else list(own))
                continue
            place = {label: i for i, label in enumerate(known)}
            # The learner's own order, spelt in the dataset's positions; a category that the dataset lacks comes after.
            labels = known if own is None else [plain(label) for label in own]
            declared.append([place.get(label, len(known) + i) for i, label in enumerate(labels)])
        options: dict[str, Any] = {"categorical_features": nominal or None, "categories": declared or None}
        if self.classes is None and classes is not None:
            options["classes"] = list(classes)
        return copy.set_params(**options)  # type: ignore[no-any-return]

    # ---- reading -------------------------------------------------------------------------------------------

    def _codes(self, X: Any) -> Matrix:
        """Return instances to be classified as codes; categories that fit did not know are missing."""
        check_is_fitted(self)
        columns = self._columns(X, reset=False)
        codes = np.column_stack([c.read(a) for c, a in zip(columns, self.attributes_, strict=True)])
        return finite(self.attributes_, np.ascontiguousarray(codes))

    def _columns(self, X: Any, *, reset: bool) -> list[Column]:
        """Return the columns of X, checked for their names and their number."""
        frame = frame_of(X)
        if frame is not None:
            if 0 in frame.shape:
                what = "sample(s)" if frame.shape[0] == 0 else "feature(s)"
                raise InputError(
                    f"Found array with 0 {what} (shape={frame.shape}) while a minimum of 1 is required "
                    f"by {type(self).__name__}."
                )
            validate_data(self, X, reset=reset, skip_check_array=True)
            return frame_columns(frame)
        array = X
        if isinstance(X, (list, tuple)):
            array = np.asarray(X)
            if array.dtype.kind in "US":
                array = np.asarray(X, dtype=object)  # a list may mix numbers and texts; NumPy makes all of it text
        texts = getattr(getattr(array, "dtype", None), "kind", "") in ("O", "U", "S")
        options: dict[str, Any] = {"dtype": None, "ensure_all_finite": False} if texts else {}
        # The check adds all values up, and those near the largest number overflow to a sum that is none.
        with np.errstate(over="ignore", invalid="ignore"):
            checked = validate_data(
                self, array, reset=reset, **({"dtype": np.float64, "ensure_all_finite": "allow-nan"} | options)
            )
        return array_columns(np.asarray(checked))

    def _attributes(self, columns: Sequence[Column]) -> tuple[tuple[Attribute, ...], Matrix]:
        """Return the attributes that columns and parameters declare, and the codes, column after column in memory."""
        forced = _positions_of(self.categorical_features, [c.name for c in columns])
        attributes: list[Attribute] = []
        codes = np.empty((len(columns[0].content), len(columns)), order="F")
        nominal: list[int] = []
        declared = None if self.categories is None else list(self.categories)
        for j, column in enumerate(columns):
            own = (
                declared[len(nominal)]
                if declared is not None and j in forced and len(nominal) < len(declared)
                else None
            )
            if own is not None:  # no need to look for the categories first
                attribute = _declared(column.name, own)
                found = column.read(attribute, strict=True)
            else:
                attribute, found = column.learnt(nominal=j in forced)
                if attribute.nominal and declared is not None and len(nominal) < len(declared):
                    told = declared[len(nominal)]
                    if told is not None:
                        attribute = _declared(column.name, told)
                        found = column.read(attribute, strict=True)
            if attribute.nominal:
                nominal.append(j)
            attributes.append(attribute)
            codes[:, j] = found
        if declared is not None and len(declared) != len(nominal):
            raise _wrong_number(len(declared), [columns[j].name for j in nominal])
        return tuple(attributes), finite(attributes, codes)

    def _classes(self, y: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        """Return the classes in order and each instance's position among them."""
        if self.classes is None:
            classes, places = np.unique(y, return_inverse=True)
            return classes, places.astype(np.int64)
        labels = [plain(label) for label in self.classes]
        if len(set(labels)) < len(labels):
            raise InputError(f"classes names a class twice: {', '.join(map(repr, labels))}")
        place = {label: i for i, label in enumerate(labels)}
        given = [plain(label) for label in y.tolist()]
        strangers = [label for label in given if label not in place]
        if strangers:
            raise InputError(
                f"y holds {strangers[0]!r}, which is not among the declared classes "
                f"({', '.join(map(repr, labels[:8]))}{', …' * (len(labels) > 8)}): declare it or leave classes out"
            )
        mixed = len({isinstance(label, str) for label in labels}) > 1
        classes = np.array(labels, dtype=object if mixed or y.dtype.kind == "O" else None)
        return classes, np.array([place[label] for label in given], dtype=np.int64)


def _without_missing(y: Any) -> None:
    """Refuse a class that is missing; the check of scikit-learn knows numbers only."""
    values = np.asarray(y)
    if values.dtype.kind != "O" or values.ndim != 1:
        return
    row = next((i for i, label in enumerate(values.tolist()) if is_missing(label)), None)
    if row is not None:
        raise InputError(f"Input y contains NaN: the class is missing in row {row}: leave such rows out")


def _rows(column: Column, rows: npt.NDArray[np.intp]) -> Column:
    content = column.content
    if isinstance(content, list):
        return Column(column.name, [content[i] for i in rows])
    return Column(column.name, content[rows] if isinstance(content, np.ndarray) else content[rows.tolist()])


def _declared(name: str, categories: Sequence[Label]) -> Attribute:
    labels = tuple(plain(label) for label in categories)
    if len(set(labels)) < len(labels):
        raise InputError(f"categories names a category of column {name!r} twice: {', '.join(map(repr, labels))}")
    return Attribute(name, labels)


def _wrong_number(given: int, names: Sequence[str]) -> InputError:
    return InputError(
        f"categories has {given} lists and there are {len(names)} nominal columns "
        f"({', '.join(map(repr, names)) or 'none'}): give one list for each, in column order"
    )


def _positions_of(given: Any, names: Sequence[str]) -> set[int]:
    """Return the positions of the columns that are named by position, by name or by a mask."""
    if given is None:
        return set()
    entries = np.asarray(given).tolist() if not isinstance(given, (list, tuple)) else list(given)
    if not isinstance(entries, list):
        raise InputError(f"categorical_features is {given!r}: give a list of positions or names of columns")
    if entries and all(isinstance(e, (bool, np.bool_)) for e in entries):
        if len(entries) != len(names):
            raise InputError(f"categorical_features is a mask of {len(entries)} entries for {len(names)} columns")
        return {j for j, e in enumerate(entries) if e}
    found = set()
    for entry in entries:
        if isinstance(entry, str):
            if entry not in names:
                raise InputError(f"categorical_features names {entry!r}, and there is no such column")
            found.add(list(names).index(entry))
        elif isinstance(entry, (int, np.integer)) and 0 <= entry < len(names):
            found.add(int(entry))
        else:
            raise InputError(
                f"categorical_features holds {entry!r}: give positions from 0 to {len(names) - 1} or names of columns"
            )
    return found
