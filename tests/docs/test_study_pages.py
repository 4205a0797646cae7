"""Pages of studies: every place is filled from a run, every figure is there, and a few numbers are made again."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from foldproof.data.catalog import find_dataset
from foldproof.learners import cross_predict
from foldproof.partitions import KFold, partition
from foldproof.studies.finding import find_study

DOCS = Path(__file__).parents[2] / "docs"
# Those whose every part is shown; the other pages have tests of their own (tests/studies/test_pages.py).
PAGES = [DOCS / "studies" / f"{name}.md" for name in ("bradford-brodley-2001", "foldproof-2026")]
PLACE = re.compile(r"<!-- made: ([^>]*?) -->\n(.*?)<!-- end -->", re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_every_place_is_of_the_study_and_filled(page: Path) -> None:
    study, text = find_study(page.stem), page.read_text(encoding="utf-8")
    places = PLACE.findall(text)
    assert len(places) == text.count("<!-- made:") == text.count("<!-- end -->")
    for what, content in places:
        kind, *rest = what.split()
        assert content.strip(), what
        if kind == "head":
            assert "seed 0" in content
            continue
        name, variant = rest
        assert name in {"table": study.tables, "figure": study.figures}[kind]
        assert variant in study.variants
        if kind == "figure":
            (image,) = re.findall(r"\]\((\.\./images/[^)]+)\)", content)
            assert (page.parent / image).resolve().is_file()
        else:
            assert content.count("\n|") > 2
    shown = {what.split()[1] for what, _ in places if what.startswith(("table", "figure"))}
    assert shown >= {*study.tables, *study.figures}, "a part of the study is not on its page"


@pytest.mark.parametrize("learner", ["tddt-2", "discretised-naive-bayes"])
def test_a_row_of_table_1_made_again(shared, learner: str) -> None:
    """The accuracies of labor-neg over its 55 partitions into ten folds."""
    dataset = find_dataset("labor", shared("datasets"))
    means = []
    for repetition in range(55):
        splits = partition(KFold(folds=10, stratified=False), dataset, seed=0, runs=1, repetition=repetition)
        right = cross_predict(learner, dataset, splits)[0] == dataset.target_codes
        means.append(np.mean([right[splits.test_fold[0] == fold].mean() for fold in range(10)]))
    text = (DOCS / "studies" / "bradford-brodley-2001.md").read_text(encoding="utf-8")
    table = dict(PLACE.findall(text))["table 1 as-printed"]
    head, row = (
        next(line for line in table.splitlines() if line.startswith(start)).split("|")
        for start in ("| | TDDT-1", "| labor-neg")
    )
    name = {"tddt-2": "TDDT-2", "discretised-naive-bayes": "naive Bayes"}[learner]
    cell = row[[column.strip() for column in head].index(f"{name}, 1x10")]
    assert cell.split()[0] == f"{100 * np.mean(means):.1f}"
