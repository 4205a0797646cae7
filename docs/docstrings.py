"""What MkDocs' reader of docstrings is told: an example may stand anywhere, without a heading of its own."""

from __future__ import annotations

from typing import Any

from griffe import Extension


class Examples(Extension):
    """Give examples that stand outside a section the heading that the numpy style wants for them."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Rewrite the docstring of a class or function."""
        if obj.docstring is not None and ">>> " in obj.docstring.value:
            obj.docstring.value = with_heading(obj.docstring.value)


def with_heading(docstring: str) -> str:
    """Return the docstring with a heading above its first example, if it has none."""
    lines = docstring.splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith(">>> "))
    above = [line.strip() for line in lines[:first]]
    if "Examples" in above:
        return docstring
    return "\n".join([*lines[:first], "Examples", "--------", *lines[first:]])
