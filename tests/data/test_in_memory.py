"""Datasets from memory: every container, and a sentence for everything that is none."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

import foldproof as fp
from foldproof.domain.errors import InputError

Y = [0, 1, 0, 1]


def test_a_frame_keeps_its_names_and_kinds():
    frame = pd.DataFrame(
        {
            "number": [1, 2, None, 4],
            "flag": [True, False, True, False],
            "word": ["b", None, "a", "b"],
            "declared": pd.Categorical(["x", "y", "x", None], categories=["y", "x", "unused"]),
        }
    )
    data = fp.dataset(frame, pd.Series(["p", "q", "p", "q"], name="outcome"))
    assert [(a.name, a.categories) for a in data.attributes] == [
        ("number", None),
        ("flag", None),
        ("word", ("a", "b")),
        ("declared", ("y", "x", "unused")),
    ]
    nan = np.nan
    expected = [[1, 1, 1, 1], [2, 0, nan, 0], [nan, 1, 0, 1], [4, 0, 1, nan]]
    np.testing.assert_array_equal(data.codes, expected)
    assert data.classes == ("p", "q")
    assert data.target_name == "outcome"
    assert data.needs_encoding


def test_a_polars_enum_declares_its_categories():
    frame = pl.DataFrame({"a": pl.Series(["u", "v", "u", None], dtype=pl.Enum(["v", "u", "z"]))})
    assert fp.dataset(frame, Y).attributes[0].categories == ("v", "u", "z")


def test_an_arrow_table_becomes_a_frame_that_learners_take():
    data = fp.dataset(pa.table({"a": [1.0, 2.0, 3.0, 4.0]}), Y)
    assert isinstance(data.X, pl.DataFrame)


def test_complete_numbers_need_no_encoding():
    assert not fp.dataset(np.eye(4), Y).needs_encoding
    assert not fp.dataset(sp.csr_array(np.eye(4)), Y).needs_encoding
    assert not fp.dataset(np.eye(4).astype(object), Y).needs_encoding


@pytest.mark.parametrize(
    ("y", "task"),
    [
        ([0, 1, 2, 1], "classification"),
        ([0.0, 1.0, 2.0, 1.0], "classification"),
        (["a", "b", "a", "b"], "classification"),
        ([True, False, True, False], "classification"),
        ([0.5, 1.0, 2.0, 1.0], "regression"),
    ],
)
def test_the_task_is_seen_from_the_target(y, task):
    assert fp.dataset(np.eye(4), y).task == task


def test_a_column_vector_is_a_target():
    assert fp.dataset(np.eye(4), np.array([[0], [1], [0], [1]])).y.tolist() == Y


@pytest.mark.parametrize(
    ("X", "y", "options", "sentence"),
    [
        (np.eye(4), [0, 1, 0], {}, "X has 4 rows and the target 3: they must be the same instances"),
        (np.eye(4), [0, None, 0, 1], {}, "the target is missing in 1 of 4 rows (first: row 1)"),
        (np.eye(4), [0.5, np.nan, np.nan, 1], {}, "the target is missing in 2 of 4 rows (first: row 1)"),
        (np.eye(4), [1, 1, 1, 1], {}, "the target is constant (1 in every row): there is nothing to learn"),
        (np.eye(4), [2.5] * 4, {}, "the target is constant (2.5 in every row): there is nothing to learn"),
        (np.eye(4), ["a", "b", "a", "b"], {"task": "regression"}, "the target holds text (such as 'a')"),
        (np.eye(4), [0.5, np.inf, 0.1, 1], {}, "the target is infinite in row 1"),
        (np.eye(4), np.eye(4), {}, "the target must have one dimension, one entry per row; got shape (4, 4)"),
        (np.eye(4), [], {}, "the dataset is empty: it has no rows"),
        (np.arange(4.0), Y, {}, "X must have two dimensions, rows and attributes; got shape (4,)"),
        (np.ones((4, 0), dtype=int), Y, {}, "X has no columns: there is nothing to learn from"),
        (np.array([[1.0], [np.inf], [3], [4]]), Y, {}, "column 'x0' is infinite in row 1"),
        (np.eye(4) * 1j, Y, {}, "X has elements of type complex128: give numbers, texts or objects"),
        (sp.csr_array(np.diag([1, np.nan, 1, 1])), Y, {}, "a sparse X must be complete and finite"),
        (pd.DataFrame({"when": pd.date_range("2020", periods=4)}), Y, {}, "column 'when' holds dates or times"),
        (pl.DataFrame({"l": [[1], [2], [3], [4]]}), Y, {}, "column 'l' holds List(Int64), which is neither"),
        (np.eye(4), Y, {"groups": [1, 2, None, 3]}, "groups has a missing value at row 2"),
        (np.eye(4), Y, {"groups": [1, 2]}, "groups has 2 entries and the data 4 rows: give one per row"),
        (np.eye(4), Y, {"sample_weight": [1, -1, 1, 1]}, "sample_weight must hold finite numbers of at least 0"),
        (np.eye(4), Y, {"task": "clustering"}, "task is 'clustering': use 'classification', 'regression' or 'auto'"),
    ],
)
def test_bad_data_get_a_sentence(X, y, options, sentence):
    with pytest.raises(InputError) as caught:
        fp.dataset(X, y, **options)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("columns", [["a", "b", "a"], ["a", "a", "a"]])
def test_columns_of_one_name_are_refused(columns):
    with pytest.raises(InputError, match=f"{columns.count('a')} columns of X are called 'a': give each column a name"):
        fp.dataset(pd.DataFrame(np.eye(4)[:, :3], columns=columns), Y)
