"""An audit as a person likes to read it in a terminal."""

from __future__ import annotations

import io

from rich.text import Text

from foldproof.report.text import console_for, plain_lines
from foldproof.report.words import Plain

# So many cells that differ are told one by one.
_SHOWN = 20


def audit_text(told: Plain, *, width: int = 100, color: bool = False) -> str:
    """Return the sentences."""
    out = io.StringIO()
    console = console_for(out, width, color)
    console.print(Text(verdict_sentence(told), style="bold"))
    for found in told["different"][:_SHOWN]:
        console.print(f"  {found['dataset']}, {found['learner']}, run {found['run']}: {'; '.join(found['what'])}")
    if len(told["different"]) > _SHOWN:
        console.print(f"  and {len(told['different']) - _SHOWN} more (--json lists them all)")
    if told["different"]:
        console.print(version_sentence(told))
    if told["not_audited"]:
        console.print("\nCannot be computed again:")
    for found in told["not_audited"]:
        cells = f"{found['cells']} cell{'s' * (found['cells'] != 1)}"
        console.print(f"  {found['dataset']}, {found['learner']} ({cells}): {found['why']}")
    return plain_lines(out)


def verdict_sentence(told: Plain) -> str:
    """Return what the audit says."""
    drawn = "" if told["sample"] is None else f", drawn with seed {told['seed']}"
    of = f"{told['checked']} of {told['cells']} cells were computed again{drawn}"
    if told["different"]:
        return f"{told['store']}: {of}, and {len(told['different'])} are not as they were stored."
    if told["cells"] == 0:
        return f"{told['store']} holds no cells: there is nothing to audit."
    if told["checked"] == 0:
        return f"{told['store']}: none of {told['cells']} cells could be computed again, so nothing is proven."
    return f"{told['store']}: {of}, and all are as they were stored, to the last bit."


def version_sentence(told: Plain) -> str:
    """Return which versions are not those that the cells were computed with."""
    found = {(v["name"], v["then"], v["now"]) for cell in told["different"] for v in cell["versions"]}
    if not found:
        return (
            "The versions are those that they were computed with: the store was changed, or the learner draws random "
            "numbers that its random_state does not govern."
        )
    said = "; ".join(
        f"{name}: {then or 'none'} then, {now or 'none'} now" for name, then, now in sorted(found, key=str)
    )
    return f"Versions that differ: {said}."
