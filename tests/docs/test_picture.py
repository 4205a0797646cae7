"""The README's picture is of a run that can be made again, and the README says what its numbers say."""

from __future__ import annotations

import importlib.util
import json
import re
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TOLD: dict[str, Any] = json.loads((ROOT / "docs" / "images" / "same-comparison.json").read_text(encoding="utf-8"))
POPULAR, OURS = ("5x2cv", "10-fold-cv"), "corrected-10x10-cv"


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("picture", ROOT / "scripts" / "picture.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PICTURE = script()


def same_versions() -> bool:
    made_with = TOLD["provenance"]["packages"]
    return all(version(name) == made_with[name] for name in ("scikit-learn", "numpy", "scipy"))


@pytest.mark.parametrize(
    ("procedure", "seed"), [("5x2cv", 0), ("5x2cv", 1), ("10-fold-cv", 3), ("10-fold-cv", 59), (OURS, 0), (OURS, 23)]
)
def test_a_few_seeds_made_again(procedure, seed):
    if not same_versions():
        pytest.skip("the picture was made with other versions of scikit-learn, numpy or scipy, whose trees may differ")
    pair = PICTURE.one(procedure, seed).pair("bayes", "tree")
    found = TOLD["procedures"][procedure]
    assert pair.pvalue == pytest.approx(found["pvalues"][seed], rel=1e-9)
    assert pair.verdict == found["verdicts"][seed]
    assert pair.forecast == (None if procedure in POPULAR else pytest.approx(found["forecasts"][seed], rel=1e-9))


def test_the_numbers_are_whole():
    assert TOLD["seeds"] == PICTURE.SEEDS == 60
    assert list(TOLD["procedures"]) == list(PICTURE.PROCEDURES) == [*POPULAR, OURS]
    for found in TOLD["procedures"].values():
        assert len(found["pvalues"]) == len(found["verdicts"]) == 60
        for p, verdict in zip(found["pvalues"], found["verdicts"], strict=True):
            assert (verdict != "none") == (p <= TOLD["alpha"])


def test_the_readme_says_these_numbers():
    text = " ".join(README.split())
    for procedure in (*POPULAR, OURS):
        n = PICTURE.counts(TOLD, procedure)
        assert n["tree"] == 0
        assert f"{n['bayes']} of 60 seeds" in text, n
        assert f"R = {PICTURE.agreement(TOLD, procedure):.2f}" in text
    assert "docs/images/same-comparison.svg" in README
    forecasts = TOLD["procedures"][OURS]["forecasts"]
    assert f"{100 * min(forecasts):.0f} % and {100 * max(forecasts):.0f} %" in text


def test_the_picture_is_of_these_numbers(tmp_path, monkeypatch):
    drawn = (ROOT / "docs" / "images" / "same-comparison.svg").read_text(encoding="utf-8")
    for procedure in (*POPULAR, OURS):
        assert f"{PICTURE.counts(TOLD, procedure)['bayes']} of 60 seeds" in drawn
    monkeypatch.setattr(PICTURE, "PICTURE", tmp_path / "again.svg")
    PICTURE.draw(TOLD)
    again = (tmp_path / "again.svg").read_text(encoding="utf-8")
    assert len(re.findall(r"<use ", again)) >= 180  # a point for each seed and procedure, and ticks
    if version("matplotlib") in drawn:
        assert again == drawn


def test_the_picture_is_small():
    assert (ROOT / "docs" / "images" / "same-comparison.svg").stat().st_size < 60_000
