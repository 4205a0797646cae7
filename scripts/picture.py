"""Make the README's picture: the demo's comparison under sixty seeds, by two popular tests and by ours.

``make picture`` runs everything anew, writes the numbers beside the picture, and draws it from them. ``--draw`` only
draws. A test makes a few of the seeds again and compares them with the file.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp

PLACE = Path(__file__).parents[1] / "docs" / "images"
NUMBERS, PICTURE = PLACE / "same-comparison.json", PLACE / "same-comparison.svg"
SEEDS, ALPHA = 60, 0.05
PROCEDURES = {
    "5x2cv": "5x2cv t-test",
    "10-fold-cv": "ten folds, paired t-test",
    "corrected-10x10-cv": "ten times ten folds, corrected t-test: the default here",
}


def learners() -> dict[str, Any]:
    """Return the two learners of the demo."""
    return {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3)}


def one(procedure: str, seed: int) -> Any:
    """Return the comparison with one seed."""
    X, y = load_breast_cancer(return_X_y=True)
    return fp.compare(learners(), X, y, procedure=procedure, seed=seed, alpha=ALPHA, name="sklearn:breast_cancer")


def run() -> dict[str, Any]:
    """Make every comparison."""
    told: dict[str, Any] = {
        "dataset": "sklearn:breast_cancer",
        "learners": {name: repr(learner) for name, learner in learners().items()},
        "alpha": ALPHA,
        "seeds": SEEDS,
        "procedures": {},
    }
    for procedure in PROCEDURES:
        pairs = []
        for seed in range(SEEDS):
            comparison = one(procedure, seed)
            pairs.append(comparison.pair("bayes", "tree"))
            told["provenance"] = {k: comparison.provenance[k] for k in ("version", "python", "packages")}
        told["procedures"][procedure] = {
            "pvalues": [pair.pvalue for pair in pairs],
            "verdicts": [pair.verdict for pair in pairs],
            "forecasts": [pair.forecast for pair in pairs],
        }
    return told


def counts(told: dict[str, Any], procedure: str) -> dict[str, int]:
    """Return how often each verdict came out."""
    verdicts = told["procedures"][procedure]["verdicts"]
    return {name: verdicts.count(name) for name in ("bayes", "none", "tree")}


def agreement(told: dict[str, Any], procedure: str) -> float:
    """Return R: the share of pairs of seeds that agree whether there is a difference."""
    verdicts = told["procedures"][procedure]["verdicts"]
    return float(fp.replicability.r_estimate(sum(v != "none" for v in verdicts), len(verdicts)))


def draw(told: dict[str, Any]) -> None:
    """Draw a point for each seed: filled where the p-value is at most alpha."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    ink, soft = "#1c2430", "#5b6675"
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "foldproof", "font.family": "sans-serif"}):
        figure = Figure(figsize=(8.4, 6.2), layout="constrained", facecolor="white")
        top = 1.1 * max(p for found in told["procedures"].values() for p in found["pvalues"])
        for ax, (procedure, words) in zip(
            figure.subplots(len(PROCEDURES), 1, sharex=True, sharey=True), PROCEDURES.items(), strict=True
        ):
            pvalues = told["procedures"][procedure]["pvalues"]
            for found, face in ((True, ink), (False, "white")):
                seeds = [seed for seed, p in enumerate(pvalues) if (p <= told["alpha"]) == found]
                ax.plot(seeds, [pvalues[s] for s in seeds], "o", color=ink, markerfacecolor=face, markersize=4.5)
            ax.axhline(told["alpha"], color=soft, linewidth=1, linestyle="--")
            ax.set_ylim(top, -0.03 * top)
            ax.set_xlim(-1, told["seeds"])
            ax.set_ylabel("p-value", color=soft)
            n = counts(told, procedure)
            said = f"{n['bayes']} of {told['seeds']} seeds: bayes is better; {n['none']}: no difference found"
            ax.set_title(f"{words}\n{said}", loc="left", fontsize=10, color=ink)
            ax.tick_params(colors=soft)
            for side in ("top", "right"):
                ax.spines[side].set_visible(False)
        ax.set_xlabel("seed of the split; filled: significant at 0.05", color=soft)
        figure.savefig(PICTURE, format="svg", metadata={"Date": None})
    # Matplotlib leaves blanks at the ends of lines.
    lines = PICTURE.read_text(encoding="utf-8").splitlines()
    PICTURE.write_text("".join(line.rstrip() + "\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    PLACE.mkdir(parents=True, exist_ok=True)
    if "--draw" not in sys.argv:
        NUMBERS.write_text(json.dumps(run(), indent=1) + "\n", encoding="utf-8")
    told = json.loads(NUMBERS.read_text(encoding="utf-8"))
    draw(told)
    for name in PROCEDURES:
        print(f"{name}: {counts(told, name)}, R = {agreement(told, name):.3f}")
