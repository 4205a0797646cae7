"""What a command prints on stdout: text for people, one JSON object for programs."""

from __future__ import annotations

import json as jsonlib
import os
import shutil
import sys
from typing import Any, Protocol


class Told(Protocol):
    """A public result that can be told."""

    def to_dict(self) -> dict[str, Any]: ...  # noqa: D102
    def to_text(self, *, width: int = 100, color: bool = False) -> str: ...  # noqa: D102


def emit(result: Told, *, json: bool) -> None:
    """Print a result."""
    if json:
        text = jsonlib.dumps(result.to_dict(), indent=2, allow_nan=False, ensure_ascii=False) + "\n"
    else:
        terminal = sys.stdout.isatty()
        width = max(80, shutil.get_terminal_size((100, 24)).columns) if terminal else 100
        text = result.to_text(width=width, color=terminal and "NO_COLOR" not in os.environ)
    write(text)


def write(text: str) -> None:
    """Write to stdout. A reader that has gone (a pager, head) is no error: there is nobody to tell."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
