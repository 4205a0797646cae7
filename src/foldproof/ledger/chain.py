"""Whether the lines are those that were written, all of them, in their order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from foldproof.domain.errors import InputError
from foldproof.ledger.line import BEGINNING, LineError, digest, parse

_HEAD = re.compile(r"(\d+):([0-9a-f]{8,64})")


@dataclass(frozen=True, slots=True)
class Head:
    """Where a ledger ends: how many lines there are, and the hash of the last.

    A report prints it. Whoever kept it can tell later whether the ledger still holds those lines.
    """

    count: int
    hash: str

    def __str__(self) -> str:
        return f"{self.count}:{self.hash[:16]}"

    @classmethod
    def of(cls, lines: Sequence[str]) -> Head:
        """Return the head of some lines."""
        return cls(len(lines), digest(lines[-1]) if lines else BEGINNING)

    @classmethod
    def read(cls, text: str) -> Head:
        """Return the head that a report printed.

        >>> Head.read("3:0123456789abcdef").count
        3
        """
        found = _HEAD.fullmatch(text.strip().lower())
        if found is None:
            raise InputError(f"the head is {text!r}: give it as a report prints it, such as 12:0123456789abcdef")
        return cls(int(found[1]), found[2])


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found: the number of lines, the head, and the first thing that is wrong, or None."""

    head: Head
    line: int | None = None
    problem: str | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return self.problem is None


def check(lines: Sequence[str], last: str | None, known: Head | None = None) -> Verification:
    """Say whether lines form a chain that ends in ``last``, the head kept apart, and hold the ``known`` head.

    Editing, deleting, inserting and reordering break the chain at the first line concerned; lines that were cut off
    at the end are missed by the head; and a ledger that was written anew as a whole is told by a head that was
    printed earlier.
    """
    head = Head.of(lines)
    for number, line in enumerate(lines, start=1):
        bad, problem = _problem(lines, number, line, last)
        if problem is not None:
            return Verification(head, bad, f"line {bad} of the ledger is not as it was written: {problem}")
    if last is None and lines:
        return Verification(head, len(lines), "the head of the ledger, which is kept apart from its lines, is gone")
    if last is not None and (not lines or lines[-1] != last):
        return Verification(head, *_beyond(len(lines), last))
    if known is not None:
        return _holds(lines, head, known)
    return Verification(head)


def _problem(lines: Sequence[str], number: int, line: str, last: str | None) -> tuple[int, str | None]:
    """Return what is wrong with a line, and which line that shows to be changed."""
    try:
        entry = parse(line)
    except LineError as error:
        return number, str(error)
    if entry.number != number:
        return number, f"it was written as line {entry.number}, so lines are missing, added or out of order"
    if entry.previous == (digest(lines[number - 2]) if number > 1 else BEGINNING):
        return number, None
    if number == 1 or not _vouched(lines, number, line, last):
        return number, "the hash that it carries is not that of the line before it"
    return number - 1, f"line {number} carries another hash for it"


def _vouched(lines: Sequence[str], number: int, line: str, last: str | None) -> bool:
    """Whether what comes after a line, the next one or the head, says that the line is as it was."""
    if number == len(lines):
        return line == last
    try:
        return parse(lines[number]).previous == digest(line)
    except LineError:
        return False


def _beyond(count: int, last: str) -> tuple[int, str]:
    """Return what is wrong where the head is not that of the last line."""
    try:
        written = parse(last).number
    except LineError:
        return max(count, 1), "the head of the ledger, which is kept apart from its lines, is not as it was written"
    if written > count:
        return (
            count + 1,
            f"line {count + 1} of the ledger is missing: the head, which is kept apart, says that {written} lines were "
            f"written, and {count} are there",
        )
    if written == count:
        return (
            count,
            f"line {count} of the ledger is not as it was written: the head, which is kept apart, holds another",
        )
    return (
        written + 1,
        f"the head of the ledger says that {written} lines were written, and {count} are there: lines were added from "
        "elsewhere, or the head was changed",
    )


def _holds(lines: Sequence[str], head: Head, known: Head) -> Verification:
    """Say whether a head that was printed earlier is one of this ledger."""
    if known.count > len(lines):
        return Verification(
            head,
            len(lines) + 1,
            f"line {len(lines) + 1} of the ledger is missing: the given head counts {known.count} lines, and "
            f"{len(lines)} are there",
        )
    if not Head.of(lines[: known.count]).hash.startswith(known.hash):
        return Verification(
            head,
            known.count or 1,
            f"line {known.count} of the ledger is not the one of the given head: up to there, lines were written anew",
        )
    return Verification(head)
