"""The printed numbers of Bradford & Brodley (2001) as the study holds them: they agree with one another, errata applied."""

from collections import Counter

import pytest

from foldproof.replicability import group_of_counts, incorrect_conclusions
from foldproof.studies.finding import find_study
from foldproof.workflows.studies.base import pair_name

STUDY = find_study("bradford-brodley-2001")
NAMES = list(STUDY.datasets.values())
COLUMNS = [(pair, f"{pair_name(pair)}, {protocol}") for pair in STUDY.pairs for protocol in ("1x10", "5x2")]


def printed(table, row, column):
    return STUDY.published[table, row, column]


def counts(row, pair, column):
    return tuple(int(printed("3", row, f"{column}: {who}").value) for who in (pair[0], "none", pair[1]))


def verdict_of_table_2(row, column):
    p = printed("2", row, column)
    if abs(p.value) > 0.025:
        return "none"
    return "B" if p.text.startswith("-") else "A"


def test_every_number_is_there():
    found = Counter(table for table, _, _ in STUDY.published)
    assert found["1"] == 23 * 6
    assert found["2"] == 23 * 4
    assert found["3"] == 23 * 12
    assert found["4"] == 4 * 4 + 5
    assert found["groups"] == 23 + 14


@pytest.mark.parametrize(("pair", "column"), COLUMNS)
def test_table_3_has_55_partitions_in_every_row(pair, column):
    assert all(sum(counts(name, pair, column)) == 55 for name in NAMES)


@pytest.mark.parametrize(("pair", "column"), COLUMNS)
def test_table_3_points_where_table_2_does(pair, column):
    """In the order of the caption every sign would be the other way round."""
    for name in NAMES:
        a, _, b = counts(name, pair, column)
        p = printed("2", name, column).value
        if abs(p) < 0.1 and a != b:
            assert (a > b) == (p > 0 or (p == 0 and not printed("2", name, column).text.startswith("-"))), name


def test_table_4_follows_from_tables_2_and_3():
    for pair, column in COLUMNS:
        told = incorrect_conclusions(
            [counts(name, pair, column) for name in NAMES], [verdict_of_table_2(name, column) for name in NAMES]
        )
        row = [printed("4", column, c).value for c in ("correctly accepts", "correctly rejects", "Type I", "Type II")]
        assert row == [told.correct_accept, told.correct_reject, told.type_1, told.type_2]
    wrong = sum(printed("4", "all", kind).value for kind in ("Type I", "Type II"))
    assert (wrong, round(100 * wrong / 5060, 1)) == (496, printed("4", "all", "incorrect, percent").value)


def test_bold_in_print_is_the_verdict_of_table_2_but_for_two_misprints():
    differing = []
    for pair, column in COLUMNS:
        for name in NAMES:
            named = (pair[0], "none", pair[1])
            bold = [who for who in named if printed("3", name, f"{column}: {who}").note.startswith("bold")]
            assert len(bold) == 1
            verdict = {"A": pair[0], "none": "none", "B": pair[1]}[verdict_of_table_2(name, column)]
            if bold[0] != verdict:
                differing.append((name, column))
    assert differing == [("vehicle", "TDDT-1 vs TDDT-2, 5x2"), ("soybean-large", "TDDT-1 vs naive Bayes, 5x2")]


def test_groups_follow_from_table_3():
    pair, column = COLUMNS[0]
    groups = {name: int(printed("groups", name, column).value) for name in NAMES}
    for name, group in groups.items():
        assert min(group, 3) == group_of_counts(counts(name, pair, column)), name
    sizes = Counter(groups.values())
    assert [sizes[k] for k in (1, 2, 3, 4)] == [
        printed("group-sizes", f"group {k}", column).value for k in (1, 2, 3, 4)
    ]
    pair, column = COLUMNS[2]
    two = [name for name in NAMES if group_of_counts(counts(name, pair, column)) == 2]
    assert two == [name for name in NAMES if ("groups", name, column) in STUDY.published]


def test_only_one_reference_learner_is_compared():
    assert {pair[0] for pair in STUDY.pairs} == {"TDDT-1"}


def test_partitions_are_55_and_not_stratified():
    assert STUDY.repetitions == 55
    for name, protocol in STUDY.protocols.items():
        assert protocol.schemes["seeds"][1].get("stratified", True) == name.endswith("stratified")
