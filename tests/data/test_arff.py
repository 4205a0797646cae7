"""ARFF files: what they declare stays declared, and what is wrong is told with its place."""

import csv
import gzip
import json
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldproof.cli.main import run
from foldproof.data.arff import parse
from foldproof.data.sources import Wanted, read_source
from foldproof.domain.errors import InputError

HEAD = "@relation r\n@attribute a {x,y}\n@attribute b numeric\n@attribute c {no,yes}\n@data\n"
ROWS = "x,1,no\ny,2,yes\n"

FRUIT = """% what a header may hold
@RELATION 'fruit basket'

@Attribute  'the kind'\t{ apple , 'blood orange',\tpear , "qu'ince" }
@ATTRIBUTE size{small,'?',large}   % quoted, it is a value
@attribute weight Integer [1,10]
@attribute acidity REAL
@attribute note STRING
@attribute ripe { yes, no, 'no one knows' }
@DATA
% rows
apple,small,3,0.5,'a % that is no comment, and 100\\% sure',yes
'blood orange' , '?' , ?, -1e-3, ?, no   % a comment
"qu'ince",?,10,.5,"two\\nlines",'yes'
\tapple\tlarge\t7\t+2.\tplain\tno
"""


def read(tmp_path, text, name="data.arff", **wanted):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_source(str(path), Wanted(name, **wanted))


def labels(data, column):
    """Return a nominal column's values, None where missing."""
    names = data.attributes[column].categories
    return [None if np.isnan(code) else names[int(code)] for code in data.codes[:, column]]


# ---- what is read ------------------------------------------------------------------------------------------------


def test_a_file_with_all_that_the_format_has(tmp_path):
    data = read(tmp_path, FRUIT)
    assert [(a.name, a.categories) for a in data.attributes] == [
        ("the kind", ("apple", "blood orange", "pear", "qu'ince")),
        ("size", ("small", "?", "large")),
        ("weight", None),
        ("acidity", None),
        ("note", ("a % that is no comment, and 100% sure", "plain", "two\nlines")),
    ]
    assert labels(data, 0) == ["apple", "blood orange", "qu'ince", "apple"]
    np.testing.assert_array_equal(data.codes[:, 2:4], [[3, 0.5], [np.nan, -0.001], [10, 0.5], [7, 2]])
    assert data.classes == ("yes", "no", "no one knows")
    assert data.y.tolist() == ["yes", "no", "yes", "no"]
    assert data.target_codes.tolist() == [0, 1, 0, 1]
    assert (data.task, data.target_name, data.name) == ("classification", "ripe", "data.arff")


def test_a_quoted_question_mark_is_a_value_and_a_plain_one_is_missing(tmp_path):
    assert labels(read(tmp_path, FRUIT), 1) == ["small", "?", None, "large"]


def test_a_plain_question_mark_is_missing_even_where_it_is_declared(tmp_path):
    text = "@attribute a {?,x}\n@attribute c {no,yes}\n@data\n?,no\n'?',yes\n"
    data = read(tmp_path, text)
    assert data.attributes[0].categories == ("?", "x")
    assert labels(data, 0) == [None, "?"]


def test_quotes_are_no_part_of_a_value(tmp_path):
    text = "@attribute 'a' {'x',\"y\"}\n@attribute c {'no',yes}\n@data\nx,'no'\n\"x\",no\n'y',\"yes\"\n"
    data = read(tmp_path, text)
    assert data.attributes[0].name == "a"
    assert labels(data, 0) == ["x", "x", "y"]
    assert data.y.tolist() == ["no", "no", "yes"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"'it\'s'", "it's"),
        (r'"say \"so\""', 'say "so"'),
        (r"'back\\slash'", "back\\slash"),
        (r"'tab\there'", "tab\there"),
        (r"'\u00e9t\u00E9'", "été"),
        (r"'50\%'", "50%"),
        ("'a, b {c}'", "a, b {c}"),
        ("' kept '", " kept "),
        ("''", ""),
        ("it's", "it's"),
        (r"C:\temp", r"C:\temp"),
        ("'%'", "%"),
        ("non\u00a0breaking", "non\u00a0breaking"),
    ],
)
def test_quotes_and_escapes(tmp_path, written, meant):
    text = f"@attribute a {{other,{written}}}\n@attribute c {{no,yes}}\n@data\n{written},no\nother,yes\n"
    data = read(tmp_path, text)
    assert data.attributes[0].categories == ("other", meant)
    assert labels(data, 0) == [meant, "other"]


def test_sparse_rows_leave_out_zeros_and_first_values(tmp_path):
    data = read(tmp_path, HEAD + "{1 2.5, 2 yes}\n{}\n { 0 y , 1 ? , 2 'yes' }\n{0 ?}\n")
    assert labels(data, 0) == ["x", "x", "y", None]
    np.testing.assert_array_equal(data.codes[:, 1], [2.5, 0.0, np.nan, 0.0])
    assert data.y.tolist() == ["yes", "no", "yes", "no"]


def test_weights_of_instances(tmp_path):
    data = read(tmp_path, HEAD + "x,1,no,{2}\ny,2,yes\n{1 3}, {0.5}\n")
    assert data.sample_weight.tolist() == [2.0, 1.0, 0.5]
    assert read(tmp_path, HEAD + ROWS).sample_weight is None


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(lambda text: b"\xef\xbb\xbf" + text.encode(), id="bom"),
        pytest.param(lambda text: text.encode("latin-1"), id="latin-1"),
        pytest.param(lambda text: text.encode("utf-16"), id="utf-16"),
        pytest.param(lambda text: text.replace("\n", "\r\n").encode(), id="windows"),
        pytest.param(lambda text: text.replace("\n", "\r").encode(), id="old mac"),
        pytest.param(lambda text: text.encode() + b"\r\n\x1a", id="end of file sign"),
        pytest.param(lambda text: text.rstrip("\n").encode(), id="no end of line"),
        pytest.param(lambda text: text.replace("\n", "\n\n% comment, 'open {\n").encode(), id="comments"),
        pytest.param(
            lambda text: text.replace("@attribute", "@ATTRIBUTE").replace("@data", "@Data").encode(), id="case"
        ),
    ],
)
def test_every_form_holds_the_same_dataset(tmp_path, raw):
    text = HEAD.replace("{x,y}", "{Köln,'Besançon'}") + "Köln,1,no\nBesançon,2,yes\n"
    expected = read(tmp_path, text)
    assert expected.attributes[0].categories == ("Köln", "Besançon")
    assert read(tmp_path, raw(text)).fingerprint == expected.fingerprint
    assert read(tmp_path, gzip.compress(raw(text)), "d.arff.gz").fingerprint == expected.fingerprint
    assert read(tmp_path, raw(text), "D.ARFF").fingerprint == expected.fingerprint


def test_what_is_declared_is_part_of_the_content(tmp_path):
    plain = read(tmp_path, HEAD + ROWS)
    more_values = read(tmp_path, HEAD.replace("{x,y}", "{x,y,z}") + ROWS)
    more_classes = read(tmp_path, HEAD.replace("{no,yes}", "{no,yes,maybe}") + ROWS)
    assert more_values.attributes[0].categories == ("x", "y", "z")
    assert more_classes.classes == ("no", "yes", "maybe")
    assert len({plain.fingerprint, more_values.fingerprint, more_classes.fingerprint}) == 3


def test_the_last_attribute_is_the_class_and_that_is_said(tmp_path):
    data = read(tmp_path, HEAD + ROWS)
    assert data.notes == ("target_assumed: no target was named, so the last attribute, 'c', is taken",)
    assert read(tmp_path, HEAD + ROWS, target="c").notes == ()


def test_another_attribute_may_be_the_target_or_the_groups(tmp_path):
    data = read(tmp_path, HEAD + ROWS + "x,3.5,yes\n", target="b", groups="a")
    assert (data.task, data.classes, data.y.tolist()) == ("regression", None, [1.0, 2.0, 3.5])
    assert [a.name for a in data.attributes] == ["c"]
    assert data.groups.tolist() == [0, 1, 0]


def test_instances_without_a_class_are_left_out_and_that_is_said(tmp_path):
    complete = read(tmp_path, HEAD + "x,1,no,{2}\ny,2,yes\n", target="c")
    data = read(tmp_path, HEAD + "y,9,?\nx,1,no,{2}\nx,8,?,{7}\ny,2,yes\n", target="c", groups="a")
    assert data.y.tolist() == ["no", "yes"]
    assert data.codes.tolist() == [[1.0], [2.0]]
    assert data.sample_weight.tolist() == complete.sample_weight.tolist() == [2.0, 1.0]
    assert data.groups.tolist() == [0, 1]
    assert data.notes == ("class_missing: 2 of 4 instances are left out, because their 'c' is missing",)
    alone = read(tmp_path, HEAD + "y,9,?\nx,1,no,{2}\ny,2,yes\n", target="c")
    assert alone.fingerprint == complete.fingerprint


# ---- what is refused ---------------------------------------------------------------------------------------------

DECLARE = "@attribute a {x,y}\n@attribute c {no,yes}\n@data\nx,no\ny,yes\n"

BAD = {
    "nothing": ("", "data.arff' is empty: an ARFF file needs @attribute lines, @data and at least one row"),
    "not text": ("PK\3\4\0\0", "data.arff': there are NUL characters in it, as in what is no text: save it as UTF-8"),
    "no data line": (HEAD.replace("@data\n", ""), "there is no line @data, after which the rows stand"),
    "no rows": (HEAD + "% none\n", "there are no rows after @data"),
    "rows without data line": (
        HEAD.replace("@data\n", "") + ROWS,
        "line 5, column 1: 'x,1,no' stands before @data; only @relation, @attribute, @data and comments (%) can",
    ),
    "unknown keyword": ("@atribute a {x,y}\n" + DECLARE, "line 1, column 1: '@atribute a {x,y}' stands before @data"),
    "one attribute": (
        "@attribute c {no,yes}\n@data\nno\n",
        "line 2: 1 attributes are declared before @data: a class and at least one attribute are needed",
    ),
    "no type": (
        "@attribute a\n" + DECLARE,
        "line 1, column 1: an attribute needs a name and a type: @attribute name numeric, or {a, b}",
    ),
    "no name": ("@attribute '' real\n" + DECLARE, "line 1, column 1: the attribute's name is empty"),
    "unknown type": (
        "@attribute z numbers\n" + DECLARE,
        "line 1, column 1 ('z'): 'numbers' is no type: use numeric, string or a list of values in braces",
    ),
    "date": (
        "@attribute d date 'yyyy-MM-dd'\n" + DECLARE,
        "line 1, column 1 ('d'): attributes of type date cannot be learnt from: turn the dates into numbers or drop them",
    ),
    "relational": (
        "@attribute bag relational\n" + DECLARE,
        "line 1, column 1 ('bag'): attributes of type relational cannot be learnt from: give one row per instance",
    ),
    "same name": ("@attribute a real\n" + DECLARE, "line 2: a second attribute is called 'a'; rename one"),
    "value twice": (
        "@attribute z {p,q,'p'}\n" + DECLARE,
        "line 1, column 1 ('z'): the value 'p' is declared twice",
    ),
    "no values": ("@attribute z { }\n" + DECLARE, "line 1, column 1 ('z'): the list of values is empty"),
    "open list": (
        "@attribute z {p,\n" + DECLARE,
        "line 1, column 1 ('z'): the list of values is not closed by a brace on its line",
    ),
    "percent in list": ("@attribute z {5%,6%}\n" + DECLARE, "not closed by a brace on its line (a % has to be quoted)"),
    "brace in list": (
        "@attribute z {p,{q}}\n" + DECLARE,
        "line 1, column 1 ('z'): a brace inside the list of values has to be quoted",
    ),
    "behind the list": (
        "@attribute z {p,q} r\n" + DECLARE,
        "line 1, column 1 ('z'): 'r' stands behind the list of values",
    ),
    "open quote in header": (
        "@attribute 'z {p,q}\n" + DECLARE,
        """line 1, column 1: the quote in "'z {p,q}" is not closed on its line""",
    ),
    "open quote in row": (HEAD + "x,1,'no\n", """line 6, column 3: the quote in "x,1,'no" is not closed on its line"""),
    "too few": (HEAD + ROWS + "x,1\n", "line 8, column 3 ('c'): the row has 2 values and 3 attributes are declared"),
    "too many": (HEAD + ROWS + "x,1,no,2\n", "line 8, column 4: the row has 4 values and 3 attributes are declared"),
    "unquoted blank": (HEAD + "x y,1,no\n", "line 6, column 4: the row has 4 values and 3 attributes are declared"),
    "nothing between commas": (
        HEAD + ROWS + "x,,no\n",
        "line 8, column 2 ('b'): there is nothing between commas; write ?",
    ),
    "comma at the end": (
        HEAD + "x,1,no,\n",
        "line 6, column 4: the row ends in a comma; write ? for a missing value",
    ),
    "brace in row": (HEAD + "x,{,no\n", "line 6, column 2 ('b'): a '{' has to be quoted"),
    "undeclared value": (
        HEAD + "% why\n" + ROWS + "z,1,no\n",
        "line 9, column 1 ('a'): 'z' is not among the declared values (x, y)",
    ),
    "undeclared class": (
        HEAD + "x,1,No\n",
        "line 6, column 3 ('c'): 'No' is not among the declared values (no, yes)",
    ),
    "no number": (HEAD + ROWS + "x,1_0,no\n", "line 8, column 2 ('b'): '1_0' is not a number"),
    "decimal comma": (HEAD + "x,'1,5',no\n", "line 6, column 2 ('b'): '1,5' is not a number"),
    "infinite": (
        HEAD + "x,1e999,no\n",
        "line 6, column 2 ('b'): '1e999' is more than a number can hold: rescale the column",
    ),
    "weight": (
        HEAD + "x,1,no,{-2}\n",
        "line 6, column 4: the weight '-2' is not a number of at least 0",
    ),
    "open sparse row": (
        HEAD + "{0 x, 1 2\n",
        "line 6, column 1 ('a'): the sparse row, which begins here, does not end in a brace",
    ),
    "sparse without position": (
        HEAD + "{x, 1 2}\n",
        "line 6, column 1 ('a'): a sparse row is a list of pairs, position and value: {1 5.0, 3 yes}",
    ),
    "sparse position": (
        HEAD + "{3 x}\n",
        "line 6, column 1 ('a'): '3' is no position of an attribute; they go from 0 to 2",
    ),
    "sparse twice": (HEAD + "{1 2, 1 3}\n", "line 6, column 2 ('b'): the sparse row gives it twice"),
    "sparse text": (
        HEAD.replace("numeric", "string") + "{0 y}\n",
        "line 6, column 2 ('b'): a sparse row cannot leave out an attribute of type string",
    ),
    "class never known": (
        HEAD + "x,1,?\n",
        "data.arff': nothing is known of 'c', the target: name another with --target",
    ),
    "one class": (HEAD + "x,1,no\ny,2,no\n", "the target is constant ('no' in every row): there is nothing to learn"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_bad_files_get_a_sentence_of_their_own(tmp_path, kind):
    text, sentence = BAD[kind]
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_two_mistakes_share_a_sentence():
    kinds = {"unquoted blank", "unknown keyword", "undeclared class", "decimal comma", "percent in list", "too many",
             "open quote in row"}  # the same mistake, elsewhere  # fmt: skip
    said = [sentence.partition(": ")[2] or sentence for kind, (_, sentence) in BAD.items() if kind not in kinds]
    assert len(set(said)) == len(said) >= 30


def test_names_that_are_not_there(tmp_path):
    with pytest.raises(InputError, match="unknown attribute 'cc': did you mean 'c'"):
        read(tmp_path, HEAD + ROWS, target="cc")
    with pytest.raises(InputError, match="unknown attribute 'who'"):
        read(tmp_path, HEAD + ROWS, groups="who")
    with pytest.raises(InputError, match="attribute 'c' cannot be both the target and the groups"):
        read(tmp_path, HEAD + ROWS, target="c", groups="c")


@given(st.text(alphabet=st.sampled_from("@atribue dn {},'\"%?\\\n\t1.x"), max_size=80))
@settings(max_examples=400)
def test_whatever_stands_in_a_file_it_is_read_or_refused(text):
    for source in (text, HEAD + text):
        with suppress(InputError):
            arff = parse(source)
            assert all(len(row) == len(arff.fields) for row in arff.rows)
            assert len(arff.rows) == len(arff.lines) == len(arff.weights) > 0


# ---- a round trip ------------------------------------------------------------------------------------------------

ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}
TEXTS = st.text(
    st.one_of(st.sampled_from("ab?%{},'\"\\ \t\n\r@uéß"), st.characters(codec="utf-8", exclude_characters="\0")),
    max_size=6,
)


def quoted(text, mark):
    return mark + "".join("\\" + c if c == mark else ESCAPES.get(c, c) for c in text) + mark


@st.composite
def tables(draw):
    """Return the columns (name, kind, declared values, cells), the last of them a class of which two occur."""
    names = draw(st.lists(TEXTS.filter(len), min_size=2, max_size=5, unique=True))
    n = draw(st.integers(2, 6))
    columns = []
    for name in names[:-1]:
        kind = draw(st.sampled_from(["nominal", "numeric", "string"]))
        values = draw(st.lists(TEXTS, min_size=1, max_size=4, unique=True)) if kind == "nominal" else []
        cell = {
            "nominal": st.sampled_from(values or [""]),
            "numeric": st.floats(allow_nan=False, allow_infinity=False),
            "string": TEXTS,
        }[kind]
        columns.append((name, kind, values, draw(st.lists(st.none() | cell, min_size=n, max_size=n))))
    classes = draw(st.lists(TEXTS, min_size=2, max_size=4, unique=True))
    rest = draw(st.lists(st.none() | st.sampled_from(classes), min_size=n - 2, max_size=n - 2))
    return [*columns, (names[-1], "nominal", classes, classes[:2] + rest)]


def written(draw, columns):
    """Return a table as ARFF; ``draw`` decides on quotes, cases, blanks, comments and sparse rows."""
    mark = draw(st.sampled_from("'\""))
    blank = draw(st.sampled_from([" ", "\t", "  "]))
    lines = ["% 'a comment", draw(st.sampled_from(["@relation r", "@RELATION 'r s'"]))]
    for name, kind, values, _ in columns:
        word = draw(st.sampled_from(["@attribute", "@ATTRIBUTE", "@Attribute"]))
        types = {"numeric": ["numeric", "REAL", "Integer [0,9]"], "string": ["string", "String"]}
        told = "{" + ("," + blank).join(quoted(v, mark) for v in values) + "}"
        lines.append(f"{word} {quoted(name, mark)}{blank}{draw(st.sampled_from(types.get(kind, [told])))}")
    lines.append(draw(st.sampled_from(["@data", "@DATA % rows"])))
    for cells in zip(*(column[3] for column in columns), strict=True):
        texts = ["?" if c is None else repr(c) if isinstance(c, float) else quoted(c, mark) for c in cells]
        if draw(st.booleans()):
            left_out = [
                (kind == "numeric" and cell == 0.0) or (kind == "nominal" and cell == values[0])
                for (_, kind, values, _), cell in zip(columns, cells, strict=True)
            ]
            pairs = [f"{i}{blank}{t}" for i, (t, out) in enumerate(zip(texts, left_out, strict=True)) if not out]
            lines.append("{" + ",".join(pairs) + "}")
        else:
            lines.append(("," + blank).join(texts) + draw(st.sampled_from(["", " ", "  % why"])))
    return draw(st.sampled_from(["\n", "\r\n", "\r", "\n\n"])).join(lines)


@given(st.data())
@settings(max_examples=150)
def test_what_is_written_is_read(tmp_path_factory, data):
    columns = data.draw(tables())
    text = written(data.draw, columns)
    raw = text.encode(data.draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])))
    found = read(tmp_path_factory.mktemp("arff"), raw)
    *attributes, (name, _, classes, labelled) = columns
    known = [i for i, label in enumerate(labelled) if label is not None]
    assert (found.target_name, found.classes, found.y.tolist()) == (name, tuple(classes), [labelled[i] for i in known])
    assert [a.name for a in found.attributes] == [column[0] for column in attributes]
    for j, (_, kind, values, cells) in enumerate(attributes):
        cells = [cells[i] for i in known]
        if kind == "numeric":
            assert found.attributes[j].categories is None
            np.testing.assert_array_equal(found.codes[:, j], [np.nan if c is None else c for c in cells])
        else:
            declared = values or sorted({c for c in cells if c is not None})
            assert found.attributes[j].categories == tuple(declared)
            assert labels(found, j) == cells


# ---- as people use it --------------------------------------------------------------------------------------------


def test_a_comparison_of_a_file_from_the_shell(tmp_path, capsys):
    values = np.random.default_rng(7).normal(size=60)
    rows = "".join(
        f"{'xy'[i % 3 == 0]},{value + 2 * (i % 2):.3f},{('no', 'yes')[i % 2]}\n" for i, value in enumerate(values)
    )
    path = tmp_path / "file.arff"
    path.write_text(HEAD + rows + "x,?,no\ny,?,yes\nx,1,?\n")
    assert run(["compare", str(path), "-l", "c45", "-l", "naive-bayes", "--procedure", "5x2cv", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["dataset"]["instances"] == 62
    assert (told["dataset"]["attributes"], told["dataset"]["classes"]) == (2, 2)
    assert [learner["name"] for learner in told["learners"]] == ["C45", "NaiveBayes"]
    assert min(learner["mean_score"] for learner in told["learners"]) > 0.7
    assert [w.partition(":")[0] for w in told["warnings"]] == ["target_assumed", "class_missing"]


def test_a_bad_file_from_the_shell(tmp_path, capsys):
    path = tmp_path / "file.arff"
    path.write_text(HEAD + "x,one,no\n")
    assert run(["compare", str(path), "-l", "c45", "-l", "naive-bayes"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "line 6, column 2 ('b'): 'one' is not a number" in " ".join(told.err.split())


def test_the_files_of_the_papers_are_as_their_manifest_says(shared):
    with shared("datasets", "MANIFEST.csv").open(encoding="utf-8") as file:
        manifest = list(csv.DictReader(file))
    assert len(manifest) == 36
    for row in manifest:
        data = read_source(str(shared("datasets", row["file"])), Wanted(row["file"]))
        nominal = sum(a.categories is not None for a in data.attributes)
        whole = np.column_stack([np.nan_to_num(data.codes, nan=-1e300), data.target_codes])
        found = {
            "instances": len(data),
            "attributes": len(data.attributes),
            "nominal": nominal,
            "numeric": len(data.attributes) - nominal,
            "missing": int(np.isnan(data.codes).sum()),
            "classes": len(set(data.y.tolist())),
            "classes_declared": len(data.classes),
            "duplicate_rows": len(whole) - len(np.unique(whole, axis=0)),
        }
        assert {key: str(value) for key, value in found.items()} == {key: row[key] for key in found}, row["file"]
        assert data.target_name == row["class_attribute"]
        assert len(data.notes) == 1


def test_anneals_quoted_question_mark(shared):
    data = read_source(str(shared("datasets", "anneal.arff")), Wanted("anneal"))
    assert not np.isnan(data.codes).any()
    assert any(a.categories is not None and "?" in a.categories for a in data.attributes)
