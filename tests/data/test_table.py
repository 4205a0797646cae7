"""Tables on disk: what people have, read as they mean it."""

import gzip

import polars as pl
import pytest

from foldproof.data.sources import Wanted, read_source
from foldproof.domain.errors import InputError

CSV = "size,colour,price\n1,red,yes\n2.5,,no\n,blue,yes\n4, red ,no\n"


def read(tmp_path, text, name="data.csv", **wanted):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_source(str(path), Wanted(name, **wanted))


def test_a_csv_with_text_and_blanks(tmp_path):
    data = read(tmp_path, CSV, target="price")
    assert [(a.name, a.categories) for a in data.attributes] == [("size", None), ("colour", ("blue", "red"))]
    assert data.classes == ("no", "yes")
    assert int((data.codes != data.codes).sum()) == 2
    assert data.notes == ()


def test_the_last_column_is_the_target_and_that_is_said(tmp_path):
    data = read(tmp_path, CSV)
    assert data.target_name == "price"
    assert data.notes == ("target_assumed: no target was named, so the last column, 'price', is taken",)


@pytest.mark.parametrize("form", ["tsv", "semicolons", "commas", "gz", "parquet", "bom", "windows", "mac", "utf-16"])
def test_every_form_holds_the_same_dataset(tmp_path, form):
    expected = read(tmp_path, CSV, target="price").fingerprint
    if form == "tsv":
        data = read(tmp_path, CSV.replace(",", "\t"), "d.tsv", target="price")
    elif form == "semicolons":
        data = read(tmp_path, CSV.replace(",", ";"), target="price")
    elif form == "commas":  # decimal ones
        data = read(tmp_path, CSV.replace(",", ";").replace(".", ","), target="price")
    elif form == "mac":
        data = read(tmp_path, CSV.replace("\n", "\r"), target="price")
    elif form == "utf-16":
        data = read(tmp_path, CSV.encode("utf-16"), target="price")
    elif form == "gz":
        data = read(tmp_path, gzip.compress(CSV.encode()), "d.csv.gz", target="price")
    elif form == "bom":
        data = read(tmp_path, b"\xef\xbb\xbf" + CSV.encode(), target="price")
    elif form == "windows":
        data = read(tmp_path, CSV.replace("\n", "\r\n"), target="price")
    else:
        frame = pl.DataFrame(
            {"size": [1.0, 2.5, None, 4], "colour": ["red", None, "blue", "red"], "price": ["yes", "no", "yes", "no"]}
        )
        frame.write_parquet(tmp_path / "d.parquet")
        data = read_source(str(tmp_path / "d.parquet"), Wanted("d", target="price"))
    assert data.fingerprint == expected


def test_a_text_that_is_not_utf8_is_read_as_latin_1(tmp_path):
    data = read(tmp_path, "stadt,y\nKöln,1\nBonn,0\n".encode("latin-1"))
    assert data.attributes[0].categories == ("Bonn", "Köln")


def test_whole_numbers_beyond_64_bits_are_numbers(tmp_path):
    data = read(tmp_path, "a,y\n99999999999999999999999999999,0\n1,1\n", target="y")
    assert data.codes[:, 0].tolist() == [1e29, 1.0]


def test_texts_with_commas_under_semicolons_stay_texts(tmp_path):
    data = read(tmp_path, "a;b;y\n1,5;one, two;0\n2;three;1\n", target="y")
    assert [a.categories for a in data.attributes] == [None, ("one, two", "three")]


def test_groups_are_no_attribute(tmp_path):
    data = read(tmp_path, "who,a,y\nann,1,0\nbob,2,1\nann,3,0\nbob,4,1\n", target="y", groups="who")
    assert [a.name for a in data.attributes] == ["a"]
    assert data.groups.tolist() == [0, 1, 0, 1]


def test_a_column_of_which_nothing_is_known_is_left_out_aloud(tmp_path):
    data = read(tmp_path, "a,empty,y\n1,,0\n2,,1\n", target="y")
    assert [a.name for a in data.attributes] == ["a"]
    assert data.notes == ("empty_columns: nothing is known of 'empty'; left out",)


@pytest.mark.parametrize(
    ("text", "name", "wanted", "sentence"),
    [
        (CSV, "d.csv", {"target": "prize"}, "unknown column 'prize': did you mean 'price'?"),
        (CSV, "d.csv", {"groups": "nobody"}, "unknown column 'nobody' (known: colour, price, size)"),
        (
            CSV,
            "d.csv",
            {"target": "price", "groups": "price"},
            "column 'price' cannot be both the target and the groups",
        ),
        ("", "d.csv", {}, "d.csv' is empty: it needs a line of column names and at least one row"),
        ("  \n \n", "d.csv", {}, "d.csv' is empty"),
        ("a,y\n", "d.csv", {}, "d.csv' has column names and no rows"),
        ("a\n1\n2\n", "d.csv", {}, "d.csv' has one column ('a'): a target and at least one attribute are needed"),
        (
            "a,y\n1,2\n1,2,3\n",
            "d.csv",
            {},
            "d.csv', line 3: 3 fields under a header of 2; is a text with the separator",
        ),
        ('a,y\n"1,2\n3,4\n', "d.csv", {}, "as csv:"),
        ("a,a,y\n1,2,3\n", "d.csv", {}, "d.csv' has two columns called 'a': give each its own name"),
        ("a,y\n\0,2\n", "d.csv", {}, "d.csv' is not a text: it holds zero bytes"),
        (b"PK\x03\x04\0\0\n", "d.csv", {}, "d.csv' is not a text"),
        (CSV, "d.tsv", {}, "is the separator a tab?"),
        ("not parquet", "d.parquet", {}, "as parquet:"),
        ("not gzip", "d.csv.gz", {}, "cannot unpack"),
        ("a,y\n1,\n2,1\n", "d.csv", {}, "the target is missing in 1 of 2 rows (first: row 0)"),
    ],
)
def test_bad_files_get_a_sentence(tmp_path, text, name, wanted, sentence):
    with pytest.raises(InputError) as caught:
        read(tmp_path, text, name, **wanted)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="there is no file .*check the name and the folder"):
        read_source(str(tmp_path / "nothing.csv"), Wanted("nothing"))
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError, match="cannot read .*folder.csv"):
        read_source(str(tmp_path / "folder.csv"), Wanted("folder"))


@pytest.mark.parametrize(
    ("source", "error", "sentence"),
    [
        ("sklearn:iriss", InputError, "unknown scikit-learn dataset 'iriss': did you mean 'iris'?"),
        (
            "skl:iris",
            InputError,
            "unknown source 'skl:iris': known prefixes are catalogue:, openml:, simulated:, sklearn:",
        ),
        ("data.xlsx", InputError, "cannot read 'data.xlsx': the ending must be one of .csv, .tsv, .parquet"),
        ("data.arff", InputError, "there is no file 'data.arff'"),
        ("openml:iris", InputError, "openml:iris is no OpenML id: write its number, as in openml:61"),
        (
            "votes",
            InputError,
            "unknown dataset of the catalogue (is it a file? give its ending) 'votes': did you mean 'vote'?",
        ),
    ],
)
def test_sources_that_are_none(source, error, sentence):
    with pytest.raises(error) as caught:
        read_source(source, Wanted(source))
    assert sentence in str(caught.value)


@pytest.mark.parametrize("name", ["breast_cancer", "diabetes", "digits", "iris", "wine"])
def test_scikit_learns_own_datasets(name):
    data = read_source(f"sklearn:{name}", Wanted(name))
    assert data.task == ("regression" if name == "diabetes" else "classification")
    assert data.name == f"sklearn:{name}"
