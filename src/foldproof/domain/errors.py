"""What can go wrong, as sentences: what happened, what was given, what to do next."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

# Names beyond this many are not all listed: the nearest are.
_MANY = 20


class FoldproofError(Exception):
    """Base of every error raised on purpose; its text is meant for the user as it is."""


class InputError(FoldproofError, ValueError):
    """Bad input or usage (exit code 2 on the command line)."""


class NotInThisVersionError(FoldproofError, NotImplementedError):
    """A documented part that this version does not have yet (exit code 2)."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is not in this version of foldproof")


class NotAvailableError(FoldproofError):
    """Something is not to be had here, such as a dataset without the network; a study goes on without it."""

    def __init__(self, what: str, why: str, what_to_do: str) -> None:
        super().__init__(f"{what}: {why}; {what_to_do}")
        self.what, self.why, self.what_to_do = what, why, what_to_do

    def __reduce__(self) -> tuple[type[NotAvailableError], tuple[str, str, str]]:
        return type(self), (self.what, self.why, self.what_to_do)


def unknown_name(kind: str, given: str, known: Iterable[str]) -> InputError:
    """Return the error for a name that is not registered, with the nearest known one.

    >>> print(unknown_name("procedure", "corected-10x10-cv", ["corrected-10x10-cv", "5x2cv"]))
    unknown procedure 'corected-10x10-cv': did you mean 'corrected-10x10-cv'? (known: 5x2cv, corrected-10x10-cv)
    """
    names = sorted(known)
    near = get_close_matches(given, names, n=1, cutoff=0.6)
    hint = f": did you mean {near[0]!r}?" if near else ""
    shown = names if len(names) <= _MANY else [*get_close_matches(given, names, n=5, cutoff=0.0), "…"]
    known_ones = f"known: {', '.join(shown)}" if shown else "there are none"
    return InputError(f"unknown {kind} {given!r}{hint} ({known_ones})")
