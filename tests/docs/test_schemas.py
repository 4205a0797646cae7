"""The schemas of the documentation accept what the program really writes, and refuse what it should not."""

from __future__ import annotations

import copy
import io
import json
import re
import tomllib
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from jsonschema import Draft202012Validator
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import foldproof as fp
from foldproof.store import open_store

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"
SIZE = {"procedure": "corrected-repeated-cv", "runs": 2, "folds": 3}


def validator(name: str) -> Draft202012Validator:
    schema = json.loads((SCHEMAS / f"{name}-1.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def problems(name: str, told: Any) -> list[str]:
    plain = json.loads(json.dumps(told, allow_nan=False))
    return [f"{error.json_path}: {error.message}" for error in validator(name).iter_errors(plain)]


class Fails(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    def fit(self, X: Any, y: Any) -> Fails:
        raise ValueError("I do not feel like it")

    def predict(self, X: Any) -> Any:
        raise AssertionError


@pytest.fixture(scope="module")
def data() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    bits = np.random.default_rng(3)
    y = np.arange(60) % 2
    return bits.normal(size=(60, 3)) + y[:, None], y


@pytest.fixture(scope="module")
def told(data: Any) -> dict[str, Any]:
    X, y = data
    return fp.compare({"bayes": GaussianNB(), "dummy": DummyClassifier()}, X, y, **SIZE).to_dict()


def test_a_comparison_is_as_the_schema_says(told: dict[str, Any]) -> None:
    assert problems("compare", told) == []


def test_several_scorings_and_the_default_procedure(data: Any) -> None:
    X, y = data
    learners = {"bayes": GaussianNB(), "dummy": DummyClassifier(), "uniform": DummyClassifier(strategy="uniform")}
    found = fp.compare(learners, X, y, scoring=["accuracy", "neg_log_loss"]).to_dict()
    assert problems("compare", found) == []
    assert len(found["more_scorings"]) == 1


def test_a_regression(data: Any) -> None:
    X, _ = data
    target = X[:, 0] * 2.5 + 0.25
    found = fp.compare([LinearRegression(), DummyRegressor()], X, target, **SIZE).to_dict()
    assert found["dataset"]["classes"] is None
    assert problems("compare", found) == []


@pytest.mark.parametrize("procedure", fp.list_procedures())
def test_every_procedure(procedure: str, data: Any) -> None:
    X, y = data
    runs = {"runs": 2} if procedure == "disjoint-training-sets" else {}
    found = fp.compare({"bayes": GaussianNB(), "dummy": DummyClassifier()}, X, y, procedure=procedure, **runs)
    assert problems("compare", found.to_dict()) == []


def test_judgements() -> None:
    folds = {"runs": 1, "folds": 3}
    scores = {"a": [0.9, 0.8, 0.7], "b": [0.8, 0.8, 0.8], "c": [0.5, 0.5, 0.6]}
    for test in ("paired-t", "anova-repeated", "bayesian-correlated-t"):
        found = fp.judge(fp.read_scores(scores, **folds), test).to_dict()
        assert problems("test", found) == []
        for key in found:
            assert problems("test", {k: v for k, v in found.items() if k != key}), key
    rows = [
        {"dataset": d, "run": r, "learner": w, "score": 0.5 + r * (w == "a")}
        for d in "xy"
        for r in (0, 1)
        for w in "ab"
    ]
    several = fp.judge(fp.read_scores(pd.DataFrame(rows), n_train=9, n_test=1), "corrected-resampled-t").to_dict()
    assert problems("test", several) == []
    same = fp.judge(fp.read_scores({"a": [0.5, 0.5], "b": [0.4, 0.4]}, **(folds | {"folds": 2})), "paired-t").to_dict()
    assert same["pairs"][0]["statistic"] is None
    assert problems("test", same) == []


def test_judgements_over_datasets() -> None:
    table = pd.DataFrame({"dataset": list("wxyz"), "a": [3, 2, 1, 2], "b": [2, 2, 1, 1], "c": [1, 1, 0, 2]})
    tests = (
        "friedman",
        "iman-davenport",
        "nemenyi",
        "holm-control",
        "wilcoxon-signed-rank",
        "sign-test",
        "bayesian-sign",
    )
    for test in tests:
        found = fp.judge(fp.read_scores(table), test).to_dict()
        assert problems("test", found) == [], test
        for key in found:
            assert problems("test", {k: v for k, v in found.items() if k != key}), key


def test_many_datasets(data: Any) -> None:
    X, y = data
    many = {"one": (X, y), "two": (X + 1.0, y), "three": (X[:40], y[:40])}
    learners = {"bayes": GaussianNB(), "dummy": DummyClassifier(), "fails": Fails()}
    for chosen, store in ((["bayes", "dummy"], None), (["bayes", "fails"], None), (["bayes", "dummy"], "memory://")):
        found = fp.compare_many(many, {name: learners[name] for name in chosen}, store=store, **SIZE).to_dict()
        assert (found["datasets"][0]["ledger"] is None) == (store is None)
        assert problems("compare-many", found) == []
        for key in found:
            assert problems("compare-many", {k: v for k, v in found.items() if k != key}), key
    three = {
        **{name: learners[name] for name in ("bayes", "dummy")},
        "stratified": DummyClassifier(strategy="stratified"),
    }
    assert problems("compare-many", fp.compare_many(many, three, **SIZE).to_dict()) == []


def test_a_replication(data: Any) -> None:
    X, y = data
    found = fp.replicate({"bayes": GaussianNB(), "dummy": DummyClassifier()}, X, y, repetitions=2, **SIZE).to_dict()
    assert problems("replicate", found) == []
    failing = fp.replicate({"bayes": GaussianNB(), "fails": Fails()}, X, y, repetitions=2, **SIZE).to_dict()
    assert failing["failures"]
    assert problems("replicate", failing) == []
    for key in found:
        assert problems("replicate", {k: v for k, v in found.items() if k != key}), key


@pytest.mark.parametrize("mode", ["noninferiority", "superiority", "equivalence"])
def test_a_gate(mode: str, data: Any) -> None:
    X, y = data
    for new in (GaussianNB(var_smoothing=0.1), GaussianNB(), DummyClassifier(), Fails()):
        found = fp.gate(GaussianNB(), new, X, y, min_effect=0.01, mode=mode, **SIZE).to_dict()
        assert problems("gate", found) == []
        assert "needed" in found
        for key in found:
            assert problems("gate", {k: v for k, v in found.items() if k != key}), key


def test_what_a_ledger_tells(data: Any) -> None:
    X, y = data
    learners = {"bayes": GaussianNB(), "dummy": DummyClassifier(), "uniform": DummyClassifier(strategy="uniform")}
    with open_store("memory://") as store:
        compared = fp.compare(learners, X, y, scoring=["accuracy", "f1"], store=store, **SIZE).to_dict()
        repeated = fp.replicate(learners, X, y, repetitions=2, store=store, **SIZE).to_dict()
        gated = fp.gate(GaussianNB(), DummyClassifier(), X, y, min_effect=0.1, store=store, **SIZE).to_dict()
        for name, told in (("compare", compared), ("replicate", repeated), ("gate", gated)):
            assert told["ledger"] is not None
            assert problems(name, told) == []
            for key in told["ledger"]:
                lacking = {**told, "ledger": {k: v for k, v in told["ledger"].items() if k != key}}
                assert problems(name, lacking), key
        view, found = fp.read_ledger(store), fp.verify_ledger(store)
        for name, told in (
            ("ledger", view.to_dict()),
            ("ledger-export", view.exported()),
            ("ledger-verify", found.to_dict()),
        ):
            assert problems(name, told) == []
            for key in told:
                assert problems(name, {k: v for k, v in told.items() if k != key}), key
        store.set_mark("ledger-head", "changed")
        assert problems("ledger-verify", fp.verify_ledger(store).to_dict()) == []


def test_a_gate_on_scores() -> None:
    scores = fp.read_scores({"old": [0.9, 0.8, 0.85, 0.9], "new": [0.91, 0.82, 0.84, 0.9]}, runs=2, folds=2)
    assert problems("gate", fp.gate_scores(scores, "old", "new", min_effect=0.001).to_dict()) == []


def strict(name: str, found: dict[str, Any]) -> None:
    assert problems(name, found) == []
    for key in found:
        assert problems(name, {k: v for k, v in found.items() if k != key}), key
    assert problems(name, {**found, "surprise": 1})


def test_what_tuning_chose(data: Any) -> None:
    tune = {"tree": {"max_depth": [1, 2]}}
    learners = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}
    found = fp.compare(learners, *data, tune=tune, **SIZE).to_dict()
    assert found["tuning"]
    assert problems("compare", found) == []
    again = fp.replicate(learners, *data, tune=tune, repetitions=2, **SIZE).to_dict()
    gate = fp.gate(*learners.items(), *data, tune=tune, min_effect=0.1, **SIZE).to_dict()
    assert again["tuning"] and gate["tuning"]
    assert problems("replicate", again) == problems("gate", gate) == []


def test_the_protocol(data: Any) -> None:
    learners = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB(), "fails": Fails()}
    tune = {"tree": {"max_depth": [1, 2]}}
    strict("salzberg", fp.salzberg(learners, {"x": data, "y": data}, tune=tune, folds=3).to_dict())
    found = fp.salzberg(learners, *data, folds=3).comparison.to_dict()
    assert found["protocol"]["comparisons"] == 3
    assert problems("compare", found) == []


def test_calibrations_randomizations_and_sweeps(data: Any) -> None:
    learners = {"bayes": GaussianNB(), "dummy": DummyClassifier()}
    calibration = fp.calibrate(learners, *data, procedure=["5x2cv", "mcnemar-holdout"], trials=2, repetitions=2)
    strict("calibrate", calibration.to_dict())
    strict("calibrate", fp.calibrate(["c45", "naive-bayes"], procedure="mcnemar-holdout", trials=2, n=40).to_dict())
    strict("randomize", fp.randomization(learners, *data, relabelings=2, folds=3).to_dict())
    strict("randomize", fp.randomization(lambda X, y, seed: 0.5, *data, relabelings=2, n_jobs=1).to_dict())
    size = {"n_train": 40, "training_sets": 2, "n_test": 50}
    strict("sweep", fp.sweep("c45", {"min_instances": [2, 5]}, "source1", **size).to_dict())


def test_plans_and_stores(data: Any, tmp_path: Path) -> None:
    learners = {"bayes": GaussianNB(), "dummy": DummyClassifier(), "fails": Fails()}
    plan = {
        "datasets": {"one": data, "two": "sklearn:iris"},
        "procedures": ["5x2cv", {"name": "corrected-repeated-cv", "runs": 2, "folds": 3}],
        "scoring": ["accuracy", "f1_macro"],
    }
    url = f"sqlite:///{tmp_path / 'kept.db'}"
    strict("run", fp.run_plan({**plan, "learners": learners}, store=url).to_dict())
    del learners["fails"]
    strict("run", fp.run_plan({**plan, "learners": learners, "control": "dummy"}, store=url).to_dict())
    one = {**plan, "datasets": {"one": data}, "learners": learners, "ledger": False}
    strict("run", fp.run_plan(one).to_dict())
    report = fp.read_store(url).to_dict()
    assert report["failures"] and report["ledger"]["datasets"]
    strict("report", report)
    assert any(block["verdicts"] for found in report["datasets"] for block in found["blocks"])
    audited = fp.audit(url, sample=5).to_dict()
    assert audited["not_audited"]
    strict("audit", audited)
    strict("transfer", fp.export_store(url, tmp_path / "cells.csv").to_dict())
    strict("transfer", fp.import_store(tmp_path / "cells.csv", "memory://").to_dict())
    with open_store(url) as store:
        store.set_mark("ledger-head", "changed")
    broken = fp.read_store(url).to_dict()
    assert broken["ledger"] is None
    strict("report", broken)
    with open_store("memory://") as store:
        strict("report", fp.read_store(store).to_dict())
        strict("audit", fp.audit(store, sample=None).to_dict())


def test_an_audit_that_finds_something(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'kept.db'}"
    learners = ["sklearn.naive_bayes.GaussianNB()", "sklearn.dummy.DummyClassifier()"]
    fp.run_plan({"datasets": ["sklearn:iris"], "learners": learners, "procedures": "10-fold-cv"}, store=url)
    fp.export_store(url, tmp_path / "cells.csv")
    text = (tmp_path / "cells.csv").read_text(encoding="utf-8")
    (tmp_path / "cells.csv").write_text(re.sub(r'"\[0\.9[^]]*\]"', '"[0,0,0,0,0,0,0,0,0,0]"', text), encoding="utf-8")
    with open_store("memory://") as store:
        fp.import_store(tmp_path / "cells.csv", store)
        found = fp.audit(store, sample=None)
    assert found.exit_code == 1
    strict("audit", found.to_dict())


def test_every_key_of_a_plan_is_on_its_page() -> None:
    page = (SCHEMAS.parent / "reference" / "plan.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `([a-z_]+)` \|", page, re.MULTILINE))
    from dataclasses import fields

    from foldproof.workflows.plan_file import ExperimentPlan

    assert told == {field.name for field in fields(ExperimentPlan)} - {"place"}
    example = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)[0]
    assert fp.read_plan(tomllib.loads(example)).tune == {"forest": {"max_features": ["sqrt", 0.5]}}


def test_studies(monkeypatch: pytest.MonkeyPatch) -> None:
    from foldproof.report.study import study_dict
    from foldproof.studies.finding import find_study

    found = fp.run_study("bouckaert-frank-2004", tables=["5", "5-reference"], figures=["2"], datasets=[], scale=0.002)
    strict("study-run", found.to_dict())
    for name in fp.list_studies():
        strict("study", study_dict(find_study(name)))


def test_failures_and_infinite_statistics(data: Any) -> None:
    X, y = data
    learners = {"fails": Fails(), "bayes": GaussianNB(), "again": GaussianNB()}
    found = fp.compare(learners, X, y, **SIZE).to_dict()
    assert found["failures"]
    assert problems("compare", found) == []
    constant = {"one": DummyClassifier(strategy="constant", constant=1), "dummy": DummyClassifier()}
    assert problems("compare", fp.compare(constant, X, y, **SIZE).to_dict()) == []


def test_the_schema_is_strict(told: dict[str, Any]) -> None:
    for key in told:
        lacking = {k: v for k, v in told.items() if k != key}
        assert problems("compare", lacking), key
    assert problems("compare", {**told, "surprise": 1})
    for key in told["pairs"][0]:
        lacking = copy.deepcopy(told)
        del lacking["pairs"][0][key]
        assert problems("compare", lacking), key


@pytest.mark.parametrize("what", ["datasets", "learners", "tests", "procedures", "studies"])
def test_lists_are_as_the_schema_says(what: str) -> None:
    from foldproof.cli.main import run

    out = io.StringIO()
    with redirect_stdout(out):
        assert run(["list", what, "--json"]) == 0
    assert problems("list", json.loads(out.getvalue())) == []


def test_every_key_is_on_the_page(told: dict[str, Any]) -> None:
    page = (SCHEMAS.parent / "reference" / "json.md").read_text(encoding="utf-8")
    for key in [*told, *told["pairs"][0], *told["dataset"], *told["provenance"], *told["learners"][0]]:
        assert f"`{key}`" in page, key
