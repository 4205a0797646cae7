"""Every public result shows itself in a notebook: a table, escaped, with nothing loaded."""

from __future__ import annotations

import re

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

import foldproof as fp
from foldproof.significance import METHODS

NASTY = "<i>dummy</i>"
DIFFERENCES = fp.Differences([[0.01, 0.03], [0.02, -0.01], [0.0, 0.01], [0.02, 0.02], [0.01, 0.0]])
GIVEN = {
    "differences": lambda: (DIFFERENCES,),
    "counts": lambda: (7, 2),
    "scores": lambda: ([[0.1, 0.2, 0.3], [0.2, 0.2, 0.1]],),
    "answers": lambda: (np.array([[1, 0], [1, 1], [0, 1], [1, 0]], dtype=bool),),
    "proportions": lambda: (40, 30),
    "p-values": lambda: ([0.2, 0.3],),
    "values": lambda: ([0.1, 0.2, -0.1],),
    "datasets": lambda: ([[0.3, 0.2, 0.1], [0.2, 0.3, 0.1]],),
}
OPTIONS = {"two-proportions-z": {"n_a": 50, "n_b": 50}, "randomization-test": {}}


def fragment(result) -> str:
    shown = result._repr_html_()
    assert shown.startswith('<div class="foldproof">') and "<table>" in shown
    assert not re.search(r"<script|<style|src\s*=|href\s*=|https?:", shown)
    return shown


@pytest.mark.parametrize("name", sorted(METHODS))
def test_the_result_of_every_single_test(name):
    method = METHODS[name]
    options = {"margin": 0.01} if method.kind == "margin" else OPTIONS.get(name, {})
    arguments = ([0.5, 0.6], 0.7) if name == "randomization-test" else GIVEN[method.takes]()
    if name == "randomization-test":
        arguments = (0.7, [0.5, 0.6])
    result = method.function(*arguments, **options)
    shown = fragment(result)
    assert f'<th colspan="2">{name}</th>' in shown
    for warning in getattr(result, "warnings", ()):
        assert "note: " in shown, warning
    if hasattr(result, "pvalue"):
        assert f'<td>pvalue</td><td class="n">{result.pvalue:.6g}</td>' in shown


@pytest.fixture(scope="module")
def data():
    y = np.arange(40) % 2
    return np.random.default_rng(1).normal(size=(40, 2)) + y[:, None], y


LEARNERS = {"bayes": GaussianNB(), NASTY: DummyClassifier()}
SIZE = {"procedure": "corrected-repeated-cv", "runs": 2, "folds": 3}


def test_a_replication(data):
    found = fp.replicate(LEARNERS, *data, repetitions=2, **SIZE)
    shown = fragment(found)
    assert "&lt;i&gt;dummy" in shown and NASTY not in shown
    assert f"{found.pairs[0].r:.3f}" in shown


def test_a_gate(data):
    found = fp.gate(GaussianNB(), (NASTY, DummyClassifier()), *data, min_effect=0.01, **SIZE)
    shown = fragment(found)
    assert found.outcome.upper() in shown and NASTY not in shown
    assert "baseline" in shown and "candidate" in shown


@pytest.mark.parametrize("test", ["paired-t", "bayesian-correlated-t", "anova-repeated"])
def test_a_judgement(test, tmp_path):
    scores = fp.read_scores({"a": [0.9, 0.8, 0.7], NASTY: [0.8, 0.8, 0.8], "c": [0.1, 0.2, 0.3]}, runs=1, folds=3)
    judged = fp.judge(scores, test)
    shown = fragment(judged)
    assert NASTY not in shown and "&lt;i&gt;dummy" in shown
    page = judged.to_html(tmp_path / "j.html")
    assert (tmp_path / "j.html").read_text(encoding="utf-8") == page
    assert shown in page.replace("\n\n", "\n") or shown.strip() in page
    for note in ("1 x 3 folds", "paired-t" if test == "paired-t" else test):
        assert note in page


def test_a_verdict_and_a_comparison(data):
    comparison = fp.compare(LEARNERS, *data, **SIZE)
    assert NASTY not in fragment(comparison)
    shown = fragment(comparison.pairs[0])
    assert "Verdict" in shown and NASTY not in shown
    assert fragment(comparison.pairs[0].result)


def test_what_replicability_and_multiplicity_return():
    table = fp.Differences([[0.01, 0.03, 0.02], [0.02, -0.01, 0.01], [0.0, 0.01, 0.02]])
    results = [
        fp.replicability.forecast(table, alpha=0.05),
        fp.replicability.summary([3, 0], 5),
        fp.significance.multiplicity(23, alpha=0.05),
    ]
    for result in results:
        shown = fragment(result)
        assert f'<th colspan="2">{type(result).__name__}</th>' in shown
    assert "0.692643" in fragment(results[-1])


def test_a_pairs_replication_in_a_notebook(data):
    found = fp.replicate(LEARNERS, *data, repetitions=2, **SIZE)
    assert "PairReplication" in fragment(found.pairs[0])
