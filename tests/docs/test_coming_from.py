"""The tables of the pages for those who come from elsewhere: every number in them is computed here.

The blocks of these pages are run with the other pages' (``test_documented.py``), with the other package where it is there.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import foldproof as fp
from foldproof.cli.main import run

PAGES = Path(__file__).parents[2] / "docs" / "coming-from"


def rows(page: str) -> dict[str, list[str]]:
    """Return the tables of a page, rows by their first cell."""
    found = {}
    for line in (PAGES / f"{page}.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if line.startswith("|") and len(cells) > 1:
            found[cells[0]] = cells[1:]
    return found


def test_wekas_numbers(shared, capsys):
    path = shared("reference", "weka", "experimenter_credit-g.arff")
    told = rows("weka")
    scores = fp.read_scores(path)
    corrected = fp.judge(scores, "corrected-repeated-kfold-t").pair("J48", "NaiveBayes")
    assert told["mean difference"] == ["−3.91", f"−{-corrected.mean_difference:.2f}"]
    assert told["Paired T-Tester (corrected), p"] == ["0.00649351", f"{corrected.pvalue:.8f}"]
    plain = fp.judge(scores, "repeated-kfold-t").pair("J48", "NaiveBayes")
    weka, ours = told["Paired T-Tester, p"]
    assert weka == f"{plain.pvalue:.1e}" == ours.split()[0]
    assert "uncorrected_variance" in plain.warnings
    # By the definition, from the same file's differences.
    x = scores.differences("J48", "NaiveBayes").values
    t = x.mean() / np.sqrt(x.var(ddof=1) * (1 / 100 + 1 / 9))
    assert corrected.pvalue == pytest.approx(2 * stats.t.sf(abs(t), 99), rel=1e-9)
    (command,) = re.findall(r"^\$ foldproof (.+)$", (PAGES / "weka.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert run(command.replace("experimenter_credit-g.arff", str(path)).split()) == 0
    assert "NaiveBayes is better than J48 by 3.91" in capsys.readouterr().out


def test_wekas_chance_marks():
    text = (PAGES / "weka.md").read_text(encoding="utf-8")
    schemes, sets, tests = 10, 20, 180
    assert f"{tests}\n  tests" in text and (schemes - 1) * sets == tests
    assert fp.significance.expected_false_positives(tests, 0.05) == 9.0
    assert "of which nine are marked by chance alone" in text


def test_the_numbers_of_scikit_learns_example():
    from sklearn.datasets import make_moons
    from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
    from sklearn.svm import SVC

    X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    rbf, linear = (cross_val_score(SVC(kernel=k), X, y, cv=cv, scoring="roc_auc") for k in ("rbf", "linear"))
    x = rbf - linear
    corrected = x.mean() / np.sqrt(x.var(ddof=1) * (1 / 100 + 10 / 90))
    plain = x.mean() / np.sqrt(x.var(ddof=1) / 100)
    told = rows("scikit-learn")
    assert told["t, corrected"] == [f"{corrected:.3f}"] * 2
    assert told["p"] == [f"{stats.t.sf(abs(corrected), 99):.3f}", f"{2 * stats.t.sf(abs(corrected), 99):.3f}"]
    assert told["t, not corrected"][0] == f"{plain:.3f}"
    differences = fp.Differences(x.reshape(10, 10))
    assert fp.significance.repeated_kfold_t(differences).statistic == pytest.approx(plain)


def test_every_page_is_in_the_navigation():
    nav = (PAGES.parents[1] / "mkdocs.yml").read_text(encoding="utf-8")
    pages = sorted(path.name for path in PAGES.glob("*.md"))
    assert len(pages) == 7
    assert all(f"coming-from/{name}" in nav for name in pages)
