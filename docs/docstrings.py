"""What MkDocs' reader of docstrings is told about the way ours are written."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension

_SEVERAL = re.compile(r"^(\w+(?:, \w+)+)\n((?: +.*\n?|\n(?= ))+)", re.MULTILINE)


class Docstrings(Extension):
    """Give examples outside a section a heading of their own, and parameters that share a text a copy each."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Rewrite the docstring of a class or function."""
        if obj.docstring is not None:
            obj.docstring.value = with_heading(separated(obj.docstring.value))


def with_heading(docstring: str) -> str:
    """Return the docstring with a heading above its first example, if it has none."""
    lines = docstring.splitlines()
    examples = [place for place, line in enumerate(lines) if line.startswith(">>> ")]
    if not examples or "Examples" in (line.strip() for line in lines[: examples[0]]):
        return docstring
    return "\n".join([*lines[: examples[0]], "Examples", "--------", *lines[examples[0] :]])


def separated(docstring: str) -> str:
    """Return the docstring with ``a, b`` of its parameters as two entries, so that each gets its own type."""
    if "Parameters\n" not in docstring and "Attributes\n" not in docstring:
        return docstring

    def each(match: re.Match[str]) -> str:
        return "".join(f"{name}\n{match[2].rstrip()}\n" for name in match[1].split(", "))

    return _SEVERAL.sub(each, docstring)
