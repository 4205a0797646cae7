"""Lines that several reports share: advice, chosen parameters, what a protocol was told."""

from __future__ import annotations

from collections.abc import Sequence

from foldproof.report.words import Plain


def tuning_sentence(found: Plain) -> str:
    """Return what a learner chose for itself, in one sentence.

    >>> counts = [{"setting": "depth=2", "folds": 8}, {"setting": "depth=1", "folds": 2}]
    >>> tuning_sentence({"learner": "tree", "settings": 3, "counts": counts, "stability": 29 / 45})
    'tree chose among 3 settings: depth=2 in 8 of 10 folds, depth=1 in 2; two folds agree in 64 %.'
    """
    counts = found["counts"]
    folds = sum(row["folds"] for row in counts)
    if not counts:
        return f"{found['learner']} chose no setting: its fits failed."
    shown = [f"{row['setting'] or 'the only one'} in {row['folds']}" for row in counts[:4]]
    shown[0] += f" of {folds} folds"
    more = f", and {len(counts) - 4} others" if len(counts) > 4 else ""
    steady = "" if found["stability"] is None else f"; two folds agree in {100 * found['stability']:.0f} %"
    settings = found["settings"]
    return (
        f"{found['learner']} chose among {settings} setting{'s' * (settings != 1)}: {', '.join(shown)}{more}{steady}."
    )


def tuning_lines(tuning: Sequence[Plain]) -> list[str]:
    """Return a line for each learner that tuned itself."""
    return [f"tuned: {tuning_sentence(found)}" for found in tuning]


def advice_lines(advice: Sequence[Plain], *, protocol: bool = False) -> list[str]:
    """Return the misuse that was seen, a line each; caveats are for longer reports; a protocol tells its own gaps."""
    told = {"no_similar_learner"} if protocol else set()
    return [
        f"advice: {advice_sentence(found)}"
        for found in advice
        if found["kind"] == "misuse" and found["code"] not in told
    ]


def advice_sentence(found: Plain) -> str:
    """Return what was seen and what to do."""
    return f"{found['says']}. {found['do'][0].upper()}{found['do'][1:]}."


def protocol_lines(protocol: Plain) -> list[str]:
    """Return what the protocol was told, and what not."""
    said = []
    if protocol["most_similar"] is not None:
        said.append(f"The new learner is {protocol['new']}; most similar to it is {protocol['most_similar']}.")
    if protocol.get("reason"):
        said.append(f"Why these data: {protocol['reason']}")
    for data in protocol.get("datasets", []):
        if data["reason"]:
            said.append(f"Why {data['name']}: {data['reason']}")
    return [*said, *(f"not told: {sentence}" for sentence in protocol["not_told"])]
