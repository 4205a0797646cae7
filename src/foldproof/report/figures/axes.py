"""What figures share: Axes made where none were given, names cut to a length and still told apart, labels spread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# Ink for what counts, for what stands behind it, and for help lines: greys that a printer keeps apart.
INK, SOFT, FAINT = "0.15", "0.45", "0.75"
# Letters of a name before it is cut short.
LONGEST = 28


def axes_for(ax: Any, width: float, height: float) -> Any:
    """Return the Axes given, or new ones of a size in inches that no window shows."""
    if ax is not None:
        return ax
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained").subplots()


def short(name: str, longest: int = LONGEST) -> str:
    """Return a name of at most so many letters, its middle left out; no sign in it is a command.

    >>> short("classifier"), short("a very long name of a learner indeed, with settings")
    ('classifier', 'a very long na…with settings')
    """
    head = longest // 2
    cut = name if len(name) <= longest else f"{name[:head]}…{name[-(longest - 1 - head) :]}"
    return cut.replace("$", r"\$")


def short_names(names: Sequence[str], longest: int = LONGEST) -> list[str]:
    """Return names of at most so many letters that are still told apart.

    Where cutting out the middle makes two the same, what all begin with is cut first, and at last they are numbered.

    >>> short_names(["forest(trees=100, depth=1, x=0)", "forest(trees=200, depth=1, x=0)"], longest=20)
    ['…100, depth=1, x=0)', '…200, depth=1, x=0)']
    """
    cut = [short(name, longest) for name in names]
    if len(set(cut)) < len(set(names)) and len({name[: min(map(len, names))] for name in names}) > 1:
        start = next(i for i, letters in enumerate(zip(*names, strict=False)) if len(set(letters)) > 1)
        cut = [short("…" + name[start:], longest) for name in names]
    if len(set(cut)) < len(set(names)):
        cut = [f"{short(name, longest - 5)} ({i})" for i, name in enumerate(names, start=1)]
    return cut


def spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return growing places moved apart so that neighbours keep a gap, within low and high where there is room.

    >>> spread([0.0, 0.1, 0.1, 1.0], 0.25, 0.0, 1.0)
    [0.0, 0.25, 0.5, 1.0]
    """
    gap = min(gap, (high - low) / max(len(places) - 1, 1))
    moved = list(places)
    for i in range(1, len(moved)):
        moved[i] = max(moved[i], moved[i - 1] + gap)
    if moved and moved[-1] > high:
        moved[-1] = high
        for i in range(len(moved) - 2, -1, -1):
            moved[i] = min(moved[i], moved[i + 1] - gap)
    return moved


def size_of(ax: Any) -> tuple[float, float]:
    """Return the width and height of Axes in inches."""
    wide, high = ax.get_figure().get_size_inches()
    place = ax.get_position()
    return float(wide * place.width), float(high * place.height)
