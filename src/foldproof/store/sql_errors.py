"""What databases say, as sentences that say what to do."""

from __future__ import annotations

# A part of what the database says, and what we make of it; {url}, {patience} and {said} are filled in.
_GOES_ON = "what was finished before is kept; make room, and the same command goes on from there"
_AWAY = "the store {url} went away: what was finished before is kept; the same command goes on from there"
_SENTENCES = (
    (
        "database is locked",
        "the store {url} is locked by another program for more than {patience:.0f} s: let that program finish, or use "
        "another store",
    ),
    ("disk is full", "the disk of the store {url} is full: " + _GOES_ON),
    ("no space left", "the disk of the store {url} is full: " + _GOES_ON),
    ("disk i/o error", "the store {url} cannot be written (disk full, over a quota, or failing): " + _GOES_ON),
    ("readonly", "the store {url} is read-only: change its permissions (and its folder's), or use another store"),
    (
        "unable to open",
        "the store {url} cannot be opened: is it a file, and may it and its folder be read and written?",
    ),
    (
        "not a database",
        "the store {url} is not a database of foldproof, or is damaged: choose another file, or restore a copy",
    ),
    ("malformed", "the store {url} is damaged: restore a copy, or begin a new one"),
    (
        "connection refused",
        "the store {url} does not answer: is the database server running, and is the address right?",
    ),
    ("connection failed", "the store {url} does not answer: {said}"),
    ("server closed the connection", _AWAY),
    ("terminating connection", _AWAY),
)


def sentence(url: str, error: Exception, patience: float) -> str:
    """Return what to tell the user about a database's error."""
    said = " ".join(str(getattr(error, "orig", None) or error).split())
    for part, told in _SENTENCES:
        if part in said.lower():
            return told.format(url=url, patience=patience, said=said)
    return f"the store {url} failed: {said}"
