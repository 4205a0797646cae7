"""Whatever is done to the lines with plain SQL is found, and nobody's look is lost."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from foldproof.domain.errors import InputError
from foldproof.ledger import Head, LedgerError, enter, read, verify
from foldproof.store import open_store
from ledger.looks import look

LINES = "foldproof_log_line"
OF_LEDGER = "log = 'ledger'"


@pytest.fixture
def kept(tmp_path):
    """Return a file with a ledger of five looks, and the URL of its store."""
    path = tmp_path / "results.db"
    with open_store(f"sqlite:///{path}") as store:
        for seed in range(5):
            enter(store, look(seed=seed))
    return path


def sql(path, *statements):
    database = sqlite3.connect(path)
    with database:
        for statement in statements:
            database.execute(statement)
    database.close()


def verified(path, known=None):
    with open_store(f"sqlite:///{path}") as store:
        return verify(store, known)


def test_an_untouched_ledger_is_found_whole(kept):
    found = verified(kept)
    assert (found.ok, found.head.count, found.problem) == (True, 5, None)


TAMPERED = {
    "an edited p-value": (
        [f"UPDATE {LINES} SET line = replace(line, '0.01', '0.04') WHERE number = 2"],
        2,
        "line 3 carries another hash for it",
    ),
    "an edited hash": (
        [f'UPDATE {LINES} SET line = replace(line, \'"previous":"\', \'"previous":"0\') WHERE number = 3'],
        3,
        "the hash that it carries is not that of the line before it",
    ),
    "an edited line but one": (
        [f"UPDATE {LINES} SET line = replace(line, '0.01', '0.04') WHERE number = 4"],
        4,
        "line 5 carries another hash for it",
    ),
    "an edited last line": (
        [f"UPDATE {LINES} SET line = replace(line, '0.01', '0.04') WHERE number = 5"],
        5,
        "the head, which is kept apart, holds another",
    ),
    "a deleted line": ([f"DELETE FROM {LINES} WHERE number = 3"], 3, "it was written as line 4"),
    "a deleted first line": ([f"DELETE FROM {LINES} WHERE number = 1"], 1, "it was written as line 2"),
    "a tail cut off": ([f"DELETE FROM {LINES} WHERE number > 3"], 4, "line 4 of the ledger is missing"),
    "everything deleted": ([f"DELETE FROM {LINES}"], 1, "line 1 of the ledger is missing"),
    "reordered lines": (
        [
            f"UPDATE {LINES} SET number = 100 WHERE number = 2",
            f"UPDATE {LINES} SET number = 2 WHERE number = 3",
            f"UPDATE {LINES} SET number = 3 WHERE number = 100",
        ],
        2,
        "it was written as line 3",
    ),
    "a deleted line and numbers closed up": (
        [f"DELETE FROM {LINES} WHERE number = 2"]
        + [f"UPDATE {LINES} SET number = {n - 1} WHERE number = {n}" for n in (3, 4, 5)],
        2,
        "it was written as line 3",
    ),
    "a line that is no JSON": ([f"UPDATE {LINES} SET line = 'nothing' WHERE number = 1"], 1, "it is not JSON"),
    "a blank in a line": (
        [f"UPDATE {LINES} SET line = line || ' ' WHERE number = 4"],
        4,
        "its text is not what the ledger writes for its fields",
    ),
    "a line added": (
        [f"INSERT INTO {LINES} SELECT log, 6, line FROM {LINES} WHERE number = 5"],
        6,
        "it was written as line 5",
    ),
    "the head taken away": (["DELETE FROM foldproof_mark WHERE key = 'ledger-head'"], 5, "is gone"),
    "the head changed": (
        ["UPDATE foldproof_mark SET value = 'nothing' WHERE key = 'ledger-head'"],
        5,
        "the head of the ledger, which is kept apart from its lines, is not as it was written",
    ),
    "the head set back": (
        [f"UPDATE foldproof_mark SET value = (SELECT line FROM {LINES} WHERE number = 3) WHERE key = 'ledger-head'"],
        4,
        "the head of the ledger says that 3 lines were written, and 5 are there",
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_what_was_done_with_sql_is_found(what, kept):
    statements, line, said = TAMPERED[what]
    sql(kept, *statements)
    found = verified(kept)
    assert not found.ok
    assert found.line == line
    assert said in found.problem


@pytest.mark.parametrize("what", TAMPERED)
def test_nothing_is_entered_into_a_ledger_that_was_changed(what, kept):
    sql(kept, *TAMPERED[what][0])
    with open_store(f"sqlite:///{kept}") as store:
        before = store.lines("ledger")
        with pytest.raises(LedgerError, match="nothing more is entered into a ledger that was changed"):
            enter(store, look(seed=9))
        with pytest.raises(LedgerError):
            read(store)
        assert store.lines("ledger") == before


def test_a_ledger_that_was_cut_together_with_its_head_is_told_by_a_printed_one(kept):
    printed = Head.read(str(verified(kept).head))
    sql(
        kept,
        f"DELETE FROM {LINES} WHERE number > 3",
        f"UPDATE foldproof_mark SET value = (SELECT line FROM {LINES} WHERE number = 3) WHERE key = 'ledger-head'",
    )
    assert verified(kept).ok
    found = verified(kept, printed)
    assert (found.line, found.problem) == (
        4,
        "line 4 of the ledger is missing: the given head counts 5 lines, and 3 are there",
    )


def test_a_printed_head_holds_when_looks_are_added_and_not_when_all_was_written_anew(kept, tmp_path):
    printed = Head.read(str(verified(kept).head))
    with open_store(f"sqlite:///{kept}") as store:
        enter(store, look(seed=9))
    assert verified(kept, printed).ok
    with open_store(f"sqlite:///{tmp_path / 'anew.db'}") as store:
        for seed in range(6):
            enter(store, look(0.02, seed=seed))
    found = verified(tmp_path / "anew.db", printed)
    assert found.line == 5
    assert "is not the one of the given head" in found.problem


def test_the_head_of_nothing_holds_always(kept):
    assert Head.of([]).count == 0
    assert verified(kept, Head.read(str(Head.of([])))).ok


@pytest.mark.parametrize("text", ["", "5", "5:xyz", "five:0123456789abcdef", "5:0123"])
def test_what_is_no_head_is_refused(text):
    with pytest.raises(InputError, match="give it as a report prints it, such as 12:0123456789abcdef"):
        Head.read(text)


WRITER = """
import sys
sys.path.insert(0, {tests!r})
from foldproof.ledger import enter
from foldproof.store import open_store
from ledger.looks import look
with open_store({url!r}) as store:
    for seed in range(int(sys.argv[1]), int(sys.argv[1]) + 15):
        enter(store, look(seed=seed))
    enter(store, look(seed=1000))
"""


def test_two_processes_at_once_lose_no_look(tmp_path):
    url = f"sqlite:///{tmp_path / 'results.db'}"
    code = WRITER.format(tests=str(Path(__file__).parents[1]), url=url)
    running = [subprocess.Popen([sys.executable, "-c", code, str(first)]) for first in (0, 100)]
    assert [process.wait(timeout=120) for process in running] == [0, 0]
    with open_store(url) as store:
        assert verify(store).ok
        looks = [entry.look.seed for entry in read(store).entries]
        numbers = [entry.look_number for entry in read(store).entries]
    # The fifteen of each, and once the look that both had.
    assert sorted(looks) == [*range(15), *range(100, 115), 1000]
    assert numbers == list(range(1, 32))
