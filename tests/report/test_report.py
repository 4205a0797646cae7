"""The report renders what it is given, escaped, in every form."""

import re

import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

import foldproof as fp
from foldproof.report import words
from foldproof.report.latex import escape

NASTY = "<script>alert('x')</script> & $_%"


@pytest.fixture(scope="module")
def found():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(60, 2)), np.arange(60) % 2
    X[:, 0] += 2 * y
    learners = {"bayes": GaussianNB(), NASTY: DummyClassifier(), "dummy[bold]": DummyClassifier()}
    return fp.compare(learners, X, y, name="<b>data</b>", procedure="corrected-repeated-cv", runs=2)


def test_the_page_is_self_contained_and_escapes_everything(found):
    page = found.to_html()
    assert "<script" not in page
    assert "<b>data" not in page
    assert "&lt;script&gt;" in page
    assert not re.search(r"(src|href)\s*=|url\(|@import|https?:", page)
    assert page.count("<svg") == 3
    for pair in found.pairs:
        assert words.pvalue(pair.pvalue_adjusted).replace("<", "&lt;") in page


def test_a_notebook_shows_the_tables_escaped(found):
    shown = found._repr_html_()
    assert shown.startswith('<div class="foldproof">')
    assert "<script" not in shown


def test_text_is_not_markup(found):
    assert "dummy[bold]" in found.to_text()
    assert "\x1b[" not in found.to_text()
    assert "\x1b[" in found.to_text(color=True)
    assert repr(found) == found.to_text()


def test_latex_is_escaped_and_balanced(found):
    latex = found.to_latex()
    assert r"\$\_\%" in latex
    assert latex.count(r"\begin") == latex.count(r"\end") == 2
    assert latex.count(r"\\") == 4
    assert escape("\\^~") == r"\textbackslash{}\textasciicircum{}\textasciitilde{}"


def test_the_methods_paragraph_tells_enough_to_do_it_again(found):
    text = found.methods_text()
    for part in (
        "2 x 10-fold cross-validation",
        "adjusted for 3 pairs by the method of holm",
        "seed 0",
        "Nadeau and Bengio",
        "<b>data</b> (60 instances",
    ):
        assert part in text


def test_a_figure_is_drawn_on_the_axes_given(found):
    axes = Figure().subplots()
    assert found.plot(axes) is axes
    assert [label.get_text() for label in axes.get_yticklabels()] == [f"{v.a} − {v.b}" for v in found.pairs]
    means = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"]
    assert means == [v.mean_difference for v in found.pairs]
    assert found.plot() is not None


def test_a_verdict_for_b_turns_its_interval(found):
    told = found.to_dict()
    pair = {**told["pairs"][0], "verdict": NASTY, "mean_difference": -0.2, "confidence_interval": [-0.3, -0.1]}
    assert "better than bayes by 0.2000 (95 % interval [+0.1000, +0.3000]" in words.verdict_sentence(pair, told)


def test_an_earlier_page_survives_a_failed_write(found, tmp_path, monkeypatch):
    page = tmp_path / "r.html"
    page.write_text("earlier")

    def full(*arguments, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("foldproof.report.html.os.fdopen", full)
    with pytest.raises(fp.InputError, match="No space left on device; choose another place"):
        found.to_html(page)
    assert page.read_text() == "earlier"
    assert list(tmp_path.iterdir()) == [page]
