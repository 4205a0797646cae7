"""What is in a store is reported as it is: runs, scores, verdicts, failures, looks; and escaped."""

import json
import sqlite3
from html.parser import HTMLParser

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.cli.main import run
from foldproof.domain.errors import InputError
from foldproof.store import open_store

SIZE = {"procedure": "corrected-repeated-cv", "runs": 3, "folds": 5}
LEARNERS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=1)}


class Fails(DummyClassifier):
    def fit(self, X, y, sample_weight=None):
        raise ValueError("<script>alert(1)</script>")


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'kept.db'}"


def test_a_verdict_is_the_one_that_compare_gave(url, toy):
    found = fp.compare(LEARNERS, *toy, store=url, scoring=["accuracy", "f1"], name="toy", **SIZE)
    report = fp.read_store(url)
    (block,) = report.dataset("toy").blocks
    assert (block.scheme, block.folds, block.seed, block.repetition) == ("k-fold", 5, 0, 0)
    assert [(x.name, x.runs, x.failed, x.recipe) for x in block.learners] == [
        ("bayes", 3, 0, True),
        ("tree", 3, 0, True),
    ]
    for scoring in ("accuracy", "f1"):
        (pair,) = block.verdicts[scoring]
        mine, theirs = pair.verdict, found.pair("bayes", "tree", scoring=scoring)
        assert pair.runs == 3
        assert (mine.pvalue, mine.statistic, mine.df) == (theirs.pvalue, theirs.statistic, theirs.df)
        assert (mine.verdict, mine.forecast) == (theirs.verdict, theirs.forecast)
        scores = {x.name: {s.scoring: s for s in x.scores}[scoring] for x in block.learners}
        for learner in found.under(scoring).learners:
            assert scores[learner.name].mean == learner.mean_score
            assert scores[learner.name].sd == learner.sd
            assert scores[learner.name].folds == 15


def test_sizes_that_do_not_divide_are_those_of_compare(url, rng):
    y = np.arange(43) % 2
    X = rng.normal(size=(43, 2)) + y[:, None]
    found = fp.compare(LEARNERS, X, y, store=url, **SIZE)
    (pair,) = fp.read_store(url).dataset("data").blocks[0].verdicts["accuracy"]
    assert pair.verdict.pvalue == pytest.approx(found.pair("bayes", "tree").pvalue, rel=1e-12)


def test_only_runs_in_common_are_compared_and_only_the_same_folds(url, toy):
    fp.compare({"bayes": GaussianNB(), "dummy": DummyClassifier()}, *toy, store=url, **{**SIZE, "runs": 2})
    fp.compare({"tree": DecisionTreeClassifier(max_depth=1), "bayes": GaussianNB()}, *toy, store=url, **SIZE)
    fp.compare(LEARNERS, *toy, store=url, seed=1, **SIZE)
    fp.compare(LEARNERS, *toy, store=url, procedure="10-fold-cv")
    fp.compare(LEARNERS, *toy, store=url, procedure="mcnemar-holdout")
    blocks = {(b.scheme, b.folds, b.seed): b for b in fp.read_store(url).dataset("data").blocks}
    assert set(blocks) == {("k-fold", 5, 0), ("k-fold", 5, 1), ("k-fold", 10, 0), ("hold-out", 1, 0)}
    runs = {(p.verdict.a, p.verdict.b): p.runs for p in blocks["k-fold", 5, 0].verdicts["accuracy"]}
    assert runs == {("bayes", "dummy"): 2, ("bayes", "tree"): 3, ("dummy", "tree"): 2}
    assert blocks["hold-out", 1, 0].verdicts == {}
    assert "No verdicts: the corrected repeated k-fold test takes runs of whole folds" in fp.read_store(url).to_text()


def test_pairs_are_adjusted_together_and_the_level_is_asked_for(url, toy):
    three = {**LEARNERS, "dummy": DummyClassifier()}
    found = fp.compare(three, *toy, store=url, adjust="bonferroni", alpha=0.01, **SIZE)
    report = fp.read_store(url, adjust="bonferroni", alpha=0.01)
    pairs = {(p.verdict.a, p.verdict.b): p.verdict for p in report.dataset("data").blocks[0].verdicts["accuracy"]}
    assert pairs["bayes", "tree"].pvalue_adjusted == found.pair("bayes", "tree").pvalue_adjusted
    with pytest.raises(InputError, match="unknown adjustment 'bonferoni'"):
        fp.read_store(url, adjust="bonferoni")


def test_two_learners_of_one_name_are_told_apart(url, toy):
    fp.compare(LEARNERS, *toy, store=url, **SIZE)
    fp.compare({"bayes": GaussianNB(var_smoothing=0.5), "x": DummyClassifier()}, *toy, store=url, **SIZE)
    names = [x.name for x in fp.read_store(url).dataset("data").blocks[0].learners]
    assert len(set(names)) == 4
    assert sum(name.startswith("bayes (") for name in names) == 2


def test_failures_are_listed_and_their_runs_left_out(url, toy):
    fp.compare({**LEARNERS, "fails": Fails()}, *toy, store=url, **SIZE)
    report = fp.read_store(url)
    assert len(report.failures) == 15
    assert report.failures[0][1].message == "ValueError: <script>alert(1)</script>"
    (block,) = report.dataset("data").blocks
    assert [x.failed for x in block.learners] == [0, 15, 0]
    assert [(p.verdict.a, p.verdict.b) for p in block.verdicts["accuracy"]] == [("bayes", "tree")]
    assert "15 folds failed:" in report.to_text()
    assert block.learners[1].scores[0].mean is None


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = []
        self.loaded = []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.loaded += [value for name, value in attributes if name in ("src", "href") and not value.startswith("#")]


def test_the_page_is_self_contained_and_escaped(url, toy, tmp_path, capsys):
    fp.compare({**LEARNERS, "<b>fails</b>": Fails()}, *toy, store=url, name="<i>toy</i>", **SIZE)
    fp.compare(LEARNERS, toy[0] + 1.0, toy[1], store=url, name="other & more", **SIZE)
    target = tmp_path / "report.html"
    assert run(["report", url, "-o", str(target)]) == 0
    assert capsys.readouterr().out == f"{target}: 2 datasets, 5 series of runs, 15 cells, 15 folds failed\n"
    text = target.read_text()
    page = Page()
    page.feed(text)
    assert page.loaded == []
    assert "script" not in page.tags and "b" not in page.tags and "i" not in page.tags
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "&lt;i&gt;toy&lt;/i&gt;" in text and "other &amp; more" in text
    for part in ("k-fold, 5 folds, seed 0", "Failures", "Ledger", "Head of the ledger: 2:", "svg", "foldproof "):
        assert part in text, part


def test_the_ledger_is_told_with_its_head_also_where_it_was_changed(url, toy, capsys):
    fp.compare(LEARNERS, *toy, store=url, **SIZE)
    report = fp.read_store(url)
    assert report.ledger.head.count == 1
    assert f"Head of the ledger: {report.ledger.head}" in report.to_text()
    assert "Ledger: data: 1 look; the level left of 0.05 is 0.025." in report.to_text()
    # Reading is no look.
    assert fp.read_store(url).ledger.head == report.ledger.head
    with sqlite3.connect(url.removeprefix("sqlite:///")) as database:
        database.execute("UPDATE foldproof_log_line SET line = replace(line, '\"seed\":0', '\"seed\":7')")
    changed = fp.read_store(url)
    assert changed.ledger is None
    assert "The ledger cannot be read: line 1 of the ledger is not as it was written" in " ".join(
        changed.to_text().split()
    )
    assert "The ledger cannot be read" in changed.to_html()
    assert run(["report", url, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ledger"] is None and told["ledger_problem"].startswith("line 1 of the ledger")


def test_an_empty_store_and_one_that_is_not_there(url, capsys):
    open_store(url).close()
    assert run(["report", url]) == 0
    assert "0 datasets, 0 series of runs, 0 cells" in " ".join(capsys.readouterr().out.split())
    assert "No look has been entered." in fp.read_store(url).to_html()
    assert run(["report", url.replace("kept", "nothing")]) == 2
    assert "there is no store" in capsys.readouterr().err
    with pytest.raises(InputError, match="unknown dataset of this store 'iris'"):
        fp.read_store(url).dataset("iris")


def test_other_logs_are_named(url, toy):
    with open_store(url) as store:
        store.append_line("calibrate/abc", lambda count, last: "{}")
    assert fp.read_store(url).logs == ("calibrate/abc",)
