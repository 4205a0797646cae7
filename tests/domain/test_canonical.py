"""Fingerprints depend on content alone."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

import foldproof as fp
from foldproof.domain.canonical import Canonical


def numeric_forms():
    X = np.arange(12.0).reshape(6, 2) / 7
    X[2, 1], X[4, 0] = np.nan, -0.0
    yield "array", X
    yield "fortran", np.asfortranarray(X)
    yield "strided", np.repeat(X, 2, axis=0)[::2]
    yield "big endian", X.astype(">f8")
    yield "objects", X.astype(object)
    yield "list", X.tolist()
    yield "pandas", pd.DataFrame(X, columns=["u", "v"])
    yield "pandas nullable", pd.DataFrame(X).convert_dtypes()
    yield "polars", pl.DataFrame(X)
    yield "polars nulls", pl.DataFrame(X).fill_nan(None)


Y = np.array([0, 1, 0, 1, 1, 0])


@pytest.mark.parametrize("form", [f for _, f in numeric_forms()], ids=[n for n, _ in numeric_forms()])
def test_the_same_numbers_in_any_container_have_the_same_fingerprint(form):
    expected = fp.dataset(next(numeric_forms())[1], Y).fingerprint
    assert fp.dataset(form, Y).fingerprint == expected


def mixed_forms():
    words, numbers = ["u", "v", None, "w"], [1, 2, 3, None]
    yield np.array([words, numbers], dtype=object).T
    yield pd.DataFrame({"a": words, "b": numbers})
    yield pd.DataFrame({"a": pd.Categorical(words), "b": pd.array(numbers, dtype="Int64")})
    yield pl.DataFrame({"a": words, "b": numbers})
    yield pl.DataFrame({"a": pl.Series(words, dtype=pl.Categorical), "b": numbers})


@pytest.mark.parametrize("form", list(mixed_forms()))
@pytest.mark.parametrize("y", [["p", "q", "p", "q"], pd.Series(["p", "q", "p", "q"], dtype="category")])
def test_the_same_categories_in_any_container_have_the_same_fingerprint(form, y):
    assert fp.dataset(form, y).fingerprint == fp.dataset(next(mixed_forms()), ["p", "q", "p", "q"]).fingerprint


def test_a_sparse_matrix_has_the_fingerprint_of_its_dense_self():
    X = np.array([[0.0, 1.5], [2.0, 0.0], [0.0, 0.0], [3.0, 4.0]])
    dense = fp.dataset(X, [0, 1, 0, 1]).fingerprint
    for sparse in (sp.csr_matrix(X), sp.csc_array(X), sp.coo_array(X)):
        assert fp.dataset(sparse, [0, 1, 0, 1]).fingerprint == dense
    with_explicit_zero = sp.csr_array(
        (np.r_[0.0, 1.5, 2.0, 3.0, 4.0], ([0, 0, 1, 3, 3], [0, 1, 0, 0, 1])), shape=(4, 2)
    )
    assert fp.dataset(with_explicit_zero, [0, 1, 0, 1]).fingerprint == dense


def test_declared_categories_and_their_order_are_content():
    words = ["u", "v", "u", "v"]
    plain = fp.dataset(pd.DataFrame({"a": words}), [0, 1, 0, 1]).fingerprint
    for declared in (["v", "u"], ["u", "v", "z"]):
        frame = pd.DataFrame({"a": pd.Categorical(words, categories=declared)})
        assert fp.dataset(frame, [0, 1, 0, 1]).fingerprint != plain


@pytest.mark.parametrize(
    "change",
    [
        lambda X, y: (X + np.eye(6, 2), y),
        lambda X, y: (X[:, ::-1], y),
        lambda X, y: (X[::-1], y[::-1]),
        lambda X, y: (X, 1 - y),
        lambda X, y: (X[:5], y[:5]),
        lambda X, y: (np.where(X[0, 0] == X, np.nan, X), y),
    ],
)
def test_any_change_of_content_changes_the_fingerprint(change):
    X = np.arange(1.0, 13.0).reshape(6, 2)
    assert fp.dataset(*change(X, Y)).fingerprint != fp.dataset(X, Y).fingerprint


def test_groups_and_weights_are_content():
    X = np.arange(12.0).reshape(6, 2)
    plain = fp.dataset(X, Y).fingerprint
    assert fp.dataset(X, Y, groups=[0, 0, 1, 1, 2, 2]).fingerprint != plain
    assert fp.dataset(X, Y, sample_weight=np.ones(6)).fingerprint != plain


def test_a_fingerprint_survives_a_restart_and_is_the_documented_one():
    code = "import foldproof as fp; print(fp.dataset([[1, 'a'], [2.5, None]], ['x', 'y']).fingerprint)"
    seen = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert seen == {fp.dataset([[1, "a"], [2.5, None]], ["x", "y"]).fingerprint}


def test_the_layout_of_the_bytes_is_as_documented():
    """The decision record spells these bytes out; the hash is made here without our code."""
    import hashlib
    import struct

    def text(s):
        return b"s" + struct.pack("<Q", len(s)) + s.encode()

    def integer(i):
        return b"i" + text(str(i))

    def numbers(places, values, n):
        head = b"v" + struct.pack("<QQ", n, len(values))
        return head + struct.pack(f"<{len(places)}Q", *places) + struct.pack(f"<{len(values)}d", *values)

    layout = b"foldproof/dataset/1\n" + integer(2) + integer(2)
    layout += text("numeric") + numbers([1], [2.5], 2)
    layout += text("nominal") + integer(2) + text("a") + text("b") + numbers([0], [1.0], 2)
    layout += text("classification") + integer(2) + text("x") + text("y") + numbers([1], [1.0], 2)
    expected = hashlib.sha256(layout).hexdigest()
    assert fp.dataset([[0, "b"], [2.5, "a"]], ["x", "y"]).fingerprint == expected


def test_different_sequences_of_values_never_share_their_bytes():
    assert Canonical("x").text("ab").text("c").hexdigest() != Canonical("x").text("a").text("bc").hexdigest()
    assert Canonical("x").text("1").hexdigest() != Canonical("x").integer(1).hexdigest()
    assert Canonical("x").labels(["a"]).hexdigest() != Canonical("y").labels(["a"]).hexdigest()
