"""Runs are added until the verdict is settled; nothing is fitted twice."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.replicability import sequential_partitions


class CountingBayes(GaussianNB):
    fits = 0

    def fit(self, X, y, sample_weight=None):
        CountingBayes.fits += 1
        return super().fit(X, y, sample_weight)


@pytest.fixture
def near():
    """Two learners so close that three runs do not settle them."""
    rng = np.random.default_rng(11)
    X, y = rng.normal(size=(120, 4)), np.arange(120) % 2
    X[:, 0] += 0.9 * y
    return X, y


LEARNERS = {"bayes": CountingBayes(), "tree": DecisionTreeClassifier(max_depth=1), "dummy": DummyClassifier()}


def test_each_pair_stops_by_the_rule_and_each_fit_is_done_once(near):
    CountingBayes.fits = 0
    found = fp.compare(LEARNERS, *near, procedure="sequential-cv")
    runs = {(v.a, v.b): int((v.df + 1) / 10) for v in found.pairs}
    longest = max(runs[pair] for pair in runs if "bayes" in pair)
    assert CountingBayes.fits == 10 * longest == 10 * len(found.outcomes["bayes"].scores["accuracy"])
    full = fp.compare(LEARNERS, *near, procedure="corrected-repeated-cv", runs=33)
    for verdict in found.pairs:
        rule = sequential_partitions(full.pair(verdict.a, verdict.b).differences, alpha=0.05)
        assert (rule.runs, rule.settled) == (runs[verdict.a, verdict.b], verdict.settled)
        assert str(rule.verdict) == {verdict.a: "A", verdict.b: "B"}.get(verdict.verdict, "none") or (
            verdict.pvalue_adjusted > verdict.pvalue
        )
    assert len(set(runs.values())) > 1


def test_a_pairs_verdict_does_not_depend_on_who_else_is_there(near):
    alone = fp.compare({k: LEARNERS[k] for k in ("bayes", "dummy")}, *near, procedure="sequential-cv")
    among = fp.compare(LEARNERS, *near, procedure="sequential-cv")
    assert alone.pair("bayes", "dummy").statistic == among.pair("bayes", "dummy").statistic


def test_the_cap_is_told(monkeypatch, near):
    from dataclasses import replace

    from foldproof.workflows.procedures import PROCEDURES

    capped = replace(PROCEDURES["sequential-cv"], runs=3)
    monkeypatch.setitem(PROCEDURES._members, "sequential-cv", capped)
    found = fp.compare(LEARNERS, *near, procedure="sequential-cv")
    pair = next(v for v in found.pairs if v.settled is False)
    assert "not_settled" in pair.warnings
    assert found.to_dict()["procedure"]["runs"] == 3


def test_a_learner_that_fails_stops_its_pairs(near):
    class Never(GaussianNB):
        def fit(self, X, y):
            raise RuntimeError("no")

    found = fp.compare(
        {"bayes": GaussianNB(), "never": Never(), "dummy": DummyClassifier()}, *near, procedure="sequential-cv"
    )
    assert found.pair("bayes", "never").pvalue is None
    assert found.pair("bayes", "dummy").verdict == "bayes"
    assert {f["run"] for f in found.failures} == {0, 1, 2}


def test_failures_in_later_runs_carry_their_run(near):
    class Tired(GaussianNB):
        fits = 0

        def fit(self, X, y, sample_weight=None):
            Tired.fits += 1
            if Tired.fits > 35:
                raise RuntimeError("tired")
            return super().fit(X, y)

    learners = {"tired": Tired(), "tree": DecisionTreeClassifier(max_depth=1)}
    found = fp.compare(learners, *near, procedure="sequential-cv", n_jobs=1)
    assert [(f["run"], f["fold"]) for f in found.failures] == [(3, fold) for fold in range(5, 10)]
